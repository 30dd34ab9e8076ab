/** What the owner of an endpoint is told of how its deliveries stand. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { WebhookFanOut } from "../../src/webhooks/WebhookFanOut.ts"
import { WebhookLog } from "../../src/webhooks/WebhookLog.ts"
import { pass, timed } from "../MovedClock.ts"
import * as World from "../World.ts"
import * as Endpoints from "./Endpoints.ts"
import * as Receiver from "./Receiver.ts"

const { add, day, deliver, happen, minute } = Endpoints

const none = { DELIVERED: 0, STATUS: 0, TIMEOUT: 0, UNREACHABLE: 0, TLS: 0, ADDRESS: 0 }

const TestLayer = Layer.provideMerge(WebhookLog.layer, Endpoints.layer)

layer(TestLayer, { excludeTestServices: true })("deliveries of a webhook", (it) => {
  it.effect("stand as its lanes, its dead events and its attempts do", () =>
    Effect.gen(function* () {
      const receiver = yield* Receiver.start
      const world = yield* World.make()
      const { id } = yield* add(world, { url: receiver.url, types: ["user.*"] })
      const standing = World.as(world, world.manager)(WebhookLog.use((log) => log.deliveries(id)))
      const idle = {
        status: "ENABLED",
        behind: 0,
        waiting: 0,
        underWay: 0,
        dead: 0,
        lastHour: none
      } as const

      yield* happen(world, "ill", "ill", "well")
      // Its own creation is an event, too.
      assert.strictEqual((yield* standing).behind, 4)
      yield* WebhookFanOut.use(({ round }) => round)
      const woken = yield* standing
      assert.deepInclude(woken, { ...idle, waiting: 2 })
      assert.isDefined(woken.oldestDueAt)
      assert.isUndefined(woken.last)

      receiver.behaviour = (received, response, number) =>
        (received.subject === "ill" ? Receiver.status(503) : Receiver.good)(
          received,
          response,
          number
        )
      yield* deliver
      const failing = yield* standing
      const lastHour = { ...none, DELIVERED: 1, STATUS: 1 }
      assert.deepInclude(failing, { ...idle, waiting: 1, lastHour })

      // Ten tries of the first event; nothing else is sent in the last turn.
      for (let turn = 0; turn < 9; turn++) {
        yield* pass(27 * 60 * minute)
        if (turn < 8) yield* happen(world, "well")
        yield* deliver
      }
      const left = yield* standing
      assert.deepInclude(left, { dead: 1, waiting: 1 })
      assert.deepInclude(left.last, { outcome: "STATUS", status: 503 })
      assert.isDefined(left.failingSince)
      yield* pass(day)
      assert.deepStrictEqual((yield* standing).lastHour, none)
    }).pipe(Effect.scoped, timed)
  )

  it.effect("are told to its own tenant alone", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* World.make(), yield* World.make()]
      const { id } = yield* add(own, { url: "http://127.0.0.1:1024/", types: ["*"] })
      const found = yield* World.as(
        other,
        other.manager
      )(WebhookLog.use((log) => log.deliveries(id))).pipe(Effect.flip)
      assert.strictEqual(found._tag, "WebhookNotFound")
    }).pipe(Effect.scoped, timed)
  )
})
