/** All that the worker consists of, on `DATABASE_URL`; one port answers health checks, another one metrics. */
import * as Health from "@quittance/http/Health"
import * as HttpApp from "@quittance/http/HttpApp"
import * as Metrics from "@quittance/http/Metrics"
import * as Server from "@quittance/http/Server"
import * as EnvironmentGuard from "@quittance/operations/tenants/EnvironmentGuard"
import { WorkerMetrics } from "@quittance/operations/worker/WorkerMetrics"
import { ready } from "@quittance/operations/requests/Readiness"
import { Database } from "@quittance/persistence/sql/Database"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import * as Wiring from "@quittance/operations/Wiring"
import { Effect, Layer } from "effect"
import * as jobs from "./jobs.ts"

/** What waits is asked of the database when somebody looks. */
const metrics = Layer.unwrap(
  Effect.map(WorkerMetrics, ({ measure }) => Metrics.routes(measure))
).pipe(Layer.provide(WorkerMetrics.layer))

export const layer = Layer.mergeAll(
  jobs.layer,
  Server.layer(HttpApp.make(Health.routes(ready))),
  Server.layerMetrics(HttpApp.make(metrics))
).pipe(
  Layer.provide(Wiring.layer),
  Layer.provide(ProductsRepo.layer),
  Layer.provide(EnvironmentGuard.layer),
  Layer.provide(Ids.layer),
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(Database.layer)
)
