/**
 * What the lists of policies and customers show, against what each record's own check allows: on
 * random trees of firms and random grants, all that may be read is listed, and nothing else counted.
 */
import { assert, layer } from "@effect/vitest"
import type { AnonymousSessionId, Caller } from "@quittance/domain/requests/Caller"
import type { Grant, GrantTarget, Role } from "@quittance/domain/access/Grant"
import type { Page, PageRequest } from "@quittance/domain/values/Page"
import { FirmsRepo } from "@quittance/persistence/access/FirmsRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Arbitrary, Context, Effect, Layer, Result, Schema } from "effect"
import { CustomerPolicies } from "../../src/customers/CustomerPolicies.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { CustomerLists } from "../../src/customers/CustomerList.ts"
import { PolicyLists } from "../../src/policies/PolicyList.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { client, defineDesk, desk, person, TestLayer } from "../People.ts"
import * as World from "../World.ts"
import type { BrokerageFirmId, CustomerId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

const firmCount = 6
const policyCount = 12
/** The desk sees policies, but not their customers. */
const roles: ReadonlyArray<Role> = ["BROKER", "AUDITOR", "POLICYHOLDER", "FIRM_MANAGER", desk]

const below = (count: number) =>
  Arbitrary.schema(Schema.Literals(Array.from({ length: count }, (_, index) => index)))
const drawnGrants = Arbitrary.array(
  Arbitrary.all({
    role: below(roles.length),
    kind: Arbitrary.schema(
      Schema.Literals(["FIRM", "FIRM", "FIRM", "POLICY", "POLICY", "USER", "TENANT"])
    ),
    place: below(firmCount * policyCount)
  }),
  { maxLength: 4 }
)
/** Where each firm is moved: below another one, or below none. */
const drawnMoves = Arbitrary.array(below(firmCount + 1), {
  minLength: firmCount,
  maxLength: firmCount
})

/** One tenant for all runs: its policies stay where they are, and its firms move. */
class Stock extends Context.Service<
  Stock,
  {
    readonly world: World.World
    readonly firms: ReadonlyArray<BrokerageFirmId>
    readonly policies: ReadonlyArray<PolicyId>
    readonly customers: ReadonlyArray<CustomerId>
    /** Two policies, one with a customer whose earliest policy is another. */
    readonly customersOf: ReadonlyArray<readonly [PolicyId, ReadonlyArray<CustomerId>]>
  }
>()("test/Stock") {
  static readonly layer = Layer.effect(
    Stock,
    Effect.suspend(() => stocked)
  )
}

const Live = Stock.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(CustomerPolicies.layer, Customers.layer, PolicyLists.layer, CustomerLists.layer)
  ),
  Layer.provideMerge(TestLayer)
)

/** Firms, two policies of most and one of none, each with a customer. */
const stocked = Effect.gen(function* () {
  const world = yield* World.make()
  const ids = yield* Ids
  const repo = yield* FirmsRepo
  const use = yield* useCases
  const firms = Array.from({ length: firmCount }, () => ids.next("brokerage_firm"))
  yield* Effect.forEach(firms, (id) => repo.insert({ id, name: "Firm", firmType: "RETAIL" })).pipe(
    transaction(world)
  )
  yield* defineDesk(world, ["policy.read"])
  const run = World.as(world, world.manager)
  const policies: Array<PolicyId> = []
  const customers: Array<CustomerId> = []
  for (let index = 0; index < policyCount; index++) {
    const firm = firms[index % (firmCount + 1)]
    const opened = { productId: World.motor.productId }
    const { id: policyId } = yield* run(
      use.policies.create(firm === undefined ? opened : { ...opened, brokerageFirm: firm })
    )
    const added = yield* run(use.customers.addToPolicy({ policyId }, { role: "POLICYHOLDER" }))
    policies.push(policyId)
    customers.push(added.customerId)
  }
  // Some come onto a policy of another firm later: they stay customers of their earliest one.
  for (let index = 0; index < policyCount; index += 3) {
    const at = { policyId: policies[(index + 1) % policyCount]!, customerId: customers[index]! }
    yield* run(CustomerPolicies.use((onPolicies) => onPolicies.put(at, { role: "DRIVER" })))
  }
  const customersOf = [
    [policies[0]!, [customers[0]!]],
    [policies[1]!, [customers[0]!, customers[1]!]]
  ] as const
  return Stock.of({ world, firms, policies, customers, customersOf })
}).pipe(Effect.orDie)

const useCases = Effect.all({
  customers: Customers,
  customerLists: CustomerLists,
  listings: PolicyLists,
  policies: Policies
})

const transaction =
  ({ tenant }: World.World) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    TenantSql.use((sql) => sql.transaction(effect)).pipe(
      Effect.orDie,
      Effect.provideService(CurrentTenant, tenant)
    )

/** Moves every firm where it is told to, unless that is below itself. */
const reshape = Effect.fnUntraced(function* (
  { firms, world }: Stock["Service"],
  moves: ReadonlyArray<number>
) {
  const repo = yield* FirmsRepo
  yield* Effect.forEach(moves, (parent, index) =>
    Effect.gen(function* () {
      const id = firms[index]!
      const above = firms[parent]
      const path = above === undefined ? [] : yield* repo.path(above)
      if (!path!.includes(id)) yield* repo.move(id, path!)
    })
  ).pipe(transaction(world))
})

