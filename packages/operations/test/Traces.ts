/** Traces that a test can look at. */
import { Tracing } from "@quittance/domain/telemetry/CurrentTrace"
import { Effect, Tracer } from "effect"

/** Runs an effect in a trace of its own that is recorded, or not, and says which spans it had. */
export const traced = Effect.fnUntraced(function* <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  sampled = true
) {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  yield* effect.pipe(
    Effect.withSpan("a trace", { root: true, sampled }),
    Effect.provideService(Tracing, { propagates: true }),
    Effect.provideService(Tracer.Tracer, tracer)
  )
  return spans
})
