/** Events that were no longer tried, and are sent once more when their receiver is well again. */
import { assert, layer } from "@effect/vitest"
import { EventId } from "@quittance/domain/events/Event"
import type { WebhookId } from "@quittance/domain/values/Ids"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { WebhookReplays } from "../../src/webhooks/WebhookReplays.ts"
import { pass, timed } from "../MovedClock.ts"
import * as World from "../World.ts"
import * as Endpoints from "./Endpoints.ts"
import * as Receiver from "./Receiver.ts"

const { add, deliver, happen, minute } = Endpoints
const types = ["user.*"] as const

const by = <A, E, R>(
  world: World.World,
  use: (replays: WebhookReplays["Service"]) => Effect.Effect<A, E, R>
) => World.as(world, world.manager)(WebhookReplays.use(use))

const dead = (id: WebhookId) =>
  SuperuserSql.use(
    (sql) => sql<{ readonly of: string }>`
      SELECT replace(subject, 'client:', '') || '/' || seq AS of FROM webhook_dead
      WHERE webhook_id = ${id} ORDER BY 1
    `
  ).pipe(Effect.map((rows) => rows.map(({ of }) => of)))

/** An endpoint that has refused some events until they were left, and has taken the others. */
const lacking = Effect.fnUntraced(function* (...refused: ReadonlyArray<string>) {
  const receiver = yield* Receiver.start
  const world = yield* World.make()
  const { id } = yield* add(world, { url: receiver.url, types })
  receiver.behaviour = (received, response, number) =>
    (refused.includes(`${received.subject}/${received.sequence}`)
      ? Receiver.status(422)
      : Receiver.good)(received, response, number)
  yield* happen(world, "a", "a", "a", "a", "b", "b")
  // Ten tries of each, and those of a record one after the other.
  for (let turn = 0; turn < 10 * refused.length; turn++) {
    yield* deliver
    yield* pass(27 * 60 * minute)
    // Something arrives each day, or the endpoint would be taken for one that only fails.
    yield* happen(world, "well")
  }
  yield* deliver
  receiver.behaviour = Receiver.good
  const asked = receiver.received.length
  const again = () => receiver.received.slice(asked)
  return { receiver, world, id, again }
})

const ways = (all: ReadonlyArray<Receiver.Received>) =>
  all.map(({ sequence, subject }) => `${subject}/${sequence}`)

const TestLayer = Layer.provideMerge(WebhookReplays.layer, Endpoints.layer)

layer(TestLayer, { excludeTestServices: true })("dead events", (it) => {
  it.effect(
    "are sent once more, one or all, with the bytes of each try, and are dead no longer",
    () =>
      Effect.gen(function* () {
        const { again, id, receiver, world } = yield* lacking("a/2", "a/3", "b/1")
        assert.deepStrictEqual(yield* dead(id), ["a/2", "a/3", "b/1"])
        const idOf = (of: string) =>
          EventId.make(receiver.received.find((one) => ways([one])[0] === of)!.id)
        const taken = yield* by(world, (replays) => replays.startOne(id, idOf("a/1"))).pipe(
          Effect.flip
        )
        assert.strictEqual(taken._tag, "EventNotFound")
        const one = yield* by(world, (replays) => replays.startOne(id, idOf("a/3")))
        assert.deepInclude(one, { source: "DEAD", status: "RUNNING", waiting: 1 })
        const all = yield* by(world, (replays) => replays.startDead(id))
        yield* deliver
        assert.sameMembers(ways(again()), ["a/3", "a/2", "b/1"])
        assert.deepStrictEqual(
          again()
            .map(({ headers }) => headers["quittance-replay"])
            .toSorted(),
          [one.id, all.id, all.id].toSorted()
        )
        assert.isEmpty(receiver.faults.filter((fault) => fault.endsWith("changed")))
        assert.deepStrictEqual(yield* dead(id), [])
        const [first, rest] = yield* Effect.forEach([one, all], (replay) =>
          by(world, (replays) => replays.get(id, replay.id))
        )
        assert.deepInclude(first, { status: "DONE", delivered: 1 })
        assert.deepInclude(rest, { status: "DONE", delivered: 2 })
        const none = yield* by(world, (replays) => replays.startDead(id))
        assert.deepInclude(none, { status: "DONE", waiting: 0 })
      }).pipe(Effect.scoped, timed)
  )

  it.effect("come in order per record, and die again where they fail again", () =>
    Effect.gen(function* () {
      const { again, id, receiver, world } = yield* lacking("a/2", "a/4")
      const { id: replayId } = yield* by(world, (replays) => replays.startDead(id))
      receiver.behaviour = (received, response, number) =>
        (received.sequence === 2 ? Receiver.status(422) : Receiver.good)(received, response, number)
      for (let turn = 0; turn < 11; turn++) {
        yield* deliver
        yield* pass(27 * 60 * minute)
      }
      assert.deepStrictEqual(ways(again()), [...Array.from({ length: 10 }, () => "a/2"), "a/4"])
      assert.deepStrictEqual(yield* dead(id), ["a/2"])
      assert.deepInclude(yield* by(world, (replays) => replays.get(id, replayId)), {
        status: "DONE",
        delivered: 1,
        dead: 1
      })
      // It may be asked for again, and no replay has it any more.
      receiver.behaviour = Receiver.good
      yield* by(world, (replays) => replays.startDead(id))
      yield* deliver
      assert.deepStrictEqual(yield* dead(id), [])
    }).pipe(Effect.scoped, timed)
  )

  it.effect("stay dead where their replay is deleted before it has come to them", () =>
    Effect.gen(function* () {
      const { again, id, world } = yield* lacking("a/2")
      const { id: replayId } = yield* by(world, (replays) => replays.startDead(id))
      yield* by(world, (replays) => replays.remove(id, replayId))
      yield* deliver
      assert.deepStrictEqual([again().length, yield* dead(id)], [0, ["a/2"]])
      yield* by(world, (replays) => replays.startDead(id))
      yield* deliver
      assert.deepStrictEqual([ways(again()), yield* dead(id)], [["a/2"], []])
    }).pipe(Effect.scoped, timed)
  )
})
