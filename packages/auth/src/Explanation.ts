/** Why an action is allowed on a record, or why not: computed from the same rows as the check itself. */
import type { Grant } from "@quittance/domain/access/Grant"
import { type Authority, AuthorityKind } from "@quittance/domain/access/Authority"
import * as Grants from "./Grants.ts"
import type { Action } from "@quittance/domain/requests/Action"

/** A grant that allows the action, and how it reaches the record. */
export interface Reasoned extends Grant {
  readonly because: string
}

export interface Explanation {
  readonly allowed: boolean
  /** The grants that allow it; empty where none does. */
  readonly grants: ReadonlyArray<Reasoned>
  /** One sentence: which grants allow it, or why none does. */
  readonly reason: string
  /** How far the grants that allow it reach alone, the most of each; absent: not at all. */
  readonly authority?: ToldAuthority
}

/** Authority as it is told; a manager of the tenant has no limit. */
export type ToldAuthority = Authority & { readonly unlimited?: true }

/** More than that are counted, not named. */
const mostNamed = 10

/**
 * Explains what a user with these grants may do.
 *
 * @param recordId the record that is asked about; absent for the tenant as a whole.
 */
export const explain = (
  held: ReadonlyArray<Grants.HeldGrant>,
  action: Action,
  target: Grants.Target,
  recordId?: string
): Explanation => {
  const withAction = held.filter(({ actions }) => actions.has(action))
  const allowing = withAction.filter((grant) => Grants.covers(grant, target))
  if (allowing.length > 0) {
    return {
      allowed: true,
      grants: allowing.map(({ on, role }) => ({
        role,
        on,
        because: because(on, target, recordId)
      })),
      reason: permission(allowing, action, recordId),
      ...authorityOf(allowing)
    }
  }
  return { allowed: false, grants: [], reason: denial(held, withAction, action, recordId) }
}

/** The most that the grants have of each amount, and all exceptions that they may grant. */
const authorityOf = (
  grants: ReadonlyArray<Grants.HeldGrant>
): { readonly authority?: ToldAuthority } => {
  const held = grants.map(({ authority }) => authority)
  if (held.includes("UNLIMITED")) return { authority: { unlimited: true } }
  const limited = held.filter((authority) => authority !== "UNLIMITED")
  const amounts = AuthorityKind.literals.flatMap((kind) => {
    const most: Record<string, number> = {}
    for (const { [kind]: limits = {} } of limited) {
      for (const [currency, limit] of Object.entries(limits)) {
        most[currency] = Math.max(most[currency] ?? 0, limit)
      }
    }
    return Object.keys(most).length === 0 ? [] : [[kind, most] as const]
  })
  const derogations = limited.flatMap((authority) => authority.derogations ?? [])
  const told: Authority = {
    ...Object.fromEntries(amounts),
    ...(derogations.length === 0 ? {} : { derogations })
  }
  return Object.keys(told).length === 0 ? {} : { authority: told }
}

const permission = (
  allowing: ReadonlyArray<Grants.HeldGrant>,
  action: Action,
  recordId: string | undefined
): string => {
  const roles = rolesOf(allowing)
  const [contain, are] = new Set(roles).size === 1 ? ["contains", "is"] : ["contain", "are"]
  return `Allowed by ${named(roles)}, which ${contain} ${action} and ${are} granted on what covers ${place(recordId)}.`
}

const denial = (
  held: ReadonlyArray<Grants.HeldGrant>,
  withAction: ReadonlyArray<Grants.HeldGrant>,
  action: Action,
  recordId: string | undefined
): string => {
  if (held.length === 0) return "There is no grant at all, and what no grant allows is refused."
  if (withAction.length === 0) {
    return `None of the roles granted contains ${action}: ${named(rolesOf(held))}.`
  }
  const places = withAction.map(({ on }) => elsewhere(on))
  return `${action} is granted by ${named(rolesOf(withAction))}, but only on ${named(places)}, which does not cover ${place(recordId)}.`
}

const place = (recordId: string | undefined): string => recordId ?? "the whole tenant"

const rolesOf = (grants: ReadonlyArray<Grants.HeldGrant>): ReadonlyArray<string> =>
  grants.map(({ role }) => role)

/** Each name once, in order, the first ten. */
const named = (names: ReadonlyArray<string>): string => {
  const once = [...new Set(names)].sort()
  const rest = once.length - mostNamed
  return once.slice(0, mostNamed).join(", ") + (rest > 0 ? ` and ${rest} more` : "")
}

/** A grant on the tenant covers everything, so what does not cover is a firm or a record. */
const elsewhere = (on: Grant["on"]): string => {
  switch (on.kind) {
    case "TENANT":
      return "the whole tenant"
    case "FIRM":
      return `the firm ${on.brokerageFirmId}`
    case "RECORD":
      return `the record ${on.recordId}`
  }
}

const because = (
  on: Grant["on"],
  { firms }: Grants.Target,
  recordId: string | undefined
): string => {
  switch (on.kind) {
    case "TENANT":
      return "It is granted on the whole tenant."
    case "FIRM":
      if (on.brokerageFirmId === recordId) return "It is granted on this firm."
      if (firms[0] === recordId) return "It is granted on a firm above this one."
      return on.brokerageFirmId === firms[0]
        ? "It is granted on the firm that the record belongs to."
        : "It is granted on a firm above the one that the record belongs to."
    case "RECORD":
      return on.recordId === recordId
        ? "It is granted on this record."
        : `It is granted on ${on.recordId}, which the record belongs to.`
  }
}
