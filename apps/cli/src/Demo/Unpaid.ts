/** The last part of the demo: what follows by law from two unpaid invoices, and how it ends. */
import type { FormalNotice } from "@quittance/domain/dunning/Dunning"
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import type { Invoice } from "@quittance/domain/billing/Invoice"
import { addDays } from "@quittance/domain/values/LocalDate"
import { localDate, noonOf, startOfDay } from "@quittance/domain/values/TimeZone"
import { Effect, Schema } from "effect"
import { asProblems } from "../Problem.ts"
import type { DemoClient } from "./DemoClient.ts"
import * as Figures from "./Figures.ts"
import { Narrator } from "./Narrator.ts"
import type { Sale } from "./Sale.ts"
import { InvoiceId } from "@quittance/domain/values/Ids"

/** Art. L113-3 code des assurances, in days after the due date and after the dispatch. */
const notice = 11
const suspension = 31
/** After so many days without cover they pay. */
const patience = 2

const isInvoiceId = Schema.is(InvoiceId)

const isIn = (ids: ReadonlyArray<string>, id: string): boolean => ids.includes(id)

const justBefore = (instant: Instant): Instant => fromEpochMillis(toEpochMillis(instant) - 1)

/** Formal notice, suspension, arrears paid, cover again: each at the instant that the law names. */
export const follow = Effect.fnUntraced(function* (
  visitor: DemoClient,
  admin: DemoClient,
  cashier: DemoClient,
  sale: Sale,
  invoices: ReadonlyArray<Invoice>
) {
  const narrator = yield* Narrator
  const { policyId, product } = sale
  const { timeZone } = product
  const open = invoices.filter(({ status }) => status === "ISSUED")
  const dayAfter = (instant: Instant, days: number) => addDays(localDate(instant, timeZone), days)
  const move = (now: Instant) => admin.testClocks.move({ query: {}, headers: {}, payload: { now } })
  const policyAt = (now: Instant) =>
    Effect.andThen(move(now), visitor.policies.get({ params: { policyId }, query: {} }))
  const notices = Effect.map(
    visitor.dunning.listNotices({ params: { policyId }, query: {} }),
    ({ data }) => data.toReversed()
  )

  yield* narrator.chapter("Premiums stay unpaid, and a formal notice is sent")
  const [oldest] = open
  const noticedAt = startOfDay(
    addDays(oldest?.dueOn ?? localDate(sale.startsAt, timeZone), notice),
    timeZone
  )
  const suspendedAt = startOfDay(dayAfter(noticedAt, suspension), timeZone)
  const before = yield* policyAt(justBefore(suspendedAt))
  const sent = yield* notices
  yield* show(sent, open)
  yield* narrator.check(
    "the older invoice was noticed on the eleventh day after it was due",
    [[oldest?.id], noticedAt, suspendedAt],
    sent.map((first) => [first.invoiceIds, first.sentAt, first.suspendedAt])[0]
  )
  yield* narrator.check(
    "thirty days after the notice they are still covered",
    "POLICY_STARTED",
    before.status
  )

  yield* narrator.chapter("Cover stops at 00:00 of the thirty-first day")
  const suspended = yield* policyAt(suspendedAt)
  yield* narrator.fact("suspended", suspended.suspendedAt ?? "not")
  yield* narrator.check(
    "cover is suspended from that instant on; the contract continues",
    ["POLICY_SUSPENDED", suspendedAt],
    [suspended.status, suspended.suspendedAt]
  )

  yield* narrator.chapter("They pay what they owe")
  const paidOn = dayAfter(suspendedAt, patience)
  yield* move(noonOf(paidOn, timeZone))
  yield* payAll(cashier, open)
  const resumesAt = noonOf(addDays(paidOn, 1), timeZone)
  const waiting = yield* policyAt(justBefore(resumesAt))
  yield* narrator.check(
    "the day after, before noon, cover is still suspended",
    "POLICY_SUSPENDED",
    waiting.status
  )
  const resumed = yield* policyAt(resumesAt)
  yield* narrator.fact("reactivated", resumed.reactivatedAt ?? "not")
  yield* narrator.check(
    "at noon cover is reactivated",
    ["POLICY_STARTED", resumesAt],
    [resumed.status, resumed.reactivatedAt]
  )
  const ofPolicy = { params: { policyId }, query: { count: 100 } }
  const { data } = yield* visitor.billing.listInvoices(ofPolicy)
  return {
    now: resumesAt,
    notices: yield* notices,
    open: Figures.total(data.map(({ amountDue }) => amountDue))
  }
}, asProblems)

const show = Effect.fnUntraced(function* (
  sent: ReadonlyArray<FormalNotice>,
  open: ReadonlyArray<Invoice>
) {
  const narrator = yield* Narrator
  yield* narrator.tell("The sandbox's simulated post sends it; elsewhere its dispatch is recorded.")
  yield* narrator.table({
    columns: [
      { header: "Of" },
      { header: "Sent" },
      { header: "Cover stops" },
      { header: "May be ended from" }
    ],
    rows: sent.map(({ invoiceIds, sentAt, suspendedAt: stops, terminableAt }) => [
      open.flatMap(({ id, number }) => (isIn(invoiceIds, id) ? [number] : [])).join(", "),
      sentAt ?? "",
      stops ?? "",
      terminableAt ?? ""
    ])
  })
})

const payAll = Effect.fnUntraced(function* (cashier: DemoClient, open: ReadonlyArray<Invoice>) {
  for (const { amountDue, id, number } of open) {
    if (!isInvoiceId(id)) continue
    yield* cashier.payments.record({
      params: { invoiceId: id },
      query: {},
      headers: {},
      payload: { amount: amountDue, method: "BANK_TRANSFER", reference: `Transfer for ${number}` }
    })
  }
})
