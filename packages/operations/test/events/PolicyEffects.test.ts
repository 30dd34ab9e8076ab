/** Effects are events: folding the changes of status gives the status that the policy shows. */
import { assert, layer } from "@effect/vitest"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { InstantColumn } from "@quittance/persistence/sql/Columns"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import * as PgTest from "@quittance/testing/PgTest"
import { Effect, Layer, Schema } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { PolicyLifecycle } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { drawing, later, step } from "../PolicyHistories.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

const decode = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      kind: Schema.String,
      seq: Schema.Int,
      at: InstantColumn,
      payload: Schema.Record(Schema.String, Schema.Json)
    })
  )
)

const eventsOf = Effect.fnUntraced(function* (policyId: PolicyId) {
  const sql = yield* PgTest.SuperuserSql
  return yield* decode(
    yield* sql`
    SELECT kind, seq, occurred_at AS at, payload FROM event WHERE subject = ${policyId} ORDER BY seq
  `
  )
})

type Told = Effect.Success<ReturnType<typeof eventsOf>>

/** The status as folded from all its changes. */
const folded = (events: Told) => {
  let status: unknown = "POLICY_CREATED"
  for (const { kind, payload } of events) {
    if (kind !== "policy.change_status") continue
    assert.strictEqual(payload["from"], status, "a change of status from another one")
    assert.notStrictEqual(payload["to"], status, "a change of status that is none")
    status = payload["to"]
  }
  return status
}

const shown = Effect.fnUntraced(function* (
  world: World.World,
  policyId: PolicyId,
  whenAt?: Instant
) {
  const policies = yield* Policies
  const { status } = yield* World.as(world, world.manager)(policies.get({ policyId, whenAt }))
  return status
})

/** What is told of effects, as short texts. */
const effects = (events: Told) =>
  events.flatMap(({ at, kind, payload }) => {
    if (kind === "branch.take_effect") return [`${at} branch`]
    return kind === "policy.change_status" ? [`${at} ${String(payload["to"])}`] : []
  })

/** The clock without what is due on the way: a worker that is late. */
const leapTo = (world: World.World, instant: Instant) =>
  Effect.gen(function* () {
    const clock = yield* TenantClockRepo
    const tenantSql = yield* TenantSql
    yield* tenantSql.transaction(clock.set(instant))
  }).pipe(World.as(world, world.manager))

layer(Layer.provideMerge(PolicyHistory.layer, Contracts.layer))(
  "what takes effect of a policy",
  (it) => {
    it.effect.each(Array.from({ length: 6 }, (_, seed) => seed + 40))(
      "is told, whatever happens to it (%s)",
      (seed) =>
        Effect.gen(function* () {
          const draw = drawing(seed)
          const world = yield* World.make()
          const contract = yield* draw.one([Contracts.confirmed, Contracts.signed])(world)
          const { policyId } = contract
          for (let turn = 0; turn < 25; turn++) {
            const { now } = yield* Contracts.now(world)
            yield* step({ world, ...contract, now, draw })
            const events = yield* eventsOf(policyId)
            assert.deepStrictEqual(
              events.map(({ seq }) => seq),
              events.map((_, index) => index + 1)
            )
            assert.strictEqual(folded(events), yield* shown(world, policyId), `turn ${turn}`)
          }
        })
    )

    it.effect("is told at each instant, also by a worker that comes late", () =>
      Effect.gen(function* () {
        const world = yield* World.make()
        const run = World.as(world, world.manager)
        const { policyId } = yield* Contracts.signed(world)
        yield* Contracts.moveTo(world, "2026-04-02T00:00:00Z")
        const known = (yield* eventsOf(policyId)).length
        const [endorsed, stopped] = ["2026-05-10T00:00:00+02:00", "2026-05-20T00:00:00+02:00"].map(
          World.at
        )
        const { id: branchId } = yield* run(
          Branches.use((branches) =>
            branches.open({ policyId, whenAt: endorsed }, { branchType: "MTA" })
          )
        )
        yield* run(
          Policies.use((policies) => policies.update({ policyId, branchId }, { name: "Another" }))
        )
        yield* Contracts.endorse(world, { policyId, branchId })
        yield* run(
          PolicyLifecycle.use((contracts) =>
            contracts.stop({ policyId, whenAt: stopped! }, { reason: "SALE" })
          )
        )
        assert.deepStrictEqual(effects((yield* eventsOf(policyId)).slice(known)), [])
        // What is read at an instant in between is what the events say of it later.
        const between = later(endorsed!, 3_600_000)
        const before = yield* shown(world, policyId, between)
        yield* leapTo(world, World.at("2026-06-15T00:00:00Z"))
        yield* Contracts.moveTo(world, "2026-06-15T00:00:01Z")
        const told = (yield* eventsOf(policyId)).slice(known)
        assert.deepStrictEqual(effects(told), [
          `${endorsed} branch`,
          `${stopped} branch`,
          `${stopped} POLICY_STOPPED`
        ])
        const then = told.filter(({ at }) => at <= between)
        assert.strictEqual(
          before,
          folded([...(yield* eventsOf(policyId)).slice(0, known), ...then])
        )
        // Told once: nothing of it comes again.
        yield* Contracts.moveTo(world, "2026-07-15T00:00:00Z")
        assert.lengthOf(effects((yield* eventsOf(policyId)).slice(known)), 3)
      })
    )

    it.effect("is told at once where a command has it take effect at once", () =>
      Effect.gen(function* () {
        const world = yield* World.make()
        const { policyId } = yield* Contracts.signed(world)
        yield* Contracts.moveTo(world, "2026-04-02T00:00:00Z")
        const since = World.at("2026-04-01T12:00:00Z")
        yield* World.as(
          world,
          world.manager
        )(
          PolicyLifecycle.use((contracts) =>
            contracts.suspend({ policyId, whenAt: since }, { reason: "SALE" })
          )
        )
        assert.deepStrictEqual(
          effects(yield* eventsOf(policyId)).at(-1),
          `${since} POLICY_SUSPENDED`
        )
      })
    )
  }
)
