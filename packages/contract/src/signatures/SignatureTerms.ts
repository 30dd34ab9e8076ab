/** What the members of signatures mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const signatureTerms = {
  "Signature.id": "The signature, by its identifier.",
  "Signature.policyId": "The policy that was signed.",
  "Signature.branchId": "The branch that was signed: the sale, or an endorsement.",
  "Signature.status":
    "`OPEN`: it waits for its signers. `SEALING`: each has signed and the branch is merged; its files are not sealed yet. `COMPLETED`: each signer has signed. `DECLINED`: a signer has refused. `EXPIRED`: it was not signed in time. `CANCELLED`: it was withdrawn. `VOID`: what was to be signed has changed.",
  "Signature.method":
    "`CLICK`: by one call of the program in which the signer acts. `REQUEST`: by each signer in turn.",
  "Signature.level":
    "`SIMPLE`: a simple electronic signature by Regulation (EU) 910/2014, art. 3(10).",
  "Signature.quoteId": "The quote that was accepted.",
  "Signature.stateDigest":
    "SHA-256 of the state that the quote prices, in hexadecimal: what was signed is what was priced.",
  "Signature.documents": "The documents that are signed, by their bytes at the request.",
  "SignedDocument.documentId": "The document, by its identifier.",
  "SignedDocument.sha256": "SHA-256 of its bytes, in lower-case hexadecimal.",
  "SignedDocument.size": "How many bytes it has.",
  "SignedDocument.pages": "How many pages it has.",
  "Signature.signers": "Who signs, in their order.",
  "Signer.id": "The signer, by their identifier; absent where it was signed by one call.",
  "Signer.firstName": "The signer's first name.",
  "Signer.lastName": "The signer's last name.",
  "Signer.email": "The signer's e-mail address.",
  "Signer.phone": "The signer's telephone number.",
  "Signer.customerId": "The customer that they sign for.",
  "Signer.userId": "The user who signs for those who sell.",
  "Signer.role": "Their role on the policy, or whom they sign for: `BROKER` or `INSURER`.",
  "Signer.order": "Signers of one order sign side by side; the next order waits for them.",
  "Signer.delivery":
    "How they come to sign. `EMAIL`: by a letter. `LINK`: by a link that a program gives them. `EMBEDDED`: in a program, as who they are there.",
  "Signer.otp":
    "How they prove that they have the address. `NONE`: not at all. `EMAIL`: by a code that is sent there. `SMS`: by one that is sent to their telephone.",
  "Signer.status":
    "`WAITING`: others sign before. `NOTIFIED`: it is their turn. `OPENED`: they have opened it. `PROVEN`: they have entered the code. `SIGNED`: they have signed. `DECLINED`: they have refused.",
  "Signer.notifiedAt": "When it was their turn, in UTC.",
  "Signer.openedAt": "When they first opened it, in UTC.",
  "Signer.provenAt": "When they entered the code, in UTC.",
  "Signer.signedAt": "When they signed, in UTC.",
  "Signer.declinedAt": "When they refused, in UTC.",
  "Signer.declineReason": "Why they refused, as they have said it.",
  "Signer.remindedAt": "When they were asked once more, in UTC.",
  "Signature.message": "What the signers are told beside what is signed.",
  "Signature.createdAt": "When it was requested, in UTC.",
  "Signature.expiresAt": "The first instant at which no one can sign it any more, in UTC.",
  "Signature.author": "Who has requested it.",
  "Signature.completedAt": "When its files were sealed, in UTC.",
  "Signature.closedAt": "When it ended without being signed, in UTC.",
  "Signature.closedReason":
    "Why it was withdrawn, or the command that has changed what was to be signed.",
  "SignerName.firstName": "The signer's first name.",
  "SignerName.lastName": "The signer's last name.",
  "SignerName.email": "The signer's e-mail address.",
  "Signature.consents": "The texts that the signers have accepted.",
  "SignedConsent.textId": "The text, by its identifier in the product.",
  "SignedConsent.textHash": "SHA-256 of the text, in lower-case hexadecimal.",
  "Signature.signedAt": "When the last signer signed, in UTC.",
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
  "EvidenceStep.address":
    "The address that the request came from; empty for what followed by itself.",
  "EvidenceStep.userAgent":
    "The program that has sent the request; empty for what followed by itself.",
  "EvidenceStep.kind":
    "`REQUESTED`: signers were asked to sign. `NOTIFIED`, `REMINDED`: a letter with their link has left. `CORRECTED`: the address or the telephone of a signer was corrected. `LINKED`: those who work on the policy have taken a link for a signer. `OPENED`: a signer has begun. `DOCUMENT_SHOWN`: they have read a document. `OTP_SENT`, `OTP_FAILED`, `OTP_PROVEN`: their code was sent, mistyped, entered. `DECLINED`: they have refused. `CONSENT_GIVEN`: a text was accepted. `SIGNED`: the branch was signed. `CANCELLED`: the request was withdrawn. `EXPIRED`: it was not signed in time. `VOIDED`: what was to be signed has changed.",
  "EvidenceStep.textId": "The text that was accepted, by its identifier in the product.",
  "EvidenceStep.sha256":
    "SHA-256 of the text, or of the document that was shown, in lower-case hexadecimal.",
  "EvidenceStep.policyId": "The policy that was signed.",
  "EvidenceStep.branchId": "The branch that was signed.",
  "EvidenceStep.quotes": "The quotes that were accepted.",
  "SignedQuote.quoteId": "The quote, by its identifier.",
  "SignedQuote.stateDigest": "SHA-256 of the state that it prices, in hexadecimal.",
  "EvidenceStep.signer": "Who has signed, as they have said it.",
  "EvidenceStep.phone":
    "The telephone that a signer was corrected to; most of its digits are hidden.",
  "EvidenceStep.signers": "Who was asked to sign.",
  "RequestedName.signerId": "The signer, by their identifier.",
  "RequestedName.firstName": "Their first name.",
  "RequestedName.lastName": "Their last name.",
  "RequestedName.email": "Their e-mail address.",
  "EvidenceStep.documents": "The documents that are signed.",
  "EvidenceStep.signerId": "The signer whose step it is.",
  "EvidenceStep.reason":
    "Why it was withdrawn, or the command that has changed what was to be signed.",
  "EvidenceStep.prev": "The hash of the step before; 64 zeros before the first.",
  "EvidenceStep.hash":
    "SHA-256 of the step's other members as canonical JSON (RFC 8785), in lower-case hexadecimal.",
  "EvidenceStep.documentId": "The document that was shown.",
  "Ceremony.signatureId": "The signature, by its identifier.",
  "Ceremony.policyId": "The policy that is signed.",
  "Ceremony.status": "How far the signature has come, as the signature says it.",
  "Ceremony.signer": "The signer themselves; the others are not told.",
  "Ceremony.documents": "The documents that they sign.",
  "Ceremony.texts": "The texts that they accept by signing.",
  "CeremonyText.textId": "The text, by its identifier in the product.",
  "CeremonyText.text": "The text, as the signer reads it.",
  "CeremonyText.textHash": "SHA-256 of the text, in lower-case hexadecimal.",
  "Ceremony.message": "What the signers are told beside what is signed.",
  "Ceremony.expiresAt": "The first instant at which no one can sign it any more, in UTC.",
  "ProveSigner.code": "The six digits of the last letter.",
  "SignSignature.name": "The signer's first name and last name, as they type them.",
  "SignSignature.consents": "The texts that they accept, each as it was shown.",
  "consents.textHash": "SHA-256 of the text that was shown, in lower-case hexadecimal.",
  "DeclineSignature.reason": "Why they refuse.",
  "details.signerId": "The signer that was asked for.",
  "details.documentIds": "The documents that the signer has not read.",
  "details.triesLeft": "How many codes may still be tried before another one is sent.",
  "RequestSignature.signers":
    "Who signs, where the customer's name and address do not say it; those that are left out sign as they are known.",
  "NamedSigner.customerId": "A customer who signs by the product.",
  "NamedSigner.userId": "Who signs for those who sell, where it is not who asks.",
  "NamedSigner.firstName": "The first name of the person who signs.",
  "NamedSigner.lastName": "The last name of the person who signs.",
  "NamedSigner.email": "The e-mail address of the person who signs.",
  "NamedSigner.phone": "The telephone number of the person who signs.",
  "RequestSignature.expiresIn":
    "How long it may be signed, at most as long as the product and the quote say.",
  "RequestSignature.message": "What the signers are told beside what is signed.",
  "EvidenceNotReady.details.signatureId": "The signature that was asked for.",
  "EvidenceNotReady.details.reason":
    "`NOT_SIGNED`: each signer has to sign first. `SEALING`: its documents are about to be sealed. `NO_SEAL`: the tenant has no seal. `NO_STAMP`: the time-stamping authority or the key gave no answer. `NO_STEPS`: an earlier version, which wrote no steps, has signed it. `CHANGED`: its steps are not as they were recorded. `NOT_CHAINED`: the audit trail is about to chain its last step. `NO_TEXT`: a text that was accepted is in no version of its product. `ERASED`: it was erased with the person.",
  "FileNotVerifiable.details.reason":
    "`TYPE`: it is neither a PDF file nor an archive. `NO_SEAL`: the PDF file has no seal. `NO_EVIDENCE`: the archive is none of evidence. `TOO_LARGE`: the archive has more or larger parts than evidence has.",
  "CorrectionRefused.details.reason":
    "`UNCHANGED`: the signer has that address and that telephone already. `TOO_OFTEN`: they were corrected as often as may be.",
  "CorrectSigner.email": "Their e-mail address, as it is; their letter is sent there.",
  "CorrectSigner.phone": "Their telephone number, as it is.",
  "RemindSigners.signerId": "The signer to remind; all whose turn it is, unless it is said.",
  "SignerLink.signerId": "Whose link it is.",
  "SignerLink.url": "The address of their page. It is a secret: who has it can begin to sign.",
  "SignerLink.expiresAt": "When the signature ends and the link with it, in UTC.",
  "details.nextAt": "When the next letter may leave, in UTC.",
  "CancelSignature.reason": "Why it is withdrawn.",
  "details.definitionIds": "The definitions of the product whose documents are not made yet.",
  "SignatureClosed.details.status": "How the signature has ended, or that it is signed.",
  "details.missing": "What is not known of who signs.",
  "details.signatureId": "The signature that was asked for."
}

/** What the parameters of this area mean. */
export const signatureParameters: ParameterTerms = {
  signatureId: { means: "The signature, by its identifier.", example: id("signature") },
  signerId: { means: "The signer, by their identifier.", example: id("signer") }
}
