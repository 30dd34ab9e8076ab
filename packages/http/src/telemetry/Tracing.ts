/** The tracer: Effect's, with samplers by the standard and names for statements. */
import { Option, Tracer } from "effect"
import { isSampled, type Sampler } from "./Sampler.ts"

type Options = Parameters<Tracer.Tracer["span"]>[0]

/** What Effect calls the spans of a statement, and of the transaction around some. */
const statementNames = new Set(["postgresql", "sql.execute", "sql.transaction"])

/** The function that a statement stands in: the nearest span above it that is no statement's. */
const caller = (span: Tracer.AnySpan | undefined): string | undefined => {
  if (span?._tag !== "Span") return undefined
  return statementNames.has(span.name) || span.attributes.has(summary)
    ? caller(Option.getOrUndefined(span.parent))
    : span.name
}

const summary = "db.query.summary"

/** What a span is called in place of the name that Effect gives it. */
const nameOf = ({ name, parent }: Options): string =>
  statementNames.has(name) ? (caller(Option.getOrUndefined(parent)) ?? name) : name

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
      const name = nameOf(options)
      const span = inner.span({ ...options, name })
      if (isFirst(options)) {
        const changeable: Changeable = span
        changeable.sampled = isSampled(sampler, span.traceId, parentSampled(options))
      }
      if (statementNames.has(options.name)) span.attribute(summary, name)
      return span
    }
  })

/** Gives a span the name that it turned out to have. */
export const rename = (span: Tracer.Span, name: string): void => {
  const changeable: Changeable = span
  changeable.name = name
}
