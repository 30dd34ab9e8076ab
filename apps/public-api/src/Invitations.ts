import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Acceptance } from "@quittance/operations/access/InvitationAcceptance"
import { Invitations } from "@quittance/operations/access/Invitations"
import { Effect, Layer, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const InvitationsHandlers = HttpApiBuilder.group(
  PublicApi,
  "invitations",
  Effect.fn(function* (handlers) {
    const acceptance = yield* Acceptance
    const invitations = yield* Invitations

    return handlers.handleAll({
      create: (request) => asRequest(request, invitations.create(request.payload)),
      list: ({ query }) => invitations.list(pageRequest(query)),
      get: ({ params }) => invitations.get(params.invitationId),
      revoke: (request) => asRequest(request, invitations.revoke(request.params.invitationId)),
      resend: (request) => asRequest(request, invitations.resend(request.params.invitationId)),
      accept: ({ payload }) =>
        asRequest({}, acceptance.accept(Redacted.make(payload.token), payload.account))
    })
  })
).pipe(Layer.provide([Acceptance.layer, Invitations.layer]))
