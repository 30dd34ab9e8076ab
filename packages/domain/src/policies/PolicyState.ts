/** What the fold of a policy's changes holds: the part of a policy that has versions. */
import { Schema } from "effect"
import { QuoteComponent } from "../values/Amount.ts"
import { Stage } from "./Branch.ts"
import { CustomField, CustomFieldValue } from "../values/CustomField.ts"
import { Duration } from "../values/Duration.ts"
import { Instant } from "../values/Instant.ts"
import { InvoicingConfig } from "../products/InvoicingConfig.ts"
import { BillingAssignment, Stop } from "./Policy.ts"
import { PerilChoice } from "../products/Quote.ts"
import { CustomerId, QuoteId } from "../values/Ids.ts"
import { SalesChannel } from "../products/sale/Withdrawal.ts"
import { BrokerageFee } from "../products/ProductCharges.ts"

/** The state of the contract from signature on. */
export const ContractState = Schema.Literals(["NOT_STARTED", "STARTED", "SUSPENDED", "STOPPED"])
export type ContractState = typeof ContractState.Type

const CustomFields = Schema.Record(Schema.String, CustomFieldValue)

export const CustomerOnPolicy = Schema.Struct({
  /** The change that put it on the policy: the order in which customers came. */
  seq: Schema.Int,
  role: Schema.String,
  customFields: CustomFields
})
export type CustomerOnPolicy = typeof CustomerOnPolicy.Type

export const AssetOnPolicy = Schema.Struct({
  /** The change that put it on the policy: the order in which assets came. */
  seq: Schema.Int,
  type: Schema.String,
  name: Schema.optionalKey(Schema.String),
  customFields: CustomFields,
  startedAt: Schema.optionalKey(Instant),
  stoppedAt: Schema.optionalKey(Instant)
})
export type AssetOnPolicy = typeof AssetOnPolicy.Type

/** Tier and options chosen at quote time; absent ones are the product's defaults. */
export const Selection = Schema.Struct({
  tierId: Schema.String,
  perils: Schema.Array(PerilChoice)
})
export type Selection = typeof Selection.Type

/** Why cover is suspended: a reason of the caller's, or `UNPAID_PREMIUM`. */
export const Suspension = Schema.Struct({
  reason: Schema.String,
  details: Schema.optionalKey(Schema.Array(CustomField))
})
export type Suspension = typeof Suspension.Type

/** The reason of a suspension for unpaid premiums: premium stays due all through it. */
export const unpaidPremium = "UNPAID_PREMIUM"

export const PolicyState = Schema.Struct({
  stage: Stage,
  name: Schema.optionalKey(Schema.String),
  externalId: Schema.optionalKey(Schema.String),
  /** How it was sold, where that was said. */
  salesChannel: Schema.optionalKey(SalesChannel),
  startedAt: Instant,
  periodDuration: Duration,
  invoicingConfig: InvoicingConfig,
  customFields: CustomFields,
  brokerageFees: Schema.optionalKey(Schema.Array(BrokerageFee)),
  billingAssignment: Schema.optionalKey(BillingAssignment),
  additionalQuoteComponents: Schema.optionalKey(QuoteComponent),
  selection: Schema.optionalKey(Selection),
  quoteId: Schema.optionalKey(QuoteId),
  signedAt: Schema.optionalKey(Instant),
  contract: Schema.optionalKey(ContractState),
  firstPaidAt: Schema.optionalKey(Instant),
  /** The version that a renewal moved the policy to; absent: the one it was sold with. */
  productVersion: Schema.optionalKey(Schema.String),
  /** How many terms are agreed; absent: the first. */
  terms: Schema.optionalKey(Schema.Int),
  suspension: Schema.optionalKey(Suspension),
  stop: Schema.optionalKey(Stop),
  endedAt: Schema.optionalKey(Instant),
  stoppedAt: Schema.optionalKey(Instant),
  suspendedAt: Schema.optionalKey(Instant),
  reactivatedAt: Schema.optionalKey(Instant),
  customers: Schema.Record(CustomerId, CustomerOnPolicy),
  assets: Schema.Record(Schema.String, AssetOnPolicy)
})
export type PolicyState = typeof PolicyState.Type

/** Customers or assets in the order in which they came onto the policy; those of one change by identifier. */
export const inOrder = <A extends { readonly seq: number }, K extends string>(
  entries: Readonly<Record<K, A>>
): ReadonlyArray<readonly [K, A]> =>
  // Object.entries forgets the type of the keys.
  (Object.entries(entries) as Array<[K, A]>).sort(
    // What came with one change is in the order of its identifiers.
    ([a, { seq }], [b, other]) => seq - other.seq || (a < b ? -1 : 1)
  )

/** The assets whose cover has not ended: those that are priced and counted. */
export const runningAssets = ({ assets }: Pick<PolicyState, "assets">) =>
  inOrder(assets).filter(([, { stoppedAt }]) => stoppedAt === undefined)

/** Custom fields as the wire lists them, by key. */
export const fieldList = (
  fields: Readonly<Record<string, CustomFieldValue>>
): ReadonlyArray<CustomField> =>
  Object.keys(fields)
    .sort()
    .map((key) => ({ key, value: fields[key]! }))
