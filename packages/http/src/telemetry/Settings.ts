/**
 * What is exported, from the environment variables of OpenTelemetry. Nothing is unless an endpoint is
 * named.
 */
import { WrongSetting } from "@quittance/domain/values/Settings"
import { Config, Effect, Option } from "effect"
import { type Sampler, samplerNames } from "./Sampler.ts"

/** Where one kind of telemetry goes. */
export interface Target {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds that the collector has for one batch. */
  readonly timeout: number
  readonly compression: "gzip" | "none"
  readonly protocol: "http/json" | "http/protobuf"
}

const signals = ["TRACES", "METRICS", "LOGS"] as const
type Signal = (typeof signals)[number]

/** A variable; an empty one is as if it weren't set, as the standard has it. */
const variable = (name: string) =>
  Effect.map(
    Effect.orElseSucceed(Config.option(Config.String(name)), () => Option.none<string>()),
    (value) => Option.getOrUndefined(Option.filter(value, (text) => text.trim() !== ""))?.trim()
  )

/** The first of the variables that is set, and its name. */
const firstOf = Effect.fnUntraced(function* (...names: ReadonlyArray<string>) {
  for (const name of names) {
    const value = yield* variable(name)
    if (value !== undefined) return { name, value }
  }
  return undefined
})

const refuse = (name: string, takes: string) => new WrongSetting({ variable: name, takes })

const choice = Effect.fnUntraced(function* <Value extends string>(
  values: readonly [Value, ...ReadonlyArray<Value>],
  ...names: ReadonlyArray<string>
) {
  const found = yield* firstOf(...names)
  if (found === undefined) return values[0]
  const known = values.find((value) => value === found.value)
  return known ?? (yield* refuse(found.name, values.join(" or ")))
})

const whole = Effect.fnUntraced(function* (otherwise: number, ...names: ReadonlyArray<string>) {
  const found = yield* firstOf(...names)
  if (found === undefined) return otherwise
  if (!/^\d{1,9}$/u.test(found.value) || Number(found.value) === 0) {
    return yield* refuse(found.name, "a whole number above 0")
  }
  return Number(found.value)
})

/** `a=1,b=2`, with values as in a URL; `undefined` where a part is no pair. */
const pairs = (text: string): Readonly<Record<string, string>> | undefined => {
  const found = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => /^([^=\s]+)\s*=\s*(.*)$/u.exec(part))
  if (found.includes(null)) return undefined
  try {
    return Object.fromEntries(
      found.map((pair) => [decodeURIComponent(pair![1]!), decodeURIComponent(pair![2]!)])
    )
  } catch {
    return undefined
  }
}

const pairsOf = Effect.fnUntraced(function* (...names: ReadonlyArray<string>) {
  const found = yield* firstOf(...names)
  if (found === undefined) return {}
  return pairs(found.value) ?? (yield* refuse(found.name, "pairs such as a=1,b=2"))
})

const isAddress = (text: string) => URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol)

const urlOf = Effect.fnUntraced(function* (signal: Signal) {
  const own = yield* firstOf(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`)
  const found = own ?? (yield* firstOf("OTEL_EXPORTER_OTLP_ENDPOINT"))
  if (found === undefined) return undefined
  if (!isAddress(found.value)) {
    return yield* refuse(found.name, "an address such as http://localhost:4318")
  }
  // The endpoint of one kind is used as it is; the path of the kind is added to that of all.
  return own === undefined
    ? `${found.value.replace(/\/+$/u, "")}/v1/${signal.toLowerCase()}`
    : found.value
})

const targetOf = Effect.fnUntraced(function* (signal: Signal) {
  const url = yield* urlOf(signal)
  const exporter = yield* choice(["otlp", "none"], `OTEL_${signal}_EXPORTER`)
  if (url === undefined || exporter === "none") return undefined
  const own = (what: string) => [
    `OTEL_EXPORTER_OTLP_${signal}_${what}`,
    `OTEL_EXPORTER_OTLP_${what}`
  ]
  const target: Target = {
    url,
    headers: yield* pairsOf(...own("HEADERS")),
    timeout: yield* whole(10_000, ...own("TIMEOUT")),
    compression: yield* choice(["none", "gzip"], ...own("COMPRESSION")),
    protocol: yield* choice(["http/protobuf", "http/json"], ...own("PROTOCOL"))
  }
  return target
})

const sampler = Effect.gen(function* () {
  const found = yield* firstOf("OTEL_TRACES_SAMPLER")
  const name = samplerNames.find((name) => name === (found?.value ?? "parentbased_always_on"))
  if (name === undefined) return yield* refuse("OTEL_TRACES_SAMPLER", samplerNames.join(", "))
  const text = (yield* variable("OTEL_TRACES_SAMPLER_ARG")) ?? "1"
  if (!/^(?:0|1|[01]?\.\d+)$/u.test(text) || Number(text) > 1) {
    return yield* refuse("OTEL_TRACES_SAMPLER_ARG", "a part from 0 to 1, such as 0.1")
  }
  const sampler: Sampler = { name, ratio: Number(text) }
  return sampler
})

const isDisabled = Effect.map(
  variable("OTEL_SDK_DISABLED"),
  (text) => text?.toLowerCase() === "true"
)

/** All settings; `undefined` where nothing is exported. */
export const settings = Effect.fnUntraced(function* (program: string) {
  if (yield* isDisabled) return undefined
  const traces = yield* targetOf("TRACES")
  const metrics = yield* targetOf("METRICS")
  const logs = yield* targetOf("LOGS")
  if (traces === undefined && metrics === undefined && logs === undefined) return undefined
  const attributes = yield* pairsOf("OTEL_RESOURCE_ATTRIBUTES")
  const named = (yield* variable("OTEL_SERVICE_NAME")) ?? attributes["service.name"]
  const propagators = (yield* variable("OTEL_PROPAGATORS")) ?? "tracecontext"
  return {
    traces,
    metrics,
    logs,
    sampler: yield* sampler,
    /** Whether `traceparent` is read and sent on. */
    propagates: propagators.split(",").some((name) => name.trim() === "tracecontext"),
    resource: { serviceName: named ?? `quittance-${program}`, attributes },
    spansOfBatch: yield* whole(512, "OTEL_BSP_MAX_EXPORT_BATCH_SIZE"),
    spansEvery: yield* whole(5000, "OTEL_BSP_SCHEDULE_DELAY"),
    recordsOfBatch: yield* whole(512, "OTEL_BLRP_MAX_EXPORT_BATCH_SIZE"),
    recordsEvery: yield* whole(1000, "OTEL_BLRP_SCHEDULE_DELAY"),
    metricsEvery: yield* whole(60_000, "OTEL_METRIC_EXPORT_INTERVAL")
  }
})

export type TelemetrySettings = NonNullable<Effect.Success<ReturnType<typeof settings>>>
