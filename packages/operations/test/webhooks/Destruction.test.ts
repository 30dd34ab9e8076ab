/** Senders that are killed, that are many, and receivers that do harm: order and bytes stay the same. */
import { assert, layer } from "@effect/vitest"
import { Database } from "@quittance/persistence/sql/Database"
import * as PgTest from "@quittance/testing/PgTest"
import * as Programs from "@quittance/testing/Programs"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { fileURLToPath } from "node:url"
import { EventSequencer } from "../../src/events/EventSequencer.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { WebhookFanOut } from "../../src/webhooks/WebhookFanOut.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { WebhookSender } from "../../src/webhooks/WebhookSender.ts"
import { pass, timed } from "../MovedClock.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import * as Endpoints from "./Endpoints.ts"
import * as Receiver from "./Receiver.ts"

const { add, deliver, happen, minute } = Endpoints
const types = ["user.*"] as const
const sequences = (taken: ReadonlyArray<Receiver.Received>) =>
  taken.map(({ sequence, subject }) => `${subject}/${sequence}`)

const as = <A, E, R>(
  world: World.World,
  use: (webhooks: Webhooks["Service"]) => Effect.Effect<A, E, R>
) => World.as(world, world.manager)(Webhooks.use(use))

/** Sends with several senders at a time, each as of a program of its own, until all is sent. */
const deliverBy = Effect.fnUntraced(function* (count: number) {
  const fanOut = yield* WebhookFanOut
  const senders = yield* Effect.replicateEffect(
    Effect.map(Layer.build(Layer.fresh(WebhookSender.layer)), (built) =>
      Context.get(built, WebhookSender)
    ),
    count
  )
  for (;;) {
    const { more } = yield* fanOut.round
    const sent = yield* Effect.forEach(
      senders,
      ({ round, settled }) => Effect.tap(round, settled),
      {
        concurrency: "unbounded"
      }
    )
    if (!more && !sent.includes(true)) return
    yield* pass(250)
  }
})

const TestLayer = Layer.provideMerge(Contracts.layerUseCases, Endpoints.layer)

