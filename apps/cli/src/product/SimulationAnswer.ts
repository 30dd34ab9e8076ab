/** What a simulation found, for people on a terminal, for a picture and for machines alike. */
import { format, type PolicySelection } from "@quittance/domain/portfolio/PolicySelection"
import type { Product } from "@quittance/domain/products/Product"
import type { SimulatedTerm } from "@quittance/operations/portfolio/SimulatedPrice"
import type { LargestChange, Simulated } from "@quittance/operations/portfolio/Simulation"
import { type Bar, histogram } from "@quittance/pricing/portfolio/ChangeHistogram"
import { relativeChange } from "@quittance/pricing/portfolio/PriceChanges"
import { change } from "../terminal/Percent.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

export interface SimulationAnswer extends Simulated {
  readonly draft: Product
  readonly tenant: TenantId
  readonly selection: PolicySelection
  readonly term: SimulatedTerm
}

/** The quantiles that are told, in per cent. */
export const quantiles = [1, 5, 25, 50, 75, 95, 99] as const

/** By how much a price moves, in hundredths of a per cent. */
export const changeOf = ({ after, before }: LargestChange): number => relativeChange(before, after)

/** The versions that the selected policies have, the most frequent first. */
export const versionsOf = ({ versions }: Simulated): ReadonlyArray<readonly [string, number]> =>
  [...versions].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))

/** Which term was priced, in words. */
export const termOf = ({ term }: SimulationAnswer): string =>
  term === "RUNNING"
    ? "the running one, from the start of the segment in force"
    : "the next one, from the policy's renewal"

/** What a bar is over, in words. */
export const rangeOf = ({ from, to }: Bar): string => {
  const told = (basisPoints: number) => change(basisPoints, 0)
  if (from === undefined) return `below ${told(to ?? 0)}`
  if (to === undefined) return `above ${told(from)}`
  return from === to ? "unchanged" : `${told(from)} to ${told(to)}`
}

/** The answer as JSON: amounts in minor units, relative changes in hundredths of a per cent. */
export const toJson = (answer: SimulationAnswer) => {
  const { changes, draft, largest, unpriced } = answer
  return {
    productId: draft.productId,
    version: draft.version,
    currency: draft.currency,
    tenant: answer.tenant,
    policies: format(answer.selection),
    term: answer.term,
    asOf: answer.now,
    count: answer.count,
    versions: Object.fromEntries(versionsOf(answer)),
    priced: {
      count: changes.count,
      rises: changes.rises,
      falls: changes.falls,
      unchanged: changes.unchanged,
      // As far as a total of all premiums goes: up to 2^53 minor units.
      totalBefore: Number(changes.totalBefore),
      totalAfter: Number(changes.totalAfter),
      meanDifference: changes.meanAmount,
      meanChange: changes.mean,
      quantiles: Object.fromEntries(
        quantiles.map((percent) => [percent, changes.quantile(percent)])
      ),
      histogram: histogram(changes).map(({ count, from, kind, to }: Bar) => ({
        kind,
        from,
        to,
        count
      }))
    },
    unpriced: { count: unpriced.count, reasons: unpriced.reasons, further: unpriced.further },
    largest: largest.map((change) => ({
      ...change,
      difference: change.after - change.before,
      change: changeOf(change)
    }))
  }
}
