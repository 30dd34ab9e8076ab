import * as Targets from "@quittance/persistence/targets"
import { assert, layer } from "@effect/vitest"
import type * as Grants from "@quittance/auth/Grants"
import { Ids } from "@quittance/persistence/sql/Ids"
import { PolicyLogRepo } from "@quittance/persistence/policies/PolicyLogRepo"
import { RecordTargets } from "@quittance/persistence/access/RecordTargets"
import { Effect, Layer } from "effect"
import { Payments } from "../../src/payments/Payments.ts"
import { Policies } from "../../src/policies/Policies.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Live = Layer.merge(PolicyLogRepo.layer, Targets.layer).pipe(
  Layer.provideMerge(Contracts.layer)
)

const find = (ids: ReadonlyArray<string>) => RecordTargets.use((targets) => targets.find(ids))

/** A policy of the north in force, with a record of every kind that hangs on it. */
const records = Effect.fnUntraced(function* (world: World.World) {
  const asManager = World.as(world, world.manager)
  const contract = yield* Contracts.signed(world, {
    policy: { brokerageFirm: world.firms.north }
  })
  const { customerId, policyId } = contract
  yield* Contracts.moveTo(world, "2026-05-02T12:00:00Z")
  const [invoice] = yield* Contracts.invoices(world, contract)
  const invoiceId = invoice!.id as InvoiceId
  const payment = yield* asManager(
    Payments.use((payments) =>
      payments.record(invoiceId, { amount: 100, method: "CARD", reference: "r" })
    )
  )
  const branches = yield* PolicyLogRepo.use((log) => log.branches(policyId)).pipe(
    Effect.provideService(CurrentTenant, world.tenant)
  )
  const policy = yield* asManager(Policies.use((policies) => policies.get({ policyId })))
  return {
    policyId,
    hanging: [
      customerId,
      invoiceId,
      payment.id,
      policy.quote!.id,
      ...branches.map(({ id }) => id),
      ...policy.assets
    ]
  }
})

layer(Live)("the targets of records", (it) => {
  it.effect("are those of the policy for whatever hangs on it", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { hanging, policyId } = yield* records(world)
      const found = yield* find([policyId, ...hanging, policyId]).pipe(
        Effect.provideService(CurrentTenant, world.tenant)
      )
      assert.strictEqual(found.size, hanging.length + 1)
      const target: Grants.Target = { firms: [world.firms.north], records: [policyId] }
      for (const [id, each] of found) assert.deepStrictEqual(each, target, id)
    })
  )

  it.effect("are none for what another tenant has, for other kinds and for any text", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* World.make(), yield* World.make()]
      const { hanging, policyId } = yield* records(world)
      const ids = yield* Ids
      const foreign = yield* find([policyId, ...hanging, world.firms.north]).pipe(
        Effect.provideService(CurrentTenant, other.tenant)
      )
      assert.deepStrictEqual(foreign, new Map())
      const texts = ["", "*", "policy", "policy_1", ids.next("signature"), ids.next("policy")]
      const none = yield* find(texts).pipe(Effect.provideService(CurrentTenant, world.tenant))
      assert.deepStrictEqual(none, new Map())
    })
  )
})
