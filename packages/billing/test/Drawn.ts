/** What the property tests draw: terms, configurations, quotes and payers. */
import { fromEpochMillis, type Instant } from "@quittance/domain/values/Instant"
import {
  FirstPayment,
  Frequency,
  type InvoicingConfig,
  Timing
} from "@quittance/domain/products/InvoicingConfig"
import { LocalDate, monthLength } from "@quittance/domain/values/LocalDate"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import { Alignment } from "@quittance/domain/products/ProductTerms"
import type { PremiumItem } from "@quittance/domain/products/Quote"
import { localDate, startOfDay } from "@quittance/domain/values/TimeZone"
import { Arbitrary, Schema } from "effect"
import type { InvoicingFrom } from "../src/billing/DueSteps.ts"
import type { PayersFrom, PayerSplit } from "../src/billing/Payers.ts"
import type { TermRule } from "../src/periods/Term.ts"
import type { BillingSettings } from "../src/periods/BillingWindows.ts"
import { type CustomerId, QuoteId } from "@quittance/domain/values/Ids"

export const int = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const idSuffix = (letter: string) => letter.repeat(21)
export const customer = (letter: string): CustomerId =>
  // Made of the alphabet of identifiers.
  `customer_test_${idSuffix(letter)}` as CustomerId
export const quoteId = (letter: string): QuoteId => QuoteId.make(`quote_test_${idSuffix(letter)}`)

export const [payerA, payerB] = [customer(alphabet[6]!), customer(alphabet[7]!)]

/** Zones whose clocks change by day, by night, over midnight, by half an hour, by a day, and never. */
export const Zone = Schema.Literals([
  "Europe/Paris",
  "America/Sao_Paulo",
  "America/Havana",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Asia/Tehran",
  "Asia/Kolkata",
  "UTC"
])

/** Days from 2010 to 2033; a third lie at the end of a month. */
export const Day = Arbitrary.schema(
  Schema.Struct({
    year: int(2010, 2033),
    month: int(1, 12),
    day: Schema.Union([int(1, 31), Schema.Literals([28, 29, 30, 31])])
  })
).pipe(
  Arbitrary.map(({ day, month, year }) => {
    const last = Math.min(day, monthLength(year, month))
    return LocalDate.make(
      `${year}-${String(month).padStart(2, "0")}-${String(last).padStart(2, "0")}`
    )
  })
)

const TermDuration = Schema.Union([
  Schema.Struct({ amount: int(1, 3), unit: Schema.Literal("YEAR") }),
  Schema.Struct({ amount: Schema.Literals([1, 3, 6, 12, 18]), unit: Schema.Literal("MONTH") }),
  Schema.Struct({ amount: Schema.Literals([2, 52]), unit: Schema.Literal("WEEK") }),
  Schema.Struct({ amount: int(1, 400), unit: Schema.Literal("DAY") }),
  Schema.Struct({ amount: int(1, 60), unit: Schema.Literal("HOUR") })
])

const EarlyPayment = Schema.Union([
  Schema.Struct({ amount: int(1, 14), unit: Schema.Literal("MONTH") }),
  Schema.Struct({ amount: int(1, 8), unit: Schema.Literal("WEEK") }),
  Schema.Struct({ amount: int(1, 100), unit: Schema.Literal("DAY") }),
  Schema.Struct({ amount: Schema.Literal(1), unit: Schema.Literal("YEAR") })
])

export const AnyAlignment = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("START_DATE") }),
  Alignment
])

export interface DrawnPolicy {
  readonly rule: TermRule
  readonly startDay: LocalDate
  readonly invoicing: InvoicingConfig
  readonly settings: BillingSettings
  readonly signedAt: Instant
}

