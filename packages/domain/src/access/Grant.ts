/**
 * What a person may do, and where. A role is a set of actions; a grant gives one subject (a user or
 * an anonymous session) one role on the whole tenant, on a brokerage firm with everything below it,
 * or on one record. Nothing is allowed that no grant allows.
 */
import { Schema } from "effect"
import * as PrefixedId from "../values/PrefixedId.ts"
import { BrokerageFirmId } from "../values/Ids.ts"
import { type Action, actionsOfRank, readActions, visitorActions } from "../requests/Action.ts"

/** The built-in roles that can be granted. */
const grantable = ["TENANT_MANAGER", "FIRM_MANAGER", "BROKER", "AUDITOR", "POLICYHOLDER"] as const

/** The roles that every tenant has; every session is a `VISITOR`, a role that can't be granted. */
export const BuiltInRole = Schema.Literals([...grantable, "VISITOR"])
export type BuiltInRole = typeof BuiltInRole.Type

const isBuiltIn = Schema.is(BuiltInRole)

/** The name of a role that a tenant has defined: none of the built-in ones. */
export const CustomRoleId = Schema.String.check(
  Schema.isPattern(/^[A-Z][A-Z0-9_]{1,39}$/u, {
    message: "Expected 2 to 40 capital letters, digits and underscores, such as CLAIMS_DESK"
  }),
  Schema.makeFilter((id) =>
    isBuiltIn(id) ? `Expected a name other than that of a built-in role, ${id}` : undefined
  )
).pipe(Schema.brand("CustomRoleId"))
export type CustomRoleId = typeof CustomRoleId.Type

export const Role = Schema.Union([BuiltInRole, CustomRoleId])
export type Role = typeof Role.Type

/** Whether the role is one that a tenant has defined. */
export const isCustom = (role: Role): role is CustomRoleId => !isBuiltIn(role)

/** The built-in roles as data; `Action.ts` says who has what. */
export const roles: Readonly<Record<BuiltInRole, ReadonlySet<Action>>> = {
  /** Everything in the tenant. */
  TENANT_MANAGER: new Set(actionsOfRank("TENANT_MANAGER")),
  /** Runs a firm: its brokers' work, its people, its payments, exceptions to a price. */
  FIRM_MANAGER: new Set(actionsOfRank("FIRM_MANAGER")),
  /** Sells and looks after the policies of a firm. */
  BROKER: new Set(actionsOfRank("BROKER")),
  /** Reads everything and writes nothing. */
  AUDITOR: new Set(readActions),
  /** A person who opened a policy for themselves, or was invited to it. */
  POLICYHOLDER: new Set(actionsOfRank("POLICYHOLDER")),
  /** Every anonymous session, from its start and without a stored grant. */
  VISITOR: new Set(visitorActions)
}

/** Where a grant holds. */
export const GrantTarget = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("TENANT") }),
  Schema.Struct({ kind: Schema.Literal("FIRM"), brokerageFirmId: BrokerageFirmId }),
  Schema.Struct({ kind: Schema.Literal("RECORD"), recordId: Schema.String })
])
export type GrantTarget = typeof GrantTarget.Type

/** One role on one target. */
export const Grant = Schema.Struct({ role: Role, on: GrantTarget }).annotate({
  identifier: "Grant"
})
export type Grant = typeof Grant.Type

/**
 * A grant as a user gives it: a role that can be given, on a policy or a user. A grant on a policy also
 * covers its branches, quotes and invoices. The rules of grants are in the package `auth` (`Grants.ts`).
 */
export const GivenGrant = Schema.Struct({
  role: Schema.Union([Schema.Literals(grantable), CustomRoleId]),
  on: Schema.Union([
    Schema.Struct({ kind: Schema.Literal("TENANT") }),
    Schema.Struct({ kind: Schema.Literal("FIRM"), brokerageFirmId: BrokerageFirmId }),
    Schema.Struct({
      kind: Schema.Literal("RECORD"),
      recordId: Schema.Union([PrefixedId.schema("policy"), PrefixedId.schema("user")])
    })
  ])
}).annotate({ identifier: "GivenGrant" })
export type GivenGrant = typeof GivenGrant.Type

/** The most grants that one request gives. */
export const maximumGrants = 1_000

/** The grant that every anonymous session has. */
export const visitor: Grant = { role: "VISITOR", on: { kind: "TENANT" } }

/** The last grant that allows granting on the whole tenant can't be removed. */
export class LastManager extends Schema.TaggedError<LastManager>()("LastManager", {}) {
  override get message() {
    return "This is the last user who may give permissions on the tenant; name another manager first."
  }
}
