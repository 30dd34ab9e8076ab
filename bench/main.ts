/**
 * `pnpm bench NAME…` measures the named benchmarks (all of them without a name), prints each ratio
 * beside its bar and ends with 1 when a bar is not met. `policies --million` also
 * reads a million, `billing --million` invoices one, `summary --million` has 100,000 in arrears of one,
 * `events --million` reads of ten, and `documents --million` makes 100,000 notices of renewals.
 * `--smoke` runs each in seconds and ends with 1 where one fails or measures nothing.
 */
import { Console, Effect } from "effect"
import { bench as apart } from "./Apart.ts"
import { bench as auth } from "./Auth.ts"
import { bench as billing } from "./Billing.ts"
import { bench as crowd } from "./Crowd.ts"
import { bench as deliveries } from "./Deliveries.ts"
import { bench as documents } from "./documents/Main.ts"
import { bench as feed } from "./Events.ts"
import { bench as ids } from "./Ids.ts"
import { bench as invoicesTold } from "./InvoicesTold.ts"
import type { Bar } from "./Interleaved.ts"
import { bench as policies } from "./Policies.ts"
import { bench as pricing } from "./Pricing.ts"
import { bench as simulation } from "./Simulation.ts"
import { bench as summary } from "./Summary.ts"
import { bench as tenancy } from "./Tenancy.ts"
import { isSmoke } from "./Smoke.ts"

/** What is read of the feed, what leaves by webhooks, and what both take of an invoice run. */
const events = Effect.gen(function* () {
  return [...(yield* feed), ...(yield* deliveries), ...(yield* invoicesTold)]
})

const benches = {
  apart,
  auth,
  billing,
  crowd,
  documents,
  events,
  ids,
  policies,
  pricing,
  simulation,
  summary,
  tenancy
}
type Name = keyof typeof benches
const isName = (name: string): name is Name => Object.hasOwn(benches, name)

/** What runs for seconds is only asked to measure something. */
const isMet = ({ limit, ratio }: Bar) => (isSmoke ? Number.isFinite(ratio) : ratio <= limit)

const line = (bar: Bar) => {
  const [before, after] = bar.micros
  const verdict = isMet(bar) ? (isSmoke ? "ran " : "met ") : "MISS"
  return `${verdict}  ${bar.ratio.toFixed(2)} ≤ ${bar.limit}  ${bar.what} (${after.toFixed(1)} ÷ ${before.toFixed(1)} ${bar.unit ?? "µs"})`
}

const run = Effect.fn("run")(function* (name: Name) {
  const bars = yield* benches[name]
  yield* Console.log([name, ...bars.map(line)].join("\n  "))
  return bars.every(isMet)
})

const usage = `pnpm bench [NAME…] [--million | --smoke]

Measures the named benchmarks, or all of them, and ends with 1 when a bar is not met.
Names: ${Object.keys(benches).join(", ")}.
--million  policies reads a million more, billing invoices one, summary has 100,000 in arrears of one,
           events reads of ten, documents makes 100,000 notices of renewals
--smoke    each in seconds, to see that it still runs; no bar is held against it`

const main = Effect.gen(function* () {
  const flags = process.argv.slice(2).filter((argument) => argument.startsWith("-"))
  if (flags.includes("--help") || flags.includes("-h")) {
    yield* Console.log(usage)
    return true
  }
  const unknown = flags.filter((flag) => flag !== "--million" && flag !== "--smoke")
  if (unknown.length > 0) {
    yield* Console.error(`There is no ${unknown.join(", ")}.\n\n${usage}`)
    return false
  }
  const asked = process.argv.slice(2).filter((argument) => !argument.startsWith("-"))
  const names = asked.length === 0 ? Object.keys(benches) : asked
  if (!names.every(isName)) {
    yield* Console.error(`Name one of: ${Object.keys(benches).join(", ")}.`)
    return false
  }
  const met = yield* Effect.forEach(names, run)
  return met.every(Boolean)
})

process.exitCode = (await Effect.runPromise(main)) ? 0 : 1
