/** The trace that is under way, for what leaves it: calls to others, and what a later trace will refer to. */
import { Context, Effect, Option, Tracer } from "effect"
import * as TraceParent from "./TraceParent.ts"

/** Whether traces are recorded, and whether others are told of them (`traceparent`) and tell us of theirs. */
export const Tracing = Context.Reference<{ readonly propagates: boolean } | undefined>(
  "@quittance/domain/telemetry/Tracing",
  { defaultValue: () => undefined }
)

/** The place under way in a trace that is recorded, as `traceparent` writes it; else `undefined`. */
export const recorded: Effect.Effect<string | undefined> = Effect.flatMap(Tracing, (tracing) =>
  tracing === undefined
    ? Effect.undefined
    : Effect.map(Effect.serviceOption(Tracer.ParentSpan), (span) =>
        Option.isSome(span) && span.value.sampled ? TraceParent.write(span.value) : undefined
      )
)

/** As many links as a span should have at the most, by the standard. */
const mostLinks = 128

/** Has the span under way refer to the places that `recorded` told before, each trace once. */
export const linkTo = (places: ReadonlyArray<string | null | undefined>): Effect.Effect<void> =>
  Effect.flatMap(Tracing, (tracing) => {
    if (tracing === undefined) return Effect.void
    const byTrace = new Map<string, Tracer.ExternalSpan>()
    for (const place of places) {
      const read = TraceParent.read(place == null ? [] : [place])
      if (read === undefined || byTrace.has(read.traceId)) continue
      byTrace.set(read.traceId, Tracer.externalSpan(read))
      if (byTrace.size === mostLinks) break
    }
    return Effect.map(Effect.option(Effect.currentSpan), (span) => {
      if (Option.isSome(span) && span.value.sampled) {
        span.value.addLinks([...byTrace.values()].map((to) => ({ span: to, attributes: {} })))
      }
    })
  })
