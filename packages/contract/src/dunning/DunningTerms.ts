/** What the members of formal notices and of holds on dunning mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"

export const dunningTerms = {
  "FormalNotice.id": "The formal notice, by its identifier.",
  "FormalNotice.policyId": "The policy whose premium is unpaid.",
  "FormalNotice.payerCustomerId": "The addressee of the notice.",
  "RecordNotice.payerCustomerId": "The addressee of the notice.",
  "FormalNotice.invoiceIds": "The unpaid invoices that the notice names.",
  "RecordNotice.invoiceIds": "The unpaid invoices that the notice names; at most 100.",
  "FormalNotice.status": "Whether the notice is still to be sent.",
  channel: "How the notice goes out; `SIMULATED_POST` is the sandbox's and carries nothing.",
  "FormalNotice.sentAt": "When the notice was sent, in UTC; absent until then.",
  "RecordNotice.sentAt": "When the notice was sent.",
  evidence: "The proof that the notice was dispatched.",
  carrier: "The carrier of the letter; at most 500 characters.",
  "NoticeEvidence.reference": "The carrier's number of the letter; at most 500 characters.",
  "NoticeEvidence.address": "The address that was written to; at most 500 characters.",
  documentHash:
    "SHA-256 of what was sent, as 64 hexadecimal digits; where the notice has a document, that of the document.",
  "FormalNotice.announcesTermination":
    "Whether the notice says that the contract ends by itself when it stays unpaid.",
  "RecordNotice.announcesTermination":
    "Whether the notice says that the contract ends by itself; absent: as the product's notices do.",
  "FormalNotice.suspendedAt":
    "The first instant without cover, in UTC; absent where it is paid before.",
  terminableAt:
    "The first instant at which the contract may be ended, in UTC; absent where it is paid before.",
  "FormalNotice.reactivatedAt": "The first instant with cover again, in UTC.",
  "Hold.id": "The hold, by its identifier.",
  "Hold.policyId": "The policy on which no step of dunning is taken.",
  "Hold.from": "When the hold begins, in UTC: no step of dunning is taken from then on.",
  "PlaceHold.from": "When the hold begins: no step of dunning is taken from then on; default: now.",
  "Hold.to": "When dunning resumes, in UTC; absent until the hold is lifted.",
  "PlaceHold.to": "When dunning resumes; absent: when the hold is lifted.",
  "Hold.reason": "Why dunning is on hold, for readers.",
  "PlaceHold.reason": "Why dunning is on hold, for readers; at most 500 characters.",
  "details.holdId": "The hold that is not there, or is over.",
  "TerminationNotPossible.details.reason": "The reason to stop that was given.",
  "TerminationNotPossible.details.earliest":
    "The first instant at which the contract may be ended, in UTC; absent where that is not known."
}

/** What the parameters of this area mean. */
export const dunningParameters: ParameterTerms = {
  holdId: { means: "The hold to lift, by its identifier." }
}
