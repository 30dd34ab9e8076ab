/**
 * Every kind of event that may be recorded, by the name that rows have. A kind that is not listed does not
 * compile where it is written.
 */
import { accessEvents } from "./access/AccessEvents.ts"
import { billingEvents } from "./billing/BillingEvents.ts"
import { dunningEvents } from "./dunning/DunningEvents.ts"
import { paymentEvents } from "./payments/PaymentEvents.ts"
import { effectEvents, policyEvents } from "./policies/PolicyEvents.ts"
import { productEvents } from "./products/Product.ts"
import { tenantEvents } from "./tenants/TenantEvents.ts"
import { webhookEvents } from "./webhooks/WebhookEvents.ts"

export const eventTypes = {
  ...tenantEvents,
  ...accessEvents,
  ...productEvents,
  ...policyEvents,
  ...effectEvents,
  ...billingEvents,
  ...paymentEvents,
  ...dunningEvents,
  ...webhookEvents
}

export type EventKind = keyof typeof eventTypes

/** The published name of a type of event, such as `policy.stop_announced`. */
export type EventName = (typeof eventTypes)[EventKind]["type"]

/** Every published name, in the order of the areas. */
export const eventNames: ReadonlyArray<EventName> = Object.values(eventTypes).map(
  ({ type }) => type
)
