/** The errors of the area customers on the wire. The last argument of each shows its details. */
import * as Customer from "@quittance/domain/customers/Customer"
import * as PaymentMethod from "@quittance/domain/customers/InvalidPaymentMethod"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const customerErrors = {
  CustomerNotFound: wireError(
    Customer.CustomerNotFound,
    404,
    "CUSTOMER_NOT_FOUND",
    "The tenant has no such customer.",
    { customerId: id("customer") }
  ),
  CustomerAlreadyOnPolicy: wireError(
    Customer.CustomerAlreadyOnPolicy,
    409,
    "CUSTOMER_ALREADY_ON_POLICY",
    "The customer is on the policy already.",
    { customerId: id("customer"), policyId: id("policy") }
  ),
  CustomerNeeded: wireError(
    Customer.CustomerNeeded,
    409,
    "CUSTOMER_NEEDED",
    "The customer is the last confirmed policyholder of a signed policy, or pays for it.",
    { customerId: id("customer"), duty: "PAYER" }
  ),
  InvalidPaymentMethod: wireError(
    PaymentMethod.InvalidPaymentMethod,
    422,
    "INVALID_PAYMENT_METHOD",
    "The payment method can't be used as it is meant.",
    { reason: "NOT_THEIRS" }
  )
} as const
