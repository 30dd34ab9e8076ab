/**
 * What a caller may do: the actions that roles and grants are made of, with the roles and the scope that
 * have each from the start. Kept in one table, so that a decision about access is read as a whole.
 */
import { Schema } from "effect"
import type { Scope } from "./Caller.ts"

/** The built-in roles of people, each with everything that the roles before it have. */
export type Rank = "POLICYHOLDER" | "BROKER" | "FIRM_MANAGER" | "TENANT_MANAGER"

interface ActionEntry {
  /** What it lets a person do, after "may". */
  readonly lets: string
  /** The lowest built-in role that has it. An AUDITOR has every action that ends in `.read`. */
  readonly from: Rank
  /** Whether every anonymous session has it, without a stored grant. */
  readonly visitors?: true
  /** Whether a client has it, on the whole tenant, by the scope of the action's area. */
  readonly clients?: true
  /** Up to which amount a person does it alone: by this authority of their role. */
  readonly limitedBy?: "payout" | "claimReserve" | "claimPayment"
}

/** Every action, named `<area>.<verb>`. */
export const actions = {
  "policy.create": { lets: "open a policy", from: "BROKER", visitors: true },
  "policy.read": { lets: "see a policy, its timeline and its changes", from: "POLICYHOLDER" },
  "policy.write": { lets: "change, confirm, reopen and sign a policy", from: "POLICYHOLDER" },
  "policy.stop": {
    lets: "stop a policy, and withdraw a stop that they announced",
    from: "POLICYHOLDER"
  },
  "policy.suspend": {
    lets: "suspend, reactivate and reinstate a policy, and withdraw any stop",
    from: "BROKER"
  },
  "policy.revert": { lets: "revert a recorded change", from: "FIRM_MANAGER" },
  "policy.assign": {
    lets: "name another brokerage firm or the payers of a policy",
    from: "FIRM_MANAGER"
  },
  "compliance.read": {
    lets: "see what the law and the product ask for before a sale, and what proves it",
    from: "POLICYHOLDER"
  },
  "compliance.write": {
    lets: "state what a customer needs, and confirm where the cover differs",
    from: "POLICYHOLDER"
  },
  "compliance.advise": { lets: "advise customers in their own words", from: "BROKER" },
  "quote.preview": {
    lets: "price without a record",
    from: "BROKER",
    visitors: true,
    clients: true
  },
  "quote.read": { lets: "see quotes and their explanation", from: "POLICYHOLDER" },
  "quote.write": { lets: "quote a policy", from: "POLICYHOLDER" },
  "quote.fee": { lets: "set the brokerage fees of a policy", from: "BROKER" },
  "quote.override": { lets: "add their own components to a quote", from: "FIRM_MANAGER" },
  "customer.read": { lets: "see customers", from: "POLICYHOLDER", clients: true },
  "customer.write": { lets: "add, change and confirm customers", from: "POLICYHOLDER" },
  "asset.read": { lets: "see assets", from: "POLICYHOLDER" },
  "asset.write": { lets: "add, change and stop assets", from: "POLICYHOLDER" },
  "branch.read": { lets: "see branches and compare them", from: "POLICYHOLDER" },
  "branch.write": {
    lets: "open, fork, rebase, merge and invalidate branches",
    from: "POLICYHOLDER"
  },
  "billing.read": {
    lets: "see the schedule, invoices and ledger of a policy",
    from: "POLICYHOLDER",
    clients: true
  },
  "billing.write": {
    lets: "credit, cancel and write off invoices, charge, send notices, hold dunning",
    from: "TENANT_MANAGER",
    clients: true
  },
  "payment.read": { lets: "see payments", from: "BROKER" },
  "payment.write": {
    lets: "record payments, returns and refunds",
    from: "FIRM_MANAGER",
    clients: true
  },
  "payment_method.read": {
    lets: "see from where customers pay, without the numbers of accounts",
    from: "POLICYHOLDER"
  },
  "payment_method.write": { lets: "add and disable payment methods", from: "POLICYHOLDER" },
  "payment_method.reveal": {
    lets: "see the number of a customer's account, which is put on record",
    from: "TENANT_MANAGER"
  },
  "mandate.import": {
    lets: "bring in mandates that were signed elsewhere",
    from: "TENANT_MANAGER",
    clients: true
  },
  "collection.read": {
    lets: "see debits, bank statements, their entries and what is awaited of banks",
    from: "FIRM_MANAGER",
    clients: true
  },
  "collection.write": {
    lets: "take bank files, and say what entries of statements are",
    from: "TENANT_MANAGER",
    clients: true
  },
  "collection.export": {
    lets: "fetch files of payments, which name the accounts of customers; that is put on record",
    from: "TENANT_MANAGER",
    clients: true
  },
  "payout.read": {
    lets: "see what is paid out, and what waits for approval",
    from: "FIRM_MANAGER"
  },
  "payout.request": {
    lets: "pay credit balances out, up to their authority alone",
    from: "FIRM_MANAGER",
    limitedBy: "payout"
  },
  "payout.approve": {
    lets: "agree to payouts that others have asked for, up to their authority",
    from: "TENANT_MANAGER",
    limitedBy: "payout"
  },
  "payout.settle": {
    lets: "record what the bank has done with a payout",
    from: "TENANT_MANAGER"
  },
  "document.read": {
    lets: "see the documents of a policy that are for its customers",
    from: "POLICYHOLDER",
    clients: true
  },
  "document.upload": { lets: "add files to a policy", from: "POLICYHOLDER" },
  "document.write": {
    lets: "ask for documents, record that they were handed over, try again what has failed",
    from: "BROKER"
  },
  "internalDocument.read": {
    lets: "see the documents of a policy that are not for its customers",
    from: "BROKER"
  },
  "template.read": { lets: "see templates of documents", from: "TENANT_MANAGER", clients: true },
  "template.write": { lets: "publish templates, add files", from: "TENANT_MANAGER", clients: true },
  "signature.read": {
    lets: "see the signatures of a policy, and the steps that prove them",
    from: "BROKER",
    clients: true
  },
  "signature.write": { lets: "request signatures, and withdraw them", from: "BROKER" },
  "signature.countersign": { lets: "sign for those who sell, if named", from: "BROKER" },
  "accounting.read": {
    lets: "see the accounting summary and reports over policies",
    from: "BROKER",
    clients: true
  },
  "firm.read": { lets: "see brokerage firms", from: "BROKER", clients: true },
  "firm.write": { lets: "add and change brokerage firms", from: "FIRM_MANAGER", clients: true },
  "user.read": { lets: "see users", from: "BROKER", clients: true },
  "user.write": { lets: "add, change and disable users", from: "FIRM_MANAGER", clients: true },
  "permission.read": {
    lets: "see grants and why something is allowed",
    from: "FIRM_MANAGER",
    clients: true
  },
  "permission.write": { lets: "give and take grants", from: "FIRM_MANAGER", clients: true },
  "invitation.write": {
    lets: "invite people with grants, and see and withdraw invitations",
    from: "BROKER",
    clients: true
  },
  "client.read": {
    lets: "see the clients of the authorization server",
    from: "TENANT_MANAGER",
    clients: true
  },
  "client.write": {
    lets: "add, change and disable clients, and their secrets",
    from: "TENANT_MANAGER",
    clients: true
  },
  "product.read": {
    lets: "see the whole configuration of a product",
    from: "TENANT_MANAGER",
    clients: true
  },
  "product.write": {
    lets: "publish versions of a product",
    from: "TENANT_MANAGER",
    clients: true
  },
  "audit.read": { lets: "read the audit trail", from: "TENANT_MANAGER", clients: true },
  "event.read": { lets: "read the feed of all events", from: "TENANT_MANAGER", clients: true },
  "webhook.read": {
    lets: "see webhooks, what was sent to them and what waits",
    from: "TENANT_MANAGER",
    clients: true
  },
  "webhook.write": {
    lets: "add, change, test and delete webhooks, and their secrets",
    from: "TENANT_MANAGER",
    clients: true
  },
  "bank.read": { lets: "see the tenant's bank accounts", from: "TENANT_MANAGER", clients: true },
  "bank.write": {
    lets: "add, change and close the tenant's bank accounts",
    from: "TENANT_MANAGER",
    clients: true
  },
  "privacy.read": {
    lets: "see requests of persons about their data, and how long data are kept",
    from: "TENANT_MANAGER",
    clients: true
  },
  "privacy.write": {
    lets: "record and answer requests of persons about their data",
    from: "TENANT_MANAGER",
    clients: true
  },
  "clock.read": {
    lets: "see the tenant's business time",
    from: "TENANT_MANAGER",
    clients: true
  },
  "clock.write": { lets: "move the tenant's test clock", from: "TENANT_MANAGER", clients: true }
} as const satisfies Record<`${string}.${string}`, ActionEntry>

