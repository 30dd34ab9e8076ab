/** All that the dispatcher consists of, on `DATABASE_URL`; one port answers health checks, another one is for
 * those who run it. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Health from "@quittance/http/Health"
import * as HttpApp from "@quittance/http/HttpApp"
import * as Management from "@quittance/http/telemetry/Management"
import * as MetricsRoutes from "@quittance/http/telemetry/MetricsRoutes"
import * as Server from "@quittance/http/Server"
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import * as ErasureRecords from "@quittance/operations/privacy/ErasureRecords"
import * as EnvironmentGuard from "@quittance/operations/tenants/EnvironmentGuard"
import { QueueMetrics } from "@quittance/operations/worker/QueueMetrics"
import { ready } from "@quittance/operations/requests/Readiness"
import * as Wiring from "@quittance/operations/Wiring"
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"
import { Database } from "@quittance/persistence/sql/Database"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Layer } from "effect"
import * as jobs from "./jobs.ts"

const metrics = Layer.provide(MetricsRoutes.routes(AccessTokens), AccessTokens.layer)

export const layer = Layer.mergeAll(
  jobs.layer,
  Server.layer(HttpApp.make(Layer.merge(metrics, Health.routes(ready)))),
  Management.layer
).pipe(
  Layer.provide(QueueMetrics.layer),
  Layer.provide([Issuers.layer, KeyEncryption.layer]),
  Layer.provide([EnvironmentGuard.layer, ErasureRecords.layerGuard]),
  Layer.provide(Wiring.layer),
  // What consumers of events read and write with.
  Layer.provide([Ids.layer, ProductsRepo.layer]),
  Layer.provideMerge(TenantSql.layer),
  Layer.provideMerge(Sql.layer),
  Layer.provide([Database.layer, NodeServices.layer, OutgoingCalls.layer])
)
