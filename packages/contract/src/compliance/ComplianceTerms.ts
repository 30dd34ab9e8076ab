/** What the members of this area mean. */
export const complianceTerms = {
  "PolicyCompliance.policyId": "The policy.",
  "AcceptedText.policyId": "The policy.",
  "PolicyCompliance.branchId": "The branch that the steps are of.",
  questionnaire: "The questions on demands and needs; absent where the product has none.",
  "questionnaire.version": "The version of the questions.",
  "questionnaire.questions": "The questions, in the form of custom fields.",
  "PolicyCompliance.steps":
    "The steps ahead of the branch; none of one that is closed, or in force.",
  "steps.step":
    "`CONFIRM`, `SIGN`: those of a sale or a signed endorsement. `ACCEPT`: the customer takes a renewal. `MERGE`: an endorsement without a signature takes effect.",
  "steps.gates": "The conditions of the step, met or not.",
  "ComplianceGate.kind": "The duty; the documentation of compliance tells when each is met.",
  "ComplianceGate.textId": "The text, by its identifier in the product.",
  "ComplianceGate.met": "Whether the step may be taken as far as this gate is concerned.",
  "ComplianceGate.documentId": "The document to be given, where it is there.",
  "ComplianceGate.definitionId": "The document by its name in the product.",
  "ComplianceGate.requestedKind":
    "The document that a customer has to bring, by its kind in the product's `requestedDocuments`.",
  "ComplianceGate.customerId": "The customer who has to bring it.",
  "ComplianceGate.documentRequestId": "The request for it, where there is one.",
  "ComplianceGate.fields":
    "The data that have changed since, by their paths; of a `DEVIATION` the rules that the cover does not keep.",
  "ComplianceGate.why":
    "`MISSING`: nothing is recorded. `OUTDATED`: it does not hold any more. `TOO_LATE`: it came after the step. `DEVIATION`: the cover does not fit.",
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
