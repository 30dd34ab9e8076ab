/** All that the worker consists of, on `DATABASE_URL`; one port answers health checks, another one metrics. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Health from "@quittance/http/Health"
import * as HttpApp from "@quittance/http/HttpApp"
import * as Server from "@quittance/http/Server"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import * as EnvironmentGuard from "@quittance/operations/tenants/EnvironmentGuard"
import { ready } from "@quittance/operations/requests/Readiness"
import { Database } from "@quittance/persistence/sql/Database"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import * as Wiring from "@quittance/operations/Wiring"
import { Layer } from "effect"
import * as jobs from "./jobs.ts"
import * as Metrics from "./Metrics.ts"

export const layer = Layer.mergeAll(
  jobs.layer,
  Server.layer(HttpApp.make(Health.routes(ready))),
  Server.layerMetrics(HttpApp.make(Metrics.routes))
).pipe(
  Layer.provide(Wiring.layer),
  Layer.provide(ProductsRepo.layer),
  Layer.provide([Issuers.layer, KeyEncryption.layer]),
  Layer.provide(EnvironmentGuard.layer),
  // What consumers of events write with.
  Layer.provide(Ids.layer),
  Layer.provideMerge(TenantSql.layer),
  Layer.provideMerge(Sql.layer),
  Layer.provide([Database.layer, NodeServices.layer])
)
