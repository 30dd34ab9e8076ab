/** The rules of grants: what a user's grants allow on a record, and which records a list may show. */
import type { Caller } from "@quittance/domain/requests/Caller"
import {
  type CustomRoleId,
  type Grant,
  isCustom,
  type Role,
  roles,
  visitor
} from "@quittance/domain/access/Grant"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import type { Action } from "@quittance/domain/requests/Action"
import type { Authority, HeldAuthority } from "@quittance/domain/access/Authority"

/** What a record hangs on, for the question whether a grant covers it. */
export interface Target {
  /** The record's brokerage firm and every firm above it; empty for a record of no firm. */
  readonly firms: ReadonlyArray<BrokerageFirmId>
  /** The record itself and the records it belongs to, such as the policies of a customer. */
  readonly records: ReadonlyArray<string>
}

/** The target of what belongs to the tenant as a whole. */
export const tenantWide: Target = { firms: [], records: [] }

/** A grant with the actions and the authority that its role has at the moment. */
export interface HeldGrant extends Grant {
  readonly actions: ReadonlySet<Action>
  readonly authority: HeldAuthority
}

/** The roles that a tenant has defined. */
export type CustomRoles = ReadonlyMap<CustomRoleId, ReadonlySet<Action>>

const nothing: ReadonlySet<Action> = new Set()

/** What the role lets a person do; a role that the tenant does not have, nothing. */
export const actionsOf = (role: Role, custom: CustomRoles = new Map()): ReadonlySet<Action> =>
  isCustom(role) ? (custom.get(role) ?? nothing) : roles[role]

/** How far a role reaches: of the built-in ones a manager of the tenant without a limit, the others not at all. */
export const authorityOf = (role: Role, defined: Authority = {}): HeldAuthority =>
  isCustom(role) ? defined : role === "TENANT_MANAGER" ? "UNLIMITED" : {}

/** The grant with what its role contains. */
export const held = (grant: Grant, custom?: CustomRoles, authority?: Authority): HeldGrant => ({
  ...grant,
  actions: actionsOf(grant.role, custom),
  authority: authorityOf(grant.role, authority)
})

/** Whether the grant holds on the target. */
export const covers = ({ on }: Pick<Grant, "on">, target: Target): boolean => {
  switch (on.kind) {
    case "TENANT":
      return true
    case "FIRM":
      return target.firms.includes(on.brokerageFirmId)
    case "RECORD":
      return target.records.includes(on.recordId)
  }
}

/** Whether some grant has a role with the action and holds on the target. Deny by default. */
export const allows = (grants: ReadonlyArray<HeldGrant>, action: Action, target: Target): boolean =>
  grants.some((grant) => grant.actions.has(action) && covers(grant, target))

/** A grant to be given or taken: what its role contains, and what it is to hold on. */
export interface GivenGrant {
  readonly actions: ReadonlySet<Action>
  readonly on: Target
  /** Absent: none, or it is taken away. */
  readonly authority?: HeldAuthority
}

/**
 * The first action that a user with these grants lacks to give or remove the grant: the right to do so on its
 * target, or an action of its role there. So no user gives what they do not have.
 */
export const lacking = (
  grants: ReadonlyArray<HeldGrant>,
  right: Action,
  { actions, on }: GivenGrant
): Action | undefined => [right, ...actions].find((action) => !allows(grants, action, on))

/** What a list may show. Firms stand for themselves and every firm below them. */
export type Coverage =
  | { readonly _tag: "Tenant" }
  | {
      readonly _tag: "Records"
      readonly firmIds: ReadonlyArray<BrokerageFirmId>
      readonly recordIds: ReadonlyArray<string>
    }

/** Where the action is allowed by these grants; nowhere is a coverage without firms and records. */
export const coverage = (grants: ReadonlyArray<HeldGrant>, action: Action): Coverage => {
  const firmIds = new Set<BrokerageFirmId>()
  const recordIds = new Set<string>()
  for (const { actions, on } of grants) {
    if (!actions.has(action)) continue
    switch (on.kind) {
      case "TENANT":
        return { _tag: "Tenant" }
      case "FIRM":
        firmIds.add(on.brokerageFirmId)
        break
      case "RECORD":
        recordIds.add(on.recordId)
    }
  }
  return { _tag: "Records", firmIds: [...firmIds], recordIds: [...recordIds] }
}

/** Whether the coverage is of nothing at all. */
export const isNowhere = (coverage: Coverage): boolean =>
  coverage._tag === "Records" && coverage.firmIds.length === 0 && coverage.recordIds.length === 0

/** The grants of a caller: those stored for it, and for a session what every visitor may do. */
export const effective = (
  caller: Pick<Caller, "_tag">,
  stored: ReadonlyArray<HeldGrant>
): ReadonlyArray<HeldGrant> => (caller._tag === "Anonymous" ? [held(visitor), ...stored] : stored)
