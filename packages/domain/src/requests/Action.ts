/** What a caller may do: the actions that roles and grants are made of. */
import { Schema } from "effect"

/** Every action, named `<area>.<verb>`, with what it lets a person do. */
export const actions = {
  "policy.create": "open a policy",
  "policy.read": "see a policy, its timeline and its changes",
  "policy.write": "change, confirm, reopen and sign a policy",
  "policy.stop": "stop a policy and withdraw a stop of one's own",
  "policy.suspend": "suspend, reactivate and reinstate a policy, and withdraw any stop",
  "policy.revert": "revert a recorded change",
  "policy.assign": "name another brokerage firm or the payers of a policy",
  "quote.preview": "price without a record",
  "quote.read": "see quotes and their explanation",
  "quote.write": "quote a policy",
  "quote.fee": "set the brokerage fees of a policy",
  "quote.override": "add components of one's own to a quote",
  "customer.read": "see customers",
  "customer.write": "add, change and confirm customers",
  "asset.read": "see assets",
  "asset.write": "add, change and stop assets",
  "branch.read": "see branches and compare them",
  "branch.write": "open, fork, rebase, merge and invalidate branches",
  "billing.read": "see the schedule, invoices and ledger of a policy",
  "billing.write": "credit, cancel and write off invoices, charge, send notices, hold dunning",
  "payment.read": "see payments",
  "payment.write": "record payments, returns and refunds",
  "accounting.read": "see the accounting summary and reports over policies",
  "firm.read": "see brokerage firms",
  "firm.write": "add and change brokerage firms",
  "user.read": "see users",
  "user.write": "add, change and disable users",
  "permission.read": "see grants and why something is allowed",
  "permission.write": "give and take grants",
  "invitation.write": "invite people with grants, and see and withdraw invitations",
  "client.read": "see the clients of the authorization server",
  "client.write": "add, change and disable clients, and their secrets",
  "webhook.read": "see webhooks, what was sent to them and what waits",
  "webhook.write": "add, change, test and delete webhooks, and their secrets",
  "product.read": "see the whole configuration of a product",
  "product.write": "publish versions of a product",
  "audit.read": "read the audit trail",
  "event.read": "read the feed of all events",
  "clock.read": "see the tenant's business time",
  "clock.write": "move the tenant's test clock"
} as const satisfies Record<`${string}.${string}`, string>

// Object.keys forgets the literal types of a constant record.
export const actionNames = Object.keys(actions) as unknown as readonly [Action, ...Array<Action>]

export const Action = Schema.Literals(actionNames)

export type Action = keyof typeof actions
