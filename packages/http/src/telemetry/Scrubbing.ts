/**
 * What may leave in telemetry: what is named here, and nothing else. Messages of errors, statements, paths,
 * addresses and headers may name people, so none of them does; templates, types and numbers do.
 */
import type { OtlpLogger, OtlpMetrics, OtlpResource, OtlpTracer } from "effect/observability"

type Attribute = OtlpResource.KeyValue
type Span = OtlpTracer.TraceData["resourceSpans"][number]["scopeSpans"][number]["spans"][number]
type LogRecord = NonNullable<
  NonNullable<OtlpLogger.LogsData["resourceLogs"][number]["scopeLogs"]>[number]["logRecords"]
>[number]

const ofSpans = new Set([
  "db.query.summary",
  "db.system.name",
  "effect.fiber.interrupted",
  "error.type",
  "http.request.method",
  "http.response.status_code",
  "http.route",
  "messaging.batch.message_count",
  "network.protocol.name",
  "network.protocol.version",
  "quittance.consumer",
  "quittance.job",
  "quittance.tenant",
  "server.address",
  "server.port",
  "url.full",
  "url.path",
  "url.scheme"
])

const ofRecords = new Set([
  "consumer",
  "exception.stacktrace",
  "exception.type",
  "job",
  "method",
  "milliseconds",
  "requestId",
  "status",
  "tenant"
])

/** Longer texts are none of ours. */
const longest = 200

/** A line of a trace: where in the program, and nothing that the error itself says. */
const frame =
  /^\s*at (?:async )?(?:[\w$.<>#]+ (?:\[as [\w$.]+\] )?)?\(?(?:file:\/\/|node:|\/)[^\s()]+:\d+:\d+\)?$/u

const framesOf = (stack: string) =>
  stack
    .split("\n")
    .filter((line) => frame.test(line))
    .slice(0, 40)
    .join("\n")

/** The name of a class or of a kind of failure; other text may hold personal data. */
const typeOf = (name: string) => (/^[A-Za-z_][\w./]{0,79}$/u.test(name) ? name : "Error")

/** Paths of those that we call may be secrets of theirs: how a receiver's address ends, for instance. */
const withoutPath = (address: string) => {
  if (!URL.canParse(address)) return undefined
  const { origin, pathname, search } = new URL(address)
  return pathname === "/" && search === "" ? `${origin}/` : `${origin}/REDACTED`
}

/** As tenants are called: a header may say anything else. */
const tenant = /^[a-z0-9-]{1,40}$/u

const textOf = (key: string, value: string): string | undefined => {
  if (key === "url.full") return withoutPath(value)
  if (key === "exception.type") return typeOf(value)
  if (key === "exception.stacktrace") return framesOf(value)
  if (key === "tenant" && !tenant.test(value)) return undefined
  return value.length <= longest ? value : undefined
}

const kept =
  (allowed: ReadonlySet<string>) =>
  ({ key, value }: Attribute): ReadonlyArray<Attribute> => {
    if (!allowed.has(key)) return []
    const { stringValue } = value
    if (typeof stringValue !== "string") return [{ key, value }]
    const text = textOf(key, stringValue)
    return text === undefined || text === "" ? [] : [{ key, value: { stringValue: text } }]
  }

const unset = { code: 0 } as const
const failed = { code: 2 } as const

/**
 * As the conventions have it: a server's span fails with what is its own fault, which `error.type` says,
 * and nothing says that it is well.
 */
const statusOf = ({ attributes, kind, status }: Span): Span["status"] => {
  const says = attributes.some(({ key }) => key === "error.type")
  return says || (kind !== server && status.code === failed.code) ? failed : unset
}
const server = 2

const ofEvents = new Set(["exception.stacktrace", "exception.type"])

/** A span as it may leave. */
export const span = (span: Span): Span => {
  const attributes = span.attributes.flatMap(kept(ofSpans))
  const [thrown] = span.events.flatMap((event) =>
    event.attributes.filter(({ key }) => key === "exception.type")
  )
  const status = statusOf(span)
  const says = attributes.some(({ key }) => key === "error.type")
  return {
    ...span,
    attributes:
      status.code === failed.code && !says && thrown !== undefined
        ? [
            ...attributes,
            { key: "error.type", value: { stringValue: typeOf(thrown.value.stringValue ?? "") } }
          ]
        : attributes,
    events: span.events.map((event) => ({
      ...event,
      attributes: event.attributes.flatMap(kept(ofEvents))
    })),
    links: span.links.map((link) => ({ ...link, attributes: [] })),
    status
  }
}

/** A line of the log as it may leave: the words of the program, without what was put into them. */
export const record = (record: LogRecord): LogRecord => {
  const { arrayValue, stringValue } = record.body ?? {}
  const text = stringValue ?? arrayValue?.values[0]?.stringValue ?? ""
  return {
    ...record,
    body: { stringValue: text.slice(0, longest) },
    attributes: record.attributes.flatMap(kept(ofRecords))
  }
}

/** Spans as they may leave. */
export const traces = ({ resourceSpans }: OtlpTracer.TraceData): OtlpTracer.TraceData => ({
  resourceSpans: resourceSpans.map((resource) => ({
    ...resource,
    scopeSpans: resource.scopeSpans.map((scope) => ({ ...scope, spans: scope.spans.map(span) }))
  }))
})

/** Lines of the log as they may leave. */
export const logs = ({ resourceLogs }: OtlpLogger.LogsData): OtlpLogger.LogsData => ({
  resourceLogs: resourceLogs.map((resource) => ({
    ...resource,
    scopeLogs: (resource.scopeLogs ?? []).map((scope) => ({
      ...scope,
      logRecords: (scope.logRecords ?? []).map(record)
    }))
  }))
})

type Metric = NonNullable<
  OtlpMetrics.MetricsData["resourceMetrics"][number]["scopeMetrics"]
>[number]["metrics"][number]

/** The unit is a member of the metric, and no label of its series. */
const withoutUnit = <Point extends { readonly attributes?: Array<Attribute> }>(
  point: Point
): Point => ({
  ...point,
  attributes: (point.attributes ?? []).filter(({ key }) => key !== "unit")
})

const metric = ({ gauge, histogram, sum, ...rest }: Metric): Metric => ({
  ...rest,
  ...(gauge === undefined
    ? {}
    : { gauge: { ...gauge, dataPoints: gauge.dataPoints.map(withoutUnit) } }),
  ...(histogram === undefined
    ? {}
    : { histogram: { ...histogram, dataPoints: histogram.dataPoints.map(withoutUnit) } }),
  ...(sum === undefined ? {} : { sum: { ...sum, dataPoints: sum.dataPoints.map(withoutUnit) } })
})

/** Metrics as they may leave: the catalogue has nothing else than may. */
export const metrics = ({ resourceMetrics }: OtlpMetrics.MetricsData): OtlpMetrics.MetricsData => ({
  resourceMetrics: resourceMetrics.map((resource) => ({
    ...resource,
    scopeMetrics: resource.scopeMetrics.map((scope) => ({
      ...scope,
      metrics: scope.metrics.map(metric)
    }))
  }))
})
