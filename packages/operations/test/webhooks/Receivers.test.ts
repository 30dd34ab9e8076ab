/** Receivers that are away, slow or hostile, other tenants, and secrets that follow each other. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Redacted } from "effect"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { pass, timed } from "../MovedClock.ts"
import * as World from "../World.ts"
import * as Endpoints from "./Endpoints.ts"
import * as Receiver from "./Receiver.ts"

const { add, deliver, happen, minute } = Endpoints
const types = ["user.*"] as const

const outcomes = (world: World.World) =>
  SuperuserSql.use(
    (sql) => sql<{ readonly outcome: string; readonly status: number | null }>`
      SELECT outcome, status FROM webhook_attempt WHERE tenant_id = ${world.tenant} ORDER BY number
    `
  )

layer(Endpoints.layer, { excludeTestServices: true })("a receiver", (it) => {
  it.effect("that is away gets its events once it is there", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const gone = yield* Effect.scoped(Receiver.start)
      const { id } = yield* add(world, { url: gone.url, types })
      yield* happen(world, "s", "s")
      yield* deliver
      assert.deepStrictEqual(yield* outcomes(world), [{ outcome: "UNREACHABLE", status: null }])
      const receiver = yield* Receiver.start
      yield* World.as(
        world,
        world.manager
      )(Webhooks.use((webhooks) => webhooks.update(id, { url: receiver.url })))
      yield* pass(minute)
      yield* deliver
      assert.deepStrictEqual([receiver.taken.length, receiver.faults], [2, []])
    }).pipe(Effect.scoped, timed)
  )

  it.effect("that sends us elsewhere is not followed", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const [receiver, inner] = [yield* Receiver.start, yield* Receiver.start]
      receiver.behaviour = Receiver.status(307, { location: inner.url })
      yield* add(world, { url: receiver.url, types })
      yield* happen(world, "s")
      yield* deliver
      assert.deepStrictEqual(yield* outcomes(world), [{ outcome: "STATUS", status: 307 }])
      assert.strictEqual(inner.received.length, 0)
    }).pipe(Effect.scoped, timed)
  )

  it.effect("gets a signature under each secret that has not ended", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const receiver = yield* Receiver.start
      const { id, secret: former } = yield* add(world, { url: receiver.url, types })
      const added = yield* World.as(
        world,
        world.manager
      )(Webhooks.use((webhooks) => webhooks.addSecret(id, { overlap: 60 })))
      const next = Redacted.value(added.secret!)
      yield* happen(world, "s")
      yield* deliver
      yield* pass(2 * minute)
      yield* happen(world, "s")
      yield* deliver
      const [both, last] = receiver.received
      assert.deepStrictEqual(
        [Receiver.isSignedBy(former, both!), Receiver.isSignedBy(next, both!)],
        [true, true]
      )
      assert.deepStrictEqual(
        [Receiver.isSignedBy(former, last!), Receiver.isSignedBy(next, last!)],
        [false, true]
      )
    }).pipe(Effect.scoped, timed)
  )

  it.effect("hears nothing of another tenant's", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* World.make(), yield* World.make()]
      const receiver = yield* Receiver.start
      const { id } = yield* add(own, { url: receiver.url, types })
      yield* happen(other, "theirs")
      yield* happen(own, "ours")
      yield* deliver
      assert.deepStrictEqual(
        receiver.taken.map(({ subject }) => subject),
        ["ours"]
      )
      const found = yield* World.as(
        other,
        other.manager
      )(Webhooks.use((webhooks) => webhooks.get(id))).pipe(Effect.flip)
      assert.strictEqual(found._tag, "WebhookNotFound")
    }).pipe(Effect.scoped, timed)
  )
})
