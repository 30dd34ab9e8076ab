/** Events on their way to receivers: in order, signed, again and again, and never for ever. */
import { assert, layer } from "@effect/vitest"
import { counter } from "@quittance/domain/telemetry/Series"
import { QueuesRepo } from "@quittance/persistence/worker/QueuesRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Clock, Effect, Metric } from "effect"
import { WebhookFanOut } from "../../src/webhooks/WebhookFanOut.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { traced } from "../Traces.ts"
import { pass, timed } from "../MovedClock.ts"
import * as World from "../World.ts"
import * as Endpoints from "./Endpoints.ts"
import * as Receiver from "./Receiver.ts"

const { add, day, deliver, happen, minute } = Endpoints

const all = ["user.*"] as const
const dead = (world: World.World) =>
  SuperuserSql.use(
    (sql) => sql<{ readonly seq: number; readonly subject: string }>`
      SELECT replace(subject, 'client:', '') AS subject, seq FROM webhook_dead WHERE tenant_id = ${world.tenant} ORDER BY subject, seq
    `
  )
const as = <A, E, R>(
  world: World.World,
  use: (webhooks: Webhooks["Service"]) => Effect.Effect<A, E, R>
) => World.as(world, world.manager)(Webhooks.use(use))
const sequences = (taken: ReadonlyArray<Receiver.Received>) =>
  taken.map(({ sequence, subject }) => `${subject}/${sequence}`)

