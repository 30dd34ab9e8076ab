import { StartAnonymousSession } from "@quittance/domain/sessions/SessionRequests"
import { sessionLimit, StartedAnonymousSession } from "@quittance/domain/access/AnonymousSession"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, unkeyed, RequestExample } from "../access/Access.ts"
import { accessErrors } from "../access/AccessErrors.ts"
import { productErrors } from "../products/ProductErrors.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { tenantErrors } from "../tenants/TenantErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { sessionTerms } from "./SessionTerms.ts"

export class AnonymousSessions extends HttpApiGroup.make("anonymousSessions")
  .add(
    HttpApiEndpoint.post("start", "/anonymous-session", {
      payload: StartAnonymousSession,
      success: StartedAnonymousSession.pipe(HttpApiSchema.status(201)),
      error: [
        accessErrors.AccountRequired,
        accessErrors.InvitationNotFound,
        tenantErrors.TenantNotFound,
        productErrors.UnknownProduct,
        requestErrors.RateLimited
      ]
    })
      .annotateMerge(access({ scope: "NONE", callers: [], rateLimit: sessionLimit }))
      .annotateMerge(unkeyed)
      .annotate(RequestExample, { productId: "motor-fr" })
      .annotate(OpenApi.Summary, "Start an anonymous session")
      .annotate(
        OpenApi.Description,
        "Answers a bearer token with which a visitor opens, quotes and signs policies of their own, and those that an invitation lets them see."
      )
  )
  .annotateMerge(reference({ terms: sessionTerms }))
  .annotateMerge(
    OpenApi.annotations({
      title: "Anonymous sessions",
      description: "For visitors who have not signed in."
    })
  ) {}
