/** Who pays what of a policy. One invoice has one payer; over payers the split sums to the policy. */
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { inOrder, type PolicyState } from "@quittance/domain/policies/PolicyState"
import type { CustomerId } from "@quittance/domain/values/Ids"

/** The payer of each component: the one named for it, else the default. */
export interface PayerSplit {
  readonly defaultPayerId: CustomerId
  readonly byComponent: ReadonlyMap<string, CustomerId>
}

/** Who pays from a day on, until the next entry's day. */
export interface PayersFrom {
  readonly from: LocalDate
  readonly split: PayerSplit
}

/** Who pays for a day; who was first pays for the days before them too. */
export const payersOn = (payers: ReadonlyArray<PayersFrom>, day: LocalDate): PayerSplit =>
  (payers.findLast(({ from }) => from <= day) ?? payers[0]!).split

export const payerOf = (split: PayerSplit, componentId: string): CustomerId =>
  split.byComponent.get(componentId) ?? split.defaultPayerId

/**
 * The payers of a policy: as its billing assignment says, else the earliest customer with the role
 * `PAYER`, else the earliest `POLICYHOLDER`. `undefined` where there is none of them.
 */
export const payersOf = ({
  billingAssignment,
  customers
}: Pick<PolicyState, "billingAssignment" | "customers">): PayerSplit | undefined => {
  if (billingAssignment !== undefined) {
    const { componentOverrides = [], defaultPayerId } = billingAssignment
    return {
      // An assignment is only accepted when its payers are customers of the policy.
      defaultPayerId: defaultPayerId as CustomerId,
      byComponent: new Map(
        componentOverrides.map(({ componentId, payerCustomerId }) => [
          componentId,
          payerCustomerId as CustomerId
        ])
      )
    }
  }
  const ordered = inOrder(customers)
  const payer =
    ordered.find(([, { role }]) => role === "PAYER") ??
    ordered.find(([, { role }]) => role === "POLICYHOLDER")
  return payer === undefined ? undefined : { defaultPayerId: payer[0], byComponent: new Map() }
}
