/** An external id belongs to one policy of a tenant, whatever branch brings it, and whenever it shows. */
import { assert, layer } from "@effect/vitest"
import { externalIdsOf } from "@quittance/domain/policies/ExternalIds"
import type { Instant } from "@quittance/domain/values/Instant"
import { ExternalIdsRepo } from "@quittance/persistence/policies/ExternalIdsRepo"
import { PolicyLogRepo } from "@quittance/persistence/policies/PolicyLogRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import * as PgTest from "@quittance/testing/PgTest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import { drawing, step } from "../PolicyHistories.ts"
import * as World from "../World.ts"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(
  ExternalIdsRepo.layer,
  PolicyLogRepo.layer,
  PolicyHistory.layer
).pipe(Layer.provideMerge(PolicyLifecycle.layer))

interface At {
  readonly policyId: PolicyId
  readonly branchId?: BranchId
  readonly whenAt?: Instant
}

/** Two policies in force, and what is done with their ids. */
const scene = Effect.gen(function* () {
  const world = yield* World.make()
  const one = yield* PolicyLifecycle.signed(world)
  const other = yield* PolicyLifecycle.signed(world)
  yield* PolicyLifecycle.moveTo(world, "2026-04-10T09:00:00Z")
  const run = World.as(world, world.manager)
  const log = yield* PolicyLogRepo
  return {
    world,
    run,
    one: one.policyId,
    other: other.policyId,
    give: (at: At, externalId: string | null) =>
      run(Policies.use((policies) => policies.update(at, { externalId }))),
    shown: ({ policyId, whenAt }: At) =>
      Effect.map(
        run(Policies.use((policies) => policies.get({ policyId, whenAt }))),
        ({ externalId }) => externalId
      ),
    lastChange: (policyId: PolicyId) =>
      Effect.map(
        Effect.provideService(log.changes(policyId), CurrentTenant, world.tenant),
        (changes) => changes.at(-1)!.id
      )
  }
})
type Scene = Effect.Success<typeof scene>

const refused = ({ give }: Scene, at: At, externalId: string) =>
  Effect.map(Effect.flip(give(at, externalId)), ({ _tag }) =>
    assert.strictEqual(_tag, "DuplicateExternalId")
  )

const endorsement = ({ run }: Scene, policyId: PolicyId) =>
  Effect.map(
    run(Branches.use((branches) => branches.open({ policyId }, { branchType: "MTA" }))),
    ({ id: branchId }) => ({ policyId, branchId })
  )

