/** What the members of signatures mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const signatureTerms = {
  "Signature.id": "The signature, by its identifier.",
  "Signature.policyId": "The policy that was signed.",
  "Signature.branchId": "The branch that was signed: the sale, or an endorsement.",
  "Signature.status": "`COMPLETED`: each signer has signed.",
  "Signature.method": "`CLICK`: by one call of the program in which the signer acts.",
  "Signature.level":
    "`SIMPLE`: a simple electronic signature by Regulation (EU) 910/2014, art. 3(10).",
  "Signature.quoteId": "The quote that was accepted.",
  "Signature.stateDigest":
    "SHA-256 of the state that the quote prices, in hexadecimal: what was signed is what was priced.",
  "Signature.signers": "Who has signed, as they have said it.",
  "SignerName.firstName": "The signer's first name.",
  "SignerName.lastName": "The signer's last name.",
  "SignerName.email": "The signer's e-mail address.",
  "Signature.consents": "The texts that the signer has accepted.",
  "SignedConsent.textId": "The text, by its identifier in the product.",
  "SignedConsent.textHash": "SHA-256 of the text, in lower-case hexadecimal.",
  "Signature.signedAt": "When it was signed, in UTC.",
  "SignatureSteps.signatureId": "The signature that was asked for.",
  "SignatureSteps.steps": "The steps in their order.",
  "SignatureSteps.head":
    "The hash of the last step as the audit trail has it; absent where no steps were kept.",
  "SignatureSteps.status":
    "`INTACT`: each step is as it was recorded, and none is missing. `CHANGED`: something is not, which `fault` names. `NOT_KEPT`: it was signed before steps were kept.",
  "SignatureSteps.fault": "The first thing that is wrong.",
  "EvidenceFault.n": "The step that it was found at.",
  "EvidenceFault.reason":
    "`CONTENT`: the step's content does not give its hash. `SIGNATURE`: it is another signature's. `NUMBER`: a step is missing, was added or moved. `PREVIOUS`: it follows another step. `HEAD`: the audit trail has another last step.",
  "EvidenceStep.n": "Counts the steps of a signature from 1.",
  "EvidenceStep.signatureId": "The signature that the step belongs to.",
  "EvidenceStep.at": "When it happened, in the tenant's time, in UTC.",
  "EvidenceStep.recordedAt": "When it was recorded, in real time, in UTC.",
  "EvidenceStep.actor": "Who has made the request.",
  "EvidenceStep.address": "The address that the request came from.",
  "EvidenceStep.userAgent": "The program that has sent the request.",
  "EvidenceStep.kind": "`CONSENT_GIVEN`: a text was accepted. `SIGNED`: the branch was signed.",
  "EvidenceStep.textId": "The text that was accepted, by its identifier in the product.",
  "EvidenceStep.sha256": "SHA-256 of the text, in lower-case hexadecimal.",
  "EvidenceStep.policyId": "The policy that was signed.",
  "EvidenceStep.branchId": "The branch that was signed.",
  "EvidenceStep.quotes": "The quotes that were accepted.",
  "SignedQuote.quoteId": "The quote, by its identifier.",
  "SignedQuote.stateDigest": "SHA-256 of the state that it prices, in hexadecimal.",
  "EvidenceStep.signer": "Who has signed, as they have said it.",
  "EvidenceStep.prev": "The hash of the step before; 64 zeros before the first.",
  "EvidenceStep.hash":
    "SHA-256 of the step's other members as canonical JSON (RFC 8785), in lower-case hexadecimal.",
  "details.signatureId": "The signature that was asked for."
}

/** What the parameters of this area mean. */
export const signatureParameters: ParameterTerms = {
  signatureId: { means: "The signature, by its identifier.", example: id("signature") }
}
