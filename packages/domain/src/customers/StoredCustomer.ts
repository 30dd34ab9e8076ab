import type { CustomerId, PolicyId } from "../values/Ids.ts"
import type { Instant } from "../values/Instant.ts"
import type { Customer } from "./Customer.ts"

/** A customer as they are stored, apart from what they are on a policy. */
export interface StoredCustomer {
  readonly id: CustomerId
  readonly type: Customer["type"]
  readonly name: string | null
  readonly email: string | null
  readonly status: Customer["status"]
  readonly paymentMode: Customer["paymentMode"]
  readonly preferredPaymentMethodId: Exclude<Customer["preferredPaymentMethodId"], undefined> | null
  readonly createdAt: Instant
  readonly lastModifiedAt: Instant
  /** Of the policies that they are on those that may be seen; the earliest first. */
  readonly policies: ReadonlyArray<PolicyId>
}
