/** Perils and promotions that are charged otherwise than over the term, from the quote to the invoices. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, motor, newTenant, TestLayer } from "./Api.ts"
import { send, signed } from "./Sales.ts"

const once = { chargeType: "ONE_TIME" } as const

/** Assistance once in each term, and a welcome once and for all. */
const product = {
  ...motor,
  version: "2026.2",
  perils: motor.perils.map((peril) =>
    peril.id === "ASSISTANCE" ? { ...peril, ...once, everyTerm: true } : peril
  ),
  specials: [
    ...motor.specials,
    {
      id: "WELCOME",
      name: "Welcome",
      kind: "DISCOUNT",
      of: ["ASSISTANCE"],
      taxClass: motor.perils.find(({ id }) => id === "ASSISTANCE")!.taxClass,
      ...once,
      charges: [{ from: motor.validFrom, amount: 500 }]
    }
  ]
}

interface Instalment {
  readonly components: ReadonlyArray<{
    readonly componentId: string
    readonly chargeType: string
    readonly amount: Priced
  }>
  readonly amount: Priced
}

interface Priced {
  readonly amountPreFeesAndTaxes: number
  readonly amountWithFeesAndTaxes: number
}

interface Component {
  readonly id: string
  readonly chargeType: string
  readonly premium: Priced
}

/** What of a quote is charged once, before fees and taxes. */
const ofQuote = ({ components }: { readonly components: ReadonlyArray<Component> }) =>
  components
    .filter(({ chargeType }) => chargeType === "ONE_TIME")
    .map(({ id, premium }) => [id, premium.amountPreFeesAndTaxes])

// Real time: the database dates sessions by its own clock.
layer(TestLayer, { excludeTestServices: true })("what is charged once", (it) => {
  it.effect("is on the first invoice and no other, and the year sums to the quote", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant, client, session } = world
      const path = `/admin/products/${motor.productId}`
      const published = yield* call(path, { tenant, token: client, method: "PUT", body: product })
      assert.strictEqual(published.status, 201)
      const { policyId, premium } = yield* signed(world, session)
      const policy = yield* send(world, session, `/policies/${policyId}`)
      const ids = ({ components }: { readonly components: ReadonlyArray<Component> }) =>
        components.map(({ id }) => id)
      assert.includeMembers(ids(policy.body.quote), ["ASSISTANCE", "WELCOME"])
      for (const id of ["ASSISTANCE", "WELCOME"]) {
        assert.notInclude(ids(policy.body.proratedQuote), id)
      }
      const { body } = yield* send(world, session, `/billing/policies/${policyId}/schedule`)
      const all: ReadonlyArray<Instalment> = body.instalments
      assert.lengthOf(all, 12)
      for (const [index, { components }] of all.entries()) {
        const charged = components.filter(({ chargeType }) => chargeType === "ONE_TIME")
        assert.deepStrictEqual(
          charged.map(({ amount, componentId }) => [componentId, amount.amountPreFeesAndTaxes]),
          index > 0 ? [] : ofQuote(policy.body.quote)
        )
      }
      const sum = all.reduce((total, { amount }) => total + amount.amountWithFeesAndTaxes, 0)
      assert.strictEqual(sum, premium.amountWithFeesAndTaxes)
    })
  )
})
