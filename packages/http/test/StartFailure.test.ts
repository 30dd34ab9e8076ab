import { assert, describe, it } from "@effect/vitest"
import { WrongSetting } from "@quittance/domain/values/Settings"
import { Cause, Config, ConfigProvider, Effect } from "effect"
import { listenFailure } from "../src/ListenFailure.ts"
import { sentence } from "../src/StartFailure.ts"

const place = { host: "127.0.0.1", port: 80, hostVariable: "HOST", portVariable: "PORT" }
const listening = (code: string, where = place) =>
  listenFailure(Object.assign(new Error(code), { code }), where)

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
    const metrics = { ...place, hostVariable: "MANAGEMENT_HOST", portVariable: "MANAGEMENT_PORT" }
    assert.include(sentence(Cause.fail(listening("EADDRINUSE", metrics))), "MANAGEMENT_PORT=81")
  })

  it("says what else keeps a server from listening", () => {
    assert.include(sentence(Cause.fail(listening("EACCES"))), "above 1023")
    for (const code of ["EADDRNOTAVAIL", "ENOTFOUND"]) {
      assert.include(
        sentence(Cause.fail(listening(code, { ...place, host: "256.1.1.1" }))),
        "The variable HOST is wrong: expected an address of this machine"
      )
    }
    assert.include(sentence(Cause.fail(listenFailure("odd", place))), "(odd): check HOST and PORT")
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

  it("gives the database's reason, and other failures in their own words", () => {
    const refused = { _tag: "SqlError", reason: { cause: new Error("connect ECONNREFUSED") } }
    assert.match(
      sentence(Cause.fail(refused)) ?? "",
      /^The database can't be used \(Error: connect ECONNREFUSED\): check DATABASE_URL/
    )
    const wrong = new WrongSetting({ variable: "DATA_DIR", takes: "a folder" })
    assert.strictEqual(
      sentence(Cause.fail(wrong)),
      "The variable DATA_DIR is missing or wrong: expected a folder."
    )
  })
})
