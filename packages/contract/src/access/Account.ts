import { ChangePassword } from "@quittance/domain/access/UserRequests"
import { Scope } from "@quittance/domain/requests/Caller"
import { Grant } from "@quittance/domain/access/Grant"
import { TokenKind } from "@quittance/domain/tokens/Token"
import { SignInId } from "@quittance/domain/tokens/SignIn"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, everyone, idempotent, needsNothing, RequestExample, unkeyed } from "./Access.ts"
import { bearer } from "../requests/Bearer.ts"
import { pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { RecentSignIn } from "../requests/RecentSignIn.ts"
import { SignInPage } from "./SignIns.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { tokenErrors } from "../tokens/TokenErrors.ts"
import { Environment, TenantId } from "@quittance/domain/requests/Tenancy"

/** Who the token speaks for. Only clients have scopes, only people have permissions. */
export const AccountInformation = Schema.Struct({
  kind: TokenKind,
  tenant: TenantId,
  environment: Environment,
  id: Schema.String,
  scopes: Schema.optionalKey(Schema.Array(Scope)),
  permissions: Schema.optionalKey(Schema.Array(Grant))
}).annotate({ identifier: "AccountInformation" })
export type AccountInformation = typeof AccountInformation.Type

/** Only people sign in. */
const ofPeople = access({ scope: "platform/account", callers: ["User"] })

export class Account extends bearer(
  HttpApiGroup.make("account")
    .add(
      HttpApiEndpoint.get("get", "/account", { success: AccountInformation })
        .annotateMerge(needsNothing)
        .annotate(OpenApi.Summary, "Show the caller of a token"),
      HttpApiEndpoint.get("listSignIns", "/account/sign-ins", {
        query: pageQuery,
        success: SignInPage
      })
        .annotateMerge(ofPeople)
        .annotateMerge(needsNothing)
        .annotate(OpenApi.Summary, "List the sign-ins of the caller, the one used last first")
        .annotate(
          OpenApi.Description,
          "Each lasts as long as its refresh tokens do. `isCurrent` marks the one by which the list is read."
        ),
      HttpApiEndpoint.delete("endSignIn", "/account/sign-ins/:signInId", {
        params: { signInId: SignInId },
        query: triedQuery,
        headers: writeHeaders,
        success: HttpApiSchema.NoContent,
        error: [
          tokenErrors.SignInNotFound,
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(ofPeople)
        .annotateMerge(needsNothing)
        .middleware(RecentSignIn)
        .annotate(OpenApi.Summary, "End a sign-in of the caller")
        .annotate(
          OpenApi.Description,
          "Its refresh tokens count no more, its access tokens within a second. A user who finds an unknown sign-in should also change the password."
        ),
      HttpApiEndpoint.post("changePassword", "/account/password", {
        payload: ChangePassword,
        success: HttpApiSchema.NoContent,
        error: [tokenErrors.WeakPassword, tokenErrors.WrongPassword]
      })
        .annotateMerge(unkeyed)
        .annotateMerge(ofPeople)
        .annotateMerge(needsNothing)
        .middleware(RecentSignIn)
        .annotate(RequestExample, {
          presentPassword: "a harbour with nine cranes",
          newPassword: "three herons on the north pier"
        })
        .annotate(OpenApi.Summary, "Change the password of the caller")
        .annotate(
          OpenApi.Description,
          "Ends all other sign-ins of the caller. A wrong present password is a guess: each takes longer, and the hundredth in a row is the last. A user who has or needs a second factor must have signed in with it; otherwise the answer is SIGN_IN_TOO_OLD."
        )
    )
    .annotateMerge(access({ scope: "platform/account", callers: everyone }))
    .annotateMerge(
      OpenApi.annotations({ title: "Account", description: "The caller, and how they sign in." })
    )
) {}
