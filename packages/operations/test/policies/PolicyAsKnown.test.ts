/** What reads say of what was known once: the same for good, and what they said then. */
import { assert, layer } from "@effect/vitest"
import type { Instant } from "@quittance/domain/values/Instant"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { Assets } from "../../src/assets/Assets.ts"
import { Billing } from "../../src/billing/Billing.ts"
import { Branches } from "../../src/branches/Branches.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { CustomerLists } from "../../src/customers/CustomerList.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import * as Contracts from "../SoldPolicies.ts"
import { type Draw, drawing, near, step } from "../PolicyHistories.ts"
import * as World from "../World.ts"
import type { BranchId, CustomerId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(CustomerLists.layer, PolicyHistory.layer).pipe(
  Layer.provideMerge(Contracts.layer)
)

const all = { page: 1, count: 100 }

interface Sold {
  readonly world: World.World
  readonly policyId: PolicyId
  readonly customerId: CustomerId
}

interface Asked {
  readonly branchId?: BranchId | undefined
  readonly whenAt?: Instant | undefined
  readonly knownAt?: Instant | undefined
}

/** The answer of a read, or why there is none. */
const said = <A, E extends { readonly _tag: string }, R>(read: Effect.Effect<A, E, R>) =>
  Effect.match(read, { onFailure: ({ _tag }) => _tag, onSuccess: (answer) => answer as unknown })

/** Every read that takes `knownAt`, as it answers a request. */
const reads = Effect.fnUntraced(function* ({ customerId, policyId, world }: Sold, asked: Asked) {
  const assets = yield* Assets
  const billing = yield* Billing
  const branches = yield* Branches
  const customers = yield* Customers
  const history = yield* PolicyHistory
  const listings = yield* CustomerLists
  const policies = yield* Policies
  const quotes = yield* Quotes
  const { branchId, knownAt, whenAt } = asked
  const view = { policyId, ...asked }
  const onBranch = { policyId, branchId, knownAt }
  const run = World.as(world, world.manager)
  const listedAssets = yield* run(said(assets.listByPolicy(view, all)))
  const listedQuotes = yield* run(said(quotes.listByPolicy(onBranch, all)))
  const of = <A>(page: unknown): ReadonlyArray<A> =>
    typeof page === "string" ? [] : (page as { readonly data: ReadonlyArray<A> }).data
  const answers = {
    policy: said(policies.get(view)),
    changes: said(history.changes(onBranch, all)),
    timeline: said(history.timeline(onBranch)),
    branches: said(branches.listByPolicy({ policyId, knownAt }, all)),
    branch: branchId === undefined ? Effect.void : said(branches.get({ branchId, knownAt })),
    diff: branchId === undefined ? Effect.void : said(branches.diff({ branchId, knownAt })),
    asset: Effect.forEach(of<{ readonly id: never }>(listedAssets), ({ id: assetId }) =>
      said(assets.get({ assetId, ...asked }))
    ),
    customers: said(listings.customers(view, all)),
    customer: said(customers.get({ customerId, ...view })),
    anywhere: said(customers.get({ customerId, branchId, knownAt, whenAt })),
    quote: Effect.forEach(of<{ readonly id: never }>(listedQuotes), ({ id: quoteId }) =>
      Effect.all([
        said(quotes.get({ quoteId, knownAt })),
        said(quotes.explain({ quoteId, knownAt }))
      ])
    ),
    pricing: said(quotes.available(view)),
    schedule: said(billing.schedule(view))
  }
  const told = yield* run(Effect.all(answers))
  return { ...told, listedAssets, listedQuotes }
})

const branchesOf = ({ policyId, world }: Sold) =>
  Branches.use((branches) => branches.listByPolicy({ policyId }, all)).pipe(
    Effect.map(({ data }) => data),
    World.as(world, world.manager)
  )

/** Views of what is known at an instant: the present one, one of a branch, and one of another time. */
const drawn = Effect.fnUntraced(function* (draw: Draw, sold: Sold, knownAt: Instant) {
  const branches = yield* branchesOf(sold)
  const branchId = draw.one(branches).id
  const whenAt = near(draw, knownAt)
  return [{}, { branchId }, { whenAt }, { branchId, whenAt }].map((view) => ({ ...view, knownAt }))
})

layer(TestLayer, { excludeTestServices: true })("what was known once", (it) => {
  it.effect.each(Array.from({ length: 4 }, (_, seed) => seed))(
    "stays as it was, whatever becomes known later (%s)",
    (seed) =>
      Effect.gen(function* () {
        const draw = drawing(1000 + seed)
        const world = yield* World.make()
        const contract = yield* draw.one([Contracts.confirmed, Contracts.signed])(world)
        const sold = { world, ...contract }
        const kept: Array<{ readonly asked: Asked; readonly told: unknown }> = []
        for (let turn = 0; turn < 24; turn++) {
          const { now } = yield* Contracts.now(world)
          yield* step({ ...sold, now, draw })
          if (draw.below(3) !== 0) continue
          const { now: knownAt } = yield* Contracts.now(world)
          const views = yield* drawn(draw, sold, knownAt)
          // A test clock stands still: what is recorded at an instant is all there when it has passed.
          yield* moveOn(world)
          for (const asked of views) kept.push({ asked, told: yield* reads(sold, asked) })
        }
        for (const { asked, told } of kept) {
          assert.deepStrictEqual(yield* reads(sold, asked), told, JSON.stringify(asked))
        }
      })
  )

  it.effect.each(Array.from({ length: 6 }, (_, seed) => seed))(
    "is what the same read said then (%s)",
    (seed) =>
      Effect.gen(function* () {
        const draw = drawing(2000 + seed)
        const world = yield* World.make()
        const contract = yield* draw.one([Contracts.confirmed, Contracts.signed])(world)
        const sold = { world, ...contract }
        for (let turn = 0; turn < 16; turn++) {
          const { now } = yield* Contracts.now(world)
          yield* step({ ...sold, now, draw })
          const { now: knownAt } = yield* Contracts.now(world)
          const [present, ...others] = yield* drawn(draw, sold, knownAt)
          const asked = draw.one([present!, ...others])
          const { knownAt: _knownAt, ...then } = asked
          const told = yield* reads(sold, then)
          yield* moveOn(world)
          yield* World.as(
            world,
            world.manager
          )(
            Effect.ignore(
              Policies.use((policies) =>
                policies.update({ policyId: sold.policyId }, { name: "x" })
              )
            )
          )
          assert.deepStrictEqual(yield* reads(sold, asked), told)
        }
      })
  )

  it.effect("of a branch stays what it showed before it was rebased", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const sold = { world, ...(yield* Contracts.signed(world)) }
      const { policyId } = sold
      const run = World.as(world, world.manager)
      yield* Contracts.moveTo(world, "2026-04-10T09:00:00Z")
      const branches = yield* Branches
      const effectiveAt = World.at("2026-06-01T00:00:00Z")
      const mta = yield* run(branches.open({ policyId }, { branchType: "MTA", effectiveAt }))
      yield* Contracts.moveTo(world, "2026-04-11T09:00:00Z")
      const policies = yield* Policies
      yield* run(policies.update({ policyId }, { name: "later" }))
      const fork = yield* run(branches.fork(mta.id, { name: "variant" }))
      yield* Contracts.moveTo(world, "2026-04-12T09:00:00Z")
      for (const branchId of [mta.id, fork.id]) {
        const asked = { branchId, knownAt: World.at("2026-04-11T12:00:00Z") }
        const before = yield* reads(sold, asked)
        yield* run(branches.rebase(branchId, { resolutions: [] }))
        const { name } = yield* run(policies.get({ policyId, branchId }))
        assert.strictEqual(name, "later")
        assert.deepStrictEqual(yield* reads(sold, asked), before)
      }
    })
  )

  it.effect("waits for a command that has read its clock by then", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { customerId, policyId } = yield* Contracts.signed(world)
      const policies = yield* Policies
      const customers = yield* Customers
      yield* tick(world, "2026-03-12T09:00:00Z")
      const knownAt = World.at("2026-03-12T09:30:00Z")
      const renamed = yield* during(world, {
        write: policies.update({ policyId }, { name: "under way" }),
        read: policies.get({ policyId, knownAt }),
        meanwhile: "2026-03-12T10:00:00Z"
      })
      assert.strictEqual(renamed.name, "under way")
      const later = World.at("2026-03-12T10:30:00Z")
      const another = yield* during(world, {
        write: customers.update({ customerId }, { name: "Another Name" }),
        read: customers.get({ customerId, knownAt: later }),
        meanwhile: "2026-03-12T11:00:00Z"
      })
      assert.strictEqual(another.name, "Another Name")
    })
  )
})

