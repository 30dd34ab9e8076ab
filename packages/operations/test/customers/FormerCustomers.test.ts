/** What views show of people on a policy that they have left, or had not come to yet. */
import { assert, layer } from "@effect/vitest"
import type { Instant } from "@quittance/domain/values/Instant"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { CustomerPolicies } from "../../src/customers/CustomerPolicies.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { CustomerLists } from "../../src/customers/CustomerList.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { BranchId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(CustomerPolicies.layer, CustomerLists.layer).pipe(
  Layer.provideMerge(Contracts.layer)
)

const all = { page: 1, count: 10 }
const noonOf = (day: string) => World.at(`2026-03-${day}T12:00:00Z`)

interface Asked {
  readonly whenAt?: Instant
  readonly knownAt?: Instant
}

/** Moves the clock and runs nothing. */
const tick = Effect.fnUntraced(function* (world: World.World, day: string) {
  const clock = yield* TenantClockRepo
  const tenantSql = yield* TenantSql
  yield* tenantSql
    .transaction(clock.set(World.at(`2026-03-${day}T09:00:00Z`)))
    .pipe(Effect.provideService(CurrentTenant, world.tenant))
})

/**
 * A policyholder of the north who pays for a policy of the south from the 11th on, is called "There"
 * from the 12th, leaves on the 13th, and is called "Gone" from the 14th.
 */
const departed = Effect.gen(function* () {
  const world = yield* World.make()
  const run = World.as(world, world.manager)
  const { customerId, policyId: north } = yield* Contracts.signed(world, { caller: world.north })
  const { policyId } = yield* Contracts.signed(world, { caller: world.south })
  const customers = yield* Customers
  const memberships = yield* CustomerPolicies
  yield* tick(world, "11")
  yield* run(memberships.put({ policyId, customerId }, { role: "PAYER" }))
  yield* tick(world, "12")
  yield* run(customers.update({ customerId }, { name: "There", email: "there@example.test" }))
  yield* tick(world, "13")
  yield* run(memberships.takeOff({ policyId, customerId }))
  yield* tick(world, "14")
  yield* run(customers.update({ customerId }, { name: "Gone", email: "gone@example.test" }))
  yield* tick(world, "15")
  const get = (asked: Asked) => customers.get({ customerId, policyId, ...asked })
  const list = (asked: Asked) =>
    CustomerLists.use((listings) => listings.customers({ policyId, ...asked }, all)).pipe(
      Effect.map(({ data }) => data.find(({ id }) => id === customerId))
    )
  return { world, run, customerId, north, policyId, get, list }
})

layer(TestLayer, { excludeTestServices: true })("a customer who has left a policy", (it) => {
  it.effect("is refused at present, and in its past is as he was last seen there", () =>
    Effect.gen(function* () {
      const { get, list, world } = yield* departed
      for (const caller of [world.south, world.manager]) {
        const run = World.as(world, caller)
        assert.isTrue((yield* Effect.exit(run(get({}))))._tag === "Failure")
        assert.isUndefined(yield* run(list({})))
        const past = { whenAt: noonOf("12") }
        for (const view of [past, { ...past, knownAt: noonOf("14") }]) {
          const one = yield* run(get(view))
          assert.deepInclude(one, { role: "PAYER", name: "There", email: "there@example.test" })
          assert.deepStrictEqual(yield* run(list(view)), one)
        }
      }
    })
  )

  it.effect("is as he was known to be while he was on it, where that is asked for", () =>
    Effect.gen(function* () {
      const { get, list, world } = yield* departed
      const run = World.as(world, world.south)
      const first = yield* run(get({ knownAt: noonOf("11") }))
      assert.notInclude(["There", "Gone"], first.name)
      assert.strictEqual((yield* run(get({ knownAt: noonOf("12") }))).name, "There")
      const after = { knownAt: noonOf("14") }
      assert.strictEqual((yield* Effect.flip(run(get(after))))._tag, "CustomerNotFound")
      assert.isUndefined(yield* run(list(after)))
    })
  )

  it.effect("is shown as any customer once they are back", () =>
    Effect.gen(function* () {
      const { customerId, get, policyId, run, world } = yield* departed
      const put = CustomerPolicies.use((memberships) =>
        memberships.put({ policyId, customerId }, { role: "PAYER" })
      )
      yield* run(put)
      const again = yield* World.as(world, world.south)(get({ whenAt: noonOf("12") }))
      assert.strictEqual(again.name, "Gone")
    })
  )

  it.effect("that was put there on a branch which came to nothing is as he was then", () =>
    Effect.gen(function* () {
      const { customerId, run, world } = yield* departed
      const { policyId } = yield* Contracts.signed(world, { caller: world.south })
      const branches = yield* Branches
      const { id: branchId } = yield* run(branches.open({ policyId }, { branchType: "MTA" }))
      const at = { policyId, branchId, customerId }
      yield* run(CustomerPolicies.use((memberships) => memberships.put(at, { role: "PAYER" })))
      yield* run(branches.invalidate(branchId, { reason: "BROKER_REQUEST" }))
      yield* tick(world, "16")
      yield* run(Customers.use((customers) => customers.update({ customerId }, { name: "Later" })))
      const shown = yield* World.as(world, world.south)(Customers.use((x) => x.get(at)))
      assert.deepInclude(shown, { role: "PAYER", name: "Gone" })
    })
  )
})

layer(TestLayer, { excludeTestServices: true })("a customer who comes to a policy", (it) => {
  it.effect("on an open branch is listed in the view of that branch alone", () =>
    Effect.gen(function* () {
      const { customerId, run, world } = yield* departed
      const { policyId } = yield* Contracts.signed(world, { caller: world.south })
      const branches = yield* Branches
      const { id: branchId } = yield* run(branches.open({ policyId }, { branchType: "MTA" }))
      const at = { policyId, branchId, customerId }
      yield* run(CustomerPolicies.use((memberships) => memberships.put(at, { role: "PAYER" })))
      yield* tick(world, "16")
      const listings = yield* CustomerLists
      const rolesIn = (view: Asked & { readonly branchId?: BranchId }) =>
        Effect.map(run(listings.customers({ policyId, ...view }, all)), ({ data, totalCount }) => {
          assert.strictEqual(data.length, totalCount)
          return data.map(({ role }) => role)
        })
      assert.deepStrictEqual(yield* rolesIn({}), ["POLICYHOLDER"])
      assert.deepStrictEqual(yield* rolesIn({ knownAt: noonOf("15") }), ["POLICYHOLDER"])
      assert.sameMembers(yield* rolesIn({ branchId }), ["PAYER", "POLICYHOLDER"])
    })
  )

  it.effect("is not there by what was known before, with the policy named or not", () =>
    Effect.gen(function* () {
      const { customerId, run, world } = yield* departed
      const { policyId } = yield* Contracts.signed(world, { caller: world.south })
      const put = CustomerPolicies.use((memberships) =>
        memberships.put({ policyId, customerId }, { role: "PAYER" })
      )
      yield* run(put)
      const before = { customerId, knownAt: noonOf("14") }
      const customers = yield* Customers
      for (const request of [before, { ...before, policyId }]) {
        const refused = yield* Effect.flip(World.as(world, world.south)(customers.get(request)))
        assert.include(["CustomerNotFound", "PolicyNotFound"], refused._tag)
      }
      assert.strictEqual((yield* run(customers.get(before))).name, "Gone")
    })
  )
})
