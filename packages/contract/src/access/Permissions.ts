import { AnonymousSessionId, UserId } from "@quittance/domain/requests/Caller"
import {
  Action,
  CustomRoleId,
  GivenGrant,
  Grant,
  maximumGrants,
  RecordId
} from "@quittance/domain/access/Grant"
import { ActionsByArea, RoleView } from "@quittance/domain/access/Role"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, needsNothing } from "./Access.ts"
import { ApiError } from "../api/ApiError.ts"
import { policyHeaders, Text, writeHeaders, writeQuery } from "../requests/Parameters.ts"

/** What a user may do: one role on one target each. */
export const UserPermissions = Schema.Struct({ permissions: Schema.Array(Grant) }).annotate({
  identifier: "UserPermissions"
})

/** The whole set: what is not in it is taken away. */
export const ReplacePermissions = Schema.Struct({
  permissions: Schema.Array(GivenGrant).check(Schema.isMaxLength(maximumGrants))
}).annotate({ identifier: "ReplacePermissions" })

export const RoleList = Schema.Struct({ roles: Schema.Array(RoleView) }).annotate({
  identifier: "RoleList"
})

/** The whole definition of a role; one without actions lets nobody do anything. */
export const PutRole = Schema.Struct({ name: Text, actions: ActionsByArea }).annotate({
  identifier: "PutRole"
})

const Subject = Schema.Union([UserId, AnonymousSessionId])

/** Whether somebody may do something, which grants allow it, or why none does. */
export const PermissionExplanation = Schema.Struct({
  subject: Subject,
  action: Action,
  record: Schema.optionalKey(RecordId),
  allowed: Schema.Boolean,
  grants: Schema.Array(Schema.Struct({ ...Grant.fields, because: Schema.String })),
  reason: Schema.String
}).annotate({ identifier: "PermissionExplanation" })

/** Query of a write that may be tried: a dry run answers what it would answer and writes nothing. */
const query = { dryRun: Schema.optionalKey(Schema.Boolean), ...writeQuery }
const repeated = [ApiError.IdempotencyKeyInUse, ApiError.IdempotencyKeyReused] as const

export class Permissions extends HttpApiGroup.make("permissions")
  .add(
    HttpApiEndpoint.get("listRoles", "/permissions/roles", { success: RoleList })
      .annotateMerge(needs("permission.read", "ANYWHERE"))
      .annotate(OpenApi.Summary, "List the roles, built-in ones too"),
    HttpApiEndpoint.put("putRole", "/permissions/roles/:roleId", {
      params: { roleId: CustomRoleId },
      query,
      headers: writeHeaders,
      payload: PutRole,
      success: RoleView,
      error: [ApiError.LastManager, ...repeated]
    })
      .annotateMerge(idempotent)
      .annotateMerge(needs("permission.write", "TENANT"))
      .annotate(OpenApi.Summary, "Define a role of the tenant's own, or change it")
      .annotate(
        OpenApi.Description,
        "Holds from the next request on, for everybody who has the role. Whoever changes it needs every action that it gains or loses, on the whole tenant."
      ),
    HttpApiEndpoint.delete("removeRole", "/permissions/roles/:roleId", {
      params: { roleId: CustomRoleId },
      query,
      headers: writeHeaders,
      success: HttpApiSchema.NoContent,
      error: [ApiError.RoleInUse, ApiError.RoleNotFound, ...repeated]
    })
      .annotateMerge(idempotent)
      .annotateMerge(needs("permission.write", "TENANT"))
      .annotate(OpenApi.Summary, "Delete a role that nobody has"),
    HttpApiEndpoint.get("ofUser", "/admin/users/:userId/permissions", {
      params: { userId: UserId },
      success: UserPermissions,
      error: ApiError.UserNotFound
    })
      .annotateMerge(needs("permission.read", "RECORD"))
      .annotate(OpenApi.Summary, "Show what a user may do"),
    HttpApiEndpoint.put("replace", "/admin/users/:userId/permissions", {
      params: { userId: UserId },
      query,
      headers: policyHeaders,
      payload: ReplacePermissions,
      success: UserPermissions,
      error: [
        ApiError.Conflict,
        ApiError.InvalidReference,
        ApiError.LastManager,
        ApiError.UserNotFound,
        ...repeated
      ]
    })
      .annotateMerge(idempotent)
      .annotateMerge(needs("permission.write", "RECORD"))
      .annotate(OpenApi.Summary, "Replace what a user may do")
      .annotate(
        OpenApi.Description,
        "Nobody gives what he does not have: for each grant that is added or taken away the caller needs `permission.write` on its target and, there, every action of its role. What stays is not asked about."
      ),
    HttpApiEndpoint.get("explain", "/permissions/explain", {
      query: {
        action: Action,
        record: Schema.optionalKey(RecordId),
        subject: Schema.optionalKey(Subject)
      },
      success: PermissionExplanation,
      error: [ApiError.InvalidRequest, ApiError.RecordNotFound, ApiError.UserNotFound]
    })
      .annotateMerge(needsNothing)
      .annotate(OpenApi.Summary, "Explain why somebody may do something, or may not")
      .annotate(
        OpenApi.Description,
        "Everybody may ask about himself; about somebody else, who has `permission.read` on that person. A client names a `subject`. Without a `record` the question is about the tenant as a whole."
      )
  )
  .annotateMerge(access({ scope: "platform/permissions", callers: ["Client", "User"] }))
  .annotateMerge(
    OpenApi.annotations({
      title: "Permissions",
      description: "Roles, who has them on what, and why something is allowed or refused."
    })
  ) {}
