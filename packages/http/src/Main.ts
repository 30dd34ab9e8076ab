// The modules one by one: the index also loads the Redis client, which is not installed.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, Exit, Layer, type Runtime } from "effect"
import * as JsonLog from "./JsonLog.ts"

/** Milliseconds after a signal to stop; longer than requests under way are waited for. */
const watchdogAfter = 20_000

/** A process that was told to stop, and did, has not failed. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  onExit(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)

/**
 * Runs an app as the process: logs as JSON lines, stops at SIGTERM and SIGINT, and ends even if
 * something hangs while it stops.
 */
export const run = <A, E>(app: Layer.Layer<A, E>): void => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => setTimeout(() => process.exit(1), watchdogAfter).unref())
  }
  Layer.launch(app).pipe(Effect.provide(JsonLog.layer), NodeRuntime.runMain({ teardown }))
}
