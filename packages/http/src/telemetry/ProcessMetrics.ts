/** The process in metrics: processors, memory, and how late its event loop is. */
import { observe, observeTotal } from "@quittance/domain/telemetry/Series"
import { Effect, Layer } from "effect"
import { monitorEventLoopDelay, performance } from "node:perf_hooks"
import { getHeapStatistics } from "node:v8"

const micros = 1_000_000
const nanos = 1_000_000_000

/** Milliseconds between two looks at the clock of the loop. */
const resolution = 20

/** What the loop was since the last reading; a scrape and an export share the readings between them. */
const loopReadings = Effect.gen(function* () {
  const delay = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable())
  )
  let before = performance.eventLoopUtilization()
  return {
    /** Seconds beyond the pause between two looks. */
    delay: () => {
      const late = Math.max(0, delay.percentile(99) / nanos - resolution / 1000)
      delay.reset()
      return Number.isFinite(late) ? late : 0
    },
    utilization: () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      return utilization
    }
  }
})

/** Shows the process in the metrics for as long as the layer lives. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const loop = yield* loopReadings
    yield* observeTotal("cpuTime", { "cpu.mode": "user" }, () => process.cpuUsage().user / micros)
    yield* observeTotal(
      "cpuTime",
      { "cpu.mode": "system" },
      () => process.cpuUsage().system / micros
    )
    yield* observe("memoryUsage", {}, () => process.memoryUsage.rss())
    yield* observe("uptime", {}, () => process.uptime())
    yield* observe("heapUsed", {}, () => getHeapStatistics().used_heap_size)
    yield* observe("heapLimit", {}, () => getHeapStatistics().heap_size_limit)
    yield* observe("loopDelay", {}, loop.delay)
    yield* observe("loopUtilization", {}, loop.utilization)
  })
)
