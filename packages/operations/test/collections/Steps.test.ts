/** What people do about debits that no file has. */
import { assert, layer } from "@effect/vitest"
import { InvalidReference, InvalidTransition } from "@quittance/domain/requests/RequestErrors"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Effect, Layer } from "effect"
import { ManualCharges } from "../../src/billing/ManualCharges.ts"
import { DebitSteps } from "../../src/collections/DebitSteps.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import * as Debited from "./Debited.ts"

const TestLayer = Layer.provideMerge(DebitSteps.layer, Debited.layer)

const planned = Effect.gen(function* () {
  const world = yield* World.make(World.at("2026-03-10T09:00:00Z"), [World.motor, Debited.product])
  yield* Debited.opened(world)
  const contract = yield* Debited.signed(world)
  yield* Contracts.moveTo(world, "2026-04-02T09:00:00Z")
  const debits = yield* Debited.debits(world, contract)
  return { world, contract, debit: debits.at(-1)!, run: World.as(world, world.manager) }
})

const steps = <A, E, R>(use: (all: DebitSteps["Service"]) => Effect.Effect<A, E, R>) =>
  DebitSteps.use(use)

layer(TestLayer, { excludeTestServices: true })("a planned debit", (it) => {
  it.effect("counts its days from the notification, once", () =>
    Effect.gen(function* () {
      const { debit, run, world } = yield* planned
      yield* Contracts.moveTo(world, "2026-06-08T09:00:00Z")
      const told = yield* run(steps((all) => all.notify(debit.id)))
      assert.deepInclude(told, {
        status: "PLANNED",
        notifiedOn: LocalDate.make("2026-06-08"),
        // 14 days later, and two TARGET days before.
        earliest: LocalDate.make("2026-06-22"),
        submitOn: LocalDate.make("2026-06-18"),
        collectOn: LocalDate.make("2026-06-22")
      })
      const again = yield* Effect.flip(run(steps((all) => all.notify(debit.id))))
      assert.instanceOf(again, InvalidTransition)
      assert.deepStrictEqual(again.allowed, ["postpone", "cancel"])
    })
  )

  it.effect("is joined by no invoice once its payer was told", () =>
    Effect.gen(function* () {
      const { contract, run, world } = yield* planned
      const charge = { componentId: "COPY", label: "Copy", amount: 500 }
      const charged = run(ManualCharges.use((all) => all.make(contract.policyId, charge)))
      const { invoiceId } = yield* charged
      const collecting = (id: string) =>
        Effect.map(Debited.debits(world, contract), (debits) =>
          debits.find(({ items }) => items.some((item) => item.invoiceId === id))
        )
      const first = yield* collecting(invoiceId)
      yield* run(steps((all) => all.notify(first!.id)))
      const second = yield* collecting((yield* charged).invoiceId)
      assert.notStrictEqual(second?.id, first!.id)
      assert.deepStrictEqual((yield* collecting(invoiceId))?.items, first!.items)
    })
  )

  it.effect("is only ever put off, to an open day", () =>
    Effect.gen(function* () {
      const { debit, run } = yield* planned
      const postpone = (collectOn: string) =>
        run(steps((all) => all.postpone(debit.id, { collectOn: LocalDate.make(collectOn) })))
      for (const day of [debit.collectOn, "2026-04-03", "2027-12-01"]) {
        assert.instanceOf(yield* Effect.flip(postpone(day)), InvalidReference)
      }
      // A Saturday.
      const later = yield* postpone("2026-06-06")
      assert.deepInclude(later, {
        earliest: LocalDate.make("2026-06-06"),
        submitOn: LocalDate.make("2026-06-04"),
        collectOn: LocalDate.make("2026-06-08")
      })
    })
  )

  it.effect("that is cancelled leaves its invoices to be transferred, and is over", () =>
    Effect.gen(function* () {
      const { contract, debit, run, world } = yield* planned
      const { cancellation, status } = yield* run(steps((all) => all.cancel(debit.id)))
      assert.deepStrictEqual([status, cancellation], ["CANCELLED", "BY_HAND"])
      const invoices = yield* Contracts.invoices(world, contract)
      const [item] = debit.items
      const invoice = invoices.find(({ id }) => id === item!.invoiceId)
      assert.deepStrictEqual(invoice?.collection, { mode: "BANK_TRANSFER" })
      const over = yield* Effect.flip(run(steps((all) => all.cancel(debit.id))))
      assert.instanceOf(over, InvalidTransition)
      assert.deepStrictEqual(over.allowed, [])
    })
  )

  it.effect("is stepped by those alone who may collect for the tenant", () =>
    Effect.gen(function* () {
      const { debit, world } = yield* planned
      const refused = yield* Effect.flip(
        World.as(world, world.auditor)(steps((all) => all.cancel(debit.id)))
      )
      assert.strictEqual(refused._tag, "Forbidden")
    })
  )
})