/** What is read during a command that is not committed before a connection waits for it. */
const during = Effect.fnUntraced(function* <A, E, R, B, E2, R2>(
  world: World.World,
  {
    meanwhile,
    read,
    write
  }: {
    readonly write: Effect.Effect<A, E, R>
    readonly read: Effect.Effect<B, E2, R2>
    /** When it is by the time of the read. */
    readonly meanwhile: string
  }
) {
  const superuser = yield* SuperuserSql
  const tenantSql = yield* TenantSql
  const run = World.as(world, world.manager)
  const isDecided = yield* Deferred.make<void>()
  const isRead = yield* Deferred.make<void>()
  const isWaiting = superuser<{ readonly waits: boolean }>`
    SELECT EXISTS (SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits
  `.pipe(Effect.map(([row]) => row!.waits))
  const writer = yield* Effect.gen(function* () {
    yield* write
    yield* Deferred.succeed(isDecided, undefined)
    yield* Effect.repeat(Effect.all([isWaiting, Deferred.isDone(isRead)]), {
      until: ([waits, done]) => waits || done
    })
  }).pipe(tenantSql.transaction, run, Effect.forkChild)
  yield* Deferred.await(isDecided)
  yield* tick(world, meanwhile)
  const found = yield* Effect.tap(run(read), () => Deferred.succeed(isRead, undefined))
  yield* Fiber.join(writer)
  assert.deepStrictEqual(found, yield* run(read))
  return found
})

/** Moves the clock by a millisecond and runs nothing. */
const moveOn = Effect.fnUntraced(function* (world: World.World) {
  const { now } = yield* Contracts.now(world)
  yield* tick(world, new Date(Date.parse(now) + 1).toISOString())
})

/** Moves the clock and runs nothing. */
const tick = Effect.fnUntraced(function* (world: World.World, instant: string) {
  const clock = yield* TenantClockRepo
  const tenantSql = yield* TenantSql
  yield* tenantSql
    .transaction(clock.set(World.at(instant)))
    .pipe(Effect.provideService(CurrentTenant, world.tenant))
})
