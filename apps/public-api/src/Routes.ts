import { assertKept } from "@quittance/contract/api/ContractRules"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { RequestChecks } from "@quittance/http/RequestChecks"
import { RequestValidationLayer } from "@quittance/http/RequestValidation"
import { TenancyLayer } from "@quittance/http/Tenancy"
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Handlers } from "./Handlers.ts"
import { AccessControlLayer } from "./http/AccessControl.ts"
import { AdmissionLayer } from "./http/Admission.ts"
import { AuthorizationLayer } from "./http/Authorization.ts"
import { DocumentationRoutes } from "./http/Documentation.ts"
import { RecentSignInLayer } from "./http/RecentSignIn.ts"
import { RequestContextLayer } from "./http/RequestContext.ts"

/** The bearer routes, and what describes them; a contract that breaks its rules stops the start. */
export const Routes = Layer.unwrap(
  Effect.sync(() => {
    assertKept(PublicApi)
    return Layer.mergeAll(HttpApiBuilder.layer(PublicApi), DocumentationRoutes)
  })
).pipe(
  Layer.provide(Handlers),
  Layer.provide([
    AccessControlLayer,
    AdmissionLayer,
    AuthorizationLayer,
    RecentSignInLayer,
    RequestContextLayer,
    RequestValidationLayer,
    TenancyLayer
  ]),
  Layer.provide([AccessTokens.layer, RequestChecks.layer])
)
