/** What the members of this area mean. */
export const complianceTerms = {
  "PolicyCompliance.policyId": "The policy.",
  "AcceptedText.policyId": "The policy.",
  "PolicyCompliance.branchId": "The branch that the steps are of.",
  "PolicyCompliance.steps":
    "The steps ahead of the branch; none of one that is closed, or in force.",
  "steps.step":
    "`CONFIRM`, `SIGN`: those of a sale or a signed endorsement. `ACCEPT`: the customer takes a renewal. `MERGE`: an endorsement without a signature takes effect.",
  "steps.gates": "The conditions of the step, met or not.",
  "ComplianceGate.kind":
    "`CONSENT`: a text is accepted. `POLICYHOLDER_CONFIRMED`: the policyholder is confirmed. `BROKER_REGISTRATION`: the selling firm is registered.",
  "ComplianceGate.textId": "The text, by its identifier in the product.",
  "ComplianceGate.met": "Whether the step may be taken as far as this gate is concerned.",
  "ComplianceGate.why":
    "Why it is not met. `MISSING`: nothing is recorded. `OUTDATED`: the record does not hold any more.",
  "ComplianceGate.do": "The step that meets it.",
  "ComplianceGate.metAt": "When its proof was recorded, in UTC.",
  "AcceptText.textId": "A text of the product's `consents`, by its identifier.",
  "AcceptText.accepted": "That the customer has read the text and agrees to it.",
  "AcceptedText.branchId": "The branch on which it is accepted.",
  "AcceptedText.textId": "The text, by its identifier in the product.",
  "AcceptedText.textHash": "The SHA-256 of the wording that was accepted, in lower-case hex.",
  acceptedAt: "When the wording was accepted first, in UTC.",
  "AcceptedText.author": "The user or session that accepted it, by its identifier."
}