export type Action = keyof typeof actions

// Object.keys forgets the literal types of a constant record.
export const actionNames = Object.keys(actions) as unknown as readonly [Action, ...Array<Action>]

export const Action = Schema.Literals(actionNames)

/** What the actions of an area are about: the part of their names before the dot. */
export type Area = Action extends `${infer A}.${string}` ? A : never

/** The scope that covers the actions of an area: see `scopeOf`. */
const scopeOfArea: Readonly<Record<Area, Scope>> = {
  policy: "platform/policies",
  compliance: "platform/policies",
  quote: "platform/quotes",
  customer: "platform/customers",
  asset: "platform/assets",
  branch: "platform/branches",
  billing: "platform/billing",
  payment: "platform/payments",
  payment_method: "platform/payments",
  mandate: "platform/payments",
  collection: "platform/payments",
  payout: "platform/payments",
  document: "platform/documents",
  internalDocument: "platform/documents",
  template: "platform/admin",
  signature: "platform/signature",
  accounting: "platform/billing",
  firm: "platform/broker",
  user: "platform/admin",
  permission: "platform/permissions",
  invitation: "platform/invitations",
  client: "platform/admin",
  product: "platform/admin",
  audit: "platform/admin",
  bank: "platform/admin",
  clock: "platform/admin",
  event: "platform/admin",
  webhook: "platform/admin",
  privacy: "platform/customers"
}

