/** Events that are sent once more: the same bytes, in order per record, beside what is new. */
import { assert, layer } from "@effect/vitest"
import type { CreateWebhook, StartReplay } from "@quittance/domain/webhooks/WebhookRequests"
import type { Replay } from "@quittance/domain/webhooks/WebhookReplay"
import type { ReplayId, WebhookId } from "@quittance/domain/values/Ids"
import { EventId } from "@quittance/domain/events/Event"
import { example } from "@quittance/domain/values/PrefixedId"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { WebhookFanOut } from "../../src/webhooks/WebhookFanOut.ts"
import { WebhookPurge } from "../../src/webhooks/WebhookPurge.ts"
import { WebhookReplays } from "../../src/webhooks/WebhookReplays.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { WebhookSender } from "../../src/webhooks/WebhookSender.ts"
import { pass, timed } from "../MovedClock.ts"
import * as World from "../World.ts"
import * as Endpoints from "./Endpoints.ts"
import * as Receiver from "./Receiver.ts"

const { add, day, deliver, happen, minute } = Endpoints
const types = ["user.*"] as const

const by = <A, E, R>(
  world: World.World,
  use: (replays: WebhookReplays["Service"]) => Effect.Effect<A, E, R>
) => World.as(world, world.manager)(WebhookReplays.use(use))
/** As what something is refused. */
const refusal = <A, E extends { readonly _tag: string }, R>(
  world: World.World,
  use: (replays: WebhookReplays["Service"]) => Effect.Effect<A, E, R>
) => Effect.map(Effect.flip(by(world, use)), (error) => error._tag)
const start = (world: World.World, id: WebhookId, input: StartReplay) =>
  by(world, (replays) => replays.start(id, input))
const read = (world: World.World, { id, webhookId }: Replay) =>
  by(world, (replays) => replays.get(webhookId, id))
const disable = (world: World.World, id: WebhookId) =>
  World.as(world, world.manager)(Webhooks.use((webhooks) => webhooks.disable(id)))
const enable = (world: World.World, id: WebhookId) =>
  World.as(
    world,
    world.manager
  )(Webhooks.use((webhooks) => webhooks.enable(id, { from: "WHERE_IT_STOPPED" })))

/** What came for a replay, and for none: each record's in the order of its coming. */
const sent = (receiver: Receiver.Receiver, replay: ReplayId | undefined) =>
  receiver.received
    .filter(({ headers }) => headers["quittance-replay"] === replay)
    .map(({ sequence, subject }) => `${subject}/${sequence}`)
const ofRecord = (subject: string, all: ReadonlyArray<string>) =>
  all.filter((one) => one.startsWith(`${subject}/`))

/** A tenant with an endpoint that was sent three events of each of two records. */
const served = Effect.fnUntraced(function* (further: Partial<CreateWebhook> = {}) {
  const receiver = yield* Receiver.start
  const world = yield* World.make()
  const webhook = yield* add(world, { url: receiver.url, types, ...further })
  yield* happen(world, "a", "b", "a", "b", "a", "b")
  yield* deliver
  const first = new Map(receiver.received.map(({ body, id }) => [id, body]))
  const isSame = () => receiver.received.every(({ body, id }) => first.get(id) === body)
  return { receiver, world, webhook, isSame }
})

const TestLayer = Layer.provideMerge(
  Layer.merge(WebhookReplays.layer, WebhookPurge.layer),
  Endpoints.layer
)

