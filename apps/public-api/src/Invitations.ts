import type { CreateInvitation } from "@quittance/domain/access/InvitationRequests"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { InvitationAcceptance } from "@quittance/operations/access/InvitationAcceptance"
import { Invitations } from "@quittance/operations/access/Invitations"
import { requireRecentSignIn } from "@quittance/operations/requests/RecentSignIn"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const InvitationsHandlers = HttpApiBuilder.group(
  PublicApi,
  "invitations",
  Effect.fn(function* (handlers) {
    const acceptance = yield* InvitationAcceptance
    const invitations = yield* Invitations

    return handlers.handleAll({
      create: ({ payload }) =>
        Effect.andThen(
          reachesFurther(payload) ? requireRecentSignIn : Effect.void,
          invitations.create(payload)
        ),
      list: ({ query }) => invitations.list(pageRequest(query)),
      get: ({ params }) => invitations.get(params.invitationId),
      revoke: ({ params }) => invitations.revoke(params.invitationId),
      resend: ({ params }) => invitations.resend(params.invitationId),
      accept: ({ payload }) => acceptance.accept(payload)
    })
  })
).pipe(Layer.provide([InvitationAcceptance.layer, Invitations.layer]))

/** Whether it gives more than access to single records: that is a change of rights. */
const reachesFurther = ({ permissions = [] }: CreateInvitation): boolean =>
  permissions.some(({ on }) => on.kind !== "RECORD")