layer(TestLayer)("an external id", (it) => {
  it.effect("stays with the policy while a branch says otherwise, which shows its own", () =>
    Effect.gen(function* () {
      const at = yield* scene
      yield* at.give({ policyId: at.one }, "A")
      const branch = yield* endorsement(at, at.one)
      yield* at.give(branch, "B")
      assert.strictEqual(yield* at.shown({ policyId: at.one }), "A")
      yield* refused(at, { policyId: at.other }, "A")
    })
  )

  it.effect("of a branch has to be free when it is entered, and when it is merged", () =>
    Effect.gen(function* () {
      const at = yield* scene
      yield* at.give({ policyId: at.other }, "taken")
      const branch = yield* endorsement(at, at.one)
      yield* refused(at, branch, "taken")
      yield* at.give(branch, "B")
      yield* at.give({ policyId: at.other }, "B")
      const failure = yield* Effect.flip(PolicyLifecycle.endorse(at.world, branch))
      assert.strictEqual(failure._tag, "DuplicateExternalId")
      yield* at.run(Sales.use((sales) => sales.reopen(branch)))
      yield* at.give(branch, "C")
      yield* PolicyLifecycle.endorse(at.world, branch)
      assert.strictEqual(yield* at.shown({ policyId: at.one }), "C")
      yield* refused(at, { policyId: at.other }, "C")
    })
  )

  it.effect("is the policy's again with what replaced it reverted, and that is free", () =>
    Effect.gen(function* () {
      const at = yield* scene
      yield* at.give({ policyId: at.one }, "A")
      yield* PolicyLifecycle.moveTo(at.world, "2026-04-11T09:00:00Z")
      yield* at.give({ policyId: at.one }, "B")
      const changeId = yield* at.lastChange(at.one)
      yield* refused(at, { policyId: at.other }, "A")
      yield* at.run(ContractSteps.use((steps) => steps.revert({ policyId: at.one, changeId })))
      yield* refused(at, { policyId: at.other }, "A")
      yield* at.give({ policyId: at.other }, "B")
      const undone = yield* at.lastChange(at.one)
      const again = ContractSteps.use((s) => s.revert({ policyId: at.one, changeId: undone }))
      assert.strictEqual((yield* at.run(Effect.flip(again)))._tag, "DuplicateExternalId")
    })
  )

  it.effect("that is dated ahead is the policy's at once, and one from before stays so", () =>
    Effect.gen(function* () {
      const at = yield* scene
      const whenAt = World.at("2026-04-20T00:00:00Z")
      yield* at.give({ policyId: at.one }, "A")
      yield* at.give({ policyId: at.one, whenAt }, "B")
      yield* refused(at, { policyId: at.other }, "B")
      yield* PolicyLifecycle.moveTo(at.world, "2026-04-21T00:00:00Z")
      assert.strictEqual(yield* at.shown({ policyId: at.one }), "B")
      yield* refused(at, { policyId: at.other }, "A")
      const sql = yield* PgTest.SuperuserSql
      const rows = yield* sql`SELECT external_id FROM policy WHERE id = ${at.one}`
      assert.deepStrictEqual(rows, [{ externalId: "B" }])
    })
  )

  it.effect("is kept behind a stop, and is as it was once that is reinstated", () =>
    Effect.gen(function* () {
      const at = yield* scene
      const policyId = at.one
      yield* at.give({ policyId, whenAt: World.at("2026-04-20T00:00:00Z") }, "B")
      yield* at.run(ContractSteps.use((steps) => steps.stop({ policyId }, { reason: "SALE" })))
      yield* refused(at, { policyId: at.other }, "B")
      yield* at.run(ContractSteps.use((steps) => steps.reinstate({ policyId }, { gap: "COVERED" })))
      yield* PolicyLifecycle.moveTo(at.world, "2026-04-21T00:00:00Z")
      assert.strictEqual(yield* at.shown({ policyId }), "B")
    })
  )

  it.effect("goes to one of two policies that ask for it at once", () =>
    Effect.gen(function* () {
      const at = yield* scene
      for (let round = 0; round < 20; round++) {
        const exits = yield* Effect.all(
          [at.one, at.other].map((policyId) => Effect.exit(at.give({ policyId }, `race ${round}`))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, 1)
      }
    })
  )

  it.effect("is owned by the policy that shows it at whatever time, in every history", () =>
    Effect.gen(function* () {
      const log = yield* PolicyLogRepo
      const sql = yield* PgTest.SuperuserSql
      for (let seed = 1; seed <= 4; seed++) {
        const draw = drawing(seed)
        const world = yield* World.make()
        const inTenant = Effect.provideService(CurrentTenant, world.tenant)
        const life = yield* draw.one([PolicyLifecycle.confirmed, PolicyLifecycle.signed])(world)
        for (let turn = 0; turn < 30; turn++) {
          const { now } = yield* PolicyLifecycle.now(world)
          yield* step({ world, ...life, now, draw })
          const changes = yield* inTenant(log.changes(life.policyId))
          const [head] = yield* sql<{ readonly branchId: BranchId; readonly id: string | null }>`
              SELECT default_branch_id AS branch_id, external_id AS id FROM policy
              WHERE id = ${life.policyId}
            `
          const owned = yield* sql<{ readonly id: string }>`
              SELECT external_id AS id FROM external_id WHERE policy_id = ${life.policyId}
              ORDER BY external_id
            `
          const shown = [...externalIdsOf(changes, { branchId: head!.branchId })].sort()
          assert.deepStrictEqual(
            owned.map(({ id }) => id),
            shown
          )
          const as = World.as(world, world.manager)
          const { policyId } = life
          const { externalId = null } = yield* as(Policies.use((x) => x.get({ policyId })))
          assert.strictEqual(head!.id, externalId)
        }
      }
    })
  )
})

layer(TestLayer)("an external id that its policy gives back", (it) => {
  it.effect("while another one claims it is the other one's, and no third one's", () =>
    Effect.gen(function* () {
      const at = yield* scene
      const superuser = yield* PgTest.SuperuserSql
      const tenantSql = yield* TenantSql
      yield* at.give({ policyId: at.one }, "A")
      yield* holdInserts
      const [isHeld, isOver] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* superuser`SELECT pg_advisory_xact_lock(4711)`.pipe(
        Effect.andThen(Deferred.succeed(isHeld, undefined)),
        Effect.andThen(Deferred.await(isOver)),
        superuser.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(isHeld)
      const claimed = yield* Effect.forkChild(at.give({ policyId: at.other }, "A"))
      yield* Effect.repeat(isWaiting, { until: (waits) => waits })
      yield* ExternalIdsRepo.use((repo) => repo.release(at.one, ["A"])).pipe(
        tenantSql.transaction,
        at.run
      )
      yield* Deferred.succeed(isOver, undefined)
      yield* Fiber.join(holder)
      yield* Fiber.join(claimed)
      const rows = yield* superuser`SELECT policy_id FROM external_id WHERE external_id = 'A'`
      assert.deepStrictEqual(rows, [{ policyId: at.other }])
      const { policyId } = yield* PolicyLifecycle.confirmed(at.world)
      yield* refused(at, { policyId }, "A")
    })
  )
})

/** Blocks transactions that have inserted external ids while the lock is held. */
const holdInserts = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  yield* sql`
    CREATE FUNCTION hold_inserts() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NULL; END $$
  `
  yield* sql`
    CREATE TRIGGER hold_inserts AFTER INSERT ON external_id
    FOR EACH STATEMENT EXECUTE FUNCTION hold_inserts()
  `
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
