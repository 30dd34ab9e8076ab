/** What the lists show of each policy and customer, and what they filter and order by. */
import { assert, layer } from "@effect/vitest"
import type { Instant } from "@quittance/domain/values/Instant"
import type { Policy, PolicyStatus } from "@quittance/domain/policies/Policy"
import { policyOrderKeys, type PolicyOrderKey } from "@quittance/domain/policies/PolicyList"
import type { ListPolicies } from "@quittance/domain/policies/PolicyRequests"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Arbitrary, Context, Effect, Layer, Schema } from "effect"
import { Statement } from "effect/sql"
import { Customers } from "../../src/customers/Customers.ts"
import { CustomerLists } from "../../src/customers/CustomerList.ts"
import { PolicyLists } from "../../src/policies/PolicyList.ts"
import { Policies } from "../../src/policies/Policies.ts"
import * as Contracts from "../SoldPolicies.ts"
import { client } from "../People.ts"
import * as World from "../World.ts"
import type { CustomerId, PolicyId } from "@quittance/domain/values/Ids"
import type { Direction } from "@quittance/domain/values/Page"

const liability = shippedProduct("liability-fr")
const starts = (day: string) => World.at(`${day}T00:00:00+02:00`)
const driverFields = World.examples(World.motor.fields.customer, "DRIVER")

/** Policies at every point of a sale and after it, made on different days. */
const make = Effect.gen(function* () {
  const world = yield* World.make(World.at("2026-03-10T09:00:00Z"), [World.motor, liability])
  const { customers, policies } = yield* Effect.all({ customers: Customers, policies: Policies })
  const run = World.as(world, world.manager)
  const productId = World.motor.productId
  const draft = yield* run(policies.create({ productId, name: "Draft", externalId: "EXT-1" }))
  // A sale is shown with all of it in effect, a contract as of now: with these they differ.
  const policyId = draft.id
  const june = World.at("2026-06-01T00:00:00Z")
  yield* run(policies.update({ policyId, whenAt: june }, { name: "Draft from June" }))
  const added = yield* run(
    customers.addToPolicy(
      { policyId, whenAt: june },
      { role: "DRIVER", customFields: driverFields }
    )
  )
  const lasting = yield* Contracts.signed(world, { startedAt: starts("2026-04-01") })
  yield* run(
    policies.update({ policyId: lasting.policyId, whenAt: june }, { name: "Signed from June" })
  )
  const late = yield* run(
    customers.addToPolicy(
      { policyId: lasting.policyId, whenAt: june },
      { role: "PAYER", customFields: World.examples(World.motor.fields.customer, "PAYER") }
    )
  )
  yield* Contracts.moveTo(world, "2026-04-02T09:00:00Z")
  yield* Contracts.confirmed(world, { caller: world.north, startedAt: starts("2026-05-01") })
  yield* Contracts.signed(world, { caller: world.south, startedAt: starts("2026-07-01") })
  // Signed, but the product waits for its payment: it is shown as confirmed, and is in force.
  const gated = yield* Contracts.signed(world, {
    caller: world.north,
    product: liability,
    startedAt: starts("2026-05-01")
  })
  yield* Contracts.moveTo(world, "2026-04-03T09:00:00Z")
  yield* run(policies.create({ productId: liability.productId, startedAt: starts("2026-05-01") }))
  const all = yield* run(everything)
  return { world, all, added, draft, gated, lasting, late }
}).pipe(Effect.orDie)

const everything = Effect.gen(function* () {
  const customerLists = yield* CustomerLists
  const listings = yield* PolicyLists
  const page = { count: 100, page: 1 }
  const policies = yield* listings.policies({}, page)
  const customers = yield* customerLists.customers({}, page)
  return { policies: policies.data, customers: customers.data }
})

class Stock extends Context.Service<Stock, Effect.Success<typeof make>>()("test/Stock") {
  static readonly layer = Layer.effect(Stock, make)
}

const Live = Stock.layer.pipe(
  Layer.provideMerge(Layer.merge(PolicyLists.layer, CustomerLists.layer)),
  Layer.provideMerge(Contracts.layer)
)

const instants = ["2026-03-10T09:00:00Z", "2026-04-02T09:00:00Z", "2026-04-30T22:00:00Z"].map(
  (text) => World.at(text)
)
const optional = <A>(values: ReadonlyArray<A>) =>
  Arbitrary.map(
    Arbitrary.schema(Schema.Literals(Array.from({ length: values.length + 2 }, (_, i) => i))),
    // More often without than with each single one.
    (index) => values[index]
  )
