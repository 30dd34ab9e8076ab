import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { existsSync } from "node:fs"
import * as path from "node:path"
import { listens, start } from "../src/Programs.ts"

const passingServer = path.join(import.meta.dirname, "PassingServerProgram.ts")

describe("the server of the tests", () => {
  it.live.each(["SIGKILL", "SIGTERM"] as const)(
    "goes with its process and takes its data along, also on %s",
    (signal) =>
      Effect.gen(function* () {
        const program = yield* start(passingServer, [], {})
        const { folder: data, port } = yield* program.next
        assert.isTrue(yield* listens(Number(port)))

        yield* program.end(signal)

        // The guard works on its own from here.
        const left = Effect.map(
          listens(Number(port)),
          (listening) => listening || existsSync(String(data))
        )
        yield* Effect.repeat(left, { while: (is) => is, schedule: Schedule.spaced("20 millis") })
        assert.isFalse(yield* left)
      })
  )
})
