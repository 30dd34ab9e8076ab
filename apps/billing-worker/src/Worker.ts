/** All that the worker consists of, on `DATABASE_URL`; one port answers health checks, another one is for those
 * who run it. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Health from "@quittance/http/Health"
import * as HttpApp from "@quittance/http/HttpApp"
import * as Management from "@quittance/http/telemetry/Management"
import * as MetricsRoutes from "@quittance/http/telemetry/MetricsRoutes"
import * as Server from "@quittance/http/Server"
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import * as ErasureRecords from "@quittance/operations/privacy/ErasureRecords"
import * as EnvironmentGuard from "@quittance/operations/tenants/EnvironmentGuard"
import { QueueMetrics } from "@quittance/operations/worker/QueueMetrics"
import { ready } from "@quittance/operations/requests/Readiness"
import { Database } from "@quittance/persistence/sql/Database"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import * as Wiring from "@quittance/operations/Wiring"
import { Layer } from "effect"
import * as jobs from "./jobs.ts"

const metrics = Layer.provide(MetricsRoutes.routes(AccessTokens), AccessTokens.layer)

export const layer = Layer.mergeAll(
  jobs.layer,
  Server.layer(HttpApp.make(Layer.merge(metrics, Health.routes(ready)))),
  Management.layer
).pipe(
  Layer.provide(QueueMetrics.layer),
  Layer.provide(Wiring.layer),
  Layer.provide(ProductsRepo.layer),
  Layer.provide(Issuers.layer),
  Layer.provide([EnvironmentGuard.layer, ErasureRecords.layerGuard]),
  Layer.provide(Ids.layer),
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide([Database.layer, NodeServices.layer])
)
