import { BrokerageFirmId } from "@quittance/domain/values/Amount"
import { UserId } from "@quittance/domain/requests/Caller"
import { Email } from "@quittance/domain/customers/Customer"
import { Page } from "@quittance/domain/values/Page"
import { User, UserStatus } from "@quittance/domain/access/User"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs } from "./Access.ts"
import { ApiError } from "../api/ApiError.ts"
import { NoMembers, pageQuery, QueryString, Text, triedQuery, writeHeaders } from "../requests/Parameters.ts"

/** Without a firm only grants on the tenant, or on the user himself, cover the user. */
export const CreateUser = Schema.Struct({
  email: Email,
  firstName: Text,
  lastName: Text,
  brokerRole: Schema.optionalKey(Text),
  brokerageFirmId: Schema.optionalKey(BrokerageFirmId)
}).annotate({ identifier: "CreateUser" })

/** A merge patch (RFC 7396). The address that somebody signs in with stays. */
export const PatchUser = Schema.Struct({
  firstName: Schema.optionalKey(Text),
  lastName: Schema.optionalKey(Text),
  brokerRole: Schema.optionalKey(Schema.NullOr(Text)),
  brokerageFirmId: Schema.optionalKey(Schema.NullOr(BrokerageFirmId))
}).annotate({ identifier: "PatchUser" })

export const UserPage = Page(User).annotate({ identifier: "UserPage" })

const written = { query: triedQuery, headers: writeHeaders }
const onUser = { params: { userId: UserId } }
const repeated = [ApiError.IdempotencyKeyInUse, ApiError.IdempotencyKeyReused] as const

export class Users extends HttpApiGroup.make("users")
  .add(
    HttpApiEndpoint.post("create", "/admin/users", {
      ...written,
      payload: CreateUser,
      success: User.pipe(HttpApiSchema.status(201)),
      error: [ApiError.EmailTaken, ApiError.InvalidReference, ...repeated]
    })
      .annotateMerge(idempotent)
      .annotateMerge(needs("user.write", "TENANT"))
      .annotate(OpenApi.Summary, "Add a user, who is then invited")
      .annotate(
        OpenApi.Description,
        "He can do nothing until he is given permissions. In a firm, the permission on the firm is enough to add him."
      ),
    HttpApiEndpoint.get("list", "/admin/users", {
      query: {
        ...pageQuery,
        brokerageFirmId: Schema.optionalKey(BrokerageFirmId),
        statuses: Schema.optionalKey(Schema.Array(UserStatus).check(Schema.isMaxLength(100))),
        queryString: Schema.optionalKey(QueryString)
      },
      success: UserPage
    })
      .annotateMerge(needs("user.read", "ANYWHERE"))
      .annotate(OpenApi.Summary, "List the users that one may see, by their addresses"),
    HttpApiEndpoint.get("get", "/admin/users/:userId", {
      ...onUser,
      success: User,
      error: ApiError.UserNotFound
    })
      .annotateMerge(needs("user.read", "RECORD"))
      .annotate(OpenApi.Summary, "Read a user"),
    HttpApiEndpoint.patch("update", "/admin/users/:userId", {
      ...onUser,
      ...written,
      payload: PatchUser,
      success: User,
      error: [ApiError.InvalidReference, ApiError.UserNotFound, ...repeated]
    })
      .annotateMerge(idempotent)
      .annotateMerge(needs("user.write", "RECORD"))
      .annotate(OpenApi.Summary, "Change a user")
      .annotate(
        OpenApi.Description,
        "Another firm needs the permission on the firm that he leaves and on the one that he joins; where it is none, on the tenant."
      ),
    HttpApiEndpoint.post("disable", "/admin/users/:userId/disable", {
      ...onUser,
      ...written,
      payload: NoMembers,
      success: User,
      error: [ApiError.LastManager, ApiError.OwnAccount, ApiError.UserNotFound, ...repeated]
    })
      .annotateMerge(idempotent)
      .annotateMerge(needs("user.write", "RECORD"))
      .annotate(OpenApi.Summary, "Keep a user from signing in, and end what he has signed in with")
      .annotate(OpenApi.Description, "His tokens stop counting within a second."),
    HttpApiEndpoint.post("enable", "/admin/users/:userId/enable", {
      ...onUser,
      ...written,
      payload: NoMembers,
      success: User,
      error: [ApiError.UserNotFound, ...repeated]
    })
      .annotateMerge(idempotent)
      .annotateMerge(needs("user.write", "RECORD"))
      .annotate(OpenApi.Summary, "Let a disabled user sign in again")
  )
  .annotateMerge(access({ scope: "platform/admin", callers: ["Client", "User"] }))
  .annotateMerge(
    OpenApi.annotations({ title: "Users", description: "The people who sign in to the tenant." })
  ) {}
