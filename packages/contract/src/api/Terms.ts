/** What the members of all schemas mean, for readers of the published document. */
import { accessTerms } from "../access/AccessTerms.ts"
import { accountingTerms } from "../accounting/AccountingTerms.ts"
import { assetTerms } from "../assets/AssetTerms.ts"
import { auditTerms } from "../audit/AuditTerms.ts"
import { billingTerms } from "../billing/BillingTerms.ts"
import { branchTerms } from "../branches/BranchTerms.ts"
import { customerTerms } from "../customers/CustomerTerms.ts"
import { dunningTerms } from "../dunning/DunningTerms.ts"
import { eventTerms } from "../events/EventTerms.ts"
import { lifecycleTerms } from "../lifecycle/LifecycleTerms.ts"
import { paymentTerms } from "../payments/PaymentTerms.ts"
import { policyTerms } from "../policies/PolicyTerms.ts"
import { productTerms } from "../products/ProductTerms.ts"
import { quoteTerms } from "../quotes/QuoteTerms.ts"
import { requestTerms } from "../requests/RequestTerms.ts"
import { sessionTerms } from "../sessions/SessionTerms.ts"
import { tenantTerms } from "../tenants/TenantTerms.ts"
import { tokenTerms } from "../tokens/TokenTerms.ts"
import { valueTerms } from "../values/ValueTerms.ts"
import { webhookTerms } from "../webhooks/WebhookTerms.ts"
import { workerTerms } from "../worker/WorkerTerms.ts"

/** The terms of each area; no name is in two of them. */
export const termTables: ReadonlyArray<Readonly<Record<string, string>>> = [
  valueTerms,
  requestTerms,
  tenantTerms,
  tokenTerms,
  accessTerms,
  auditTerms,
  productTerms,
  policyTerms,
  eventTerms,
  webhookTerms,
  sessionTerms,
  assetTerms,
  quoteTerms,
  billingTerms,
  customerTerms,
  accountingTerms,
  branchTerms,
  paymentTerms,
  dunningTerms,
  workerTerms,
  lifecycleTerms
]

/**
 * The meaning of a member by its name, or by the end of its path where the name means several things:
 * `Policy.status`, `details.policyId`, `ProductConfig.tiers.id`.
 */
export const terms: ReadonlyMap<string, string> = new Map(
  termTables.flatMap((table) => Object.entries(table))
)

/** Schemas that have all members of another one. */
const extended: Readonly<Record<string, string>> = {
  CreatedClient: "ClientView",
  CreatedWebhook: "Webhook",
  CreatedWebhookSecret: "WebhookSecret",
  CreateWebhook: "Webhook",
  FeedEvent: "Event",
  ListedQuote: "PolicyQuote",
  PolicyStep: "Policy",
  UpdateWebhook: "Webhook"
}

/** The name under which a member's meaning is written down: the longest end of its path that is one. */
export const termOf = (path: ReadonlyArray<string>): string | undefined => {
  const [schema = "", ...members] = path
  const base = extended[schema]
  const names = [
    path.join("."),
    ...(base === undefined ? [] : [[base, ...members].join(".")]),
    ...members.map((_, index) => members.slice(index).join("."))
  ]
  return names.find((name) => terms.has(name))
}
