/** Whether what is told to others takes time of billing: an invoice run beside consumers that hang. */
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import { median } from "./Interleaved.ts"
import * as InvoiceRun from "./InvoiceRun.ts"
import { sized } from "./Smoke.ts"

const policies = sized(10_000, 100)
const rounds = sized(5, 1)
const hung = 3

/** Each round in another order; a dispatcher places the events of both runs. */
const turns = Effect.gen(function* () {
  const calm: Array<number> = []
  const beside: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    for (const consumers of round % 2 === 0 ? [0, hung] : [hung, 0]) {
      const { perInvoice } = yield* InvoiceRun.run(policies, { hungConsumers: consumers })
      ;(consumers === 0 ? calm : beside).push(perInvoice)
    }
  }
  return { calm, beside }
}).pipe(Effect.provide(Reactivity.layer))

export const bench = Effect.gen(function* () {
  const { beside, calm } = yield* turns
  return [
    {
      what: `an invoice of ${policies} beside a dispatcher with ${hung} consumers that hang ÷ with none`,
      limit: 1.1,
      ratio: median(beside.map((micros, round) => micros / calm[round]!)),
      micros: [median(calm), median(beside)] as const
    }
  ]
})
