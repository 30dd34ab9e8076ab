/** One process that renders, as its parent sees it: it may end at any time, and is then replaced. */
import { type ChildProcess, fork } from "node:child_process"
import { Duration, Effect, Schema } from "effect"
import { outgrown } from "./ProcessMemory.ts"
import { RendererLimits } from "./RendererLimits.ts"
import { ready, type RenderReply, type RenderTask } from "./RenderTask.ts"

/** The process ended before it answered, or was ended: it took too long, or too much memory (`CRASHED`). */
export class ChildLost extends Schema.TaggedError<ChildLost>()("ChildLost", {
  how: Schema.Literals(["CRASHED", "TIMEOUT"])
}) {}

/** The process did not come up. */
export class ChildNotStarted extends Schema.TaggedError<ChildNotStarted>()("ChildNotStarted", {}) {}

export interface RendererChild {
  readonly pid: number
  /** Whether it has ended, so that it can't be asked. */
  readonly isGone: () => boolean
  readonly ask: (task: RenderTask) => Effect.Effect<RenderReply, ChildLost>
}

/** How long a process may take to come up, on a machine with much else to do. */
const startLimit = Duration.seconds(30)

/** The same file as a source and as it is published. */
const program = new URL(
  import.meta.url.endsWith(".ts") ? "./RenderProcess.ts" : "./RenderProcess.js",
  import.meta.url
)

/** Starts a process that ends with its scope. It gets no environment: none of it is its business. */
export const start = Effect.gen(function* () {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      fork(program, [], {
        env: {},
        execArgv: [],
        serialization: "advanced",
        stdio: ["ignore", "ignore", "ignore", "ipc"]
      })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  yield* answerOf(child).pipe(
    Effect.timeoutOrElse({
      duration: startLimit,
      orElse: () => Effect.fail(new ChildLost({ how: "TIMEOUT" }))
    }),
    Effect.filterOrFail(
      (message) => message === ready,
      () => new ChildNotStarted()
    ),
    Effect.mapError(() => new ChildNotStarted())
  )
  idle(child)
  return {
    pid: child.pid!,
    isGone: () => !child.connected,
    ask: (task) => ask(child, task)
  } satisfies RendererChild
})

const ask = Effect.fn("RendererChild.ask")(function* (child: ChildProcess, task: RenderTask) {
  const { memoryOfOne, time } = yield* RendererLimits
  const grownTooLarge = Effect.andThen(
    outgrown(child.pid!, memoryOfOne),
    Effect.fail(new ChildLost({ how: "CRASHED" }))
  )
  const message = yield* answerOf(child, task).pipe(
    Effect.raceFirst(grownTooLarge),
    Effect.timeoutOrElse({
      duration: Duration.millis(time),
      orElse: () => Effect.fail(new ChildLost({ how: "TIMEOUT" }))
    }),
    Effect.ensuring(Effect.sync(() => idle(child)))
  )
  // It answers with nothing else once it has said that it is ready.
  return message as RenderReply
})

/** The next message of a process, to what it is sent where it is sent something. */
const answerOf = (child: ChildProcess, task?: RenderTask): Effect.Effect<unknown, ChildLost> =>
  Effect.callback((resume) => {
    const done = (effect: Effect.Effect<unknown, ChildLost>) => {
      forget()
      resume(effect)
    }
    const lost = () => done(Effect.fail(new ChildLost({ how: "CRASHED" })))
    const answered = (message: unknown) => done(Effect.succeed(message))
    const forget = () => child.off("message", answered).off("exit", lost).off("error", lost)
    child.once("message", answered).once("exit", lost).once("error", lost)
    if (task !== undefined) {
      child.ref()
      child.channel?.ref()
      if (child.connected) child.send(task, (error) => error !== null && lost())
      else lost()
    }
    return Effect.sync(forget)
  })

/** A process that has nothing to do keeps no program running. */
const idle = (child: ChildProcess) => {
  child.unref()
  child.channel?.unref()
}
