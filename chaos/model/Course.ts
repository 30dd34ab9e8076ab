/** Where a contract stands, and what became of unpaid premiums: by the log, the notices and the calendar. */
import type { Product } from "@quittance/domain/products/Product"
import { coverIntervals, known, millis, stateOn } from "./Fold.ts"
import { dayOf } from "./Agreement.ts"
import { isCharge } from "./Charges.ts"
import type { Change, Document, Facts } from "./Facts.ts"

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
  statusDifference(facts, product, now) ??
  dueDifference(facts, product, now, nextPlanned) ??
  onceDifference(facts) ??
  noticeDifference(facts, product, now) ??
  heldDifference(facts, product) ??
  gateDifference(facts, product, now)

const statusDifference = (facts: Facts, product: Product, now: string): string | undefined => {
  const state = stateOn(coverIntervals(facts, Infinity), millis(now))!
  const waits = product.activation.firstPayment === "GATE" && state.firstPaidAt === undefined
  const contract = state.contract ?? "NOT_STARTED"
  const status = contract === "NOT_STARTED" && waits ? "POLICY_CONFIRMED" : statuses[contract]
  if (facts.status !== status) return `the policy is ${facts.status}, and not ${status}`
  const hasBegun = millis(state.startedAt) <= millis(now) && !waits
  if (contract === "NOT_STARTED" && hasBegun) return "the policy has not been started"
  return undefined
}