layer(TestLayer, { excludeTestServices: true })("a replay", (it) => {
  it.effect("sends the same bytes in order, and says that it is one", () =>
    Effect.gen(function* () {
      const { isSame, receiver, webhook, world } = yield* served()
      const replay = yield* start(world, webhook.id, { from: 0 })
      assert.deepInclude(replay, { status: "RUNNING", source: "FEED", delivered: 0, waiting: 0 })
      yield* deliver
      const again = sent(receiver, replay.id)
      assert.deepStrictEqual(ofRecord("a", again), ["a/1", "a/2", "a/3"])
      assert.deepStrictEqual(ofRecord("b", again), ["b/1", "b/2", "b/3"])
      assert.isTrue(isSame())
      assert.deepStrictEqual([receiver.faults, receiver.doubled], [[], 6])
      const done = yield* read(world, replay)
      assert.deepInclude(done, { status: "DONE", delivered: 6, dead: 0, waiting: 0 })
      assert.isDefined(done.finishedAt)
      const lanes = yield* SuperuserSql.use(
        (sql) => sql`SELECT FROM webhook_lane WHERE replay_id = ${replay.id}`
      )
      assert.lengthOf(lanes, 0)
      yield* pass(31 * day)
      yield* WebhookPurge.use(({ round }) => round)
      const gone = yield* read(world, replay).pipe(Effect.flip)
      assert.strictEqual(gone._tag, "ReplayNotFound")
    }).pipe(Effect.scoped, timed)
  )

  it.effect("is a part of the feed, by positions, instants, types and record", () =>
    Effect.gen(function* () {
      const { receiver, webhook, world } = yield* served()
      // The first event behind it tells that it was made.
      const head = webhook.position + 7
      const sql = yield* SuperuserSql
      yield* sql`
        UPDATE event SET recorded_at = recorded_at + seq * interval '1 hour'
        WHERE tenant_id = ${world.tenant} AND subject LIKE 'client:%'
      `
      const [from, to] = [World.at("2026-03-10T11:00:00Z"), World.at("2026-03-10T12:00:00Z")]
      const parts: ReadonlyArray<readonly [StartReplay, ReadonlyArray<string>]> = [
        [{ from: head - 2 }, ["a/3", "b/3"]],
        [{ from: head - 4, to: head - 2 }, ["a/2", "b/2"]],
        [{ from: head - 1, to: head + 100 }, ["b/3"]],
        [{ from: head + 100 }, []],
        [{ from: 0, subject: "client:b" as never }, ["b/1", "b/2", "b/3"]],
        [{ from: head - 3, subject: "client:b" as never }, ["b/2", "b/3"]],
        [{ from: 0, types: ["user.created"] }, []],
        [{ from: 0, types: ["user.updated"], to: head - 5 }, ["a/1"]],
        [{ from, to }, ["a/2", "b/2"]],
        [{ from: to }, ["a/3", "b/3"]]
      ]
      for (const [part, expected] of parts) {
        const replay = yield* start(world, webhook.id, part)
        yield* deliver
        assert.sameMembers(sent(receiver, replay.id), [...expected], JSON.stringify(part))
        assert.strictEqual((yield* read(world, replay)).status, "DONE")
      }
      const unknown = yield* start(world, webhook.id, { from: 0, types: ["no.such"] }).pipe(
        Effect.flip
      )
      assert.strictEqual(unknown._tag, "UnknownEventType")
    }).pipe(Effect.scoped, timed)
  )

  it.effect("has the bytes of the first time, whatever the webhook's types have become", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.start
      const world = yield* World.make()
      const webhook = yield* add(world, { url: receiver.url, types: ["user.created"] })
      const update = (to: ReadonlyArray<string>) =>
        World.as(
          world,
          world.manager
        )(Webhooks.use((webhooks) => webhooks.update(webhook.id, { types: to as never })))
      // Its stream of the record begins with the second event, skips the fourth, and ends with the fifth.
      yield* happen(world, "s")
      yield* deliver
      yield* update(["user.updated"])
      yield* happen(world, "s", "s")
      yield* deliver
      yield* update(["user.created"])
      yield* happen(world, "s")
      yield* deliver
      yield* update(["user.*"])
      yield* happen(world, "s")
      yield* deliver
      assert.deepStrictEqual(sent(receiver, undefined), ["s/2", "s/3", "s/5"])
      const bodies = () =>
        receiver.received.map(({ body, sequence }) => [sequence, body] as const).slice(-2)
      const first = bodies()
      const replay = yield* start(world, webhook.id, { from: webhook.position + 4 })
      yield* deliver
      assert.deepStrictEqual(sent(receiver, replay.id), ["s/3", "s/5"])
      assert.deepStrictEqual(bodies(), first)
    }).pipe(Effect.scoped, timed)
  )

  it.effect("of what was before the webhook ends where its stream begins", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.start
      const world = yield* World.make()
      yield* happen(world, "s", "s")
      const webhook = yield* add(world, { url: receiver.url, types })
      yield* happen(world, "s", "s")
      yield* deliver
      const replay = yield* start(world, webhook.id, { from: 0 })
      yield* deliver
      assert.deepStrictEqual(
        receiver.received
          .filter(({ headers }) => headers["quittance-replay"] === replay.id)
          .map(({ previousSequence, sequence }) => [sequence, previousSequence]),
        [
          [1, 0],
          [2, 1],
          [3, 0],
          [4, 3]
        ]
      )
      assert.isEmpty(receiver.faults.filter((fault) => fault.endsWith("changed")))
    }).pipe(Effect.scoped, timed)
  )

  it.effect("runs beside the live lanes, and neither waits for the other", () =>
    Effect.gen(function* () {
      const { receiver, webhook, world } = yield* served()
      receiver.behaviour = (received, response, number) =>
        (received.headers["quittance-replay"] !== undefined && received.subject === "a"
          ? Receiver.status(500)
          : Receiver.good)(received, response, number)
      const replay = yield* start(world, webhook.id, { from: 0 })
      yield* happen(world, "a", "b")
      yield* deliver
      // Its record "a" fails from the first event on, which holds up nothing else.
      assert.deepStrictEqual(ofRecord("a", sent(receiver, replay.id)), ["a/1"])
      assert.deepStrictEqual(ofRecord("b", sent(receiver, replay.id)), ["b/1", "b/2", "b/3"])
      assert.includeMembers(sent(receiver, undefined), ["a/4", "b/4"])
      assert.deepInclude(yield* read(world, replay), {
        status: "RUNNING",
        delivered: 3,
        waiting: 1
      })
      receiver.behaviour = Receiver.good
      yield* pass(minute)
      yield* happen(world, "a")
      yield* deliver
      assert.deepStrictEqual(ofRecord("a", sent(receiver, replay.id)), ["a/1", "a/1", "a/2", "a/3"])
      assert.include(sent(receiver, undefined), "a/5")
      assert.deepInclude(yield* read(world, replay), { status: "DONE", delivered: 6 })
      assert.deepStrictEqual(receiver.faults, [])
    }).pipe(Effect.scoped, timed)
  )

  it.effect("that is deleted while it is sent ends with what is under way, and is not kept", () =>
    Effect.gen(function* () {
      const { receiver, webhook, world } = yield* served({ concurrency: 1 })
      const fanOut = yield* WebhookFanOut
      const sender = yield* WebhookSender
      const replay = yield* start(world, webhook.id, { from: 0 })
      const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      receiver.behaviour = (received, response, number) => {
        reached.resolve()
        void released.promise.then(() => Receiver.good(received, response, number))
        return true
      }
      yield* fanOut.round
      yield* sender.round
      yield* Effect.promise(() => reached.promise)
      yield* by(world, (replays) => replays.remove(webhook.id, replay.id))
      released.resolve()
      yield* sender.settled
      yield* deliver
      // One record was under way, with all of its turn; the other one was not begun.
      assert.lengthOf(new Set(sent(receiver, replay.id).map((one) => one.split("/")[0])), 1)
      const sql = yield* SuperuserSql
      const kept = yield* sql`SELECT FROM webhook_attempt WHERE replay_id = ${replay.id}`
      assert.lengthOf(kept, 0)
      const gone = yield* read(world, replay).pipe(Effect.flip)
      assert.strictEqual(gone._tag, "ReplayNotFound")
    }).pipe(Effect.scoped, timed)
  )

  it.effect("waits while its endpoint is disabled, and none begins there", () =>
    Effect.gen(function* () {
      const { receiver, webhook, world } = yield* served()
      const replay = yield* start(world, webhook.id, { from: 0 })
      yield* disable(world, webhook.id)
      yield* deliver
      assert.lengthOf(sent(receiver, replay.id), 0)
      const refused = yield* start(world, webhook.id, { from: 0 }).pipe(Effect.flip)
      assert.strictEqual(refused._tag, "WebhookDisabled")
      yield* enable(world, webhook.id)
      yield* deliver
      assert.lengthOf(sent(receiver, replay.id), 6)
      assert.strictEqual((yield* read(world, replay)).status, "DONE")
    }).pipe(Effect.scoped, timed)
  )

  it.effect("is one of five at most that are running", () =>
    Effect.gen(function* () {
      const { webhook, world } = yield* served()
      for (let count = 0; count < 5; count++) yield* start(world, webhook.id, { from: 0 })
      const refused = yield* start(world, webhook.id, { from: 0 }).pipe(Effect.flip)
      assert.deepInclude(refused, { _tag: "TooManyReplays", maximum: 5 })
      yield* deliver
      yield* start(world, webhook.id, { from: 0 })
      const { data } = yield* by(world, (replays) =>
        replays.list(webhook.id, { count: 10, page: 1 })
      )
      assert.deepStrictEqual(
        data.map(({ status }) => status),
        ["RUNNING", "DONE", "DONE", "DONE", "DONE", "DONE"]
      )
    }).pipe(Effect.scoped, timed)
  )

  it.effect("is of its tenant and its webhook alone", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* served(), yield* served()]
      const second = yield* add(own.world, { url: own.receiver.url, types })
      const replay = yield* start(own.world, own.webhook.id, { from: 0 })
      const asked = [
        refusal(other.world, (replays) => replays.start(own.webhook.id, { from: 0 })),
        refusal(other.world, (replays) => replays.startDead(own.webhook.id)),
        refusal(other.world, (replays) => replays.get(own.webhook.id, replay.id)),
        refusal(other.world, (replays) => replays.list(own.webhook.id, { count: 10, page: 1 })),
        refusal(other.world, (replays) => replays.remove(own.webhook.id, replay.id)),
        refusal(other.world, (replays) => replays.get(other.webhook.id, replay.id)),
        refusal(other.world, (replays) => replays.remove(other.webhook.id, replay.id)),
        refusal(own.world, (replays) => replays.get(second.id, replay.id)),
        refusal(own.world, (replays) =>
          replays.startOne(own.webhook.id, EventId.make(other.receiver.received[0]!.id))
        ),
        refusal(own.world, (replays) =>
          replays.startOne(own.webhook.id, EventId.make(example("event")))
        )
      ]
      const tags = yield* Effect.all(asked)
      assert.deepStrictEqual(tags, [
        ...Array.from({ length: 5 }, () => "WebhookNotFound"),
        ...Array.from({ length: 3 }, () => "ReplayNotFound"),
        "EventNotFound",
        "EventNotFound"
      ])
      assert.strictEqual((yield* read(own.world, replay)).status, "RUNNING")
      yield* deliver
      assert.lengthOf(sent(other.receiver, replay.id), 0)
    }).pipe(Effect.scoped, timed)
  )
})