const entryOf = (action: Action): ActionEntry => actions[action]

/** The scope of an action's area. A client with it may let others do the action by inviting them. */
export const scopeOf = (action: Action): Scope =>
  // A name of an action begins with its area.
  scopeOfArea[action.slice(0, action.indexOf(".")) as Area]

const ranks: ReadonlyArray<Rank> = ["POLICYHOLDER", "BROKER", "FIRM_MANAGER", "TENANT_MANAGER"]

/** Everything that a built-in role of people has. */
export const actionsOfRank = (rank: Rank): ReadonlyArray<Action> =>
  actionNames.filter((action) => ranks.indexOf(entryOf(action).from) <= ranks.indexOf(rank))

/** The actions that an authority limits. */
export const limitedActions = (authority: ActionEntry["limitedBy"]): ReadonlyArray<Action> =>
  actionNames.filter((action) => entryOf(action).limitedBy === authority)

/** Everything that only reads. */
export const readActions = actionNames.filter((action) => action.endsWith(".read"))

/** Everything that an anonymous session has from its start. */
export const visitorActions = actionNames.filter((action) => entryOf(action).visitors === true)

/** What a client may do itself with a scope, on the whole tenant. */
export const scopeActions = (scope: Scope): ReadonlyArray<Action> =>
  actionNames.filter((action) => entryOf(action).clients === true && scopeOf(action) === scope)
