import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@quittance/domain/values/Amount"
import { Entry } from "@quittance/domain/billing/Entry"
import { Arbitrary, Schema } from "effect"
import * as Postings from "../../src/billing/Postings.ts"
import { int, payerA } from "../Drawn.ts"
import { currency } from "../Life.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"

// Made of the alphabet of identifiers.
const firm = `brokerage_firm_test_${"A".repeat(21)}` as BrokerageFirmId

describe("an entry", () => {
  it("is refused when its postings do not sum to zero, or name no account of the chart", () => {
    const entry = (postings: ReadonlyArray<{ account: string; amount: number }>) => ({
      kind: "PAYMENT",
      currency,
      postings
    })
    const isEntry = Schema.is(Entry)
    const cash = { account: "cash", amount: 100 }
    assert.isTrue(isEntry(entry([cash, { account: "premium", amount: -100 }])))
    assert.isFalse(isEntry(entry([cash, { account: "premium", amount: -99 }])))
    assert.isFalse(isEntry(entry([cash, { account: "pocket", amount: -100 }])))
    assert.isFalse(isEntry(entry([cash, { account: "tax:", amount: -100 }])))
  })

  it("gathers the postings of one account, and leaves out those of nothing", () => {
    const total = Amount.make(
      0,
      [
        { id: "F", chargeType: "ONE_TIME", amount: 100 },
        { id: "F", chargeType: "RECURRING", amount: 20 },
        { id: "F", brokerageFirmId: firm, chargeType: "RECURRING", amount: 5 }
      ],
      [{ id: "T", chargeType: "RECURRING", amount: 0 }]
    )
    assert.deepStrictEqual(Postings.forInvoice(payerA, total, currency).postings, [
      { account: `receivable:${payerA}`, amount: 125 },
      { account: "fee:F", amount: -120 },
      { account: `fee:F:${firm}`, amount: -5 }
    ])
  })

  const Leaf = Arbitrary.schema(
    Schema.Struct({ id: Schema.Literals(["A", "B", "C"]), amount: int(-50_000, 50_000) })
  )
  const LeafList = Arbitrary.array(Leaf, { maxLength: 4 })

  it.prop(
    "balances for every invoice, payment and use of credit",
    [int(-1_000_000, 1_000_000), LeafList, LeafList, int(0, 1_000_000), int(0, 1_000_000)],
    ([net, fees, taxes, settled, surplus]) => {
      const total = Amount.make(
        net,
        fees.map((fee) => ({ ...fee, chargeType: "RECURRING" as const })),
        taxes.map((tax) => ({ ...tax, chargeType: "SPOT" as const }))
      )
      const isEntry = Schema.is(Entry)
      for (const entry of [
        Postings.forInvoice(payerA, total, currency),
        Postings.forPayment(payerA, settled, surplus, currency),
        Postings.forBalanceUsed(payerA, settled, currency)
      ]) {
        assert.isTrue(isEntry(entry))
        assert.isTrue(entry.postings.every(({ amount }) => amount !== 0))
        const accounts = entry.postings.map(({ account }) => account)
        assert.strictEqual(new Set(accounts).size, accounts.length)
      }
    },
    { arbitrary: { runs: 500 } }
  )
})
