/** What requests about roles and permissions say. */
import { Schema } from "effect"
import { Authority } from "./Authority.ts"
import { Action } from "../requests/Action.ts"
import { AnonymousSessionId, UserId } from "../requests/Caller.ts"
import { Text } from "../values/Text.ts"
import { GivenGrant, maximumGrants } from "./Grant.ts"
import { RecordId } from "../values/PrefixedId.ts"
import { ActionsByArea } from "./Role.ts"

/** The whole set: what is not in it is taken away. */
export const ReplacePermissions = Schema.Struct({
  permissions: Schema.Array(GivenGrant).check(Schema.isMaxLength(maximumGrants))
}).annotate({ identifier: "ReplacePermissions" })
export type ReplacePermissions = typeof ReplacePermissions.Type

/** The whole definition of a role; one without actions allows nothing, without authority nothing alone. */
export const PutRole = Schema.Struct({
  name: Text,
  actions: ActionsByArea,
  authority: Schema.optionalKey(Authority)
}).annotate({ identifier: "PutRole" })
export type PutRole = typeof PutRole.Type

/** Who may have grants: a user with an account, or a visitor's session. */
export const GrantSubject = Schema.Union([UserId, AnonymousSessionId])

/** Who may do what on which record; without a record, on the tenant as a whole. */
export const ExplainPermission = Schema.Struct({
  action: Action,
  record: Schema.optionalKey(RecordId),
  /** The caller, unless it is said. */
  subject: Schema.optionalKey(GrantSubject)
})
export type ExplainPermission = typeof ExplainPermission.Type
