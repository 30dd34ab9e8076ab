import { AcceptInvitation, CreateInvitation } from "@quittance/domain/access/InvitationRequests"
import { UserId } from "@quittance/domain/requests/Caller"
import { StartedAnonymousSession } from "@quittance/domain/access/AnonymousSession"
import { Grant } from "@quittance/domain/access/Grant"
import { Invitation, InvitationId } from "@quittance/domain/access/Invitation"
import { Page } from "@quittance/domain/values/Page"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, needsNothing, unkeyed, RequestExample } from "./Access.ts"
import { accessErrors } from "./AccessErrors.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { tokenErrors } from "../tokens/TokenErrors.ts"
import { NoMembers, pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { bearer } from "../requests/Bearer.ts"
import { exampleId, exampleSecret } from "../requests/Examples.ts"

export const InvitationPage = Page(Invitation).annotate({ identifier: "InvitationPage" })

/** A user, and what they may do now. */
export const AcceptedByUser = Schema.Struct({
  userId: UserId,
  permissions: Schema.Array(Grant)
}).annotate({ identifier: "AcceptedByUser" })

const onInvitation = { params: { invitationId: InvitationId } }
const written = { query: triedQuery, headers: writeHeaders }
const repeated = [requestErrors.IdempotencyKeyInUse, requestErrors.IdempotencyKeyReused] as const

export class Invitations extends bearer(
  HttpApiGroup.make("invitations")
    .add(
      HttpApiEndpoint.post("create", "/invitations", {
        ...written,
        payload: CreateInvitation,
        success: Invitation.pipe(HttpApiSchema.status(201)),
        error: [
          accessErrors.AuthorityExceeded,
          requestErrors.InvalidEffectiveDate,
          requestErrors.InvalidReference,
          requestErrors.RateLimited,
          requestErrors.SignInTooOld,
          ...repeated
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("invitation.write", "ANYWHERE"))
        .annotate(RequestExample, {
          email: "camille.martin@example.org",
          firstName: "Camille",
          lastName: "Martin",
          customerId: exampleId("customer")
        })
        .annotate(OpenApi.Summary, "Invite a person by mail")
        .annotate(
          OpenApi.Description,
          "The letter has a link that works once. The caller needs every action that the invitation gives, on the same target. A client needs the scope of the action's area. A person who gives anything on a firm or on the tenant has to have signed in a moment ago."
        ),
      HttpApiEndpoint.get("list", "/invitations", { query: pageQuery, success: InvitationPage })
        .annotateMerge(needs("invitation.write", "ANYWHERE"))
        .annotate(
          OpenApi.Summary,
          "List invitations, the newest first: all of the tenant, or one's own"
        ),
      HttpApiEndpoint.get("get", "/invitations/:invitationId", {
        ...onInvitation,
        success: Invitation,
        error: accessErrors.InvitationNotFound
      })
        .annotateMerge(needs("invitation.write", "TENANT"))
        .annotate(OpenApi.Summary, "Read an invitation")
        .annotate(
          OpenApi.Description,
          "The user who created the invitation needs no further permission."
        ),
      HttpApiEndpoint.delete("revoke", "/invitations/:invitationId", {
        ...onInvitation,
        ...written,
        success: HttpApiSchema.NoContent,
        error: [accessErrors.InvitationNotFound, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("invitation.write", "TENANT"))
        .annotate(OpenApi.Summary, "Withdraw an invitation"),
      HttpApiEndpoint.post("resend", "/invitations/:invitationId/resend", {
        ...onInvitation,
        ...written,
        payload: NoMembers,
        success: Invitation,
        error: [
          accessErrors.InvitationClosed,
          accessErrors.InvitationNotFound,
          requestErrors.RateLimited,
          ...repeated
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("invitation.write", "TENANT"))
        .annotate(OpenApi.Summary, "Send the letter of an invitation again"),
      HttpApiEndpoint.post("accept", "/invitations/accept", {
        payload: AcceptInvitation,
        success: Schema.Union([StartedAnonymousSession, AcceptedByUser]),
        error: [
          accessErrors.AccountRequired,
          accessErrors.InvitationNotFound,
          requestErrors.RateLimited,
          accessErrors.SessionLinked,
          tokenErrors.WeakPassword
        ]
      })
        .annotateMerge(access({ scope: "platform/invitations", callers: ["User", "Anonymous"] }))
        .annotateMerge(unkeyed)
        .annotateMerge(needsNothing)
        .annotate(RequestExample, { token: exampleSecret })
        .annotate(OpenApi.Summary, "Accept an invitation")
        .annotate(
          OpenApi.Description,
          "A user gets the permissions. An anonymous session ends, and a new one has what it had and what the invitation gives; use the token that is answered from then on. A session takes a policyholder's permissions on records; for any others send `account`, and an account is made."
        )
    )
    .annotateMerge(access({ scope: "platform/invitations", callers: ["Client", "User"] }))
    .annotateMerge(
      OpenApi.annotations({ title: "Invitations", description: "How people are let in, by mail." })
    )
) {}
