/**
 * `pnpm bench NAME…` measures the named benchmarks (all of them without a name), prints each ratio
 * beside its bar and ends with 1 when a bar is not met. `policies --million` also
 * reads a million, `billing --million` invoices one, `summary --million` has 100,000 in arrears of one.
 */
import { Console, Effect } from "effect"
import { bench as auth } from "./Auth.ts"
import { bench as billing } from "./Billing.ts"
import { bench as ids } from "./Ids.ts"
import type { Bar } from "./Interleaved.ts"
import { bench as policies } from "./Policies.ts"
import { bench as pricing } from "./Pricing.ts"
import { bench as simulation } from "./Simulation.ts"
import { bench as summary } from "./Summary.ts"
import { bench as tenancy } from "./Tenancy.ts"

const benches = { auth, billing, ids, policies, pricing, simulation, summary, tenancy }
type Name = keyof typeof benches
const isName = (name: string): name is Name => Object.hasOwn(benches, name)

const isMet = ({ limit, ratio }: Bar) => ratio <= limit

const line = (bar: Bar) => {
  const [before, after] = bar.micros
  const verdict = isMet(bar) ? "met " : "MISS"
  return `${verdict}  ${bar.ratio.toFixed(2)} ≤ ${bar.limit}  ${bar.what} (${after.toFixed(1)} ÷ ${before.toFixed(1)} ${bar.unit ?? "µs"})`
}

const run = Effect.fn("run")(function* (name: Name) {
  const bars = yield* benches[name]
  yield* Console.log([name, ...bars.map(line)].join("\n  "))
  return bars.every(isMet)
})

const main = Effect.gen(function* () {
  const asked = process.argv.slice(2).filter((argument) => !argument.startsWith("--"))
  const names = asked.length === 0 ? Object.keys(benches) : asked
  if (!names.every(isName)) {
    yield* Console.error(`Name one of: ${Object.keys(benches).join(", ")}.`)
    return false
  }
  const met = yield* Effect.forEach(names, run)
  return met.every(Boolean)
})

process.exitCode = (await Effect.runPromise(main)) ? 0 : 1
