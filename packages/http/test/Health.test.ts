import { assert, describe, it } from "@effect/vitest"
import { NotReady } from "@quittance/domain/requests/RequestErrors"
import { Effect, Ref } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Health from "../src/Health.ts"
import * as HttpApp from "../src/HttpApp.ts"
import { TestClock } from "effect/testing"

const ask = (app: HttpApp.HttpApp, path: string) =>
  Effect.scoped(app).pipe(
    Effect.provideService(
      HttpServerRequest.HttpServerRequest,
      HttpServerRequest.fromWeb(new Request(`http://api.test${path}`))
    ),
    Effect.map((response) => HttpServerResponse.toWeb(response))
  )

const bodyOf = (response: Response) => Effect.promise(() => response.json() as Promise<object>)

describe("the health of an app", () => {
  it.effect("is not ready while what it depends on fails, dies or hangs, yet alive", () =>
    Effect.gen(function* () {
      for (const readiness of [
        Effect.fail("away"),
        Effect.die(new Error("away")),
        Effect.andThen(TestClock.adjust("3 seconds"), Effect.never)
      ]) {
        const app = yield* HttpApp.make(Health.routes(readiness))
        const ready = yield* ask(app, "/health/ready")
        assert.strictEqual(ready.status, 503)
        assert.deepInclude(yield* bodyOf(ready), { code: "NOT_READY", details: {} })
        assert.strictEqual((yield* ask(app, "/health/live")).status, 200)
      }
    })
  )

  it.effect("names the migrations that it waits for", () =>
    Effect.gen(function* () {
      const missingMigrations = ["0300_first", "0301_second"]
      const app = yield* HttpApp.make(
        Health.routes(Effect.fail(new NotReady({ missingMigrations })))
      )
      const ready = yield* ask(app, "/health/ready")
      assert.strictEqual(ready.status, 503)
      assert.deepInclude(yield* bodyOf(ready), {
        code: "NOT_READY",
        details: { missingMigrations }
      })
    })
  )

  it.effect("is asked for at most once a second", () =>
    Effect.gen(function* () {
      const asked = yield* Ref.make(0)
      const app = yield* HttpApp.make(Health.routes(Ref.update(asked, (count) => count + 1)))
      for (let probe = 0; probe < 10; probe++) yield* ask(app, "/health/ready")
      assert.strictEqual(yield* Ref.get(asked), 1)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* ask(app, "/health/ready")).status, 200)
      assert.strictEqual(yield* Ref.get(asked), 2)
    })
  )
})
