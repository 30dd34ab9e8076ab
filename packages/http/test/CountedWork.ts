/** How much a call does, counted by the engine itself: the same on a fast and on a busy machine. */
import { Effect, type Scope } from "effect"
import { type Profiler, Session } from "node:inspector"

/** Answers how often functions were called since it was asked before, natively written ones apart. */
export const counter: Effect.Effect<() => number, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const session = new Session()
      session.connect()
      session.post("Profiler.enable")
      session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
      return session
    }),
    (session) => Effect.sync(() => session.disconnect())
  ),
  (session) => () => {
    let scripts: ReadonlyArray<Profiler.ScriptCoverage> = []
    // A session within the process answers before it returns.
    session.post("Profiler.takePreciseCoverage", (error, answer) => {
      if (error !== null) throw error
      scripts = answer.result
    })
    return scripts
      .flatMap(({ functions }) => functions)
      .flatMap(({ ranges }) => ranges)
      .reduce((sum, { count }) => sum + count, 0)
  }
)
