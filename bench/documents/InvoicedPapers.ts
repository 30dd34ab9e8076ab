/** What an invoice run costs whose product has documents: a row is written for each invoice, and nothing is made. */
import { Effect } from "effect"
import { Reactivity } from "effect/reactivity"
import { type Bar, median } from "../Interleaved.ts"
import * as InvoiceRun from "../InvoiceRun.ts"
import { motor } from "../PolicyWorld.ts"
import { sized } from "../Smoke.ts"

const policies = sized(10_000, 100)
const rounds = sized(5, 1)

/** What the product has to have by law; none of it is made of an invoice. */
const duties: ReadonlySet<string> = new Set(["FORMAL_NOTICE", "RENEWAL_NOTICE"])

const plain = {
  ...motor,
  documents: (motor.documents ?? []).filter(({ kind }) => duties.has(kind))
}

/** Each round in another order; a dispatcher reads the events of both. */
export const bars = Effect.gen(function* () {
  const without: Array<number> = []
  const withThem: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    for (const product of round % 2 === 0 ? [plain, motor] : [motor, plain]) {
      const { perInvoice } = yield* InvoiceRun.run(policies, { hungConsumers: 0 }, product)
      ;(product === plain ? without : withThem).push(perInvoice)
    }
  }
  const bar: Bar = {
    what: `an invoice of ${policies} of a product with documents ÷ without`,
    // As many invoices a second as 0.97 of those without.
    limit: 1.03,
    ratio: median(withThem.map((micros, round) => micros / without[round]!)),
    micros: [median(without), median(withThem)]
  }
  return [bar]
}).pipe(Effect.provide(Reactivity.layer))
