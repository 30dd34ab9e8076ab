/** What the members of all schemas mean, for readers of the published document. */
import { referenceTables } from "./ReferenceTables.ts"

/** The terms of each area; no name is in two of them. */
export const termTables = referenceTables.flatMap(({ terms = {} }) => [terms])

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
  PutBankAccount: "BankAccount",
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
