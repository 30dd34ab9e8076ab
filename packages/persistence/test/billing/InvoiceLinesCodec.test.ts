/** What rows keep of lines, amounts and premium items is what was put in. */
import * as Amount from "@quittance/domain/values/Amount"
import { BilledLine } from "@quittance/domain/billing/InvoiceLine"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import { PremiumItem } from "@quittance/domain/products/Quote"
import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { amountKept, keepAmount, KeptAmount } from "../../src/values/AmountCodec.ts"
import {
  encodePremiumItems,
  PremiumItemsCodec,
  decodePremiumItems
} from "../../src/policies/PremiumItemsCodec.ts"
import { keepLines, KeptLines, linesKept } from "../../src/billing/InvoiceLinesCodec.ts"
import * as Ids from "@quittance/domain/values/Ids"

const Suffix = Schema.Literals([alphabet[0]!.repeat(21), alphabet[1]!.repeat(21)])
const Money = Schema.Int.check(Schema.isBetween({ minimum: -1e12, maximum: 1e12 }))
const Name = Schema.Literals(["TSCA", "FGAO", "É « x » \\ \n", ""])
const charge = { id: Name, chargeType: Amount.ChargeType, amount: Money }
const Parts = Schema.Struct({
  net: Money,
  fees: Schema.Array(Schema.Struct({ ...charge, firm: Schema.NullOr(Suffix) })),
  taxes: Schema.Array(Schema.Struct(charge))
})
const Days = Schema.Literals(["2026-01-31", "2026-02-28", "2027-01-31"])
const Range = Schema.Struct({ start: Days, end: Days })

const amountOf = ({ fees, net, taxes }: typeof Parts.Type): Amount.Amount =>
  Amount.make(
    net,
    fees.map(({ firm, ...fee }) =>
      firm === null
        ? fee
        : { ...fee, brokerageFirmId: Ids.BrokerageFirmId.make(`brokerage_firm_test_${firm}`) }
    ),
    taxes
  )

const orNone = <K extends string, A>(key: K, value: A | null) =>
  // What a computed key makes has the key's name.
  value === null ? {} : ({ [key]: value } as Record<K, A>)

const DrawnLine = Schema.Struct({
  componentId: Name,
  label: Name,
  chargeType: Amount.ChargeType,
  slice: Range,
  amount: Parts,
  price: Parts,
  quote: Suffix,
  corrects: Schema.NullOr(Suffix),
  basis: Schema.NullOr(Schema.Struct({ term: Range, period: Range, amount: Schema.NullOr(Parts) })),
  nonRefundable: Schema.NullOr(Schema.Array(Name)),
  keptFrom: Schema.NullOr(Days),
  byHand: Schema.NullOr(Schema.Boolean)
})

const lineOf = (drawn: typeof DrawnLine.Type): BilledLine => {
  const { amount, basis, byHand, corrects, keptFrom, nonRefundable, price, quote, ...line } = drawn
  return Schema.decodeUnknownSync(BilledLine)({
    ...line,
    amount: amountOf(amount),
    price: amountOf(price),
    quoteId: `quote_test_${quote}`,
    ...orNone("corrects", corrects === null ? null : `invoice_test_${corrects}`),
    ...orNone(
      "basis",
      basis === null
        ? null
        : {
            term: basis.term,
            period: basis.period,
            ...orNone("amount", basis.amount === null ? null : amountOf(basis.amount))
          }
    ),
    ...orNone("nonRefundable", nonRefundable),
    ...orNone("keptFrom", keptFrom === null ? null : LocalDate.make(keptFrom)),
    ...orNone("byHand", byHand)
  })
}

const Lines = Arbitrary.map(Arbitrary.schema(Schema.Array(DrawnLine)), (drawn) => drawn.map(lineOf))

const PremiumItems = Arbitrary.map(
  Arbitrary.schema(
    Schema.Array(
      Schema.Struct({
        ...PremiumItem.fields,
        id: Name,
        componentId: Name,
        amount: Money,
        refId: Schema.optionalKey(Name),
        brokerageFirmId: Schema.Never.pipe(Schema.optionalKey),
        firm: Schema.NullOr(Suffix)
      })
    )
  ),
  (drawn) =>
    drawn.map(({ brokerageFirmId: _, firm, ...premiumItem }): PremiumItem =>
      // Only the fee of a firm names one.
      firm === null || premiumItem.refId === undefined
        ? premiumItem
        : {
            ...premiumItem,
            brokerageFirmId: Ids.BrokerageFirmId.make(`brokerage_firm_test_${firm}`)
          }
    )
)

/** As it comes back from a row. */
const stored = <A, I>(schema: Schema.Codec<A, I>, value: A): A =>
  Schema.decodeUnknownSync(schema)(JSON.parse(JSON.stringify(value)))

describe("what rows keep", () => {
  it.prop("of an invoice is its lines", [Lines], ([lines]) => {
    assert.deepStrictEqual(linesKept(stored(KeptLines, keepLines(lines))), lines)
  })

  it.prop("of an amount is what it consists of", [Arbitrary.schema(Parts)], ([parts]) => {
    const amount = amountOf(parts)
    assert.deepStrictEqual(amountKept(stored(KeptAmount, keepAmount(amount))), amount)
  })

  it.prop("of a quote is its premium items", [PremiumItems], ([premiumItems]) => {
    assert.deepStrictEqual(
      decodePremiumItems(stored(PremiumItemsCodec, encodePremiumItems(premiumItems))),
      premiumItems
    )
  })

  it.prop("is refused where a line names what is not there", [Lines], ([lines]) => {
    const kept = { ...keepLines(lines), quotes: [] }
    if (lines.length > 0) assert.throws(() => linesKept(kept), /in vain/u)
  })
})
