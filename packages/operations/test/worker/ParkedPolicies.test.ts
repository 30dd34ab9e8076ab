import { assert, layer } from "@effect/vitest"
import type { Caller } from "@quittance/domain/requests/Caller"
import { Ids } from "@quittance/persistence/sql/Ids"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { Billing } from "../../src/billing/Billing.ts"
import { ParkedPolicies } from "../../src/worker/ParkedPolicies.ts"
import * as Clones from "../Clones.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"

const list = (world: World.World, caller: Caller = world.manager) =>
  World.as(world, caller)(ParkedPolicies.use((parked) => parked.list({ count: 10, page: 1 })))

const retry = (world: World.World, policyId: PolicyId, caller: Caller = world.manager) =>
  World.as(world, caller)(ParkedPolicies.use((parked) => parked.retry(policyId)))

/** A policy whose accepted price is gone, and what brings that back. */
const broken = Effect.gen(function* () {
  const world = yield* World.make()
  const signed = yield* Contracts.signed(world)
  // A copy, to whose price no signature refers.
  const [policyId] = yield* Clones.make(world, signed.policyId, 1)
  const contract = { ...signed, policyId: policyId! }
  const superuser = yield* SuperuserSql
  const [quote] = yield* superuser<{ readonly row: string }>`
    DELETE FROM quote WHERE policy_id = ${contract.policyId}
    RETURNING to_jsonb(quote)::text AS row
  `
  yield* Contracts.moveTo(world, "2026-05-15T12:00:00Z")
  const mend = superuser`
    INSERT INTO quote SELECT * FROM jsonb_populate_record(NULL::quote, ${quote!.row}::text::jsonb)
  `
  return { world, contract, mend, signed }
})

const ledger = (world: World.World, { policyId }: Contracts.Contract, caller = world.manager) =>
  World.as(world, caller)(Billing.use((billing) => billing.ledger(policyId, { count: 2, page: 1 })))

const TestLayer = Layer.provideMerge(ParkedPolicies.layer, Contracts.layer)

layer(TestLayer, { excludeTestServices: true })("what the worker left aside", (it) => {
  it.effect("is tried again only where it is parked, by who may, in its tenant", () =>
    Effect.gen(function* () {
      const { contract, signed, world } = yield* broken
      const other = yield* World.make()
      for (const attempt of [
        retry(other, contract.policyId),
        retry(world, (yield* Ids).next("policy"))
      ]) {
        assert.strictEqual((yield* Effect.flip(attempt))._tag, "PolicyNotFound")
      }
      for (const caller of [world.auditor, world.north]) {
        const error = yield* Effect.flip(retry(world, contract.policyId, caller))
        assert.strictEqual(error._tag, "Forbidden")
      }
      const error = yield* Effect.flip(retry(world, signed.policyId))
      assert.strictEqual(error._tag, "PolicyNotParked")
    })
  )

  it.effect("is listed with its reason, to those who may see its bills", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* broken
      const { data, totalCount } = yield* list(world)
      assert.deepStrictEqual(
        [totalCount, data.map(({ policyId }) => policyId)],
        [1, [contract.policyId]]
      )
      assert.include(data[0]!.reason, "accepted quote")
      assert.deepStrictEqual((yield* list(world, world.north)).data, [])
      assert.deepStrictEqual((yield* list(yield* World.make())).data, [])
    })
  )

  it.effect("is parked again while it can't be billed, and billed once it can", () =>
    Effect.gen(function* () {
      const { contract, mend, world } = yield* broken
      const again = yield* retry(world, contract.policyId)
      assert.strictEqual(again.status, "PARKED")
      assert.include(again.reason, "accepted quote")
      assert.strictEqual((yield* list(world)).totalCount, 1)
      yield* mend
      const { policyId } = contract
      assert.deepStrictEqual(yield* retry(world, policyId), { policyId, status: "DONE" })
      assert.deepStrictEqual((yield* list(world)).data, [])
      assert.strictEqual((yield* Contracts.invoices(world, contract)).length, 2)
    })
  )
})

layer(TestLayer, { excludeTestServices: true })("the ledger of a policy", (it) => {
  it.effect("is shown to who may see its bills", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const contract = yield* Contracts.signed(world)
      const error = yield* Effect.flip(ledger(world, contract, world.north))
      assert.strictEqual(error._tag, "Forbidden")
      const other = yield* World.make()
      const foreign = yield* Effect.flip(ledger(other, contract))
      assert.strictEqual(foreign._tag, "PolicyNotFound")
    })
  )

  it.effect("holds balanced entries by pages, and the balances of all of them", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const contract = yield* Contracts.signed(world)
      assert.deepStrictEqual((yield* ledger(world, contract)).balances, [])
      yield* Contracts.moveTo(world, "2026-07-15T12:00:00Z")
      const { balances, data, totalCount } = yield* ledger(world, contract, world.auditor)
      const invoices = yield* Contracts.invoices(world, contract)
      assert.deepStrictEqual([data.length, totalCount], [2, invoices.length])
      for (const { postings } of data) {
        assert.strictEqual(
          postings.reduce((sum, { amount }) => sum + amount, 0),
          0
        )
      }
      assert.deepStrictEqual(
        data.map(({ sourceId }) => sourceId),
        invoices
          .map(({ id }) => id)
          .toReversed()
          .slice(0, 2)
      )
      const owed = invoices.reduce((sum, { amountDue }) => sum + amountDue, 0)
      assert.deepInclude(balances, { account: `receivable:${contract.customerId}`, balance: owed })
      assert.strictEqual(
        balances.reduce((sum, { balance }) => sum + balance, 0),
        0
      )
    })
  )
})
