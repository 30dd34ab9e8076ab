/** The bearer routes alone, on `DATABASE_URL`. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Health from "@quittance/http/Health"
import * as HttpApp from "@quittance/http/HttpApp"
import * as Main from "@quittance/http/Main"
import * as Management from "@quittance/http/telemetry/Management"
import * as MetricsRoutes from "@quittance/http/telemetry/MetricsRoutes"
import * as Server from "@quittance/http/Server"
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import * as ErasureRecords from "@quittance/operations/privacy/ErasureRecords"
import * as EnvironmentGuard from "@quittance/operations/tenants/EnvironmentGuard"
import { ready } from "@quittance/operations/requests/Readiness"
import { Database } from "@quittance/persistence/sql/Database"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { RateLimitStore } from "@quittance/persistence/requests/RateLimitStore"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import * as Wiring from "@quittance/operations/Wiring"
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"
import { Layer } from "effect"
import { Routes } from "./Routes.ts"

const metrics = Layer.provide(MetricsRoutes.routes(AccessTokens), AccessTokens.layer)

Layer.merge(
  Server.layer(HttpApp.make(Layer.mergeAll(Routes, metrics, Health.routes(ready)))),
  Management.layer
).pipe(
  Layer.provide(Wiring.layerWithBank),
  Layer.provide(ProductsRepo.layer),
  Layer.provide([Ids.layer, Issuers.layer, KeyEncryption.layer, RateLimitStore.layer]),
  Layer.provide([EnvironmentGuard.layer, ErasureRecords.layerGuard]),
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide([Database.layer, OutgoingCalls.layer, NodeServices.layer]),
  Main.run("public-api")
)
