/** Who proves at which time bytes existed. */
import { Context, Data, type Effect } from "effect"

/**
 * There is no timestamp now; it may be asked for again. `UNAVAILABLE` the authority could not be reached or
 * answered by an error; `ANSWER` its answer is no token for what was asked.
 */
export class TimestampFailed extends Data.TaggedError("TimestampFailed")<{
  readonly reason: "UNAVAILABLE" | "ANSWER"
  readonly detail: string
}> {}

/** The port: an authority on the network, or that of a sandbox. */
export class TimestampAuthority extends Context.Service<
  TimestampAuthority,
  {
    /** A token of RFC 3161, in DER, for a SHA-256. */
    stamp(imprint: Uint8Array): Effect.Effect<Uint8Array, TimestampFailed>
  }
>()("@quittance/signatures/TimestampAuthority") {}
