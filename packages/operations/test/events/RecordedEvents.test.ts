/** What is recorded of branches, of quotes that no longer fit, of first payments, and of tenants. */
import { assert, layer } from "@effect/vitest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BranchId, InvoiceId, PolicyId } from "@quittance/domain/values/Ids"
import * as PgTest from "@quittance/testing/PgTest"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect, Layer } from "effect"
import { SecondFactorPolicy } from "../../src/authorization-server/SecondFactorPolicy.ts"
import { Branches } from "../../src/branches/Branches.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { Tenants } from "../../src/provisioning/Tenants.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

const liability = shippedProduct("liability-fr")

interface Row {
  readonly kind: string
  readonly payload: Readonly<Record<string, string>>
}

/** The events of a subject, after so many. */
const eventsOf = Effect.fnUntraced(function* (tenant: string, subject: string, after = 0) {
  const sql = yield* PgTest.SuperuserSql
  return yield* sql<Row>`
    SELECT kind, payload FROM event WHERE tenant_id = ${tenant} AND subject = ${subject} AND seq > ${after}
    ORDER BY seq
  `
})

const kindsOf = (rows: ReadonlyArray<Row>) => rows.map(({ kind }) => kind)

/** What is recorded of a policy while something is done. */
const during = Effect.fnUntraced(function* <A, E, R>(
  { tenant }: World.World,
  policyId: PolicyId,
  effect: Effect.Effect<A, E, R>
) {
  const { length } = yield* eventsOf(tenant, policyId)
  yield* effect
  return yield* eventsOf(tenant, policyId, length)
})

const TestLayer = Layer.mergeAll(SecondFactorPolicy.layer, Tenants.layer).pipe(
  Layer.provideMerge(Contracts.layer)
)

layer(TestLayer, { excludeTestServices: true })("what is recorded", (it) => {
  it.effect("of branches: that they are opened, forked, merged and invalidated", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const branches = yield* Branches
      const { policyId } = yield* Contracts.signed(world)
      yield* Contracts.moveTo(world, "2026-04-02T00:00:00Z")
      const whenAt = World.at("2026-05-10T00:00:00+02:00")
      const opened = yield* during(
        world,
        policyId,
        run(branches.open({ policyId, whenAt }, { branchType: "MTA" }))
      )
      const branchId = opened[0]!.payload["branchId"] as BranchId
      assert.deepStrictEqual(opened, [
        { kind: "branch.open", payload: { branchId, branchType: "MTA" } }
      ])

      yield* run(Policies.use(({ update }) => update({ policyId, branchId }, { name: "Another" })))
      const forked = yield* during(world, policyId, run(branches.fork(branchId, {})))
      // First that it is there, then what it has taken along.
      assert.deepStrictEqual(kindsOf(forked), ["branch.open", "policy.update"])
      const forkId = forked[0]!.payload["branchId"] as BranchId
      assert.strictEqual(forked[1]!.payload["branchId"], forkId)

      const ended = yield* during(
        world,
        policyId,
        run(branches.invalidate(forkId, { reason: "CUSTOMER_REQUEST" }))
      )
      assert.deepStrictEqual(ended, [
        { kind: "branch.invalidate", payload: { branchId: forkId, reason: "CUSTOMER_REQUEST" } }
      ])

      const merged = yield* during(
        world,
        policyId,
        Contracts.endorse(world, { policyId, branchId })
      )
      assert.deepInclude(merged, { kind: "policy.merge", payload: { branchId } })
      assert.notInclude(kindsOf(merged), "branch.take_effect")
    })
  )

  it.effect("of a sale: one creation, and offers beside it as branches that end with it", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const contract = yield* Contracts.confirmed(world)
      const { policyId } = contract
      const other = yield* run(
        Branches.use(({ open }) => open({ policyId }, { branchType: "NEW_BUSINESS" }))
      )
      const signed = yield* during(world, policyId, Contracts.sign(world, contract))
      assert.deepInclude(signed, {
        kind: "branch.invalidate",
        payload: { branchId: other.id, reason: "CONCURRENT_BRANCH_MERGED" }
      })
      const all = kindsOf(yield* eventsOf(world.tenant, policyId))
      for (const kind of ["policy.create", "policy.sign", "policy.merge"]) {
        assert.lengthOf(
          all.filter((one) => one === kind),
          1,
          kind
        )
      }
    })
  )

  it.effect("of a quote that no longer fits, after what has changed", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const { policyId } = yield* Contracts.confirmed(world)
      yield* run(Sales.use(({ reopen }) => reopen({ policyId })))
      const startedAt = World.at("2026-05-01T00:00:00+02:00")
      const outdated = yield* during(
        world,
        policyId,
        run(Policies.use(({ update }) => update({ policyId }, { startedAt })))
      )
      assert.deepStrictEqual(kindsOf(outdated).slice(0, 2), ["policy.update", "policy.outdate"])
    })
  )

  it.effect("of a first payment that cover waits for", () =>
    Effect.gen(function* () {
      const world = yield* World.make(undefined, [liability])
      const contract = yield* Contracts.signed(world, { product: liability })
      yield* Contracts.moveTo(world, "2026-04-02T10:00:00Z")
      const [first] = yield* Contracts.invoices(world, contract)
      const payment = { amount: first!.amountDue, method: "CARD", reference: "R-1" } as const
      const paid = yield* during(
        world,
        contract.policyId,
        // An invoice, not a credit note.
        World.as(
          world,
          world.manager
        )(Payments.use(({ record }) => record(first!.id as InvoiceId, payment)))
      )
      assert.deepStrictEqual(kindsOf(paid), [
        "payment.recorded",
        "policy.first_payment",
        "policy.change_status",
        "policy.start",
        "policy.change_status"
      ])
    })
  )

  it.effect("of a tenant, as often as it changes", () =>
    Effect.gen(function* () {
      const { tenant } = yield* World.make()
      const setRequired = (required: boolean) =>
        SecondFactorPolicy.use((policy) => policy.setRequired(required))
      const setDisabled = (disabled: boolean) =>
        Tenants.use((tenants) => tenants.setDisabled(disabled))
      yield* Effect.all([
        setRequired(true),
        setRequired(true),
        setDisabled(true),
        setDisabled(false),
        setDisabled(false)
      ]).pipe(Effect.provideService(CurrentTenant, tenant))
      assert.deepStrictEqual(kindsOf(yield* eventsOf(tenant, `tenant:${tenant}`)), [
        "tenant.update",
        "tenant.disable",
        "tenant.enable"
      ])
    })
  )
})
