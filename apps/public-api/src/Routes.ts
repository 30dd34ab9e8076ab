import * as NodeServices from "@effect/platform-node/NodeServices"
import { assertKept } from "@quittance/contract/api/ContractRules"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { RequestChecks } from "@quittance/http/RequestChecks"
import { RequestValidationLayer } from "@quittance/http/RequestValidation"
import { TenancyLayer } from "@quittance/http/Tenancy"
import { Ceremonies } from "@quittance/operations/ceremonies/Ceremonies"
import { CeremonySigning } from "@quittance/operations/ceremonies/CeremonySigning"
import { CeremonyVisits } from "@quittance/operations/ceremonies/CeremonyVisits"
import { LinkOpenings } from "@quittance/operations/documents/links/LinkOpenings"
import { LinkedUploads } from "@quittance/operations/documents/requests/LinkedUploads"
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import * as Renderer from "@quittance/renderer/Renderer"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Handlers } from "./Handlers.ts"
import { AccessControlLayer } from "./http/AccessControl.ts"
import { AdmissionLayer } from "./http/Admission.ts"
import { AuthorizationLayer } from "./http/Authorization.ts"
import { DocumentationRoutes } from "./http/Documentation.ts"
import { DocumentLinkRoutes } from "./http/DocumentLinkRoutes.ts"
import { RecentSignInLayer } from "./http/RecentSignIn.ts"
import { RequestContextLayer } from "./http/RequestContext.ts"
import { SignRoutes } from "./http/SignRoutes.ts"
import { UploadRoutes } from "./http/UploadRoutes.ts"

/** What needs no token: who has a link opens its document, signs, or adds what it asks for. */
const OpenLinks = Layer.mergeAll(DocumentLinkRoutes, SignRoutes, UploadRoutes).pipe(
  Layer.provide([
    Ceremonies.layer,
    CeremonySigning.layer,
    CeremonyVisits.layer,
    LinkedUploads.layer,
    LinkOpenings.layer
  ]),
  Layer.provide(Renderer.layer),
  Layer.provide(NodeServices.layer)
)

/** The bearer routes, and what describes them; a contract that breaks its rules stops the start. */
export const Routes = Layer.unwrap(
  Effect.sync(() => {
    assertKept(PublicApi)
    return Layer.mergeAll(HttpApiBuilder.layer(PublicApi), DocumentationRoutes, OpenLinks)
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
