import { CreateUser, ListUsers, PatchUser } from "@quittance/domain/access/UserRequests"
import { UserId } from "@quittance/domain/requests/Caller"
import { Page } from "@quittance/domain/values/Page"
import { SignInId } from "@quittance/domain/tokens/SignIn"
import { User } from "@quittance/domain/access/User"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample } from "./Access.ts"
import { accessErrors } from "./AccessErrors.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { SignInPage } from "./SignIns.ts"
import { NoMembers, pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { RecentSignIn } from "../requests/RecentSignIn.ts"
import { bearer } from "../requests/Bearer.ts"
import { tokenErrors } from "../tokens/TokenErrors.ts"
import { exampleId } from "../requests/Examples.ts"
import { reference } from "../requests/AreaReference.ts"
import { accessParameters, accessTerms } from "./AccessTerms.ts"

export const UserPage = Page(User).annotate({ identifier: "UserPage" })

const written = { query: triedQuery, headers: writeHeaders }
const onUser = { params: { userId: UserId } }
const repeated = [requestErrors.IdempotencyKeyInUse, requestErrors.IdempotencyKeyReused] as const

export class Users extends bearer(
  HttpApiGroup.make("users")
    .add(
      HttpApiEndpoint.post("create", "/admin/users", {
        ...written,
        payload: CreateUser,
        success: User.pipe(HttpApiSchema.status(201)),
        error: [accessErrors.EmailTaken, requestErrors.InvalidReference, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("user.write", "TENANT"))
        .annotate(RequestExample, {
          email: "nora.lambert@example.org",
          firstName: "Nora",
          lastName: "Lambert",
          brokerRole: "Head of motor",
          brokerageFirmId: exampleId("brokerage_firm")
        })
        .annotate(OpenApi.Summary, "Add a user, who is then invited")
        .annotate(
          OpenApi.Description,
          "They can do nothing until they are given permissions. In a firm, the permission on the firm is enough to add them."
        ),
      HttpApiEndpoint.get("list", "/admin/users", {
        query: { ...pageQuery, ...ListUsers.fields },
        success: UserPage
      })
        .annotateMerge(needs("user.read", "ANYWHERE"))
        .annotate(OpenApi.Summary, "List the users that one may see, by their addresses"),
      HttpApiEndpoint.get("get", "/admin/users/:userId", {
        ...onUser,
        success: User,
        error: requestErrors.UserNotFound
      })
        .annotateMerge(needs("user.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read a user"),
      HttpApiEndpoint.patch("update", "/admin/users/:userId", {
        ...onUser,
        ...written,
        payload: PatchUser,
        success: User,
        error: [requestErrors.InvalidReference, requestErrors.UserNotFound, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("user.write", "RECORD"))
        .annotate(RequestExample, { lastName: "Lambert-Martin", brokerRole: null })
        .annotate(OpenApi.Summary, "Change a user")
        .annotate(
          OpenApi.Description,
          "Another firm needs the permission on the firm that they leave and on the one that they join; where it is none, on the tenant."
        ),
      HttpApiEndpoint.post("disable", "/admin/users/:userId/disable", {
        ...onUser,
        ...written,
        payload: NoMembers,
        success: User,
        error: [
          accessErrors.LastManager,
          accessErrors.OwnAccount,
          requestErrors.UserNotFound,
          ...repeated
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("user.write", "RECORD"))
        .annotate(OpenApi.Summary, "Disable a user and end their sign-ins")
        .annotate(
          OpenApi.Description,
          "Their tokens stop counting within a second. The caller needs every permission that the user has."
        ),
      HttpApiEndpoint.post("enable", "/admin/users/:userId/enable", {
        ...onUser,
        ...written,
        payload: NoMembers,
        success: User,
        error: [requestErrors.UserNotFound, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("user.write", "RECORD"))
        .annotate(OpenApi.Summary, "Enable a disabled user")
        .annotate(OpenApi.Description, "The caller needs every permission that the user has."),
      HttpApiEndpoint.post("resetSecondFactor", "/admin/users/:userId/reset-second-factor", {
        ...onUser,
        ...written,
        payload: NoMembers,
        success: User,
        error: [accessErrors.OwnAccount, requestErrors.UserNotFound, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("user.write", "RECORD"))
        .middleware(RecentSignIn)
        .annotate(OpenApi.Summary, "Reset the second factor of a user")
        .annotate(
          OpenApi.Description,
          "Removes their passkeys, authenticator apps and recovery codes, and ends their sign-ins. The caller needs every permission that the user has, and cannot be that user."
        ),
      HttpApiEndpoint.get("listSignIns", "/admin/users/:userId/sign-ins", {
        ...onUser,
        query: pageQuery,
        success: SignInPage,
        error: requestErrors.UserNotFound
      })
        .annotateMerge(needs("user.write", "RECORD"))
        .annotate(OpenApi.Summary, "List the sign-ins of a user, the one used last first"),
      HttpApiEndpoint.delete("endSignIn", "/admin/users/:userId/sign-ins/:signInId", {
        params: { userId: UserId, signInId: SignInId },
        ...written,
        success: HttpApiSchema.NoContent,
        error: [tokenErrors.SignInNotFound, requestErrors.UserNotFound, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("user.write", "RECORD"))
        .annotate(OpenApi.Summary, "End a sign-in of a user")
        .annotate(
          OpenApi.Description,
          "Its tokens stop counting within a second. The caller needs every permission that the user has."
        )
    )
    .annotateMerge(access({ scope: "platform/admin", callers: ["Client", "User"] }))
    .annotateMerge(
      reference({ errors: accessErrors, terms: accessTerms, parameters: accessParameters })
    )
    .annotateMerge(
      OpenApi.annotations({ title: "Users", description: "The people who sign in to the tenant." })
    )
) {}
