/**
 * Every kind of event that may be recorded, by the name that rows have. A kind that is not listed does not
 * compile where it is written.
 */
import { accessEvents } from "./access/AccessEvents.ts"
import { billingEvents } from "./billing/BillingEvents.ts"
import { dunningEvents } from "./dunning/DunningEvents.ts"
import { paymentEvents } from "./payments/PaymentEvents.ts"
import { policyEvents } from "./policies/PolicyEvents.ts"
import { productEvents } from "./products/Product.ts"

export const eventTypes = {
  ...accessEvents,
  ...productEvents,
  ...policyEvents,
  ...billingEvents,
  ...paymentEvents,
  ...dunningEvents
}

export type EventKind = keyof typeof eventTypes
