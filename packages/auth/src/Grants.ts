/** The algebra of grants: what a person's grants allow on a record, and which records a list may show. */
import type { BrokerageFirmId } from "@quittance/domain/Amount"
import type { Caller } from "@quittance/domain/Caller"
import { type Action, type Grant, type Role, roles, visitor } from "@quittance/domain/Grant"

/** What a record hangs on, for the question whether a grant covers it. */
export interface Target {
  /** The record's brokerage firm and every firm above it; empty for a record of no firm. */
  readonly firms: ReadonlyArray<BrokerageFirmId>
  /** The record itself and the records it belongs to, such as the policies of a customer. */
  readonly records: ReadonlyArray<string>
}

/** The target of what belongs to the tenant as a whole. */
export const tenantWide: Target = { firms: [], records: [] }

/** Whether one of these roles contains the action. */
export const rolesAllow = (held: Iterable<Role>, action: Action): boolean => {
  for (const role of held) if (roles[role].has(action)) return true
  return false
}

/** Whether the grant holds on the target. */
export const covers = ({ on }: Grant, target: Target): boolean => {
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
export const allows = (grants: ReadonlyArray<Grant>, action: Action, target: Target): boolean =>
  grants.some((grant) => roles[grant.role].has(action) && covers(grant, target))

/** What a list may show. Firms stand for themselves and every firm below them. */
export type Coverage =
  | { readonly _tag: "Tenant" }
  | {
      readonly _tag: "Records"
      readonly firmIds: ReadonlyArray<BrokerageFirmId>
      readonly recordIds: ReadonlyArray<string>
    }

/** Where the action is allowed by these grants; nowhere is a coverage without firms and records. */
export const coverage = (grants: ReadonlyArray<Grant>, action: Action): Coverage => {
  const firmIds = new Set<BrokerageFirmId>()
  const recordIds = new Set<string>()
  for (const { on, role } of grants) {
    if (!roles[role].has(action)) continue
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
export const effective = (caller: Caller, stored: ReadonlyArray<Grant>): ReadonlyArray<Grant> =>
  caller._tag === "Anonymous" ? [visitor, ...stored] : stored
