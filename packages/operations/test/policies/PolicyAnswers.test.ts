/** What is kept of the answers to reads: it is never told from one that is made anew. */
import { assert, layer } from "@effect/vitest"
import type { Instant } from "@quittance/domain/values/Instant"
import type { Policy } from "@quittance/domain/policies/Policy"
import { PolicyAnswersRepo } from "@quittance/persistence/policies/PolicyAnswersRepo"
import * as PgTest from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { Policies } from "../../src/policies/Policies.ts"
import { encode, format, PolicyAnswers } from "../../src/policies/PolicyAnswers.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import * as Contracts from "../SoldPolicies.ts"
import { type Draw, drawing, later, near, step } from "../PolicyHistories.ts"
import * as World from "../World.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"

const TestLayer = Layer.mergeAll(
  PolicyAnswers.layer,
  PolicyAnswersRepo.layer,
  PolicyHistory.layer
).pipe(Layer.provideMerge(Contracts.layer))

const decoder = new TextDecoder()

/** The answer, and the etag that goes with it. */
const read = Effect.fnUntraced(function* (
  world: World.World,
  policyId: PolicyId,
  whenAt: Instant | undefined
) {
  const answer: CurrentRequest["Service"]["answer"] = { replayed: false }
  const body = yield* PolicyAnswers.use((answers) => answers.read({ policyId, whenAt })).pipe(
    World.as(world, world.manager, { answer })
  )
  return { body: decoder.decode(body), etag: answer.etag }
})

/** The same, made anew. */
const made = Effect.fnUntraced(function* (
  world: World.World,
  policyId: PolicyId,
  whenAt: Instant | undefined
) {
  const answer: CurrentRequest["Service"]["answer"] = { replayed: false }
  const policy = yield* Policies.use((policies) => policies.get({ policyId, whenAt })).pipe(
    World.as(world, world.manager, { answer })
  )
  return { body: encode(policy), etag: answer.etag }
})

const kept = (world: World.World, policyId: PolicyId, whenAt?: Instant) =>
  PolicyAnswersRepo.use((answers) => answers.find(policyId, format, whenAt)).pipe(
    Effect.map(({ answer }) => answer),
    World.as(world, world.manager)
  )

/** Instants at which an answer may change: now, those that it names, and those beside them. */
const instantsOf = (draw: Draw, now: Instant, { endedAt, nextRenewalAt, startedAt }: Policy) => {
  const instants = [now, startedAt!, endedAt!, nextRenewalAt!]
  return Array.from({ length: 2 }, () =>
    draw.below(2) === 0 ? near(draw, now) : later(draw.one(instants), draw.one([-1, 0, 1]))
  )
}

const gated = {
  ...World.motor,
  productId: "gated",
  activation: { ...World.motor.activation, firstPayment: "GATE" as const },
  invoicing: {
    ...World.motor.invoicing,
    timings: ["IN_ADVANCE" as const],
    firstPayments: ["FULL_AT_SIGNATURE" as const],
    default: {
      ...World.motor.invoicing.default,
      timing: "IN_ADVANCE" as const,
      firstPayment: "FULL_AT_SIGNATURE" as const
    }
  }
}

