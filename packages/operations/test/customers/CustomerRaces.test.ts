/** Customers of policies that share them, changed at once over connections of their own. */
import { assert, layer } from "@effect/vitest"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import * as PgTest from "@quittance/testing/PgTest"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { Command } from "../../src/requests/Command.ts"
import { CustomerPolicies } from "../../src/customers/CustomerPolicies.ts"
import { Customers } from "../../src/customers/Customers.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { CustomerId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(Command.layer, CustomerPolicies.layer).pipe(
  Layer.provideMerge(Contracts.layer)
)

const rounds = 200

/** Two policies with unpaid invoices of the same two customers each. */
const scene = Effect.gen(function* () {
  const world = yield* World.make()
  const run = World.as(world, world.manager)
  const one = yield* Contracts.signed(world)
  const other = yield* Contracts.signed(world)
  yield* Contracts.moveTo(world, "2026-04-02T09:00:00Z")
  const pays = (policyId: PolicyId, customerId: CustomerId) =>
    run(CustomerPolicies.use((x) => x.put({ policyId, customerId }, { role: "PAYER" })))
  yield* pays(one.policyId, other.customerId)
  yield* pays(other.policyId, one.customerId)
  yield* Contracts.moveTo(world, "2026-05-02T09:00:00Z")
  return { world, run, one, other }
})

/** What an effect has logged, as text. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const messages: Array<string> = []
  const logger = Logger.make(({ message }) => void messages.push(String(message)))
  return Effect.map(Effect.provide(effect, Logger.layer([logger])), (value) => ({
    value,
    messages
  }))
}

layer(TestLayer, { excludeTestServices: true })("customers of two policies", (it) => {
  it.effect("are changed on both at once, without a deadlock", () =>
    Effect.gen(function* () {
      const { one, other, run, world } = yield* scene
      const sql = yield* PgTest.SuperuserSql
      const payers = yield* sql`
          SELECT policy_id, customer_id FROM receivable WHERE tenant_id = ${world.tenant}
        `
      assert.lengthOf(payers, 4)
      const rename = (at: Pick<Contracts.Contract, "customerId" | "policyId">, name: string) =>
        run(Customers.use((customers) => customers.update(at, { name })))
      const race = (round: number) =>
        Effect.all(
          [
            rename({ policyId: one.policyId, customerId: one.customerId }, `One ${round}`),
            rename({ policyId: other.policyId, customerId: other.customerId }, `Other ${round}`)
          ],
          { concurrency: "unbounded" }
        )
      const { messages } = yield* logged(
        Effect.gen(function* () {
          for (let round = 1; round <= rounds; round++) yield* race(round)
        })
      )
      assert.deepStrictEqual(messages, [])
      const names = yield* sql`
          SELECT DISTINCT customer_id, customer_name FROM receivable
          WHERE tenant_id = ${world.tenant} ORDER BY customer_name
        `
      assert.deepStrictEqual(names, [
        { customerId: one.customerId, customerName: `one ${rounds}` },
        { customerId: other.customerId, customerName: `other ${rounds}` }
      ])
    })
  )
})

layer(TestLayer, { excludeTestServices: true })("the versions of a customer", (it) => {
  it.effect(
    "are in the order in which they were recorded, also when the clock was read in another one",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make()
        const run = World.as(world, world.manager)
        const customers = yield* Customers
        const one = yield* Contracts.confirmed(world)
        const other = yield* Contracts.confirmed(world)
        const added = yield* run(customers.addToPolicy(one, { role: "PAYER", name: "Roux" }))
        const [first, shared] = [one.customerId, added.customerId].sort() as [
          CustomerId,
          CustomerId
        ]
        const at = { policyId: other.policyId, customerId: shared }
        yield* run(CustomerPolicies.use((x) => x.put(at, { role: "PAYER" })))
        yield* tick(world, "2026-03-12T09:00:00Z")
        const [isHeld, isOver] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const holder = yield* holding(first, { isHeld, isOver }).pipe(run, Effect.forkChild)
        yield* Deferred.await(isHeld)
        const rename = (policyId: PolicyId, name: string) =>
          run(customers.update({ customerId: shared, policyId }, { name }))
        const early = yield* Effect.forkChild(rename(one.policyId, "By the earlier clock"))
        yield* Effect.repeat(isWaiting, { until: (waits) => waits })
        yield* tick(world, "2026-03-12T10:00:00Z")
        const late = yield* rename(other.policyId, "By the later clock")
        yield* Deferred.succeed(isOver, undefined)
        yield* Fiber.join(holder)
        const { lastModifiedAt, name } = yield* Fiber.join(early)
        assert.deepStrictEqual(
          [name, lastModifiedAt],
          ["By the earlier clock", late.lastModifiedAt]
        )
        yield* tick(world, "2026-03-13T09:00:00Z")
        const knownAt = World.at("2026-03-12T12:00:00Z")
        const known = yield* run(customers.get({ customerId: shared, knownAt }))
        assert.deepStrictEqual(known, yield* run(customers.get({ customerId: shared })))
      })
  )
})

/** Locks a customer in a transaction of its own until it is told that it is over. */
const holding = Effect.fnUntraced(function* (
  customerId: CustomerId,
  { isHeld, isOver }: Record<"isHeld" | "isOver", Deferred.Deferred<void>>
) {
  const sql = yield* SqlClient.SqlClient
  const tenantSql = yield* TenantSql
  const locked = tenantSql.write(sql`SELECT FROM customer WHERE id = ${customerId} FOR UPDATE`)
  yield* tenantSql.transaction(
    locked.pipe(
      Effect.andThen(Deferred.succeed(isHeld, undefined)),
      Effect.andThen(Deferred.await(isOver))
    )
  )
})

