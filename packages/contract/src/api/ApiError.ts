/**
 * The one table from errors of the domain to what the wire shows: code, status, and when it happens.
 * Each area has its own part. Every failure is sent as `{ code, message, details }`, where `details`
 * are the error's fields, and decodes back into its domain class.
 */
import { requestErrors } from "../requests/RequestErrors.ts"
import { tenantErrors } from "../tenants/TenantErrors.ts"
import { tokenErrors } from "../tokens/TokenErrors.ts"
import { accessErrors } from "../access/AccessErrors.ts"
import { productErrors } from "../products/ProductErrors.ts"
import { policyErrors } from "../policies/PolicyErrors.ts"
import { assetErrors } from "../assets/AssetErrors.ts"
import { billingErrors } from "../billing/BillingErrors.ts"
import { customerErrors } from "../customers/CustomerErrors.ts"
import { paymentErrors } from "../payments/PaymentErrors.ts"
import { dunningErrors } from "../dunning/DunningErrors.ts"
import { eventErrors } from "../events/EventErrors.ts"
import { webhookErrors } from "../webhooks/WebhookErrors.ts"

/** By tag. */
export const ApiError = {
  ...requestErrors,
  ...tenantErrors,
  ...tokenErrors,
  ...accessErrors,
  ...productErrors,
  ...policyErrors,
  ...eventErrors,
  ...webhookErrors,
  ...assetErrors,
  ...billingErrors,
  ...customerErrors,
  ...paymentErrors,
  ...dunningErrors
} as const
