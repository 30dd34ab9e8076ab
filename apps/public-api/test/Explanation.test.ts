/** Why a quote costs what it does, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, newTenant, TestLayer } from "./Api.ts"
import { quoted, send } from "./Sales.ts"

interface Explained {
  readonly components: ReadonlyArray<{
    readonly componentId: string
    readonly steps: ReadonlyArray<{ readonly part: string; readonly change: number }>
    readonly amountPreFeesAndTaxes: number
    readonly amountWithFeesAndTaxes: number
  }>
}

// Real time: the database dates sessions by its own clock.
layer(TestLayer, { excludeTestServices: true })("the explanation of a quote", (it) => {
  it.effect("sums to the price of each component, and stays when the price changes", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { policyId } = yield* quoted(world, world.session)
      const list = yield* send(world, world.session, `/quotes/policies/${policyId}`)
      const [first] = list.body.data
      const explain = (id: string) => send(world, world.session, `/quotes/${id}/explanation`)
      const told = (yield* explain(first.id)).body as Explained
      assert.deepStrictEqual(
        told.components.map(({ amountWithFeesAndTaxes, componentId }) => [
          componentId,
          amountWithFeesAndTaxes
        ]),
        first.components.map((component: any) => [
          component.id,
          component.premium.amountWithFeesAndTaxes
        ])
      )
      for (const { amountPreFeesAndTaxes, amountWithFeesAndTaxes, steps } of told.components) {
        const sum = (chosen: typeof steps) =>
          chosen.reduce((total, { change }) => total + change, 0)
        assert.strictEqual(sum(steps), amountWithFeesAndTaxes)
        assert.strictEqual(sum(steps.filter(({ part }) => part === "NET")), amountPreFeesAndTaxes)
      }
      yield* call(`/policies/${policyId}`, {
        tenant: world.tenant,
        token: world.session,
        method: "PATCH",
        body: { customFields: [{ key: "claims", value: 2 }] }
      })
      yield* send(world, world.session, `/policies/${policyId}/quote`, {})
      assert.deepStrictEqual((yield* explain(first.id)).body, told)
    })
  )
})
