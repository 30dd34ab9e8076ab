import type { StoredCustomer } from "./StoredCustomer.ts"
import type { Customer } from "./Customer.ts"
import { type CustomerOnPolicy, fieldList } from "../policies/PolicyState.ts"
import type { BranchId, PolicyId } from "../values/Ids.ts"
import type { Instant } from "../values/Instant.ts"
import { InvalidReference } from "../requests/RequestErrors.ts"

/** Where a customer is looked at: a policy, and a version of it. */
interface CustomerContext {
  readonly policyId?: PolicyId | undefined
  readonly branchId?: BranchId | undefined
  readonly whenAt?: Instant | undefined
}

/**
 * Whether a customer is shown who has no role in what is in force: at present, of now or as it was known,
 * an open branch may put it on the policy, and one that has been taken off all of its policies stays.
 */
export const isListed = (
  { policies }: StoredCustomer,
  { branchId, policyId, whenAt }: CustomerContext
): boolean =>
  (branchId ?? whenAt) === undefined &&
  (policyId === undefined ? policies.length === 0 : policies.includes(policyId))

/** A policy is named as that of a customer who is not on it. */
export const notOn = (policyId: PolicyId): InvalidReference =>
  new InvalidReference({
    field: "policyId",
    value: policyId,
    expected: "a policy that the customer is on; they are not, or no longer, on this one"
  })

/** A customer as the wire shows it in the context of a policy. */
export const toCustomer = (
  { email, name, policies, preferredPaymentMethodId, ...row }: StoredCustomer,
  onPolicy: CustomerOnPolicy | undefined
): Customer => ({
  ...row,
  policies,
  role: onPolicy?.role ?? "",
  customFields: fieldList(onPolicy?.customFields ?? {}),
  ...(name === null ? {} : { name }),
  ...(email === null ? {} : { email }),
  ...(preferredPaymentMethodId === null ? {} : { preferredPaymentMethodId })
})
