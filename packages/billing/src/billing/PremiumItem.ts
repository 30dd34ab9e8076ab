/** The premium items of a quote, gathered into what one line of an invoice charges. */
import * as Amount from "@quittance/domain/values/Amount"
import type { ChargeType, Fee, Tax } from "@quittance/domain/values/Amount"
import type { PremiumItem } from "@quittance/domain/products/Quote"

/** The premium items of one component that are charged in the same way; their order is the quote's. */
export interface PremiumItemGroup {
  readonly componentId: string
  readonly chargeType: ChargeType
  readonly premiumItems: ReadonlyArray<PremiumItem>
  /** What the premium items cost for the whole term. */
  readonly price: Amount.Amount
  /** The names of its premium items that a stop does not give back. */
  readonly nonRefundable: ReadonlyArray<string>
}

/** What tells a premium item apart from the others of its component and charge type. */
export const itemName = ({
  brokerageFirmId,
  kind,
  refId
}: {
  readonly kind: PremiumItem["kind"]
  readonly refId?: string | undefined
  readonly brokerageFirmId?: string | undefined
}): string =>
  kind === "NET"
    ? kind
    : brokerageFirmId === undefined
      ? `${kind} ${refId}`
      : `${kind} ${refId} ${brokerageFirmId}`

/**
 * The items that make lines. A component that only carries a fee or a tax has a net premium of
 * nothing, which needs no line of its own.
 */
export const chargedItems = (
  premiumItems: ReadonlyArray<PremiumItem>
): ReadonlyArray<PremiumItem> => {
  const carriers = new Set<string>()
  for (const { componentId, kind } of premiumItems) if (kind !== "NET") carriers.add(componentId)
  return premiumItems.filter(
    ({ amount, componentId, kind }) => kind !== "NET" || amount !== 0 || !carriers.has(componentId)
  )
}

/** One group for each component and charge type, in order of appearance. */
export const groupsOf = (
  premiumItems: ReadonlyArray<PremiumItem>
): ReadonlyArray<PremiumItemGroup> => {
  const groups = new Map<string, Array<PremiumItem>>()
  for (const premiumItem of premiumItems) {
    const key = `${premiumItem.chargeType} ${premiumItem.componentId}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [premiumItem])
    else group.push(premiumItem)
  }
  return [...groups.values()].map((group) => ({
    componentId: group[0]!.componentId,
    chargeType: group[0]!.chargeType,
    premiumItems: group,
    price: amountOf(group, (premiumItem) => premiumItem.amount),
    nonRefundable: group.filter(({ refundable }) => !refundable).map(itemName)
  }))
}

/** The amount of a group's items, each with the amount given for it; totals are derived. */
export const amountOf = (
  premiumItems: ReadonlyArray<PremiumItem>,
  amountOfLeaf: (premiumItem: PremiumItem, index: number) => number
): Amount.Amount => {
  let net = 0
  const fees: Array<Fee> = []
  const taxes: Array<Tax> = []
  for (let index = 0; index < premiumItems.length; index++) {
    const premiumItem = premiumItems[index]!
    const amount = amountOfLeaf(premiumItem, index)
    // Fees and taxes are named by `refId`, which only a net premium lacks.
    if (premiumItem.kind === "NET") net += amount
    else if (premiumItem.kind === "TAX")
      taxes.push({ id: premiumItem.refId!, chargeType: premiumItem.chargeType, amount })
    else if (premiumItem.brokerageFirmId === undefined)
      fees.push({ id: premiumItem.refId!, chargeType: premiumItem.chargeType, amount })
    else
      fees.push({
        id: premiumItem.refId!,
        brokerageFirmId: premiumItem.brokerageFirmId,
        chargeType: premiumItem.chargeType,
        amount
      })
  }
  return Amount.make(net, fees, taxes)
}
