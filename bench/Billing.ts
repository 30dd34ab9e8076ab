import { dueMinusInvoiced } from "@quittance/billing/billing/DueMinusInvoiced"
import {
  type BillingView,
  instalmentsOf,
  invoicedAs,
  nextDueAt
} from "@quittance/billing/billing/DueSteps"
import type { InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import { startOfDay } from "@quittance/domain/values/TimeZone"
import { compile } from "@quittance/pricing/Engine"
import { read } from "@quittance/pricing/Publishable"
import { productDefinition } from "@quittance/testing/ShippedProducts"
import { Effect, Result } from "effect"
import * as InvoiceRun from "./InvoiceRun.ts"
import { within } from "./Within.ts"
import { isSmoke } from "./Smoke.ts"
import { CustomerId, InvoiceId, QuoteId } from "@quittance/domain/values/Ids"

const motor = Result.getOrThrow(read(productDefinition("motor-fr")))
const firstDay = LocalDate.make("2026-03-01")
const suffix = alphabet[0]!.repeat(21)

/** A motor policy with nine perils, their taxes and fees, for one term. */
const viewOf = (invoicing: InvoicingConfig): BillingView => {
  const quote = { ...exampleOf(motor), startDate: firstDay, tierId: "COMPREHENSIVE" }
  const { premiumItems } = Result.getOrThrow(compile(motor).price(quote))
  const { timeZone } = motor
  const startedAt = startOfDay(firstDay, timeZone)
  return {
    toStart: false,
    signedAt: startedAt,
    startedAt,
    periodDuration: { amount: 1, unit: "YEAR" },
    timeZone,
    invoicing: [{ from: firstDay, invoicing, settings: motor.invoicing }],
    terms: 1,
    gated: false,
    segments: [{ from: firstDay, quoteId: QuoteId.make(`quote_test_${suffix}`), premiumItems }],
    payers: [
      {
        from: firstDay,
        split: {
          defaultPayerId: CustomerId.make(`customer_test_${suffix}`),
          byComponent: new Map()
        }
      }
    ],
    coverageGaps: [],
    labels: new Map(),
    issued: []
  }
}

/** `--million` invoices a million policies, too. */
const sizes = isSmoke
  ? [100, 200]
  : [10_000, 100_000, ...(process.argv.includes("--million") ? [1_000_000] : [])]

/**
 * A year of a policy, pure: all its invoices line by line, the one that a worker comes for, and a stop
 * in the middle of a year that was invoiced month by month.
 */
const pure = Effect.sync(() => {
  const config = { timing: "IN_ADVANCE", firstPayment: "NONE" } as const
  const yearly = viewOf({ ...config, frequency: "YEARLY" })
  const monthly = viewOf({ ...config, frequency: "MONTHLY" })
  const all = instalmentsOf(monthly)
  const waiting = { ...monthly, issued: all.slice(0, 11).map(invoicedAs) }
  const id = InvoiceId.make(`invoice_test_${suffix}`)
  const issued = all.map(({ key, lines }) => ({ id, key, lines }))
  const coverageGaps = [
    { from: LocalDate.make("2026-09-01"), stop: { refund: "PRO_RATA" } }
  ] as const
  const stopped = { ...monthly, coverageGaps }
  return [
    within("the schedule of a policy-year", 50, 4000, () => instalmentsOf(yearly)),
    within("the same by months, twelve invoices and 122 lines", 100, 2000, () =>
      instalmentsOf(monthly)
    ),
    within("the one invoice of a year that is left", 50, 4000, () =>
      nextDueAt(waiting, waiting.signedAt)
    ),
    within("the refund of half a year by months", 2000, 50, () => dueMinusInvoiced(stopped, issued))
  ]
})

export const bench = Effect.gen(function* () {
  return [...(yield* pure), ...(yield* InvoiceRun.bars(sizes))]
})
