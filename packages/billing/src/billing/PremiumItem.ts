/** The leaves of a quote, gathered into what one line of a document charges. */
import * as Amount from "@quittance/domain/values/Amount"
import type { ChargeType, Fee, Tax } from "@quittance/domain/values/Amount"
import type { QuoteLeaf } from "@quittance/domain/products/Quote"

/** The leaves of one component that are charged in the same way; their order is the quote's. */
export interface LeafGroup {
  readonly componentId: string
  readonly chargeType: ChargeType
  readonly leaves: ReadonlyArray<QuoteLeaf>
  /** What the leaves cost for the whole term. */
  readonly price: Amount.Amount
  /** The names of its leaves that a stop does not give back. */
  readonly nonRefundable: ReadonlyArray<string>
}

/** What tells a leaf apart from the others of its component and charge type. */
export const leafName = ({
  brokerageFirmId,
  kind,
  refId
}: {
  readonly kind: QuoteLeaf["kind"]
  readonly refId?: string | undefined
  readonly brokerageFirmId?: string | undefined
}): string =>
  kind === "NET"
    ? kind
    : brokerageFirmId === undefined
      ? `${kind} ${refId}`
      : `${kind} ${refId} ${brokerageFirmId}`

/**
 * The leaves that make lines. A component that only carries a fee or a tax has a net premium of
 * nothing, which needs no line of its own.
 */
export const chargedLeaves = (leaves: ReadonlyArray<QuoteLeaf>): ReadonlyArray<QuoteLeaf> => {
  const carriers = new Set<string>()
  for (const { componentId, kind } of leaves) if (kind !== "NET") carriers.add(componentId)
  return leaves.filter(
    ({ amount, componentId, kind }) => kind !== "NET" || amount !== 0 || !carriers.has(componentId)
  )
}

/** One group for each component and charge type, in order of appearance. */
export const groupsOf = (leaves: ReadonlyArray<QuoteLeaf>): ReadonlyArray<LeafGroup> => {
  const groups = new Map<string, Array<QuoteLeaf>>()
  for (const leaf of leaves) {
    const key = `${leaf.chargeType} ${leaf.componentId}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [leaf])
    else group.push(leaf)
  }
  return [...groups.values()].map((group) => ({
    componentId: group[0]!.componentId,
    chargeType: group[0]!.chargeType,
    leaves: group,
    price: amountOf(group, (leaf) => leaf.amount),
    nonRefundable: group.filter(({ refundable }) => !refundable).map(leafName)
  }))
}

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
