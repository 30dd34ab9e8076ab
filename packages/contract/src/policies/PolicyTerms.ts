/** What the members of policies and of their errors mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"

export const policyTerms = {
  "Policy.id": "The policy, by its identifier.",
  "Policy.type": "The kind of policy, as its product says.",
  "CreatePolicy.type": "The kind of policy; default: as its product says.",
  "Policy.status": "The status of the sale or of the policy.",
  "Policy.assets": "The assets that the policy insures, by identifier.",
  "Policy.customers": "The customers on the policy, by identifier.",
  periodDuration: "How long a term is; a new policy has what the product says unless it is given.",
  invoicingConfig:
    "How the premium is invoiced; a new policy has the product's way unless it is given.",
  "Policy.name": "The name of the policy.",
  "CreatePolicy.name": "The name of the policy; at most 200 characters.",
  "PatchPolicy.name": "The name of the policy, at most 200 characters; `null` removes it.",
  "PatchPolicy.customFields": "Values to set, by key; fields that are not named stay as they are.",
  parent: "The policy that this one belongs to, such as a group's.",
  brokerageFirm: "The brokerage firm that the policy belongs to.",
  incrementalId: "The number of the policy in the tenant, counted up.",
  externalId: "The policy's identifier in another system; no two policies of a tenant share one.",
  "PatchPolicy.externalId":
    "The policy's identifier in another system; `null` removes it. No two policies share one.",
  salesChannel:
    "How the policy is sold. Without it a policy that a session opened counts as sold at a distance, others as the product says.",
  branchType:
    "The purpose of the branch: the contract itself, a sale, an endorsement, a renewal or a repricing.",
  author: "The person, client or session that opened the policy.",
  "Broker.userId": "The user, by their identifier.",
  "Broker.email": "The user's e-mail address.",
  "Broker.brokerRole": "The user's position in their firm, for people to read.",
  signedAt: "When the policy was signed, in UTC.",
  "Policy.startedAt": "When cover starts, in UTC.",
  "CreatePolicy.startedAt":
    "When cover is to start; the next midnight in the product's time zone unless it is said.",
  "PatchPolicy.startedAt": "When cover is to start.",
  isAwaitingFirstPayment: "Whether the start has passed and cover waits for the first payment.",
  endedAt: "The first instant after the policy, in UTC: the end of its terms, or of a stop.",
  nextRenewalAt: "The next anniversary of the start, in UTC; of a stopped policy too.",
  "Policy.stoppedAt": "The first instant without cover of a policy that is stopped, in UTC.",
  "Policy.suspendedAt": "When cover was last suspended, in UTC.",
  "Policy.reactivatedAt": "When cover last went on after a suspension, in UTC.",
  additionalQuoteComponents: "A component of the caller's own, which the price takes as it is.",
  "Policy.quote": "The price of the whole term; absent until there is one.",
  stop: "Why and since when the policy ends; absent where no stop is recorded.",
  "Stop.reason": "Why the policy ends: one of the product's stop reasons.",
  "Stop.details": "Further facts about the stop.",
  "Stop.createdAt": "When the stop was recorded, in UTC.",
  brokerageFees: "The commissions of brokerage firms on the policy; at most 100 entries.",
  "PatchPolicy.brokerageFees":
    "The commissions of brokerage firms on the policy, at most 100 entries; `null` removes them.",
  "BrokerageFee.brokerageFirmId": "The brokerage firm that earns the fee.",
  "BrokerageFee.fee":
    "The fee in percent of the net premium, 0 to 100, with at most four decimals.",
  billingAssignment: "The payer of each component; absent where one customer pays all.",
  "PatchPolicy.billingAssignment": "The payer of each component; `null`: one customer pays all.",
  configId: "The product's way of sharing a policy between payers, by its identifier.",
  defaultPayerId: "The customer who pays what no override names.",
  componentOverrides: "The components that another customer pays.",
  "componentOverrides.componentId": "The component, by its identifier in the product.",
  "componentOverrides.payerCustomerId": "The customer who pays the component.",
  signer: "The person who signs.",
  "signer.email": "The signer's e-mail address.",
  consent: "The text that the signer has read, where the product has one to sign.",
  "consent.textId": "The text, by its identifier in the product's configuration.",
  "consent.accepted": "That the signer accepts the text.",
  "SignPolicy.consents":
    "The texts that the signer has read: each that the product needs for a signature.",
  "SignPolicy.consents.textId": "The text, by its identifier in the product's configuration.",
  "consents.accepted": "That the signer accepts the text.",
  "details.policyId": "The policy that the error is about.",
  "details.branchId": "The branch that the error is about.",
  "details.changeId": "The change that the error is about.",
  "BranchRequired.details.paths":
    "The members that were to be changed, as JSON pointers into the policy.",
  "BranchRequired.details.branchType": "The type of branch to open.",
  "BranchClosed.details.status": "The status of the branch.",
  conflicts: "Every conflict between the branch and what is in force.",
  "InvalidBillingAssignment.details.field": "The member of the assignment that names it.",
  "InvalidBillingAssignment.details.value": "The value of the member.",
  gates: "The gates that are not met.",
  "gates.kind": "The kind of the gate, as `GET /policies/{policyId}/compliance` lists it.",
  "gates.documentId": "The document to be given, where it is there.",
  "gates.definitionId": "The document by its name in the product.",
  "gates.requestedKind":
    "The document that a customer has to bring, by its kind in the product's `requestedDocuments`.",
  "gates.customerId": "The customer who has to bring it.",
  "gates.documentRequestId": "The request for it, where there is one.",
  "gates.fields":
    "The data that have changed since, by their paths; of a `DEVIATION` the rules that the cover does not keep.",
  "gates.why":
    "`MISSING`: nothing is recorded. `OUTDATED`: it does not hold any more. `TOO_LATE`: it came after the step. `DEVIATION`: the cover does not fit.",
  "gates.do": "The step that meets it.",
  "gates.textId": "The text to be accepted; absent where no consent is missing.",
  "details.externalId": "The external identifier that another policy has.",
  "InvalidStopReason.details.reason": "The reason that was given.",
  "InvalidStopReason.details.accepted": "The reasons that the product accepts.",
  "ChangeNotRevertible.details.kind": "The kind of change.",
  dependents: "The changes that have to be reverted first."
}

const servesBranch = "Checked against the product's limits; it moves nothing."

/** What the parameters of this area mean. */
export const policyParameters: ParameterTerms = {
  createdAfter: { means: "Only policies that were opened at this instant or later." },
  createdBefore: { means: "Only policies that were opened before this instant." },
  externalId: { means: "Only the policy that another system calls so, exactly." },
  productIds: { means: "Only policies of these products; at most 100." },
  "policies.list.queryString": {
    means:
      "Words of which each begins a word of the policy's identifiers or name; at most 200 characters."
  },
  startedAfter: { means: "Only policies whose cover starts at this instant or later." },
  startedBefore: { means: "Only policies whose cover starts before this instant." },
  statuses: { means: "Only policies in one of these statuses; at most 100." },
  terminationReasons: {
    means: "Only policies that were stopped for one of these reasons; at most 100."
  },
  "policies.calculateQuote.whenAt": {
    means: "The instant to price it at, past or to come; default: now."
  },
  "policies.quote.whenAt": { means: servesBranch },
  "policies.confirm.whenAt": { means: servesBranch },
  "policies.reopen.whenAt": { means: servesBranch },
  "policies.sign.whenAt": { means: servesBranch }
}
