/** The second part of the demo: a year of invoices under the test clock, and who has not paid. */
import type { Instant } from "@quittance/domain/values/Instant"
import type { Invoice } from "@quittance/domain/billing/Invoice"
import { addMonths, daysBetween } from "@quittance/domain/values/LocalDate"
import { localDate, startOfDay } from "@quittance/domain/values/TimeZone"
import { Effect, Schema } from "effect"
import type { DemoClient } from "./DemoClient.ts"
import * as Figures from "./Figures.ts"
import * as Money from "../terminal/Money.ts"
import { asProblems } from "../Problem.ts"
import { Narrator } from "./Narrator.ts"
import type { Sale } from "./Sale.ts"
import { InvoiceId } from "@quittance/domain/values/Ids"

const months = 12
/** The last invoices of the year, which stay unpaid. */
const unpaid = 2

const isInvoiceId = Schema.is(InvoiceId)

/** Shows what will be invoiced, before anything is. */
export const plan = Effect.fnUntraced(function* (visitor: DemoClient, sale: Sale) {
  const narrator = yield* Narrator
  const { policyId, premium, product } = sale
  yield* narrator.chapter("What they will be asked to pay is known from now on")
  const { instalments } = yield* visitor.billing.schedule({ params: { policyId }, query: {} })
  const amounts = instalments.map(({ amount }) => amount.amountWithFeesAndTaxes)
  const [first = 0, second = 0] = amounts
  yield* narrator.tell(
    `The schedule has ${instalments.length} instalments. The first is ${Money.format(first, product.currency)}, ` +
      `since it carries what is charged once, the second ${Money.format(second, product.currency)}.`
  )
  yield* narrator.check("there is one instalment for each month", months, instalments.length)
  yield* narrator.check(
    "they sum to the premium, to the cent",
    premium.total,
    Figures.total(amounts)
  )
}, asProblems)

/**
 * Moves the tenant's clock from month to month, pays all invoices but the last ones, and leaves it a few
 * days after the last.
 */
export const live = Effect.fnUntraced(function* (
  visitor: DemoClient,
  admin: DemoClient,
  cashier: DemoClient,
  sale: Sale
) {
  const narrator = yield* Narrator
  const { policyId, product, startsAt } = sale
  const begin = localDate(startsAt, product.timeZone)
  const move = (now: Instant) => admin.testClocks.move({ query: {}, headers: {}, payload: { now } })
  const invoicesOf = visitor.billing.listInvoices({ params: { policyId }, query: { count: 100 } })

  yield* narrator.chapter("The clock moves to the day of the start")
  const started = yield* move(startsAt)
  const policy = yield* visitor.policies.get({ params: { policyId }, query: {} })
  yield* narrator.fact("now", started.now)
  yield* narrator.fact("ran", JSON.stringify(started.ran))
  yield* narrator.check("the policy has started by itself", "POLICY_STARTED", policy.status)

  yield* narrator.chapter("The year goes by, and each month an invoice is issued")
  let issued = started.ran["issueInvoices"] ?? 0
  for (let month = 0; month < months; month++) {
    if (month > 0) {
      const { ran } = yield* move(startOfDay(addMonths(begin, month), product.timeZone))
      issued += ran["issueInvoices"] ?? 0
    }
    if (month >= months - unpaid) continue
    const { data } = yield* invoicesOf
    for (const invoice of data) {
      if (invoice.status === "ISSUED" && isInvoiceId(invoice.id)) {
        yield* cashier.payments.record({
          params: { invoiceId: invoice.id },
          query: {},
          headers: {},
          payload: {
            amount: invoice.amountDue,
            method: "BANK_TRANSFER",
            reference: `Transfer for ${invoice.number}`
          }
        })
      }
    }
  }
  yield* narrator.tell(
    "Each fee and each tax is spread over the year apart, by largest remainder and the earliest month " +
      "first: so the months differ by cents, and their sum by none."
  )
  const { data } = yield* invoicesOf
  const invoices = data.toSorted((a, b) => (a.period.start < b.period.start ? -1 : 1))
  yield* showInvoices(invoices, sale)
  yield* checkInvoices(invoices, sale, issued)
  return invoices
}, asProblems)

