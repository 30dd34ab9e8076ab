/** Which traces are recorded: the samplers of OpenTelemetry, by their names in `OTEL_TRACES_SAMPLER`. */

export const samplerNames = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const
export type SamplerName = (typeof samplerNames)[number]

export interface Sampler {
  readonly name: SamplerName
  /** The part of the traces that a sampler by ratio records, 0 to 1. */
  readonly ratio: number
}

const space = 2 ** 52

/**
 * Whether a trace is recorded, by its id alone: every service that samples by the same ratio decides the
 * same. The last 13 digits are as random as the standard asks for, and a number holds them exactly.
 */
const isWithin = (traceId: string, ratio: number): boolean =>
  Number.parseInt(traceId.slice(-13), 16) < ratio * space

/**
 * Whether a span without a parent in this process is recorded; `parent` is what its caller does, if there
 * is one that said so.
 */
export const isSampled = (
  { name, ratio }: Sampler,
  traceId: string,
  parent: boolean | undefined
): boolean => {
  if (name.startsWith("parentbased_") && parent !== undefined) return parent
  if (name.endsWith("always_on")) return true
  return name.endsWith("traceidratio") && isWithin(traceId, ratio)
}
