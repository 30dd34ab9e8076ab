/** The leaves of a quote, gathered into what one line of a document charges. */
import * as Amount from "@quittance/domain/Amount"
import type { ChargeType, Fee, Tax } from "@quittance/domain/Amount"
import type { QuoteLeaf } from "@quittance/domain/Quote"

/** The leaves of one component that are charged in the same way; their order is the quote's. */
export interface LeafGroup {
  readonly componentId: string
  readonly chargeType: ChargeType
  readonly leaves: ReadonlyArray<QuoteLeaf>
  /** What the leaves cost for the whole term. */
  readonly price: Amount.Amount
}

/**
 * One group for each component and charge type. A component that only carries a fee or a tax has a
 * net premium of nothing, which makes no line of its own.
 */
export const groupsOf = (leaves: ReadonlyArray<QuoteLeaf>): ReadonlyArray<LeafGroup> => {
  const groups = new Map<string, Array<QuoteLeaf>>()
  for (const leaf of leaves) {
    const key = `${leaf.chargeType} ${leaf.componentId}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [leaf])
    else group.push(leaf)
  }
  const carriers = new Set(
    leaves.filter(({ kind }) => kind !== "NET").map(({ componentId }) => componentId)
  )
  return [...groups.values()]
    .filter((group) => !isEmptyNet(group) || !carriers.has(group[0]!.componentId))
    .map((group) => ({
      componentId: group[0]!.componentId,
      chargeType: group[0]!.chargeType,
      leaves: group,
      price: amountOf(group, (leaf) => leaf.amount)
    }))
}

const isEmptyNet = ([leaf, ...others]: ReadonlyArray<QuoteLeaf>): boolean =>
  others.length === 0 && leaf!.kind === "NET" && leaf!.amount === 0

/** The amount of a group's leaves, each with the amount given for it; totals are derived. */
export const amountOf = (
  leaves: ReadonlyArray<QuoteLeaf>,
  amountOfLeaf: (leaf: QuoteLeaf, index: number) => number
): Amount.Amount => {
  let net = 0
  const fees: Array<Fee> = []
  const taxes: Array<Tax> = []
  for (let index = 0; index < leaves.length; index++) {
    const leaf = leaves[index]!
    const amount = amountOfLeaf(leaf, index)
    // Fees and taxes are named by `refId`, which only a net premium lacks.
    if (leaf.kind === "NET") net += amount
    else if (leaf.kind === "TAX")
      taxes.push({ id: leaf.refId!, chargeType: leaf.chargeType, amount })
    else if (leaf.brokerageFirmId === undefined)
      fees.push({ id: leaf.refId!, chargeType: leaf.chargeType, amount })
    else
      fees.push({
        id: leaf.refId!,
        brokerageFirmId: leaf.brokerageFirmId,
        chargeType: leaf.chargeType,
        amount
      })
  }
  return Amount.make(net, fees, taxes)
}
