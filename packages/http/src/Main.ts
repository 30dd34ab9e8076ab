// The modules one by one: the index also loads the Redis client, which is not installed.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { runningEnvironment } from "@quittance/domain/tenants/RunningEnvironment"
import { Cause, Console, Effect, Exit, type Layer, Runtime, Schema } from "effect"
import * as Draining from "./Draining.ts"
import * as JsonLog from "./JsonLog.ts"
import * as Otlp from "./telemetry/Otlp.ts"
import * as StartFailure from "./StartFailure.ts"

const help = `Starts the program, which serves until SIGTERM or SIGINT (Ctrl+C).
It takes no arguments: environment variables such as PORT, DATABASE_URL and ENVIRONMENT say how it runs.
All of them are in docs/operations.md.
`

/** Milliseconds after a signal to stop and the draining; longer than requests under way are waited for. */
const watchdogAfter = 20_000

/** A process that was told to stop, and did, has not failed. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)

/** What went wrong is on the screen already. */
class NotStarted extends Schema.TaggedError<NotStarted>()("NotStarted", {}) {
  override readonly [Runtime.errorReported] = false
}

/** Tells what is expected to go wrong in one sentence; a defect keeps its trace. */
const told = (cause: Cause.Cause<unknown>) =>
  Effect.gen(function* () {
    const sentence = StartFailure.sentence(cause)
    if (sentence === undefined) return yield* Effect.failCause(cause)
    yield* Console.error(`\n  ${sentence}\n`)
    return yield* new NotStarted()
  })

/**
 * Runs an app as the process, and what it does by itself, if anything: logs as JSON lines, stops at
 * SIGTERM and SIGINT, and ends even if something hangs while it stops. Why it does not start it says in one sentence on the standard
 * error. With `--help` it says what it is, and nothing starts. `program` is what telemetry calls it.
 */
export const run =
  (program: string) =>
  <A, E, E2 = never>(
    app: Layer.Layer<A, E>,
    work: Effect.Effect<unknown, E2, A> = Effect.never
  ): void => {
    if (process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) {
      process.stdout.write(help)
      return
    }
    // What is wrong with it is said where the server is built.
    const draining = Effect.runSync(Effect.orElseSucceed(Draining.time, () => 0))
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.once(signal, () =>
        setTimeout(() => process.exit(1), draining + watchdogAfter).unref()
      )
    }
    // Nothing is waited for, such as a database, before it is known for whom.
    Effect.andThen(runningEnvironment, Effect.provide(work, app)).pipe(
      Effect.provide(Otlp.layer(program)),
      Effect.catchCause(told),
      Effect.provide(JsonLog.layer),
      NodeRuntime.runMain({ teardown })
    )
  }
