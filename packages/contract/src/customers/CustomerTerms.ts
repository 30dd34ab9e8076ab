/** What the members of customers mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"

export const customerTerms = {
  "Customer.id": "The customer, by their identifier.",
  "Customer.type": "Whether the customer is a person or a company.",
  "AddCustomer.type": "Whether the customer is a person, which is the default, or a company.",
  "PatchCustomer.type": "Whether the customer is a person or a company.",
  "Customer.status": "Whether the customer's identity is confirmed.",
  policies: "The policies that the customer is on.",
  "Customer.role": "The customer's role on the policy: one of the product's customer roles.",
  "AddCustomer.role": "The customer's role on the policy: one of the product's customer roles.",
  "PatchCustomer.role": "The customer's role on the policy: one of the product's customer roles.",
  "PutOnPolicy.role": "The customer's role on the policy: one of the product's customer roles.",
  paymentMode: "How the customer pays.",
  "AddCustomer.paymentMode": "How the customer pays; by direct debit unless it is said.",
  "Customer.name": "The name of the customer.",
  "AddCustomer.name": "The name of the customer; at most 200 characters.",
  "PatchCustomer.name": "The name of the customer, at most 200 characters; `null` removes it.",
  "Customer.email": "The customer's e-mail address, in lower case.",
  "AddCustomer.email": "The customer's e-mail address.",
  "PatchCustomer.email": "The customer's e-mail address; `null` removes it.",
  "PatchCustomer.customFields":
    "Values to set on the policy, by key; fields that are not named stay as they are.",
  preferredPaymentMethodId: "The payment method that the customer prefers, by its identifier.",
  "PatchCustomer.preferredPaymentMethodId":
    "The payment method that the customer prefers, an active one of theirs; `null`: none.",
  customerId: "The customer, by their identifier.",
  "details.customerId": "The customer that the error is about.",
  duty: "The customer's part in the policy."
}

/** What the parameters of this area mean. */
export const customerParameters: ParameterTerms = {
  "query.policyId": {
    means:
      "The policy on which the customer is meant; default: the earliest that the caller may see."
  },
  "customers.list.policyId": {
    means: "Only customers of this policy; needed with `branchId`, `whenAt` and `knownAt`."
  },
  "customers.list.queryString": {
    means: "Words of which each begins a word of the customer; at most 200 characters."
  },
  "customers.list.statuses": { means: "Only customers in one of these statuses; at most 100." }
}
