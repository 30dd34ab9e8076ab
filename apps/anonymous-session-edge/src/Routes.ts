import { assertKept } from "@quittance/contract/api/ContractRules"
import { EdgeApi } from "@quittance/contract/api/EdgeApi"
import { RequestChecks } from "@quittance/http/RequestChecks"
import { RequestValidationLayer } from "@quittance/http/RequestValidation"
import { TenancyLayer } from "@quittance/http/Tenancy"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { AnonymousSessionsHandlers } from "./AnonymousSessions.ts"
import { CertificatesHandlers } from "./Certificates.ts"
import { ConfigurationHandlers } from "./Configuration.ts"

/** The routes that take a tenant but no token; a contract that breaks its rules stops the start. */
export const Routes = Layer.unwrap(
  Effect.sync(() => {
    assertKept(EdgeApi)
    return HttpApiBuilder.layer(EdgeApi)
  })
).pipe(
  Layer.provide([AnonymousSessionsHandlers, CertificatesHandlers, ConfigurationHandlers]),
  Layer.provide([RequestValidationLayer, TenancyLayer]),
  Layer.provide(RequestChecks.layer)
)
