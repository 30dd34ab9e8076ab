import { assert, layer } from "@effect/vitest"
import { largestSum } from "@quittance/billing/billing/LedgerRoom"
import { largestPrice, make } from "@quittance/domain/values/Amount"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { DueRepo } from "@quittance/persistence/policies/DueRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { Billing } from "../../src/billing/Billing.ts"
import { ManualCharges } from "../../src/billing/ManualCharges.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

/** A policy whose next term costs nearly the largest price. */
const dear = Effect.gen(function* () {
  const world = yield* World.make()
  const run = World.as(world, world.manager)
  const contract = yield* Contracts.confirmed(world, {
    policy: { invoicingConfig: { frequency: "YEARLY", timing: "IN_ADVANCE", firstPayment: "NONE" } }
  })
  const { policyId } = contract
  yield* run(Sales.use((sales) => sales.reopen({ policyId })))
  const premium = make(largestPrice - 1_000_000_001, [], [])
  const added = { id: "EXTRA", type: "SPECIAL", premium, chargeType: "RECURRING" } as const
  yield* run(
    Quotes.use((quotes) => quotes.quote({ policyId }, { additionalQuoteComponents: added }))
  )
  yield* run(Sales.use((sales) => sales.confirm({ policyId })))
  yield* Contracts.sign(world, contract)
  return { world, contract }
})

/** Puts so much on two accounts of a policy, as books of a long past may have it. */
const post = (
  world: World.World,
  { customerId, policyId }: Contracts.Contract,
  amounts: ReadonlyArray<number>,
  accounts: ReadonlyArray<string> = ["cash", "premium"]
) =>
  Effect.gen(function* () {
    const sql = yield* TenantSql
    const ids = yield* Ids
    const entries = yield* EntriesRepo
    const at = World.at("2026-03-10T09:00:00Z")
    yield* sql.transaction(
      entries.insert(
        amounts.map((amount) => ({
          id: ids.next("entry"),
          policyId,
          customerId,
          kind: "DOCUMENT" as const,
          sourceId: "past",
          occurredAt: at,
          recordedAt: at,
          currency: World.motor.currency,
          accounts,
          amounts: [amount, -amount]
        }))
      )
    )
  }).pipe(Effect.provideService(CurrentTenant, world.tenant))

const ledger = (world: World.World, { policyId }: Contracts.Contract) =>
  World.as(
    world,
    world.manager
  )(Billing.use((billing) => billing.ledger(policyId, { count: 100, page: 1 })))

const TestLayer = Layer.provideMerge(ManualCharges.layer, Contracts.layer)

layer(TestLayer, { excludeTestServices: true })(
  "the books of a policy that are nearly full",
  (it) => {
    it.effect("set the policy aside in words before they leave the exact integers", () =>
      Effect.gen(function* () {
        const { contract, world } = yield* dear
        yield* post(world, contract, [largestSum - largestPrice + 2_000_000_000])
        yield* Contracts.moveTo(world, "2026-04-02T00:00:00Z")
        const [parked] = yield* Effect.provideService(
          DueRepo.use((due) => due.parked),
          CurrentTenant,
          world.tenant
        )
        assert.strictEqual(parked?.policyId, contract.policyId)
        assert.include(parked?.reason, "premium would hold more than a policy's books may")
        assert.lengthOf(yield* Contracts.invoices(world, contract), 0)
        const { balances } = yield* ledger(world, contract)
        assert.isTrue(balances.every(({ balance }) => Number.isSafeInteger(balance)))
      })
    )

    it.effect("refuse a large charge, and take a small one", () =>
      Effect.gen(function* () {
        const { contract, world } = yield* dear
        yield* post(world, contract, [largestSum], ["cash", "fee:COPY"])
        const charge = (amount: number) =>
          World.as(
            world,
            world.manager
          )(
            ManualCharges.use((charges) =>
              charges.make(contract.policyId, { componentId: "COPY", label: "Copy", amount })
            )
          )
        const error = yield* Effect.flip(charge(2_000_000_000))
        assert.strictEqual(error._tag, "InvalidAmount")
        if (error._tag !== "InvalidAmount") return
        assert.strictEqual((yield* charge(error.maximum)).amount, error.maximum)
      })
    )

    it.effect("say so in words where an earlier release has let them leave them", () =>
      Effect.gen(function* () {
        const { contract, world } = yield* dear
        yield* post(world, contract, [Number.MAX_SAFE_INTEGER])
        const { balances } = yield* ledger(world, contract)
        assert.strictEqual(balances[0]?.balance, Number.MAX_SAFE_INTEGER)
        yield* post(world, contract, [1, 1])
        const error = yield* Effect.flip(ledger(world, contract))
        assert.strictEqual(error._tag, "InvalidAmount")
        if (error._tag === "InvalidAmount") assert.strictEqual(error.field, "balances/cash")
        // Beyond what the database keeps in eight bytes.
        yield* post(
          world,
          contract,
          Array.from({ length: 1100 }, () => Number.MAX_SAFE_INTEGER)
        )
        assert.strictEqual((yield* Effect.flip(ledger(world, contract)))._tag, "InvalidAmount")
      })
    )
  }
)
