import { PublicApi } from "@quittance/contract/api/PublicApi"
import { TestClock } from "@quittance/operations/worker/TestClock"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const TestClocksHandlers = HttpApiBuilder.group(
  PublicApi,
  "testClocks",
  Effect.fn(function* (handlers) {
    const clock = yield* TestClock

    return handlers.handleAll({
      get: () => clock.read,
      move: ({ payload }) => clock.move(payload)
    })
  })
).pipe(Layer.provide(TestClock.layer))