/** Whether a connection waits for a lock. */
const isWaiting = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  const [row] = yield* sql<{ readonly waits: boolean }>`
    SELECT EXISTS (SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock') AS waits
  `
  return row!.waits
})

/** Moves the clock and runs nothing. */
const tick = Effect.fnUntraced(function* (world: World.World, instant: string) {
  const clock = yield* TenantClockRepo
  const tenantSql = yield* TenantSql
  yield* tenantSql
    .transaction(clock.set(World.at(instant)))
    .pipe(Effect.provideService(CurrentTenant, world.tenant))
})

const names = (world: World.World) => [`first ${world.tenant}`, `second ${world.tenant}`] as const

/** Takes a lock of the transaction, and waits for its holder. */
const lock = (name: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tenantSql = yield* TenantSql
    yield* tenantSql.write(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
  }).pipe(Effect.orDie)

layer(TestLayer, { excludeTestServices: true })("a transaction that loses to another one", (it) => {
  it.effect.each([undefined, "key"])(
    "is run again after a deadlock, and both succeed (idempotency key: %s)",
    (key) =>
      Effect.gen(function* () {
        const world = yield* World.make()
        const command = yield* Command
        const [first, second] = names(world)
        const met = [yield* Deferred.make<void>(), yield* Deferred.make<void>()] as const
        let decisions = 0
        const crossing = (index: 0 | 1) => {
          const idempotency = key && { key: `${key} ${index}`, fingerprint: "same" }
          return World.as(world, world.manager, { ...(idempotency && { idempotency }) })(
            command.run({
              authorize: lock(index === 0 ? first : second),
              decide: () =>
                Effect.gen(function* () {
                  decisions++
                  yield* Deferred.succeed(met[index], undefined)
                  yield* Deferred.await(met[index === 0 ? 1 : 0])
                  yield* lock(index === 0 ? second : first)
                  return index
                })
            })
          )
        }
        const both = [crossing(0), crossing(1)]
        const { messages, value } = yield* logged(Effect.all(both, { concurrency: "unbounded" }))
        assert.deepStrictEqual(value, [0, 1])
        assert.isAbove(decisions, 2)
        assert.lengthOf(messages, decisions - 2)
      })
  )

  it.effect("ends as a conflict when it loses every time", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const command = yield* Command
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      let decisions = 0
      for (const state of ["40P01", "40001"]) {
        decisions = 0
        const losing = command.run({
          authorize: Effect.void,
          decide: () => {
            decisions++
            const lost = `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END $$`
            return Effect.orDie(tenantSql.write(sql.unsafe(lost)))
          }
        })
        const exit = yield* Effect.exit(World.as(world, world.manager)(losing))
        assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
        const failure = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
        assert.deepInclude(failure, { _tag: "Conflict" })
        assert.strictEqual(decisions, 5)
      }
    })
  )
})
