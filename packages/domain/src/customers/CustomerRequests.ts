/** What requests about customers say. */
import { Schema } from "effect"
import { CustomField, CustomFieldPatch, customFieldsOf } from "../values/CustomField.ts"
import { Email } from "../values/Email.ts"
import { PaymentMethodId, PolicyId } from "../values/Ids.ts"
import { QueryString, Text } from "../values/Text.ts"
import { CustomerStatus, CustomerType, PaymentMode } from "./Customer.ts"

/** A person or company on a policy; `role` is one of the product's `customerRoles`. */
export const AddCustomer = Schema.Struct({
  role: Schema.String,
  customFields: Schema.optionalKey(customFieldsOf(CustomField)),
  type: Schema.optionalKey(CustomerType),
  name: Schema.optionalKey(Text),
  email: Schema.optionalKey(Email),
  paymentMode: Schema.optionalKey(PaymentMode)
}).annotate({ identifier: "AddCustomer" })
export type AddCustomer = typeof AddCustomer.Type

/** A merge patch (RFC 7396), but for custom fields, which are merged by key. */
export const PatchCustomer = Schema.Struct({
  role: Schema.optionalKey(Schema.String),
  customFields: Schema.optionalKey(customFieldsOf(CustomFieldPatch)),
  type: Schema.optionalKey(CustomerType),
  name: Schema.optionalKey(Schema.NullOr(Text)),
  email: Schema.optionalKey(Schema.NullOr(Email)),
  paymentMode: Schema.optionalKey(PaymentMode),
  /** An active one of theirs; `null`: none. */
  preferredPaymentMethodId: Schema.optionalKey(Schema.NullOr(PaymentMethodId))
}).annotate({ identifier: "PatchCustomer" })
export type PatchCustomer = typeof PatchCustomer.Type

/** What an existing customer is on another policy; `role` is one of the product's `customerRoles`. */
export const PutOnPolicy = Schema.Struct({
  role: Schema.String,
  customFields: Schema.optionalKey(customFieldsOf(CustomField))
}).annotate({ identifier: "PutOnPolicy" })
export type PutOnPolicy = typeof PutOnPolicy.Type

/** Which customers a list is of. */
export const ListCustomers = Schema.Struct({
  queryString: Schema.optionalKey(QueryString),
  statuses: Schema.optionalKey(Schema.Array(CustomerStatus).check(Schema.isMaxLength(100))),
  policyId: Schema.optionalKey(PolicyId)
})
export type ListCustomers = typeof ListCustomers.Type