const statusSets: ReadonlyArray<ReadonlyArray<PolicyStatus>> = [
  [],
  ["POLICY_CREATED"],
  ["POLICY_CONFIRMED", "POLICY_STARTED"],
  ["POLICY_SIGNED", "POLICY_CREATED", "POLICY_STOPPED"]
]
const drawn = Arbitrary.all({
  statuses: optional(statusSets),
  productIds: optional([["motor-fr"], ["liability-fr", "motor-fr"], ["liability-fr", "no-such"]]),
  firm: optional(["north", "south"] as const),
  externalId: optional(["EXT-1", "EXT", "ext-1"]),
  createdAfter: optional(instants),
  createdBefore: optional(instants),
  startedAfter: optional(instants),
  startedBefore: optional(instants),
  by: optional(policyOrderKeys),
  isDescending: Arbitrary.schema(Schema.Boolean)
})

const isWithin = (value: Instant, after: Instant | undefined, before: Instant | undefined) =>
  (after === undefined || value >= after) && (before === undefined || value < before)

/** Whether the policy, as the wire shows it, is asked for. */
const isAsked = (policy: Policy, query: ListPolicies): boolean =>
  (query.statuses?.includes(policy.status) ?? true) &&
  (query.productIds?.includes(policy.productId) ?? true) &&
  (query.brokerageFirmId === undefined || policy.brokerageFirm === query.brokerageFirmId) &&
  (query.externalId === undefined || policy.externalId === query.externalId) &&
  isWithin(policy.createdAt, query.createdAfter, query.createdBefore) &&
  isWithin(policy.startedAt!, query.startedAfter, query.startedBefore)

const sorted = (policies: ReadonlyArray<Policy>, by: PolicyOrderKey, direction: Direction) => {
  const key = (policy: Policy) => `${policy[by]} ${policy.id}`
  const ascending = policies.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
  return direction === "ASC" ? ascending : ascending.toReversed()
}

