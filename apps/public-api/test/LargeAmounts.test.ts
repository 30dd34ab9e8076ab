/** The largest prices, from the quote to the books: each sum is exact, or refused in words. */
import { assert, layer } from "@effect/vitest"
import { largestPrice } from "@quittance/domain/values/Amount"
import { Effect } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { prepared, send, signature } from "./Sales.ts"

const extra = (amount: number) => ({
  additionalQuoteComponents: {
    id: "EXTRA",
    type: "SPECIAL",
    chargeType: "RECURRING",
    premium: {
      amountPreFeesAndTaxes: amount,
      fees: [],
      totalFees: 0,
      amountWithFeesPreTaxes: amount,
      taxes: [],
      totalTaxes: 0,
      amountWithFeesAndTaxes: amount
    }
  }
})

const moveTo = ({ client, tenant }: World, now: string) =>
  call("/admin/test-clock", { tenant, token: client, method: "PUT", body: { now } })

const yearly = {
  invoicingConfig: { frequency: "YEARLY", timing: "IN_ADVANCE", firstPayment: "NONE" }
}

// Real time: the database dates sessions by its own clock.
layer(TestLayer, { excludeTestServices: true })("a price of very many units", (it) => {
  it.effect("is refused in words where terms of it would leave the exact integers", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { policyId } = yield* prepared(world, world.manager, yearly)
      const quote = yield* call(`/policies/${policyId}/quote`, {
        tenant: world.tenant,
        token: world.manager,
        // Two terms of it are more than 2^53.
        body: extra(4_600_000_000_000_000)
      })
      assert.deepStrictEqual([quote.status, quote.body.code], [422, "INVALID_AMOUNT"])
      assert.deepStrictEqual(
        [quote.body.details.field, quote.body.details.maximum],
        ["totalPremium", largestPrice]
      )
    })
  )

  it.effect("is summed exactly over its terms, to the unit", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const records = yield* prepared(world, world.manager, yearly)
      const path = `/policies/${records.policyId}`
      const { body } = yield* send(
        world,
        world.manager,
        `${path}/quote`,
        extra(largestPrice - 1_000_000_001)
      )
      const premium: number = body.quote.totalPremium.amountWithFeesAndTaxes
      yield* send(world, world.manager, `/customers/${records.customerId}/confirm`, {})
      yield* send(world, world.manager, `${path}/confirm`, {})
      yield* send(world, world.manager, `${path}/sign`, signature)
      assert.strictEqual((yield* moveTo(world, "2028-05-01T00:00:00Z")).status, 200)
      const ledger = yield* send(
        world,
        world.manager,
        `/billing/policies/${records.policyId}/ledger`
      )
      const invoices = yield* send(
        world,
        world.manager,
        `/billing/policies/${records.policyId}/invoices`
      )
      const totals: ReadonlyArray<number> = invoices.body.data.map(
        ({ total }: { readonly total: Total }) => total.amountWithFeesAndTaxes
      )
      assert.lengthOf(totals, 3)
      assert.isAbove(premium, largestPrice - 1_000_000_000)
      const receivable = ledger.body.balances.find(({ account }: { readonly account: string }) =>
        account.startsWith("receivable:")
      )
      assert.strictEqual(
        BigInt(receivable.balance),
        totals.reduce((sum, total) => sum + BigInt(total), 0n)
      )
    })
  )
})

interface Total {
  readonly amountWithFeesAndTaxes: number
}
