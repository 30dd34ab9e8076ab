/** Invoices plan the debits that collect them, in the transaction that issues them. */
import { assert, layer } from "@effect/vitest"
import { numberText } from "@quittance/bank/References"
import { DebitNotFound } from "@quittance/domain/collections/Debit"
import { Effect } from "effect"
import { Debits } from "../../src/collections/Debits.ts"
import { ManualCharges } from "../../src/billing/ManualCharges.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { Mandates } from "../../src/payments/Mandates.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import * as Debited from "./Debited.ts"

const made = Effect.gen(function* () {
  const world = yield* World.make(World.at("2026-03-10T09:00:00Z"), [World.motor, Debited.product])
  yield* Debited.opened(world)
  return world
})

layer(Debited.layer, { excludeTestServices: true })("invoices of a product with debits", (it) => {
  it.effect("plan one debit for each policy, payer, mandate and day", () =>
    Effect.gen(function* () {
      const world = yield* made
      const contract = yield* Debited.signed(world)
      yield* Contracts.moveTo(world, "2026-06-15T12:00:00Z")
      const invoices = yield* Contracts.invoices(world, contract)
      const debits = yield* Debited.debits(world, contract)
      assert.isAbove(invoices.length, 1)
      assert.isTrue(invoices.every(({ collection }) => collection?.mode === "DIRECT_DEBIT"))
      assert.sameDeepMembers(
        debits.flatMap(({ items }) => items),
        invoices.map(({ amountDue, id }) => ({ invoiceId: id, notified: amountDue }))
      )
      const keys = debits.map(({ collectOn, customerId, mandateId }) =>
        [collectOn, customerId, mandateId].join(" ")
      )
      assert.strictEqual(new Set(keys).size, keys.length)
      for (const debit of debits) {
        assert.strictEqual(debit.status, "PLANNED")
        assert.strictEqual(debit.mandateId, contract.mandate.id)
        assert.isTrue(debit.submitOn < debit.collectOn && debit.earliest <= debit.collectOn)
      }
      assert.sameMembers(
        debits.map(({ endToEndId }) => endToEndId),
        debits.map((_, index) => numberText("DD", index + 1))
      )
      const [first] = debits
      const found = yield* World.as(world, world.auditor)(Debits.use((all) => all.get(first!.id)))
      assert.deepStrictEqual(found, first)
    })
  )

  it.effect("join a debit of their day that its payer was not told of yet", () =>
    Effect.gen(function* () {
      const world = yield* made
      const contract = yield* Debited.signed(world)
      yield* Contracts.moveTo(world, "2026-04-02T09:00:00Z")
      const charge = { componentId: "COPY", label: "Copy", amount: 500 }
      const charged = World.as(
        world,
        world.manager
      )(ManualCharges.use((charges) => charges.make(contract.policyId, charge)))
      const invoiceIds = [(yield* charged).invoiceId, (yield* charged).invoiceId]
      const items = (yield* Debited.debits(world, contract)).map((debit) => debit.items)
      assert.deepInclude(
        items,
        invoiceIds.map((invoiceId) => ({ invoiceId, notified: 500 }))
      )
    })
  )

  it.effect("are to be transferred without a mandate, and say why", () =>
    Effect.gen(function* () {
      const world = yield* made
      const none = yield* Contracts.signed(world, { product: Debited.product })
      const ended = yield* Contracts.confirmed(world, { product: Debited.product })
      const { mandate } = yield* Debited.withMandate(world, ended)
      const run = World.as(world, world.manager)
      yield* run(Mandates.use((mandates) => mandates.cancel(mandate.id)))
      yield* Contracts.sign(world, ended, { product: Debited.product })
      const byHand = yield* Contracts.confirmed(world, { product: Debited.product })
      const { customerId } = byHand
      yield* run(
        Customers.use((customers) =>
          customers.update({ customerId }, { paymentMode: "BANK_TRANSFER" })
        )
      )
      yield* Contracts.sign(world, byHand, { product: Debited.product })
      yield* Contracts.moveTo(world, "2026-04-02T09:00:00Z")
      const collections = yield* Effect.forEach([none, ended, byHand], (contract) =>
        Effect.map(Contracts.invoices(world, contract), ([first]) => first!.collection)
      )
      assert.deepStrictEqual(collections, [
        { mode: "BANK_TRANSFER", because: "NO_MANDATE" },
        { mode: "BANK_TRANSFER", because: "MANDATE_NOT_USABLE" },
        { mode: "BANK_TRANSFER" }
      ])
      assert.deepStrictEqual(yield* Debited.debits(world, none), [])
    })
  )

  it.effect("leave a product without payments as it was", () =>
    Effect.gen(function* () {
      const world = yield* made
      const contract = yield* Contracts.confirmed(world)
      yield* Debited.withMandate(world, contract)
      yield* Contracts.sign(world, contract)
      yield* Contracts.moveTo(world, "2026-04-02T09:00:00Z")
      const invoices = yield* Contracts.invoices(world, contract)
      assert.isAbove(invoices.length, 0)
      assert.isTrue(invoices.every((invoice) => !("collection" in invoice)))
      assert.deepStrictEqual(yield* Debited.debits(world, contract), [])
    })
  )

  it.effect("are shown to those who may see their policy alone", () =>
    Effect.gen(function* () {
      const world = yield* made
      const contract = yield* Debited.signed(world)
      yield* Contracts.moveTo(world, "2026-04-02T09:00:00Z")
      const [debit] = yield* Debited.debits(world, contract)
      const other = yield* World.make()
      const missing = yield* Effect.flip(
        World.as(other, other.manager)(Debits.use((all) => all.get(debit!.id)))
      )
      assert.instanceOf(missing, DebitNotFound)
      const seen = yield* Effect.flip(
        World.as(world, world.south)(Debits.use((all) => all.get(debit!.id)))
      )
      assert.strictEqual(seen._tag, "Forbidden")
    })
  )
})
