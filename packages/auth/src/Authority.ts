/** How far a person may go alone, by the grants that they have; and that they give no more than that. */
import {
  type AuthorityExceeded,
  AuthorityKind,
  type Authority,
  type HeldAuthority,
  isWithin
} from "@quittance/domain/access/Authority"
import { type Action, limitedActions } from "@quittance/domain/requests/Action"
import { Currency } from "@quittance/domain/values/Amount"
import * as Grants from "./Grants.ts"

/** What an authority does not reach, as the error of the same name says it. */
export type Excess = Pick<AuthorityExceeded, "authority" | "currency" | "limit" | "needed">

/** More than any amount. */
const unlimited = Infinity

const limitIn = (authority: HeldAuthority, kind: AuthorityKind, currency: Currency): number =>
  authority === "UNLIMITED" ? unlimited : (authority[kind]?.[currency] ?? 0)

/**
 * Up to which amount, in minor units, a person with these grants may do an action alone: the most of the
 * roles that contain the action and are granted on the target. 0 where no role says more, `Infinity` without
 * a limit.
 */
export const limitOf = (
  grants: ReadonlyArray<Grants.HeldGrant>,
  {
    action,
    currency,
    kind
  }: {
    readonly action: Action
    readonly kind: AuthorityKind
    readonly currency: Currency
  },
  target: Grants.Target
): number =>
  grants
    .filter((grant) => grant.actions.has(action) && Grants.covers(grant, target))
    .reduce((most, { authority }) => Math.max(most, limitIn(authority, kind, currency)), 0)

/**
 * What a person with these grants can't give, because they do not have it themselves; `undefined` where they
 * may give all of it. The authority of a role counts for the actions of that role: a person who may go that
 * far with some other action gives nothing of it.
 */
export const excessOf = (
  grants: ReadonlyArray<Grants.HeldGrant>,
  { actions, authority = {}, on }: Grants.GivenGrant
): Excess | undefined => {
  const held = grants.filter((grant) => Grants.covers(grant, on))
  const isUnlimited = held.some((grant) => grant.authority === "UNLIMITED")
  if (authority === "UNLIMITED") {
    return isUnlimited ? undefined : { authority: "payout", limit: 0 }
  }
  return isUnlimited
    ? undefined
    : (excessAmount(held, actions, authority) ?? excessRule(held, authority))
}

const excessAmount = (
  held: ReadonlyArray<Grants.HeldGrant>,
  actions: ReadonlySet<Action>,
  authority: Authority
): Excess | undefined => {
  for (const kind of AuthorityKind.literals) {
    const limited = limitedActions(kind).filter((action) => actions.has(action))
    for (const [name, needed] of Object.entries(authority[kind] ?? {})) {
      const currency = Currency.make(name)
      const most = (counts: (grant: Grants.HeldGrant) => boolean) =>
        held
          .filter(counts)
          .reduce((limit, one) => Math.max(limit, limitIn(one.authority, kind, currency)), 0)
      // An authority without an action is held by some role, whatever that contains.
      const limits =
        limited.length === 0
          ? [most(() => true)]
          : limited.map((action) => most((grant) => grant.actions.has(action)))
      const limit = Math.min(...limits)
      if (needed > limit) return { authority: kind, currency, limit, needed }
    }
  }
  return undefined
}

const excessRule = (
  held: ReadonlyArray<Grants.HeldGrant>,
  { derogations = [] }: Authority
): Excess | undefined => {
  const theirs = held.flatMap(({ authority }) =>
    authority === "UNLIMITED" ? [] : (authority.derogations ?? [])
  )
  const needed = derogations.find((one) => !theirs.some((wide) => isWithin(one, wide)))
  return needed === undefined
    ? undefined
    : {
        authority: "derogations",
        limit: theirs.filter(({ kind }) => kind === needed.kind),
        needed
      }
}