layer(Endpoints.layer, { excludeTestServices: true, timeout: 300_000 })("events", (it) => {
  it.effect("arrive in order, signed, with what came before each in the stream", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.start
      const world = yield* World.make()
      const { secret } = yield* add(world, { url: receiver.url, types: all })
      receiver.secrets = [secret]
      yield* happen(world, "s1", "s2", "s1", "s1", "s2")
      yield* deliver
      assert.deepStrictEqual(receiver.faults, [])
      assert.sameMembers(sequences(receiver.taken), ["s1/1", "s2/1", "s1/2", "s1/3", "s2/2"])
      const [first] = receiver.taken
      assert.strictEqual(first?.headers["webhook-id"], first?.id)
      assert.strictEqual(first?.headers["user-agent"], "quittance")
      yield* happen(world, "s1")
      yield* deliver
      assert.strictEqual(receiver.taken.length, 6)
      assert.deepStrictEqual(receiver.faults, [])
    }).pipe(Effect.scoped, timed)
  )

  it.effect("refer to the trace that recorded them, and tell the receiver of their own", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.start
      const world = yield* World.make()
      yield* add(world, { url: receiver.url, types: all })
      const [recorded] = yield* traced(happen(world, "s1", "s1"))
      const spans = yield* traced(deliver)
      const lane = spans.find(({ name }) => name === "WebhookSender.sendLane")
      assert.deepStrictEqual(
        lane!.links.map(({ span }) => span.traceId),
        [recorded!.traceId]
      )
      const calls = spans.filter(({ kind, name }) => kind === "client" && name === "POST")
      assert.deepStrictEqual(
        receiver.taken.map(({ headers }) => headers["traceparent"]),
        calls.map(({ spanId, traceId }) => `00-${traceId}-${spanId}-01`)
      )
      assert.lengthOf(calls, 2)
    }).pipe(Effect.scoped, timed)
  )

  it.effect("are counted by what came of them, and by how long they have been due", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.start
      const world = yield* World.make()
      yield* add(world, { url: receiver.url, types: all })
      const delivered = counter("webhookTries", { outcome: "DELIVERED" })
      const { count } = yield* Metric.value(delivered)
      yield* happen(world, "s1", "s2")
      yield* WebhookFanOut.use(({ round }) => round)
      const superuser = yield* SuperuserSql
      yield* superuser`
        UPDATE webhook_lane SET due_at = now() - interval '1 hour' WHERE tenant_id = ${world.tenant}
      `
      const { oldestSeconds, waiting } = yield* QueuesRepo.use(({ webhooks }) => webhooks).pipe(
        Effect.provide(QueuesRepo.layer)
      )
      assert.strictEqual(waiting, 2)
      assert.approximately(oldestSeconds, 3600, 600)
      yield* deliver
      assert.strictEqual((yield* Metric.value(delivered)).count, count + 2)
    }).pipe(Effect.scoped, timed)
  )

  it.effect("that fail hold up their own record alone, and come again as the same bytes", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.start
      const world = yield* World.make()
      yield* add(world, { url: receiver.url, types: all })
      let failures = 2
      receiver.behaviour = (received, response, number) =>
        received.subject === "ill" && failures-- > 0
          ? Receiver.status(500)(received, response, number)
          : Receiver.good(received, response, number)
      yield* happen(world, "ill", "well", "ill", "well")
      yield* deliver
      assert.deepStrictEqual(sequences(receiver.taken), ["well/1", "well/2"])
      yield* pass(6000)
      yield* deliver
      assert.strictEqual(receiver.taken.length, 2)
      yield* pass(6 * minute)
      yield* deliver
      assert.deepStrictEqual(sequences(receiver.taken).slice(2), ["ill/1", "ill/2"])
      assert.deepStrictEqual([receiver.faults, receiver.doubled], [[], 0])
      const tries = receiver.received.filter(({ subject }) => subject === "ill")
      assert.strictEqual(new Set(tries.slice(0, 3).map(({ body }) => body)).size, 1)
      assert.strictEqual(
        new Set(tries.slice(0, 3).map(({ headers }) => headers["webhook-id"])).size,
        1
      )
    }).pipe(Effect.scoped, timed)
  )

  it.effect("are left after ten tries, and the next one names them", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.start
      const world = yield* World.make()
      yield* add(world, { url: receiver.url, types: all })
      receiver.behaviour = (received, response, number) =>
        (received.sequence === 1 ? Receiver.status(404) : Receiver.good)(received, response, number)
      yield* happen(world, "s", "s")
      for (let turn = 0; turn < 10; turn++) {
        yield* deliver
        yield* pass(27 * 60 * minute)
      }
      assert.strictEqual(receiver.received.filter(({ sequence }) => sequence === 1).length, 10)
      assert.deepStrictEqual(yield* dead(world), [{ subject: "s", seq: 1 }])
      const [next] = receiver.taken
      assert.deepInclude(next, { sequence: 2, previousSequence: 1 })
      assert.isNotEmpty(receiver.faults)
    }).pipe(Effect.scoped, timed)
  )

  it.effect("wait as long as the receiver asks, in seconds or until a date", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.start
      const world = yield* World.make()
      yield* add(world, { url: receiver.url, types: all })
      for (const subject of ["seconds", "date"]) {
        const until = new Date((yield* Clock.currentTimeMillis) + 60 * minute).toUTCString()
        const after = subject === "date" ? until : "3600"
        receiver.behaviour = Receiver.status(429, { "retry-after": after })
        yield* happen(world, subject)
        yield* deliver
        const asked = receiver.received.length
        receiver.behaviour = Receiver.good
        yield* pass(55 * minute)
        yield* deliver
        assert.strictEqual(receiver.received.length, asked)
        yield* pass(6 * minute)
        yield* deliver
        assert.strictEqual(receiver.received.length, asked + 1)
      }
    }).pipe(Effect.scoped, timed)
  )

  it.effect("go no more to an endpoint that is gone, or has failed for five days", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.start
      const world = yield* World.make()
      const gone = yield* add(world, { url: receiver.url, types: all })
      receiver.behaviour = Receiver.status(410)
      yield* happen(world, "s")
      yield* deliver
      const found = yield* as(world, (webhooks) => webhooks.get(gone.id))
      assert.deepInclude(found, { status: "DISABLED", disabledReason: "GONE" })
      yield* as(world, (webhooks) => webhooks.remove(gone.id))
      const failing = yield* add(world, { url: receiver.url, types: all })
      receiver.behaviour = Receiver.status(500)
      yield* happen(world, "a", "b", "c")
      for (let turn = 0; turn < 7; turn++) {
        yield* deliver
        yield* pass(day)
        yield* happen(world, "a")
      }
      const ended = yield* as(world, (webhooks) => webhooks.get(failing.id))
      assert.deepInclude(ended, { status: "DISABLED", disabledReason: "FAILING" })
      const asked = receiver.received.length
      receiver.behaviour = Receiver.good
      yield* deliver
      assert.strictEqual(receiver.received.length, asked)
      yield* as(world, (webhooks) => webhooks.enable(failing.id, { from: "WHERE_IT_STOPPED" }))
      yield* pass(2 * day)
      yield* deliver
      assert.isAbove(receiver.taken.length, 0)
    }).pipe(Effect.scoped, timed)
  )

  it.effect("that fail for a day lead to a letter, and to another when the endpoint ends", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.start
      const world = yield* World.make()
      const { id } = yield* add(world, { url: receiver.url, types: all })
      const letters = SuperuserSql.use(
        (sql) => sql<{ readonly kind: string; readonly email: string }>`
          SELECT l.kind, u.email FROM notice_letter l
          JOIN app_user u ON u.tenant_id = l.tenant_id AND u.id = l.user_id
          WHERE l.tenant_id = ${world.tenant} AND l.webhook_id = ${id} ORDER BY l.happened_at
        `
      )
      receiver.behaviour = Receiver.status(500)
      yield* happen(world, "a", "b", "c")
      yield* deliver
      yield* pass(day - minute)
      yield* deliver
      assert.deepStrictEqual(yield* letters, [])
      const email = "manager@example.test"
      for (const subject of ["d", "e"]) {
        yield* pass(2 * minute)
        yield* happen(world, subject)
        yield* deliver
        assert.deepStrictEqual(yield* letters, [{ kind: "WEBHOOK_FAILING", email }])
      }
      for (let turn = 0; turn < 5; turn++) {
        yield* pass(day)
        yield* happen(world, "d")
        yield* deliver
      }
      assert.deepStrictEqual(
        (yield* letters).map(({ kind }) => kind),
        ["WEBHOOK_FAILING", "WEBHOOK_DISABLED"]
      )
    }).pipe(Effect.scoped, timed)
  )

  it.effect("that wait for their next try are tried at once when their endpoint is enabled", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.start
      const world = yield* World.make()
      const { id } = yield* add(world, { url: receiver.url, types: all })
      receiver.behaviour = Receiver.status(500)
      yield* happen(world, "a", "b")
      yield* deliver
      assert.strictEqual(receiver.received.length, 2)
      receiver.behaviour = Receiver.good
      yield* as(world, (webhooks) => webhooks.disable(id))
      yield* as(world, (webhooks) => webhooks.enable(id, { from: "WHERE_IT_STOPPED" }))
      yield* deliver
      assert.sameMembers(sequences(receiver.taken), ["a/1", "b/1"])
    }).pipe(Effect.scoped, timed)
  )
})
