import { assert, describe, it } from "@effect/vitest"
import { EmbeddedError } from "@quittance/persistence/embedded/EmbeddedError"
import { Cause, Config, ConfigProvider, Effect } from "effect"
import { HttpServerError } from "effect/http"
import { sentence } from "../src/StartFailure.ts"

const listening = (code: string) =>
  new HttpServerError.ServeError({
    cause: Object.assign(new Error(code), { code, address: "127.0.0.1", port: 80 })
  })

describe("why a start fails", () => {
  it("leaves a defect to the log, which has its trace", () => {
    assert.isUndefined(sentence(Cause.die(new Error("ours"))))
    assert.isUndefined(sentence(Cause.interrupt()))
  })

  it("names the port that is in use, and another one", () => {
    assert.strictEqual(
      sentence(Cause.fail(listening("EADDRINUSE"))),
      "Port 80 of 127.0.0.1 is in use: stop what listens there, or choose another with PORT=81."
    )
  })

  it("says what else keeps a server from listening", () => {
    assert.include(sentence(Cause.fail(listening("EACCES"))), "above 1023")
    assert.include(sentence(Cause.fail(listening("EADDRNOTAVAIL"))), "HOST")
    assert.include(
      sentence(Cause.fail(new HttpServerError.ServeError({ cause: "odd" }))),
      "can't listen: odd"
    )
  })

  it.effect("names the variable that is wrong, and what would be right", () =>
    Effect.gen(function* () {
      const surroundings = ConfigProvider.layer(ConfigProvider.fromUnknown({ PORT: "http" }))
      const error = yield* Effect.flip(Effect.provide(Config.Port("PORT"), surroundings))
      assert.match(
        sentence(Cause.fail(error)) ?? "",
        /^The variable PORT is missing or wrong: expected .*\.$/
      )
    })
  )

  it("gives other failures in their own words", () => {
    const error = new EmbeddedError({ problem: "Another process uses the database." })
    assert.strictEqual(sentence(Cause.fail(error)), "Another process uses the database.")
  })
})
