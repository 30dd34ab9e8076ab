import { Result, Schema } from "effect"
import { QuoteComponent } from "../values/Amount.ts"
import { CustomField } from "../values/CustomField.ts"
import { Duration } from "../values/Duration.ts"
import { Instant } from "../values/Instant.ts"
import { InvoicingConfig } from "../products/InvoicingConfig.ts"
import { PolicyQuote, SelectedTier } from "../products/Quote.ts"
import { SalesChannel } from "../products/sale/Withdrawal.ts"
import { AssetId, BrokerageFirmId, CustomerId, PolicyId } from "../values/Ids.ts"
import { PolicyType } from "../products/Product.ts"
import { BrokerageFee } from "../products/ProductCharges.ts"
import { BranchType } from "../products/ProductTerms.ts"

export const PolicyStatus = Schema.Literals([
  "POLICY_CREATED",
  "POLICY_QUOTED",
  "POLICY_CONFIRMED",
  "POLICY_SIGNED",
  "POLICY_STARTED",
  "POLICY_STOPPED",
  "POLICY_SUSPENDED"
])
export type PolicyStatus = typeof PolicyStatus.Type

export const Broker = Schema.Struct({
  firstName: Schema.String,
  lastName: Schema.String,
  userId: Schema.String,
  email: Schema.optionalKey(Schema.String),
  brokerRole: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "Broker" })
export type Broker = typeof Broker.Type

export const Stop = Schema.Struct({
  reason: Schema.String,
  details: Schema.optionalKey(Schema.Array(CustomField)),
  createdAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "Stop" })
export type Stop = typeof Stop.Type

/** Who pays which component of a policy with several payers. */
export const BillingAssignment = Schema.Struct({
  configId: Schema.String,
  defaultPayerId: Schema.String,
  componentOverrides: Schema.optionalKey(
    Schema.Array(Schema.Struct({ componentId: Schema.String, payerCustomerId: Schema.String }))
  )
}).annotate({ identifier: "BillingAssignment" })
export type BillingAssignment = typeof BillingAssignment.Type

/** A policy as the interface shows it. */
export const Policy = Schema.Struct({
  id: PolicyId,
  type: PolicyType,
  productId: Schema.String,
  createdAt: Instant,
  lastModifiedAt: Instant,
  status: PolicyStatus,
  assets: Schema.Array(AssetId),
  customers: Schema.Array(CustomerId),
  periodDuration: Duration,
  invoicingConfig: InvoicingConfig,
  name: Schema.optionalKey(Schema.String),
  customFields: Schema.optionalKey(Schema.Array(CustomField)),
  parent: Schema.optionalKey(PolicyId),
  brokerageFirm: Schema.optionalKey(BrokerageFirmId),
  incrementalId: Schema.optionalKey(Schema.Int),
  externalId: Schema.optionalKey(Schema.String),
  salesChannel: Schema.optionalKey(SalesChannel),
  branchType: Schema.optionalKey(BranchType),
  author: Schema.optionalKey(Broker),
  signedAt: Schema.optionalKey(Instant),
  startedAt: Schema.optionalKey(Instant),
  isAwaitingFirstPayment: Schema.optionalKey(Schema.Boolean),
  endedAt: Schema.optionalKey(Instant),
  nextRenewalAt: Schema.optionalKey(Instant),
  stoppedAt: Schema.optionalKey(Instant),
  suspendedAt: Schema.optionalKey(Instant),
  reactivatedAt: Schema.optionalKey(Instant),
  additionalQuoteComponents: Schema.optionalKey(QuoteComponent),
  quote: Schema.optionalKey(PolicyQuote),
  proratedQuote: Schema.optionalKey(PolicyQuote),
  selectedTier: Schema.optionalKey(SelectedTier),
  stop: Schema.optionalKey(Stop),
  brokerageFees: Schema.optionalKey(Schema.Array(BrokerageFee)),
  billingAssignment: Schema.optionalKey(BillingAssignment)
}).annotate({ identifier: "Policy" })
export type Policy = typeof Policy.Type

export class PolicyNotFound extends Schema.TaggedError<PolicyNotFound>()("PolicyNotFound", {
  policyId: PolicyId
}) {
  override get message() {
    return `Policy ${this.policyId} does not exist; check the identifier and the tenant.`
  }
}

/** A stop for a reason that the product does not have. */
export class InvalidStopReason extends Schema.TaggedError<InvalidStopReason>()(
  "InvalidStopReason",
  { reason: Schema.String, accepted: Schema.Array(Schema.String) }
) {
  override get message() {
    return `The product has no stop reason ${this.reason}; choose one of: ${this.accepted.join(", ")}.`
  }
}

export const requireStopReason = (
  reasons: ReadonlyArray<{ readonly id: string }>,
  reason: string
): Result.Result<void, InvalidStopReason> =>
  reasons.some(({ id }) => id === reason)
    ? Result.void
    : Result.fail(new InvalidStopReason({ reason, accepted: reasons.map(({ id }) => id) }))

export class DuplicateExternalId extends Schema.TaggedError<DuplicateExternalId>()(
  "DuplicateExternalId",
  { externalId: Schema.String }
) {
  override get message() {
    return `Another policy has the external id ${this.externalId}; choose a free one.`
  }
}

export class InvalidBillingAssignment extends Schema.TaggedError<InvalidBillingAssignment>()(
  "InvalidBillingAssignment",
  { field: Schema.String, value: Schema.String }
) {
  override get message() {
    return `\`${this.field}\` of the billing assignment names what the policy does not have.`
  }
}
