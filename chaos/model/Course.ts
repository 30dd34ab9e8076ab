/** Where a contract stands, and what became of unpaid premiums: by the log, the notices and the calendar. */
import type { Product } from "@quittance/domain/Product"
import { stretches, known, millis, stateOn } from "./Fold.ts"
import { dayOf } from "./Agreement.ts"
import type { Facts } from "./Facts.ts"

const statuses = {
  NOT_STARTED: "POLICY_SIGNED",
  STARTED: "POLICY_STARTED",
  SUSPENDED: "POLICY_SUSPENDED",
  STOPPED: "POLICY_STOPPED"
} as const

export const check = (
  facts: Facts,
  product: Product,
  now: string,
  nextPlanned: string | undefined
): string | undefined =>
  statusDifference(facts, now) ??
  dueDifference(facts, product, now, nextPlanned) ??
  onceDifference(facts) ??
  noticeDifference(facts, product)

const statusDifference = (facts: Facts, now: string): string | undefined => {
  const state = stateOn(stretches(facts, Infinity), millis(now))!
  const status = statuses[state.contract ?? "NOT_STARTED"]
  if (facts.status !== status) return `the policy is ${facts.status}, and not ${status}`
  const hasBegun = millis(state.startedAt) <= millis(now)
  if (state.contract === "NOT_STARTED" && hasBegun) return "the policy has not been started"
  return undefined
}

/** Nobody waits: what is due has been done, and what comes next will be looked at in time. */
const dueDifference = (
  { nextDueAt }: Facts,
  { timeZone }: Product,
  now: string,
  nextPlanned: string | undefined
): string | undefined => {
  if (nextDueAt !== null && millis(nextDueAt) <= millis(now)) return `${nextDueAt} has been due`
  if (nextPlanned === undefined) return undefined
  const at = Temporal.PlainDate.from(nextPlanned).toZonedDateTime(timeZone).epochMilliseconds
  if (nextDueAt === null) return `nobody will come for what is planned on ${nextPlanned}`
  if (millis(nextDueAt) > at)
    return `${nextDueAt} is too late for what is planned on ${nextPlanned}`
  return undefined
}

/** No step was recorded twice, and all in the order of their numbers. */
const onceDifference = (facts: Facts): string | undefined => {
  for (const [index, { seq }] of facts.changes.entries()) {
    const before = facts.changes[index - 1]
    if (before !== undefined && before.seq >= seq) return `change ${seq} is there twice`
  }
  const steps = known(facts, Infinity)
    .filter(({ kind }) => ["START", "SUSPEND", "STOP", "RENEW"].includes(kind))
    .map(({ effectiveAt, kind }) => `the ${kind} of ${effectiveAt}`)
  const twice = steps.find((step, index) => steps.indexOf(step) !== index)
  if (twice !== undefined) return `${twice} was recorded twice`
  return undefined
}

/** One notice over an invoice; where the law has cover stop after a notice, it stops then and not before. */
const noticeDifference = (facts: Facts, product: Product): string | undefined => {
  const noticed = facts.notices.flatMap(({ invoiceIds }) => invoiceIds)
  const twice = noticed.find((id, index) => noticed.indexOf(id) !== index)
  if (twice !== undefined) return `${twice} is in two notices`
  const { suspend } = product.dunning ?? {}
  if (suspend?.from !== "NOTICE" || suspend.after.unit !== "DAY") return undefined
  const ends = facts.notices.flatMap(({ sentAt }) =>
    sentAt === null
      ? []
      : [
          Temporal.PlainDate.from(dayOf(sentAt, product.timeZone))
            .add({ days: suspend.after.amount + 1 })
            .toZonedDateTime(product.timeZone).epochMilliseconds
        ]
  )
  const early = known(facts, Infinity).find(
    ({ author, effectiveAt, kind }) =>
      kind === "SUSPEND" &&
      author === "due-steps" &&
      !ends.some((end) => end <= millis(effectiveAt))
  )
  return early && `cover stops at ${early.effectiveAt}, before the time of a notice is over`
}
