import {
  ExplainPermission,
  GrantSubject,
  PutRole,
  ReplacePermissions
} from "@quittance/domain/access/PermissionRequests"
import { Authority } from "@quittance/domain/access/Authority"
import { UserId } from "@quittance/domain/requests/Caller"
import { CustomRoleId, Grant } from "@quittance/domain/access/Grant"
import { RoleView } from "@quittance/domain/access/Role"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { RecordId } from "@quittance/domain/values/PrefixedId"
import { access, idempotent, needs, needsNothing, RequestExample } from "./Access.ts"
import { accessErrors } from "./AccessErrors.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { policyHeaders, writeHeaders, writeQuery } from "../requests/Parameters.ts"
import { RecentSignIn } from "../requests/RecentSignIn.ts"
import { bearer } from "../requests/Bearer.ts"
import { Action } from "@quittance/domain/requests/Action"
import { exampleId } from "../requests/Examples.ts"

/** What a user may do: one role on one target each. */
export const UserPermissions = Schema.Struct({ permissions: Schema.Array(Grant) }).annotate({
  identifier: "UserPermissions"
})

export const RoleList = Schema.Struct({ roles: Schema.Array(RoleView) }).annotate({
  identifier: "RoleList"
})

/** Whether a user may do something, which grants allow it, or why none does. */
export const PermissionExplanation = Schema.Struct({
  subject: GrantSubject,
  action: Action,
  record: Schema.optionalKey(RecordId),
  allowed: Schema.Boolean,
  grants: Schema.Array(Schema.Struct({ ...Grant.fields, because: Schema.String })),
  reason: Schema.String,
  authority: Schema.optionalKey(
    Schema.Struct({
      ...Authority.fields,
      unlimited: Schema.optionalKey(Schema.Literal(true))
    }).annotate({ identifier: "ExplainedAuthority" })
  )
}).annotate({ identifier: "PermissionExplanation" })

/** Query of a write that may be tried: a dry run answers what it would answer and writes nothing. */
const query = { dryRun: Schema.optionalKey(Schema.Boolean), ...writeQuery }
const repeated = [requestErrors.IdempotencyKeyInUse, requestErrors.IdempotencyKeyReused] as const

export class Permissions extends bearer(
  HttpApiGroup.make("permissions")
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
        error: [accessErrors.AuthorityExceeded, accessErrors.LastManager, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("permission.write", "TENANT"))
        .middleware(RecentSignIn)
        .annotate(RequestExample, {
          name: "Claims desk",
          actions: { policy: ["read"], customer: ["read", "write"], quote: ["read"] },
          authority: { claimPayment: { EUR: 500_000 } }
        })
        .annotate(OpenApi.Summary, "Define a role of the tenant's own, or change it")
        .annotate(
          OpenApi.Description,
          "Applies from the next request on, to all users with the role. The caller needs every action that the role gains or loses, on the whole tenant, and the authority that it gets."
        ),
      HttpApiEndpoint.delete("removeRole", "/permissions/roles/:roleId", {
        params: { roleId: CustomRoleId },
        query,
        headers: writeHeaders,
        success: HttpApiSchema.NoContent,
        error: [accessErrors.RoleInUse, accessErrors.RoleNotFound, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("permission.write", "TENANT"))
        .middleware(RecentSignIn)
        .annotate(OpenApi.Summary, "Delete a role"),
      HttpApiEndpoint.get("ofUser", "/admin/users/:userId/permissions", {
        params: { userId: UserId },
        success: UserPermissions,
        error: requestErrors.UserNotFound
      })
        .annotateMerge(needs("permission.read", "RECORD"))
        .annotate(OpenApi.Summary, "Show the permissions of a user"),
      HttpApiEndpoint.put("replace", "/admin/users/:userId/permissions", {
        params: { userId: UserId },
        query,
        headers: policyHeaders,
        payload: ReplacePermissions,
        success: UserPermissions,
        error: [
          accessErrors.AuthorityExceeded,
          requestErrors.Conflict,
          requestErrors.InvalidReference,
          accessErrors.LastManager,
          requestErrors.UserNotFound,
          ...repeated
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("permission.write", "RECORD"))
        .middleware(RecentSignIn)
        .annotate(RequestExample, {
          permissions: [
            { role: "BROKER", on: { kind: "FIRM", brokerageFirmId: exampleId("brokerage_firm") } },
            { role: "CLAIMS_DESK", on: { kind: "TENANT" } }
          ]
        })
        .annotate(OpenApi.Summary, "Replace the permissions of a user")
        .annotate(
          OpenApi.Description,
          "Callers can only give and take permissions that they have. For each added or removed grant they need `permission.write` on its target and every action and the authority of its role there. Unchanged grants are not checked."
        ),
      HttpApiEndpoint.get("explain", "/permissions/explain", {
        query: ExplainPermission,
        success: PermissionExplanation,
        error: [
          requestErrors.InvalidRequest,
          requestErrors.RecordNotFound,
          requestErrors.UserNotFound
        ]
      })
        .annotateMerge(needsNothing)
        .annotate(OpenApi.Summary, "Explain a permission of a user")
        .annotate(
          OpenApi.Description,
          "Users can ask about themselves. With `permission.read` on another user they can ask about that user. A client names a `subject`. Without a `record` the question is about the tenant as a whole."
        )
    )
    .annotateMerge(access({ scope: "platform/permissions", callers: ["Client", "User"] }))
    .annotateMerge(
      OpenApi.annotations({
        title: "Permissions",
        description: "Roles, who has them on what, and why something is allowed or refused."
      })
    )
) {}