const targetOf = (
  { firms, policies, world }: Stock["Service"],
  kind: "FIRM" | "POLICY" | "USER" | "TENANT",
  place: number
): GrantTarget => {
  switch (kind) {
    case "TENANT":
      return { kind }
    case "FIRM":
      return { kind, brokerageFirmId: firms[place % firmCount]! }
    case "POLICY":
      return { kind: "RECORD", recordId: policies[place % policyCount]! }
    case "USER":
      // It covers no policy, however many users it covers.
      return { kind: "RECORD", recordId: userIdOf(world.north) }
  }
}

const userIdOf = (caller: Caller) => (caller._tag === "User" ? caller.userId : "")

/** Those of the records that are answered, one by one. */
const answered = <Id, A, E, R>(
  ids: ReadonlyArray<Id>,
  get: (id: Id) => Effect.Effect<A, E, R>
): Effect.Effect<ReadonlyArray<Id>, never, R> =>
  Effect.map(
    Effect.forEach(ids, (id) => Effect.result(get(id))),
    (results) => ids.filter((_, index) => Result.isSuccess(results[index]!))
  )

/** The ids of a list, page by page; `undefined` where it is refused. */
const listed = Effect.fnUntraced(function* <Id, E, R>(
  list: (page: PageRequest) => Effect.Effect<Page<{ readonly id: Id }>, E, R>
) {
  const count = 5
  const first = yield* Effect.result(list({ count, page: 1 }))
  if (Result.isFailure(first)) return undefined
  const { totalCount, totalPages } = first.success
  const ids = first.success.data.map(({ id }) => id)
  for (let page = 2; page <= totalPages + 1; page++) {
    const next = yield* list({ count, page })
    assert.strictEqual(next.totalCount, totalCount)
    ids.push(...next.data.map(({ id }) => id))
  }
  assert.strictEqual(ids.length, totalCount)
  return ids
})

/** Whether some grant has the action anywhere: who has none is refused the list itself. */
const hasSomewhere = Effect.fnUntraced(function* (
  world: World.World,
  caller: Caller,
  action: Action
) {
  const grants = yield* GrantsRepo
  return Result.isSuccess(
    yield* Effect.result(grants.coverage(action).pipe(World.as(world, caller)))
  )
})

const assertSame = Effect.fnUntraced(function* (stock: Stock["Service"], caller: Caller) {
  const { customerLists, customers, listings, policies } = yield* useCases
  const run = World.as(stock.world, caller)
  const lists = {
    "policy.read": {
      many: yield* run(listed((page) => listings.policies({}, page))),
      one: yield* run(answered(stock.policies, (policyId) => policies.get({ policyId })))
    },
    "customer.read": {
      many: yield* run(listed((page) => customerLists.customers({}, page))),
      one: yield* run(answered(stock.customers, (customerId) => customers.get({ customerId })))
    }
  } as const
  for (const action of ["policy.read", "customer.read"] as const) {
    const { many, one } = lists[action]
    const allowed = yield* hasSomewhere(stock.world, caller, action)
    assert.strictEqual(many !== undefined, allowed, action)
    assert.deepStrictEqual([...(many ?? [])].sort(), [...one].sort(), action)
  }
  if (lists["customer.read"].many === undefined) return
  for (const [policyId, on] of stock.customersOf) {
    const many = yield* run(listed((page) => customerLists.customers({ policyId }, page)))
    const one = yield* run(answered(on, (customerId) => customers.get({ customerId, policyId })))
    assert.deepStrictEqual([...(many ?? [])].sort(), [...one].sort(), policyId)
  }
})

layer(Live, { excludeTestServices: true })("lists of policies and customers", (it) => {
  it.effect("are refused to callers who may read none, and show a client everything", () =>
    Effect.gen(function* () {
      const { world } = yield* Stock
      const { customerLists, listings } = yield* useCases
      const page = { count: 10, page: 1 }
      const sessionId = (yield* Ids).next("anonymous_session") as AnonymousSessionId
      for (const caller of [yield* person(world, []), { _tag: "Anonymous", sessionId } as const]) {
        const run = World.as(world, caller)
        const policies = yield* Effect.flip(run(listings.policies({}, page)))
        assert.deepInclude(policies, { _tag: "Forbidden", action: "policy.read" })
        const customers = yield* Effect.flip(run(customerLists.customers({}, page)))
        assert.deepInclude(customers, { _tag: "Forbidden", action: "customer.read" })
      }
      const all = yield* World.as(world, client)(customerLists.customers({}, page))
      assert.strictEqual(all.totalCount, policyCount)
    })
  )

  it.effect.prop(
    "show just what is answered one by one, whatever trees, roles and grants there are",
    { drawnGrants, drawnMoves },
    ({ drawnGrants, drawnMoves }) =>
      Effect.gen(function* () {
        const stock = yield* Stock
        yield* reshape(stock, drawnMoves)
        const grants = drawnGrants.map(({ kind, place, role }): Grant => ({
          role: roles[role]!,
          on: targetOf(stock, kind, place)
        }))
        const user = yield* person(stock.world, grants)
        yield* assertSame(stock, user)
        const sessionId = (yield* Ids).next("anonymous_session") as AnonymousSessionId
        const owned = grants.filter(({ on }) => on.kind === "RECORD")
        yield* transaction(stock.world)(GrantsRepo.use((repo) => repo.giveAll(sessionId, owned)))
        yield* assertSame(stock, { _tag: "Anonymous", sessionId })
      }),
    { arbitrary: { runs: 300 } }
  )
})
