import { Effect, Schema } from "effect"

/** The embedded PostgreSQL can't be had; the message says what to do about it. */
export class EmbeddedError extends Schema.TaggedError<EmbeddedError>()("EmbeddedError", {
  problem: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  override get message() {
    return this.problem
  }
}

/** Runs a promise of the file system or of a process; `problem` says what was being done. */
export const attempt = <A>(
  problem: string,
  run: () => Promise<A>
): Effect.Effect<A, EmbeddedError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => new EmbeddedError({ problem: `${problem}: ${reason(cause)}`, cause })
  })

const reason = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