/** Nothing is late: what is due has been done, and the next step will be taken in time. */
const dueDifference = (
  { nextDueAt }: Facts,
  { timeZone }: Product,
  now: string,
  nextPlanned: string | undefined
): string | undefined => {
  if (nextDueAt !== null && millis(nextDueAt) <= millis(now)) return `${nextDueAt} has been due`
  if (nextPlanned === undefined) return undefined
  const at = Temporal.PlainDate.from(nextPlanned).toZonedDateTime(timeZone).epochMilliseconds
  if (nextDueAt === null) return `no worker will visit for what is planned on ${nextPlanned}`
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

/** One notice over an invoice; cover stops when the time that a debt or its notice leaves is over. */
const noticeDifference = (facts: Facts, product: Product, now: string): string | undefined => {
  const returns = facts.payments.filter(({ returnedAt }) => returnedAt !== null).length
  const noticed = facts.notices.flatMap(({ invoiceIds }) => invoiceIds)
  const reinstated = facts.changes.filter(({ kind }) => kind === "REINSTATE").length
  // What the bank returned is a debt again, for which only a further notice counts; so is all after a stop.
  const often = noticed.find(
    (id) => noticed.filter((other) => other === id).length > 1 + returns + reinstated
  )
  if (often !== undefined) return `${often} is in too many notices`
  const premiums = facts.invoices.filter((invoice) => !isCharge(invoice))
  const stray = noticed.find((invoiceId) => !premiums.some(({ id }) => id === invoiceId))
  if (stray !== undefined) return `${stray}, which asks for no premium, is in a notice`
  const { suspend } = product.dunning
  const ends = endsOf(facts, product)
  const isOver = (at: number) => ends.some(({ end }) => end <= at)
  const changes = known(facts, Infinity)
  // Where there is no cover before the first premium, it stops as it begins, or as a bank takes that back.
  const unpaidFirst = new Set(
    [
      ...changes.filter(({ kind }) => kind === "START").map(({ effectiveAt }) => effectiveAt),
      ...facts.payments.flatMap(({ cameBackAt }) => cameBackAt ?? [])
    ].map((at) => afterHolds(facts, millis(at)))
  )
  const early = changes.find(
    ({ author, effectiveAt, kind }) =>
      kind === "SUSPEND" &&
      author === "due-steps" &&
      !(product.dunning.firstPremium === "NO_COVER" && unpaidFirst.has(millis(effectiveAt))) &&
      !isOver(millis(effectiveAt))
  )
  if (early !== undefined) return `cover stops at ${early.effectiveAt}, before the time is over`
  const owed = premiums.find(
    ({ id, status, type }) =>
      suspend.from === "DUE_DATE" &&
      returns === 0 &&
      type === "INVOICE" &&
      status === "ISSUED" &&
      ends.some(({ end, of }) => of === id && end <= millis(now))
  )
  return owed !== undefined && facts.status === "POLICY_STARTED"
    ? `cover continues, although ${owed.id} was due on ${owed.dueOn}`
    : undefined
}

/** When the time is over that each premium, or each notice that was sent, leaves. */
const endsOf = (
  facts: Facts,
  { dunning: { suspend }, timeZone }: Product
): ReadonlyArray<{ readonly of: string; readonly end: number }> => {
  const days =
    suspend.from === "DUE_DATE"
      ? facts.invoices
          .filter((invoice) => !isCharge(invoice))
          .map(({ dueOn, id }) => ({ of: id, day: dueOn }))
      : facts.notices.flatMap(({ id, sentAt }) =>
          sentAt === null ? [] : [{ of: id, day: dayOf(sentAt, timeZone) }]
        )
  return days.map(({ day, of }) => {
    const last = Temporal.PlainDate.from(day).add({
      [`${suspend.after.unit.toLowerCase()}s`]: suspend.after.amount
    })
    const end = last.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds
    return { of, end: afterHolds(facts, end) }
  })
}

const holdAt = ({ holds }: Facts, at: number) =>
  holds.find(({ from, to }) => millis(from) <= at && (to === null || at < millis(to)))

/** What falls into a hold waits for its end, which may be in another one. */
const afterHolds = (facts: Facts, at: number): number => {
  const hold = holdAt(facts, at)
  if (hold === undefined) return at
  return hold.to === null ? Infinity : afterHolds(facts, millis(hold.to))
}

const begins = new Set(["START", "REACTIVATE", "REINSTATE"])

/**
 * While something is held, no notice is sent, no cover stops and no contract ends for what is unpaid. Cover
 * that had to stop before does not begin.
 */
const heldDifference = (facts: Facts, product: Product): string | undefined => {
  const { dunning, timeZone } = product
  const ends = endsOf(facts, product)
  const notice = facts.notices.find(
    ({ sentAt }) => sentAt !== null && holdAt(facts, millis(sentAt)) !== undefined
  )
  if (notice !== undefined)
    return `${notice.id} is sent on ${dayOf(notice.sentAt!, timeZone)}, while it is held`
  const changes = known(facts, Infinity)
  const hadToStop = ({ effectiveAt }: Change, from: number) =>
    ends.some(({ end }) => end <= from) &&
    changes.some((other) => begins.has(other.kind) && other.effectiveAt === effectiveAt)
  const step = changes.find((change) => {
    const { author, effectiveAt, kind, patch } = change
    const hold = holdAt(facts, millis(effectiveAt))
    if (author !== "due-steps" || hold === undefined) return false
    const isEnd = patch.some(
      ({ path, value }) => path === "/stop" && JSON.stringify(value).includes(dunning.stopReason)
    )
    return (
      (kind === "SUSPEND" && !hadToStop(change, millis(hold.from))) || (kind === "STOP" && isEnd)
    )
  })
  return step && `the ${step.kind} of ${step.effectiveAt} is taken while it is held`
}

/** Cover that waits for a first payment: no longer than that takes, nor than the product allows. */
const gateDifference = (facts: Facts, product: Product, now: string): string | undefined => {
  const { firstPayment, notTakenUpAfterDays } = product.activation
  if (firstPayment !== "GATE") return undefined
  const state = stateOn(coverIntervals(facts, Infinity), millis(now))!
  const invoices = facts.invoices.filter(
    (invoice) => invoice.type === "INVOICE" && !isCharge(invoice)
  )
  const first = invoices.filter(
    ({ cause, term }) => term === 1 && (cause === "" || cause === "FIRST_PAYMENT")
  )
  const settled = new Set(["PAID", "CREDITED"])
  const isCredited = ({ id }: Document) => facts.credits.some(({ invoiceId }) => invoiceId === id)
  // Whatever is issued while cover waits is part of the first invoice, corrections too.
  const isPaid =
    invoices.some((invoice) => invoice.status === "PAID" || isCredited(invoice)) &&
    invoices.every(({ status }) => settled.has(status))
  if (isPaid && state.firstPaidAt === undefined && state.contract === "NOT_STARTED") {
    return "it waits for a premium that was paid"
  }
  const isUnpaid = facts.payments.length === 0 && !invoices.some(isCredited)
  if (state.firstPaidAt !== undefined && isUnpaid) {
    return "cover no longer waits for a premium that is unpaid"
  }
  if (notTakenUpAfterDays === undefined) return undefined
  const asked = first.map(({ issuedAt }) => issuedAt).sort()[0]
  if (asked === undefined) return undefined
  const late = [asked, state.startedAt, state.signedAt!]
    .map((at) => dayOf(at, product.timeZone))
    .sort()[2]!
  const end = Temporal.PlainDate.from(late)
    .add({ days: notTakenUpAfterDays + 1 })
    .toZonedDateTime(product.timeZone).epochMilliseconds
  const dropped = known(facts, Infinity).find(
    ({ author, kind }) => author === "due-steps" && kind === "STOP"
  )
  const isDropped = state.stop?.reason === product.reasons.notTakenUp
  if (isDropped && dropped !== undefined && millis(dropped.effectiveAt) < end) {
    return `it was dropped at ${dropped.effectiveAt}, before its time`
  }
  const isWaiting = state.firstPaidAt === undefined && state.contract === "NOT_STARTED"
  return isWaiting && end <= millis(now) ? "it still waits, and is not ended" : undefined
}
