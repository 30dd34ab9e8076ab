/** The header `traceparent`: which trace a request belongs to (W3C Trace Context). */

export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  /** Whether the caller records the trace. */
  readonly sampled: boolean
}

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/u

/** Longer headers carry nothing that the service reads. */
const longest = 512

const isNothing = (id: string) => /^0+$/u.test(id)

/**
 * Reads the values that the header was sent with. Whatever isn't exactly one valid value is as if there
 * were none: the request is served, in a trace of its own. Later versions are read as this one is.
 */
export const read = (values: ReadonlyArray<string>): TraceParent | undefined => {
  const [value] = values
  if (value === undefined || values.length > 1 || value.length > longest) return undefined
  const [, version, traceId = "", spanId = "", flags = "", further] = form.exec(value) ?? []
  if (version === undefined || version === "ff") return undefined
  if (version === "00" && further !== undefined) return undefined
  if (isNothing(traceId) || isNothing(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** The header of a span, for who is called or comes later. */
export const write = ({ sampled, spanId, traceId }: TraceParent): string =>
  `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`