layer(Live, { excludeTestServices: true })("the lists of policies and customers", (it) => {
  it.effect("shows each policy and customer as it is read alone, whatever has become of it", () =>
    Effect.gen(function* () {
      const { all, gated, lasting, late, world } = yield* Stock
      const { customers, policies } = yield* Effect.all({
        customers: Customers,
        policies: Policies
      })
      const run = World.as(world, world.manager)
      assert.deepStrictEqual(all.policies.map(({ status }) => status).toSorted(), [
        "POLICY_CONFIRMED",
        "POLICY_CONFIRMED",
        "POLICY_CREATED",
        "POLICY_CREATED",
        "POLICY_SIGNED",
        "POLICY_STARTED"
      ])
      for (const policy of all.policies) {
        assert.deepStrictEqual(policy, yield* run(policies.get({ policyId: policy.id })))
      }
      assert.include(
        all.customers.map(({ id }) => id),
        late.customerId
      )
      for (const customer of all.customers) {
        assert.deepStrictEqual(customer, yield* run(customers.get({ customerId: customer.id })))
      }
      const named = (id: PolicyId) => all.policies.find((policy) => policy.id === id)?.name
      assert.isUndefined(named(lasting.policyId))
      assert.strictEqual(all.policies.find(({ id }) => id === gated.policyId)?.branchType, "BASE")
    })
  )

  it.effect.prop(
    "filters and orders policies by what it shows of them",
    { drawn },
    ({ drawn: { by, firm, isDescending, ...drawn } }) =>
      Effect.gen(function* () {
        const { all, world } = yield* Stock
        const listings = yield* PolicyLists
        const direction: Direction = isDescending ? "DESC" : "ASC"
        const filter = Object.fromEntries(
          Object.entries(drawn).filter(([, value]) => value !== undefined)
        )
        const query: ListPolicies = {
          ...filter,
          ...(firm === undefined ? {} : { brokerageFirmId: world.firms[firm] }),
          ...(by === undefined ? {} : { order: { by, direction } })
        }
        const asked = all.policies.filter((policy) => isAsked(policy, query))
        const expected = sorted(
          asked,
          by ?? "createdAt",
          by === undefined ? "DESC" : direction
        ).map(({ id }) => id)
        const found: Array<PolicyId> = []
        for (let page = 1; page <= 4; page++) {
          const part = yield* World.as(
            world,
            world.auditor
          )(listings.policies(query, { count: 2, page }))
          assert.strictEqual(part.totalCount, expected.length)
          found.push(...part.data.map(({ id }) => id))
        }
        assert.deepStrictEqual(found, expected)
      }),
    { arbitrary: { runs: 300 } }
  )

  it.effect("asks the database as often for two rows as for all of them", () =>
    Effect.gen(function* () {
      const { world } = yield* Stock
      const customerLists = yield* CustomerLists
      const listings = yield* PolicyLists
      const statements = Effect.fnUntraced(function* <E, R>(list: Effect.Effect<void, E, R>) {
        let sent = 0
        yield* Effect.provideService(list, Statement.CurrentTransformer, (statement) => {
          sent++
          return Effect.succeed(statement)
        })
        return sent
      })
      const run = World.as(world, world.manager)
      const page = (count: number) => ({ count, page: 1 })
      for (const list of [
        (count: number) => run(Effect.asVoid(listings.policies({}, page(count)))),
        (count: number) => run(Effect.asVoid(customerLists.customers({}, page(count))))
      ]) {
        // What products hold is asked for once; the newest policy has no quote to ask for.
        yield* list(100)
        const few = yield* statements(list(2))
        assert.strictEqual(yield* statements(list(100)), few)
        assert.isAtMost(few, 6)
      }
    })
  )

  it.effect("finds policies and customers by any words of them, in any order", () =>
    Effect.gen(function* () {
      const { all, draft, world } = yield* Stock
      const customerLists = yield* CustomerLists
      const listings = yield* PolicyLists
      const page = { count: 100, page: 1 }
      const run = World.as(world, world.auditor)
      const policies = (queryString: string) =>
        Effect.map(run(listings.policies({ queryString }, page)), ({ data }) =>
          data.map(({ id }) => id)
        )
      const one = all.customers.find(({ name }) => name !== undefined)!
      const customers = (queryString: string) =>
        Effect.map(run(customerLists.customers({ queryString }, page)), ({ data }) =>
          data.map(({ id }) => id)
        )
      for (const words of ["draft june", "JUN draf", "Ext-1", "ext dra", draft.id]) {
        assert.deepStrictEqual(yield* policies(words), [draft.id], words)
      }
      for (const words of [
        "raft",
        "draft july",
        "%",
        "_",
        "\\",
        "nul\0l",
        "'; DROP TABLE policy; --"
      ]) {
        assert.deepStrictEqual(yield* policies(words), [], words)
        assert.deepStrictEqual(yield* customers(words), [], words)
      }
      for (const words of ["", "  "]) {
        assert.strictEqual((yield* policies(words)).length, all.policies.length)
        assert.strictEqual((yield* customers(words)).length, all.customers.length)
      }
      assert.deepStrictEqual(yield* customers(one.id), [one.id])
      assert.deepStrictEqual(yield* customers(one.id.toLowerCase()), [one.id])
    })
  )

  it.effect("filters customers by their state and policy, and orders the newest first", () =>
    Effect.gen(function* () {
      const { all, lasting, late, world } = yield* Stock
      const customerLists = yield* CustomerLists
      const page = { count: 100, page: 1 }
      const ids = (query: Parameters<typeof customerLists.customers>[0]) =>
        Effect.map(World.as(world, client)(customerLists.customers(query, page)), ({ data }) =>
          data.map(({ id }) => id)
        )
      const expected = (keep: (customer: (typeof all.customers)[number]) => boolean) =>
        all.customers
          .filter(keep)
          .toSorted((a, b) => (key(a) < key(b) ? 1 : -1))
          .map(({ id }) => id)
      const key = ({ createdAt, id }: { readonly createdAt: string; readonly id: CustomerId }) =>
        `${createdAt} ${id}`
      for (const statuses of [["CUSTOMER_CREATED"], ["CUSTOMER_CONFIRMED"], []] as const) {
        const wanted = expected(({ status }) =>
          (statuses as ReadonlyArray<string>).includes(status)
        )
        assert.deepStrictEqual(yield* ids({ statuses }), wanted)
      }
      const { policyId } = lasting
      assert.sameMembers([...(yield* ids({ policyId }))], [lasting.customerId, late.customerId])
      assert.deepStrictEqual(
        yield* ids({}),
        expected(() => true)
      )
    })
  )
})
