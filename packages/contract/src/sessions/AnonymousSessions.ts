import {
  sessionLimit,
  StartAnonymousSession,
  StartedAnonymousSession
} from "@quittance/domain/access/AnonymousSession"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, unkeyed } from "../access/Access.ts"
import { ApiError } from "../api/ApiError.ts"

export class AnonymousSessions extends HttpApiGroup.make("anonymousSessions")
  .add(
    HttpApiEndpoint.post("start", "/anonymous-session", {
      payload: StartAnonymousSession,
      success: StartedAnonymousSession.pipe(HttpApiSchema.status(201)),
      error: [
        ApiError.InvitationNotFound,
        ApiError.TenantNotFound,
        ApiError.UnknownProduct,
        ApiError.RateLimited
      ]
    })
      .annotateMerge(access({ scope: "NONE", callers: [], rateLimit: sessionLimit }))
      .annotateMerge(unkeyed)
      .annotate(OpenApi.Summary, "Start an anonymous session")
      .annotate(
        OpenApi.Description,
        "Answers a bearer token with which a visitor opens, quotes and signs policies of his own, and those that an invitation lets him see."
      )
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Anonymous sessions",
      description: "For visitors who have not signed in."
    })
  ) {}
