import { Schema } from "effect"
import { CustomField } from "../values/CustomField.ts"
import { Instant } from "../values/Instant.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { CustomerId, PaymentMethodId } from "../values/Ids.ts"
import { Page } from "../values/Page.ts"
import { StoredEmail } from "../values/Email.ts"

export const CustomerType = Schema.Literals(["INDIVIDUAL", "COMPANY"])
export type CustomerType = typeof CustomerType.Type
export const CustomerStatus = Schema.Literals(["CUSTOMER_CREATED", "CUSTOMER_CONFIRMED"])
export type CustomerStatus = typeof CustomerStatus.Type
export const PaymentMode = Schema.Literals(["DIRECT_DEBIT", "BANK_TRANSFER"])
export type PaymentMode = typeof PaymentMode.Type

/** A customer as read in a policy's context, else in that of its earliest policy. */
export const Customer = Schema.Struct({
  id: CustomerId,
  type: CustomerType,
  createdAt: Instant,
  lastModifiedAt: Instant,
  status: CustomerStatus,
  policies: Schema.Array(PrefixedId.schema("policy")),
  role: Schema.String,
  paymentMode: PaymentMode,
  name: Schema.optionalKey(Schema.String),
  email: Schema.optionalKey(StoredEmail),
  customFields: Schema.optionalKey(Schema.Array(CustomField)),
  preferredPaymentMethodId: Schema.optionalKey(PaymentMethodId)
}).annotate({ identifier: "Customer" })
export type Customer = typeof Customer.Type

export class CustomerNotFound extends Schema.TaggedError<CustomerNotFound>()("CustomerNotFound", {
  customerId: CustomerId
}) {
  override get message() {
    return `Customer ${this.customerId} does not exist; check the identifier and the tenant, or name the branch that it was added on.`
  }
}

/** Who is on a policy already is not put there again. */
export class CustomerAlreadyOnPolicy extends Schema.TaggedError<CustomerAlreadyOnPolicy>()(
  "CustomerAlreadyOnPolicy",
  { customerId: CustomerId, policyId: PrefixedId.schema("policy") }
) {
  override get message() {
    return `Customer ${this.customerId} is on the policy already; patch its role or fields there.`
  }
}

/** What a policy needs a customer for. */
export const CustomerDuty = Schema.Literals(["LAST_POLICYHOLDER", "PAYER"])

/** A policy can't do without this customer. */
export class CustomerNeeded extends Schema.TaggedError<CustomerNeeded>()("CustomerNeeded", {
  customerId: CustomerId,
  duty: CustomerDuty
}) {
  override get message() {
    return this.duty === "PAYER"
      ? `Customer ${this.customerId} pays for the policy; name another payer and settle its invoices first.`
      : `Customer ${this.customerId} is the last confirmed policyholder; confirm another one first.`
  }
}

/** One page of customers. */
export const CustomerPage = Page(Customer).annotate({ identifier: "CustomerPage" })
