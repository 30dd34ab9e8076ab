/** The tracer: Effect's, with samplers by the standard and names for statements. */
import { Option, Tracer } from "effect"
import { methods } from "./RequestMetrics.ts"
import { isSampled, type Sampler } from "./Sampler.ts"

type Options = Parameters<Tracer.Tracer["span"]>[0]

/**
 * Whether a span is a statement's: Effect calls those by the database, and nothing else than a statement and
 * a call, which has the name of its method, is a client's.
 */
const isStatement = ({ kind, name }: Pick<Tracer.Span, "kind" | "name">) =>
  kind === "client" && !methods.has(name)

/** What Effect calls the span around the statements of a transaction. */
const transaction = "sql.transaction"

/** The function that a statement stands in: the nearest span above it that is nothing of the database. */
const caller = (span: Tracer.AnySpan | undefined): string | undefined => {
  if (span?._tag !== "Span") return undefined
  return span.name === transaction || isStatement(span)
    ? caller(Option.getOrUndefined(span.parent))
    : span.name
}

/** What a statement is called in place of the database. */
const nameOf = ({ parent }: Options): string => caller(Option.getOrUndefined(parent)) ?? "statement"

/** Whether a span is the first of its trace in this process: then it is sampled or not. */
const isFirst = ({ parent }: Options) =>
  Option.isNone(parent) || parent.value._tag === "ExternalSpan"

const parentSampled = ({ parent }: Options): boolean | undefined =>
  Option.isSome(parent) ? parent.value.sampled : undefined

/** Effect's spans have members that only they change; the name and the decision are ours. */
interface Changeable {
  name: string
  sampled: boolean
}

/** Samples what another tracer records, and names statements by where they stand. */
export const make = (inner: Tracer.Tracer, sampler: Sampler): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const name = isStatement(options) ? nameOf(options) : options.name
      const span = inner.span({ ...options, name })
      if (isFirst(options)) {
        const changeable: Changeable = span
        changeable.sampled = isSampled(sampler, span.traceId, parentSampled(options))
      }
      if (isStatement(options)) span.attribute("db.query.summary", name)
      return span
    }
  })

/** Gives a span the name that it turned out to have. */
export const rename = (span: Tracer.Span, name: string): void => {
  const changeable: Changeable = span
  changeable.name = name
}