const showInvoices = Effect.fnUntraced(function* (invoices: ReadonlyArray<Invoice>, sale: Sale) {
  const narrator = yield* Narrator
  const money = (amount: number) => Money.format(amount, sale.product.currency)
  yield* narrator.table({
    columns: [
      { header: "Invoice" },
      { header: "Period" },
      { header: "Issued" },
      { header: "Due" },
      ...["Amount", "Paid", "Open"].map((header) => ({ header, align: "right" }) as const),
      { header: "Status" }
    ],
    rows: invoices.map((invoice) => [
      invoice.number,
      `${invoice.period.start} … ${invoice.period.end}`,
      localDate(invoice.issuedAt, sale.product.timeZone),
      invoice.dueOn,
      ...[invoice.total.amountWithFeesAndTaxes, invoice.amountPaid, invoice.amountDue].map(money),
      invoice.status
    ]),
    total: [
      "Together",
      "",
      "",
      "",
      ...[
        Figures.total(invoices.map(({ total }) => total.amountWithFeesAndTaxes)),
        Figures.total(invoices.map(({ amountPaid }) => amountPaid)),
        Figures.total(invoices.map(({ amountDue }) => amountDue))
      ].map(money)
    ]
  })
})

const checkInvoices = Effect.fnUntraced(function* (
  invoices: ReadonlyArray<Invoice>,
  { premium }: Sale,
  issuedInTenant: number
) {
  const narrator = yield* Narrator
  yield* narrator.check("there are twelve invoices", months, invoices.length)
  yield* narrator.check(
    "the invoices of the term sum to the premium: net, fees, taxes and total",
    premium,
    Figures.sum(invoices.map(({ total }) => Figures.added(total)))
  )
  yield* narrator.check(
    "the lines of each sum to its total",
    invoices.map(({ total }) => Figures.stated(total)),
    invoices.map(({ lines }) => Figures.sum(lines.map(({ amount }) => Figures.added(amount))))
  )
  yield* narrator.check(
    "each month begins where the one before ended",
    invoices.slice(1).map(({ period }) => period.start),
    invoices.slice(0, -1).map(({ period }) => period.end)
  )
  const numbers = invoices.map(({ number }) => Number(/\d+$/.exec(number)?.[0]))
  const others = issuedInTenant - invoices.length
  yield* narrator.check(
    others === 0
      ? "their numbers follow each other without a gap"
      : `their numbers leave room for the tenant's ${others} other invoices at most`,
    true,
    numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0)) &&
      (numbers.at(-1) ?? 0) - (numbers[0] ?? 0) - (invoices.length - 1) <= others
  )
  yield* narrator.check(
    "all are paid but the last two",
    invoices.map((_, index) => (index < months - unpaid ? "PAID" : "ISSUED")),
    invoices.map(({ status }) => status)
  )
})

/** Looks the policy up in the accounting summary, as a clerk would. */
export const arrears = Effect.fnUntraced(function* (
  admin: DemoClient,
  accountant: DemoClient,
  sale: Sale,
  invoices: ReadonlyArray<Invoice>
) {
  const narrator = yield* Narrator
  const { policyId, product } = sale
  yield* narrator.chapter("Who owes what")
  const { now } = yield* admin.testClocks.get()
  const { data } = yield* accountant.accountingSummaries.list({ query: { queryString: policyId } })
  yield* narrator.tell(
    "GET /accounting-summary, asked by a client that may do billing and nothing else."
  )
  yield* narrator.table({
    columns: [
      { header: "Customer" },
      { header: "Policy" },
      { header: "Status" },
      { header: "Unpaid", align: "right" },
      { header: "Oldest issued" },
      { header: "Days", align: "right" }
    ],
    rows: data.map((entry) => [
      entry.customer.name ?? entry.customer.id,
      entry.policy.id,
      entry.policy.status,
      String(entry.numberOfUnpaidInvoices),
      localDate(entry.oldestUnpaidInvoiceIssuedAt, product.timeZone),
      String(entry.unpaidDurationInDay)
    ])
  })
  const open = invoices.filter(({ status }) => status === "ISSUED")
  const oldest = open[0]?.issuedAt ?? now
  yield* narrator.check("the summary has one entry for the policy", 1, data.length)
  yield* narrator.check(
    "it counts the two unpaid invoices, from the day the older was issued",
    {
      policy: policyId,
      unpaid,
      oldest,
      days: daysBetween(localDate(oldest, product.timeZone), localDate(now, product.timeZone))
    },
    data.map((entry) => ({
      policy: entry.policy.id,
      unpaid: entry.numberOfUnpaidInvoices,
      oldest: entry.oldestUnpaidInvoiceIssuedAt,
      days: entry.unpaidDurationInDay
    }))[0]
  )
  return {
    now,
    open: Figures.total(open.map(({ amountDue }) => amountDue))
  }
}, asProblems)