/** A policy that starts at any hour of its first day, signed up to two months before or after it. */
export const Policy = Arbitrary.schema(
  Schema.Struct({
    zone: Zone,
    periodDuration: TermDuration,
    frequency: Frequency,
    timing: Timing,
    firstPayment: FirstPayment,
    earlyPayment: EarlyPayment,
    alignment: AnyAlignment,
    issueLeadDays: int(0, 40),
    dueDays: int(0, 30),
    hour: int(0, 22),
    signedHours: int(-1500, 1500)
  })
).pipe(
  Arbitrary.flatMap((drawn) =>
    Arbitrary.map(Day, (startDay): DrawnPolicy => {
      const dayStart = Date.parse(startOfDay(startDay, drawn.zone))
      const startedAt = dayStart + drawn.hour * 3_600_000
      return {
        // A day that the zone skips gives way to the next.
        startDay: localDate(fromEpochMillis(startedAt), drawn.zone),
        rule: {
          startedAt: fromEpochMillis(startedAt),
          periodDuration: drawn.periodDuration,
          timeZone: drawn.zone
        },
        invoicing: {
          frequency: drawn.frequency,
          timing: drawn.timing,
          firstPayment: drawn.firstPayment,
          earlyPayment: drawn.earlyPayment
        },
        settings: {
          alignment: drawn.alignment,
          issueLeadDays: drawn.issueLeadDays,
          dueDays: drawn.dueDays
        },
        signedAt: fromEpochMillis(startedAt + drawn.signedHours * 3_600_000)
      }
    })
  )
)

export const Price = Schema.Union([
  int(-200, 200),
  int(-5_000_000, 5_000_000),
  int(2 ** 50, Number.MAX_SAFE_INTEGER)
])

const Charge = Schema.Literals(["RECURRING", "RECURRING", "ONE_TIME", "SPOT"])

/** The premium items of a quote of one to four components, each with a fee and two taxes at most. */
export const PremiumItems = Arbitrary.array(
  Arbitrary.schema(
    Schema.Struct({
      net: int(-300_000, 900_000),
      charge: Charge,
      fee: Schema.optionalKey(
        Schema.Struct({ amount: int(0, 5000), charge: Charge, everyTerm: Schema.Boolean })
      ),
      taxes: Schema.Array(
        Schema.Struct({ amount: int(0, 50_000), charge: Charge, everyTerm: Schema.Boolean })
      ).check(Schema.isMaxLength(2))
    })
  ),
  { minLength: 1, maxLength: 4 }
).pipe(
  Arbitrary.map((components) =>
    components.flatMap(({ charge, fee, net, taxes }, index): ReadonlyArray<PremiumItem> => {
      const componentId = `C${index}`
      const common = { componentId, refundable: true }
      return [
        {
          ...common,
          id: componentId,
          kind: "NET",
          chargeType: charge,
          amount: net,
          everyTerm: false
        },
        ...(fee === undefined
          ? []
          : [
              {
                ...common,
                id: `${componentId}/fee/F`,
                kind: "FEE",
                refId: "F",
                chargeType: fee.charge,
                amount: fee.amount,
                everyTerm: fee.everyTerm
              } as const
            ]),
        ...taxes.map(
          (tax, number) =>
            ({
              ...common,
              id: `${componentId}/tax/T${number}`,
              kind: "TAX",
              refId: `T${number}`,
              chargeType: tax.charge,
              amount: tax.amount,
              everyTerm: tax.everyTerm
            }) as const
        )
      ]
    })
  )
)

export const Payers = Schema.Struct({ shared: Schema.Boolean, of: int(0, 3) }).pipe(
  (schema) => Arbitrary.schema(schema),
  Arbitrary.map(({ of, shared }): PayerSplit => ({
    defaultPayerId: payerA,
    byComponent: new Map(shared ? [[`C${of}`, payerB]] : [])
  }))
)

/** The same payers from the first day to the last. */
export const alwaysPaidBy = (split: PayerSplit): ReadonlyArray<PayersFrom> => [
  { from: LocalDate.make("2000-01-01"), split }
]

/** The same way of invoicing for every term. */
export const invoicedBy = (
  invoicing: InvoicingConfig,
  settings: BillingSettings
): ReadonlyArray<InvoicingFrom> => [{ from: LocalDate.make("2000-01-01"), invoicing, settings }]
