/** What requests about policies and their sale say. */
import { Schema } from "effect"
import { InvoicingConfig } from "../products/InvoicingConfig.ts"
import { PolicyType } from "../products/Product.ts"
import { SalesChannel } from "../products/sale/Withdrawal.ts"
import { BrokerageFee } from "../products/ProductCharges.ts"
import { PerilChoice } from "../products/Quote.ts"
import { QuoteComponent } from "../values/Amount.ts"
import { CustomField, CustomFieldPatch, customFieldsOf } from "../values/CustomField.ts"
import { Duration } from "../values/Duration.ts"
import { Email } from "../values/Email.ts"
import { BrokerageFirmId, PolicyId } from "../values/Ids.ts"
import { InstantFromString } from "../values/Instant.ts"
import type { Order } from "../values/Page.ts"
import { QueryString, Text } from "../values/Text.ts"
import { BillingAssignment, PolicyStatus } from "./Policy.ts"
import type { PolicyOrderKey } from "./PolicyList.ts"

const BrokerageFees = Schema.Array(BrokerageFee).check(Schema.isMaxLength(100))

/** What opens a policy; what is absent comes from the product. */
export const CreatePolicy = Schema.Struct({
  productId: Schema.String,
  type: Schema.optionalKey(PolicyType),
  name: Schema.optionalKey(Text),
  startedAt: Schema.optionalKey(InstantFromString),
  periodDuration: Schema.optionalKey(Duration),
  invoicingConfig: Schema.optionalKey(InvoicingConfig),
  customFields: Schema.optionalKey(customFieldsOf(CustomField)),
  brokerageFirm: Schema.optionalKey(BrokerageFirmId),
  brokerageFees: Schema.optionalKey(BrokerageFees),
  billingAssignment: Schema.optionalKey(BillingAssignment),
  externalId: Schema.optionalKey(Text),
  salesChannel: Schema.optionalKey(SalesChannel),
  parent: Schema.optionalKey(PolicyId)
}).annotate({ identifier: "CreatePolicy" })
export type CreatePolicy = typeof CreatePolicy.Type

/** A merge patch (RFC 7396), but for custom fields, which are merged by key. */
export const PatchPolicy = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(Text)),
  startedAt: Schema.optionalKey(InstantFromString),
  periodDuration: Schema.optionalKey(Duration),
  invoicingConfig: Schema.optionalKey(InvoicingConfig),
  customFields: Schema.optionalKey(customFieldsOf(CustomFieldPatch)),
  brokerageFees: Schema.optionalKey(Schema.NullOr(BrokerageFees)),
  billingAssignment: Schema.optionalKey(Schema.NullOr(BillingAssignment)),
  externalId: Schema.optionalKey(Schema.NullOr(Text)),
  salesChannel: Schema.optionalKey(SalesChannel)
}).annotate({ identifier: "PatchPolicy" })
export type PatchPolicy = typeof PatchPolicy.Type

/** What is to be priced; what it leaves out stays as it was, else is the product's default. */
export const QuotePolicy = Schema.Struct({
  tierId: Schema.optionalKey(Schema.String),
  perils: Schema.optionalKey(Schema.Array(PerilChoice).check(Schema.isMaxLength(200))),
  additionalQuoteComponents: Schema.optionalKey(QuoteComponent),
  brokerageFees: Schema.optionalKey(BrokerageFees)
}).annotate({ identifier: "QuotePolicy" })
export type QuotePolicy = typeof QuotePolicy.Type

const Consent = Schema.Struct({ textId: Schema.String, accepted: Schema.Literal(true) })

/** Who signs, and the texts that they have read: one as `consent`, or several as `consents`. */
export const SignPolicy = Schema.Struct({
  signer: Schema.Struct({ firstName: Text, lastName: Text, email: Email }),
  consent: Schema.optionalKey(Consent),
  consents: Schema.optionalKey(Schema.NonEmptyArray(Consent).check(Schema.isMaxLength(20)))
})
  .check(
    Schema.makeFilter(({ consent, consents }) =>
      consent === undefined && consents === undefined
        ? [{ path: ["consents"], issue: "Expected the texts that the signer accepts" }]
        : []
    )
  )
  .annotate({ identifier: "SignPolicy" })
export type SignPolicy = typeof SignPolicy.Type

/** The texts that a signer accepts, each once. */
export const acceptedTexts = ({
  consent,
  consents
}: Pick<SignPolicy, "consent" | "consents">): ReadonlySet<string> =>
  new Set(
    [...(consent === undefined ? [] : [consent]), ...(consents ?? [])].map(({ textId }) => textId)
  )

/** Which policies a list is of. Instants before are exclusive, after inclusive. */
export const ListPolicies = Schema.Struct({
  statuses: Schema.optionalKey(Schema.Array(PolicyStatus).check(Schema.isMaxLength(100))),
  productIds: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(100))),
  brokerageFirmId: Schema.optionalKey(BrokerageFirmId),
  externalId: Schema.optionalKey(QueryString),
  queryString: Schema.optionalKey(QueryString),
  createdAfter: Schema.optionalKey(InstantFromString),
  createdBefore: Schema.optionalKey(InstantFromString),
  startedAfter: Schema.optionalKey(InstantFromString),
  startedBefore: Schema.optionalKey(InstantFromString)
})
export type ListPolicies = typeof ListPolicies.Type & { readonly order?: Order<PolicyOrderKey> }
