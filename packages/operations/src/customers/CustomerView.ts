import type { Customer } from "@quittance/domain/customers/Customer"
import { type CustomerOnPolicy, fieldList } from "@quittance/domain/policies/PolicyState"
import type { CustomerRow } from "@quittance/persistence/customers/CustomersRepo"
import type { ViewRequest } from "../policies/PolicyReader.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { InvalidReference } from "@quittance/domain/requests/RequestErrors"

/**
 * Whether a customer is shown who has no role in what is in force: at present, of now or as it was known,
 * an open branch may put it on the policy, and one that has been taken off all of its policies stays.
 */
export const isListed = (
  { policies }: CustomerRow,
  {
    branchId,
    policyId,
    whenAt
  }: Pick<ViewRequest, "branchId" | "whenAt"> & { readonly policyId?: PolicyId | undefined }
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
  { email, name, policies, preferredPaymentMethodId, ...row }: CustomerRow,
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
