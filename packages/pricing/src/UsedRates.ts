/** The rates that took part in a price, as the quote records them: each once, in order of use. */
import type { QuoteRate } from "@quittance/domain/products/Quote"
import { type Charge, rateOf } from "./Charges.ts"
import { one, share } from "./Exact.ts"
import type { RatedPeril, RatedUnit, UsedInput } from "./Rating.ts"
import { SliceCount, type Sliced } from "./Slices.ts"

export class UsedRates {
  readonly list: Array<QuoteRate> = []
  readonly #seen = new Set<unknown>()

  /** Adds a rate unless one with its id is there, or one that was found by the very same inputs. */
  add(rate: QuoteRate, sameAs: unknown = rate.id) {
    if (this.#seen.has(sameAs)) return
    this.#seen.add(sameAs)
    this.list.push(rate)
  }

  /** A share of a fee, tax or special, with what it was found by; an amount is no rate. */
  addCharge(id: string, charge: Charge, foundBy: ReadonlyArray<UsedInput> = []) {
    if (!("text" in charge)) return
    const inputs = [{ id: "share", value: charge.text }, ...foundBy.map(wire)]
    this.add({ id, rate: rateOf(charge), inputs })
  }

  /** A peril's base with the amount it starts from, its factors, its options that multiply. */
  *addPeril({ peril, units }: RatedPeril): Sliced<void> {
    const slice = new SliceCount()
    for (const unit of units) {
      this.add(baseRate(peril.id, unit), unit.inputs.length === 0 ? undefined : unit)
      for (const { id, inputs, kind, rate } of unit.moves) {
        if (rate === undefined) continue
        if (kind === "FACTOR") this.add({ id, rate, inputs: inputs.map(wire) }, inputs)
        else this.add({ id: `${peril.id}/${id}`, rate, inputs: inputs.map(wire) })
      }
      if (slice.isFull()) yield
    }
  }
}

const baseRate = (perilId: string, { base, fraction, inputs }: RatedUnit): QuoteRate => ({
  id: `${perilId}/base`,
  rate: fraction === undefined ? one : share(one, fraction),
  inputs: [
    ...inputs.map(wire),
    { id: "amount", value: base },
    ...(fraction === undefined
      ? []
      : [{ id: "share", value: `${fraction.numerator}/${fraction.denominator}` }])
  ]
})

const wire = ({ id, value }: UsedInput) => ({
  id,
  value: typeof value === "boolean" ? String(value) : value
})