layer(TestLayer)("an answer that is kept", (it) => {
  it.effect.each(Array.from({ length: 8 }, (_, seed) => seed))(
    "is the one that would be made, whatever happens to the policy (%s)",
    (seed) =>
      Effect.gen(function* () {
        const draw = drawing(seed)
        const world = yield* World.make(World.at("2026-03-10T09:00:00Z"), [World.motor, gated])
        const contract = yield* draw.one([Contracts.confirmed, Contracts.signed])(world, {
          product: draw.one([World.motor, gated])
        })
        const { policyId } = contract
        for (let turn = 0; turn < 20; turn++) {
          const { now } = yield* Contracts.now(world)
          yield* step({ world, ...contract, now, draw })
          const right = yield* made(world, policyId, undefined)
          assert.deepStrictEqual(yield* read(world, policyId, undefined), right)
          assert.isDefined(yield* kept(world, policyId))
          assert.deepStrictEqual(yield* read(world, policyId, undefined), right)
          const { now: then } = yield* Contracts.now(world)
          for (const whenAt of instantsOf(draw, then, JSON.parse(right.body))) {
            const right = yield* made(world, policyId, whenAt)
            assert.deepStrictEqual(yield* read(world, policyId, whenAt), right)
            assert.deepStrictEqual(yield* read(world, policyId, whenAt), right)
          }
        }
      })
  )

  it.effect("is not used once its policy has changed, in any way", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId } = yield* Contracts.signed(world)
      assert.isDefined(yield* kept(world, policyId))
      const sql = yield* PgTest.SuperuserSql
      yield* sql`UPDATE policy SET author = NULL WHERE id = ${policyId}`
      assert.isUndefined(yield* kept(world, policyId))
      const right = yield* made(world, policyId, undefined)
      assert.deepStrictEqual(yield* read(world, policyId, undefined), right)
      assert.isDefined(yield* kept(world, policyId))
    })
  )

  it.effect("is of no use to a release that answers otherwise", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId } = yield* Contracts.signed(world)
      const other = PolicyAnswersRepo.use((answers) => answers.find(policyId, "other", undefined))
      const { answer } = yield* World.as(world, world.manager)(other)
      assert.isUndefined(answer)
    })
  )

  it.effect("is only for those who may read the policy", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const elsewhere = yield* World.make()
      const { policyId } = yield* Contracts.signed(world, { caller: world.north })
      const answers = yield* PolicyAnswers
      const { body } = yield* read(world, policyId, undefined)
      const north = yield* World.as(world, world.north)(answers.read({ policyId }))
      assert.strictEqual(decoder.decode(north), body)
      const south = yield* World.as(world, world.south)(Effect.flip(answers.read({ policyId })))
      assert.deepInclude(south, { _tag: "Forbidden", action: "policy.read" })
      const stranger = World.as(elsewhere, elsewhere.manager)
      assert.strictEqual(
        (yield* stranger(Effect.flip(answers.read({ policyId }))))._tag,
        "PolicyNotFound"
      )
    })
  )

  it.effect("never is older than what had been committed when it was asked for", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId } = yield* Contracts.signed(world)
      const policies = yield* Policies
      const writes = 40
      const progress = { committed: 0 }
      const writer = Effect.gen(function* () {
        for (let turn = 1; turn <= writes; turn++) {
          yield* World.as(world, world.manager)(policies.update({ policyId }, { name: `${turn}` }))
          progress.committed = turn
        }
      })
      const reader = Effect.gen(function* () {
        for (;;) {
          const known = progress.committed
          if (known === writes) return
          const { body, etag } = yield* read(world, policyId, undefined)
          const { name = "0" }: Policy = JSON.parse(body)
          assert.isAtLeast(Number(name), known)
          assert.match(etag ?? "", /^"\d+"$/u)
        }
      })
      yield* Effect.all([writer, reader, reader, reader], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        yield* read(world, policyId, undefined),
        yield* made(world, policyId, undefined)
      )
    })
  )

  it.effect("is kept once for each change, however many anniversaries are asked for", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId } = yield* Contracts.signed(world)
      for (let year = 2027; year < 2040; year++) {
        yield* read(world, policyId, World.at(`${year}-06-01T00:00:00Z`))
      }
      const sql = yield* PgTest.SuperuserSql
      const rows = yield* sql`
        SELECT valid_from FROM policy_answer WHERE policy_id = ${policyId}
      `
      const changes = yield* sql`
        SELECT DISTINCT effective_at FROM policy_change WHERE policy_id = ${policyId}
      `
      assert.isAtMost(rows.length, changes.length + 1)
    })
  )
})
