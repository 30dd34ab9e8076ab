/**
 * Every kind of event that may be recorded, by the name that rows have. A kind that is not listed does not
 * compile where it is written. `pnpm generate` writes this file.
 */
import { accessEvents } from "./access/AccessEvents.ts"
import { billingEvents } from "./billing/BillingEvents.ts"
import { collectionEvents } from "./collections/CollectionEvents.ts"
import { complianceEvents } from "./compliance/ComplianceEvents.ts"
import { documentEvents } from "./documents/DocumentEvents.ts"
import { documentRequestEvents } from "./documents/DocumentRequestEvents.ts"
import { dunningEvents } from "./dunning/DunningEvents.ts"
import { paymentEvents } from "./payments/PaymentEvents.ts"
import { payoutEvents } from "./payouts/PayoutEvents.ts"
import { policyEvents, branchEvents, effectEvents } from "./policies/PolicyEvents.ts"
import { privacyEvents } from "./privacy/PrivacyEvents.ts"
import { productEvents } from "./products/Product.ts"
import { signatureEvents } from "./signatures/SignatureEvents.ts"
import { tenantEvents } from "./tenants/TenantEvents.ts"
import { treasuryEvents } from "./treasury/TreasuryEvents.ts"
import { webhookEvents } from "./webhooks/WebhookEvents.ts"
import { withdrawalEvents } from "./withdrawals/WithdrawalEvents.ts"

export const eventTypes = {
  ...accessEvents,
  ...billingEvents,
  ...collectionEvents,
  ...complianceEvents,
  ...documentEvents,
  ...documentRequestEvents,
  ...dunningEvents,
  ...paymentEvents,
  ...payoutEvents,
  ...policyEvents,
  ...branchEvents,
  ...effectEvents,
  ...privacyEvents,
  ...productEvents,
  ...signatureEvents,
  ...tenantEvents,
  ...treasuryEvents,
  ...webhookEvents,
  ...withdrawalEvents
}

export type EventKind = keyof typeof eventTypes

/** The published name of a type of event, such as `policy.stop_announced`. */
export type EventName = (typeof eventTypes)[EventKind]["type"]

/** Every published name, area by area. */
export const eventNames: ReadonlyArray<EventName> = Object.values(eventTypes).map(
  ({ type }) => type
)
