/**
 * Every metric of every program, by the name that OpenTelemetry gives it or, where it gives none, one of
 * ours. What isn't here can't be measured, and `docs/telemetry.md` has the same table.
 */

export interface Described {
  /** By the conventions of OpenTelemetry; Prometheus's follows from it. */
  readonly name: string
  readonly kind: "counter" | "gauge" | "histogram"
  /** By UCUM; what is counted stands in braces. */
  readonly unit: string
  readonly help: string
  /** What tells the series of the metric apart. Each takes few values: never a tenant, an id or a path. */
  readonly labels: ReadonlyArray<string>
}

export const catalogue = {
  requestDuration: {
    name: "http.server.request.duration",
    kind: "histogram",
    unit: "s",
    help: "How long requests took, by route and status.",
    labels: [
      "http.request.method",
      "http.route",
      "http.response.status_code",
      "url.scheme",
      "error.type"
    ]
  },
  activeRequests: {
    name: "http.server.active_requests",
    kind: "gauge",
    unit: "{request}",
    help: "Requests under way.",
    labels: []
  },
  poolActive: {
    name: "quittance.pool.active",
    kind: "gauge",
    unit: "{turn}",
    help: "Turns at work of what bears only so much at a time.",
    labels: ["pool"]
  },
  poolWaiting: {
    name: "quittance.pool.waiting",
    kind: "gauge",
    unit: "{turn}",
    help: "Work that waits for a turn.",
    labels: ["pool"]
  },
  poolSize: {
    name: "quittance.pool.size",
    kind: "gauge",
    unit: "{turn}",
    help: "Turns that there are at a time.",
    labels: ["pool"]
  },
  backlog: {
    name: "quittance.billing.backlog",
    kind: "gauge",
    unit: "{policy}",
    help: "Policies that are due and that no worker has looked at yet.",
    labels: []
  },
  oldestDue: {
    name: "quittance.billing.oldest_due",
    kind: "gauge",
    unit: "s",
    help: "For how long the first of them has been due.",
    labels: []
  },
  parked: {
    name: "quittance.billing.parked",
    kind: "gauge",
    unit: "{policy}",
    help: "Policies, and offers of policies, that are parked.",
    labels: []
  },
  steps: {
    name: "quittance.billing.steps",
    kind: "counter",
    unit: "{step}",
    help: "Steps that this process has taken, by job.",
    labels: ["job"]
  },
  failedBatches: {
    name: "quittance.billing.failed_batches",
    kind: "counter",
    unit: "{batch}",
    help: "Batches of this process that failed and are tried again.",
    labels: []
  },
  queueWaiting: {
    name: "quittance.queue.waiting",
    kind: "gauge",
    unit: "{entry}",
    help: "What waits in a queue of the database.",
    labels: ["queue"]
  },
  queueOldest: {
    name: "quittance.queue.oldest",
    kind: "gauge",
    unit: "s",
    help: "For how long the first entry of a queue has waited.",
    labels: ["queue"]
  },
  failedLetters: {
    name: "quittance.letters.failed",
    kind: "gauge",
    unit: "{letter}",
    help: "Letters that were not sent and are tried no more.",
    labels: []
  },
  webhookTries: {
    name: "quittance.webhooks.tries",
    kind: "counter",
    unit: "{try}",
    help: "Events that this process has sent to receivers, by what came of it.",
    labels: ["outcome"]
  },
  webhookDead: {
    name: "quittance.webhooks.dead",
    kind: "counter",
    unit: "{event}",
    help: "Events that this process has left after their last try.",
    labels: []
  },
  deadEvents: {
    name: "quittance.webhooks.dead_events",
    kind: "gauge",
    unit: "{event}",
    help: "Events that receivers of all tenants lack, and that are tried no more by themselves.",
    labels: []
  },
  consumerLag: {
    name: "quittance.consumer.lag",
    kind: "gauge",
    unit: "{event}",
    help: "Events that a consumer has not taken yet, of all tenants.",
    labels: ["consumer"]
  },
  jobRounds: {
    name: "quittance.job.rounds",
    kind: "counter",
    unit: "{round}",
    help: "Rounds of a job of this process, by outcome.",
    labels: ["job", "outcome"]
  },
  jobDuration: {
    name: "quittance.job.round.duration",
    kind: "histogram",
    unit: "s",
    help: "How long a round of a job took.",
    labels: ["job"]
  },
  jobLastSuccess: {
    name: "quittance.job.last_success.timestamp",
    kind: "gauge",
    unit: "s",
    help: "When a round of a job last succeeded, in seconds since 1970.",
    labels: ["job"]
  },
  cpuTime: {
    name: "process.cpu.time",
    kind: "counter",
    unit: "s",
    help: "Time of processors that the process has used.",
    labels: ["cpu.mode"]
  },
  memoryUsage: {
    name: "process.memory.usage",
    kind: "gauge",
    unit: "By",
    help: "Memory of the machine that the process holds.",
    labels: []
  },
  uptime: {
    name: "process.uptime",
    kind: "gauge",
    unit: "s",
    help: "For how long the process has run.",
    labels: []
  },
  heapUsed: {
    name: "v8js.memory.heap.used",
    kind: "gauge",
    unit: "By",
    help: "Memory that objects of the program take.",
    labels: []
  },
  heapLimit: {
    name: "v8js.memory.heap.limit",
    kind: "gauge",
    unit: "By",
    help: "Memory that objects may take before the process ends.",
    labels: []
  },
  loopDelay: {
    name: "nodejs.eventloop.delay.p99",
    kind: "gauge",
    unit: "s",
    help: "How late the event loop was since the last reading, at the 99th percentile.",
    labels: []
  },
  loopUtilization: {
    name: "nodejs.eventloop.utilization",
    kind: "gauge",
    unit: "1",
    help: "The part of the time since the last reading in which the event loop was at work.",
    labels: []
  }
} as const satisfies Readonly<Record<string, Described>>

const unitNames: Readonly<Record<string, string>> = { s: "_seconds", By: "_bytes" }

/**
 * The name that Prometheus knows a metric by, as OpenTelemetry's compatibility rules make it: the unit in
 * words, and `_total` for what only grows.
 */
export const prometheusName = ({ kind, name, unit }: Described): string => {
  const ratio = unit === "1" && kind === "gauge" ? "_ratio" : ""
  return `${name.replace(/[^A-Za-z0-9_]/gu, "_")}${unitNames[unit] ?? ratio}${kind === "counter" ? "_total" : ""}`
}
