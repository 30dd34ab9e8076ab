/** An external id belongs to one policy of a tenant, whatever branch brings it, and whenever it shows. */
import { assert, layer } from "@effect/vitest"
import { externalIdsOf } from "@quittance/domain/ExternalIds"
import type { BranchId } from "@quittance/domain/Branch"
import type { Instant } from "@quittance/domain/Instant"
import type { PolicyId } from "@quittance/domain/Policy"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { PolicyLogRepo } from "@quittance/persistence/PolicyLogRepo"
import * as PgTest from "@quittance/persistence/testing/PgTest"
import { Effect, Layer } from "effect"
import { Branches } from "../src/Branches.ts"
import { Contracts as ContractSteps } from "../src/Contracts.ts"
import { Policies } from "../src/Policies.ts"
import { PolicyHistory } from "../src/PolicyHistory.ts"
import { Sales } from "../src/Sales.ts"
import * as Contracts from "./Contracts.ts"
import { drawing, step } from "./PolicyHistories.ts"
import * as World from "./World.ts"

const TestLayer = Layer.mergeAll(PolicyLogRepo.layer, PolicyHistory.layer).pipe(
  Layer.provideMerge(Contracts.layer)
)

interface At {
  readonly policyId: PolicyId
  readonly branchId?: BranchId
  readonly whenAt?: Instant
}

/** Two policies in force, and what is done with their ids. */
const scene = Effect.gen(function* () {
  const world = yield* World.make()
  const one = yield* Contracts.signed(world)
  const other = yield* Contracts.signed(world)
  yield* Contracts.moveTo(world, "2026-04-10T09:00:00Z")
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
      const failure = yield* Effect.flip(Contracts.endorse(at.world, branch))
      assert.strictEqual(failure._tag, "DuplicateExternalId")
      yield* at.run(Sales.use((sales) => sales.reopen(branch)))
      yield* at.give(branch, "C")
      yield* Contracts.endorse(at.world, branch)
      assert.strictEqual(yield* at.shown({ policyId: at.one }), "C")
      yield* refused(at, { policyId: at.other }, "C")
    })
  )

  it.effect("is the policy's again with what replaced it reverted, and that is free", () =>
    Effect.gen(function* () {
      const at = yield* scene
      yield* at.give({ policyId: at.one }, "A")
      yield* Contracts.moveTo(at.world, "2026-04-11T09:00:00Z")
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
      yield* Contracts.moveTo(at.world, "2026-04-21T00:00:00Z")
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
      yield* at.run(ContractSteps.use((steps) => steps.reinstate({ policyId }, "COVERED")))
      yield* Contracts.moveTo(at.world, "2026-04-21T00:00:00Z")
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

  it.effect(
    "is owned by the policy that shows it at whatever time, in every history",
    () =>
      Effect.gen(function* () {
        const log = yield* PolicyLogRepo
        const sql = yield* PgTest.SuperuserSql
        for (let seed = 1; seed <= 4; seed++) {
          const draw = drawing(seed)
          const world = yield* World.make()
          const inTenant = Effect.provideService(CurrentTenant, world.tenant)
          const life = yield* draw.one([Contracts.confirmed, Contracts.signed])(world)
          for (let turn = 0; turn < 30; turn++) {
            const { now } = yield* Contracts.now(world)
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
      }),
    60_000
  )
})