layer(TestLayer, { excludeTestServices: true, timeout: 300_000 })("what is sent", (it) => {
  it.effect(
    "comes again, as it was and in order, from where its sender stored last before it was killed",
    () =>
      Effect.gen(function* () {
        const receiver = yield* Receiver.start
        const world = yield* World.make()
        yield* add(world, { url: receiver.url, types })
        yield* happen(world, "s", "s", "s")
        yield* WebhookFanOut.use(({ round }) => round)
        const { url } = yield* Database
        // Its claims end an hour later than those of this test, however slow the machine is.
        const ahead = (yield* Clock.currentTimeMillis) - Date.now() + 60 * minute
        const file = fileURLToPath(new URL("SenderProgram.ts", import.meta.url))
        const program = yield* Programs.start(file, [`${ahead}`], {
          DATABASE_URL: Redacted.value(url),
          ENVIRONMENT: "sandbox"
        })
        const isSecond = Promise.withResolvers<void>()
        receiver.behaviour = (received, response, number) => {
          if (received.sequence < 2) return Receiver.good(received, response, number)
          // It has the event; who sent it never hears so.
          isSecond.resolve()
          return true
        }
        yield* Effect.promise(() => isSecond.promise)
        // While a turn goes on, what has arrived of it is stored.
        const superuser = yield* PgTest.SuperuserSql
        const done = superuser<{ readonly doneSeq: number }>`
          SELECT done_seq FROM webhook_lane WHERE tenant_id = ${world.tenant}
        `
        while ((yield* done)[0]?.doneSeq !== 1);
        yield* program.end("SIGKILL")
        receiver.behaviour = Receiver.good
        yield* deliver
        // Its claim has not ended.
        assert.deepStrictEqual(sequences(receiver.received), ["s/1", "s/2"])
        yield* pass(62 * minute)
        yield* deliver
        assert.deepStrictEqual(sequences(receiver.received), ["s/1", "s/2", "s/2", "s/3"])
        assert.deepStrictEqual(sequences(receiver.taken), ["s/1", "s/2", "s/3"])
        assert.deepStrictEqual([receiver.faults, receiver.doubled], [[], 1])
      }).pipe(Effect.scoped, timed)
  )

  it.effect("of twenty commands at once on one policy comes in order from four senders", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.start
      const world = yield* World.make()
      const { policyId } = yield* Contracts.signed(world)
      const sequencer = yield* EventSequencer
      // What the sale has left gets its positions before the webhook is there.
      while ((yield* sequencer.round).more);
      yield* add(world, {
        url: receiver.url,
        types: ["policy.*"],
        concurrency: 32,
        perSecond: 1000
      })
      const run = World.as(world, world.manager)
      yield* Effect.all(
        [
          Effect.forEach(
            Array.from({ length: 20 }, (_, index) => `Name ${index}`),
            (name) => run(Policies.use((policies) => policies.update({ policyId }, { name }))),
            { concurrency: "unbounded", discard: true }
          ),
          // They are sent while others are still being recorded.
          Effect.andThen(sequencer.round, deliverBy(4)).pipe(Effect.repeat({ times: 3 }))
        ],
        { concurrency: "unbounded", discard: true }
      )
      while ((yield* sequencer.round).more);
      yield* deliverBy(4)
      const ofPolicy = receiver.taken.filter(({ subject }) => subject === policyId)
      assert.lengthOf(
        ofPolicy.filter(({ type }) => type === "policy.updated"),
        20
      )
      assert.deepStrictEqual([receiver.faults, receiver.doubled], [[], 0])
    }).pipe(Effect.scoped, timed)
  )

  it.effect(
    "is verified by receivers that know either secret, while secrets follow each other",
    () =>
      Effect.gen(function* () {
        const receiver = yield* Receiver.start
        const world = yield* World.make()
        const { id, secret: first } = yield* add(world, {
          url: receiver.url,
          types,
          perSecond: 1000
        })
        let known = first
        for (let turn = 0; turn < 5; turn++) {
          const busy = happen(world, ...Array.from({ length: 10 }, (_, index) => `s${index % 4}`))
          const [added] = yield* Effect.all(
            [
              as(world, (webhooks) => webhooks.addSecret(id, { overlap: 3600 })),
              Effect.andThen(busy, deliverBy(2))
            ],
            { concurrency: "unbounded" }
          )
          const next = Redacted.value(added.secret!)
          yield* happen(world, "s0")
          yield* deliverBy(2)
          const last = receiver.received.at(-1)!
          assert.isTrue(Receiver.isSignedBy(known, last))
          assert.isTrue(Receiver.isSignedBy(next, last))
          const ofTurn = receiver.received.slice(-11)
          assert.isTrue(ofTurn.every((one) => Receiver.isSignedBy(known, one)))
          known = next
          yield* pass(62 * minute)
        }
        assert.deepStrictEqual([receiver.faults, receiver.doubled], [[], 0])
      }).pipe(Effect.scoped, timed)
  )

  it.effect("fails where a receiver closes, and is taken where one answers without an end", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.start
      const world = yield* World.make()
      const { id } = yield* add(world, { url: receiver.url, types })
      let written = 0
      receiver.behaviour = (received, response) => {
        if (received.subject === "closes") response.socket!.destroy()
        else {
          response.writeHead(received.subject === "floods" ? 200 : 500)
          const chunk = Buffer.alloc(65_536, "x")
          const more = (): void => {
            while (!response.destroyed && written < 1_000_000_000) {
              written += chunk.length
              if (!response.write(chunk)) return void response.once("drain", more)
            }
          }
          more()
        }
        return received.subject === "floods"
      }
      yield* happen(world, "closes", "floods", "fails")
      yield* deliver
      const attempts = yield* PgTest.SuperuserSql.use(
        (sql) => sql<{ readonly subject: string; readonly outcome: string; readonly kept: number }>`
          SELECT DISTINCT replace(subject, 'client:', '') AS subject, outcome,
            octet_length(excerpt) AS kept
          FROM webhook_attempt WHERE webhook_id = ${id} ORDER BY subject
        `
      )
      assert.deepStrictEqual(
        attempts.map(({ outcome, subject }) => [subject, outcome]),
        [
          ["closes", "UNREACHABLE"],
          ["fails", "STATUS"],
          ["floods", "DELIVERED"]
        ]
      )
      assert.strictEqual(attempts[1]!.kept, 1024)
      // What sockets buffer goes beyond what is read; a gigabyte it is not.
      assert.isBelow(written, 100_000_000)
    }).pipe(Effect.scoped, timed)
  )

  it.effect("keeps its order while filters, and whether it is sent at all, change on the way", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.start
      const world = yield* World.make()
      const { id } = yield* add(world, { url: receiver.url, types, perSecond: 1000 })
      let refusals = 0
      receiver.behaviour = (received, response, number) =>
        (number % 5 === 0 && ++refusals < 8 ? Receiver.status(503) : Receiver.good)(
          received,
          response,
          number
        )
      const wanted = [["user.*"], ["user.created"], ["*"], ["user.updated", "policy.*"]] as const
      for (let turn = 0; turn < 8; turn++) {
        const to = wanted[turn % wanted.length]!
        yield* Effect.all(
          [
            happen(world, "a", "b", "a"),
            as(world, (webhooks) => webhooks.update(id, { types: to })),
            deliverBy(2)
          ],
          { concurrency: "unbounded", discard: true }
        )
        if (turn % 3 === 0) {
          yield* as(world, (webhooks) => webhooks.disable(id))
          yield* happen(world, "b")
          yield* deliverBy(2)
          yield* as(world, (webhooks) => webhooks.enable(id, { from: "WHERE_IT_STOPPED" }))
        }
        yield* pass(6 * minute)
      }
      yield* deliverBy(2)
      yield* pass(60 * minute)
      yield* deliverBy(2)
      assert.isAbove(receiver.taken.length, 10)
      assert.deepStrictEqual([receiver.faults, receiver.doubled], [[], 0])
    }).pipe(Effect.scoped, timed)
  )
})
