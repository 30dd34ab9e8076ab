/** What the members of mandates mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const mandateTerms = {
  "Mandate.id": "The mandate, by its identifier.",
  "Mandate.paymentMethodId": "The account that is collected from.",
  "AmendMandate.paymentMethodId":
    "The account to collect from now on: an active payment method of the same customer.",
  "Mandate.customerId": "The debtor.",
  "Mandate.bankAccountId": "The tenant's account that is collected to.",
  "Mandate.creditorIdentifier": "By which banks know who collects.",
  umr: "The mandate's reference, by which its debtor and the banks know it; unique for a creditor.",
  "Mandate.scheme":
    "`CORE`: everyone, with a right of refund. `B2B`: companies alone, without one.",
  scheme:
    "`CORE`: everyone, with a right of refund; it is the default. `B2B`: companies alone, without one.",
  "Mandate.type": "`RECURRENT`: as many debits as there are. `ONE_OFF`: one.",
  "CreateMandate.type":
    "`RECURRENT`: as many debits as there are, which is the default. `ONE_OFF`: one.",
  "ImportMandate.type":
    "`RECURRENT`: as many debits as there are, which is the default. `ONE_OFF`: one.",
  "Mandate.status":
    "`DRAFT`: not signed. `AWAITING_BANK`: signed, and not known to the debtor's bank yet. `ACTIVE`: it may be collected by. `BLOCKED`: a bank refused a debit. `CANCELLED`: it was withdrawn. `EXPIRED`: 36 months went by without a debit.",
  "Mandate.signedOn": "The day of the signature.",
  "ImportMandate.signedOn": "The day of the signature, within the last 36 months.",
  "SignMandate.signedOn":
    "The day of the signature, within the last 36 months; today unless it is said.",
  "Mandate.lastPresentedOn": "The due day of the last debit that a bank was given.",
  "ImportMandate.lastPresentedOn":
    "The due day of the last debit that a bank was given before the import.",
  endsOn: "The last day on which a debit may be collected, if none is collected before.",
  "Mandate.amendments": "The changes that the next debits report to banks.",
  "MandateAmendment.kind":
    "`ACCOUNT`: another account of the debtor. `UMR`: another reference. `CREDITOR`: another creditor.",
  "MandateAmendment.from":
    "The value before: a payment method, a reference or a creditor identifier.",
  "MandateAmendment.to": "The present value.",
  "MandateAmendment.at": "When it was amended, in UTC.",
  "MandateAmendment.status":
    "`PENDING`: no bank was told. `SENT`: a debit tells it. `DONE`: that debit was not rejected.",
  "Mandate.blocked": "Why nothing more is collected by it: what a bank said of a debit.",
  "MandateBlock.reasonCode": "The bank's reason, in its own code.",
  "MandateBlock.at": "When it was known, in UTC.",
  "Mandate.text": "The text that was agreed to.",
  "text.hash": "The SHA-256 of the text, in lower-case hex.",
  "text.locale": "The language of the text.",
  "Mandate.evidence": "The person who signed it or imported it, and when.",
  "ImportMandate.evidence":
    "The reference under which the signed mandate is kept; at most 200 characters.",
  "ConfirmMandate.evidence":
    "The reference under which the bank's answer is kept; at most 200 characters.",
  bankConfirmation: "The person who said that the debtor's bank knows it, and when.",
  "Mandate.unblocked": "The person who last said that it may be used again, and why.",
  "MandateUnblocking.by": "The user, session or client that did it, by its identifier.",
  "MandateUnblocking.at": "When they did it, in UTC.",
  "MandateUnblocking.reason": "Why it may be used again.",
  "MandateUnblocking.reference": "The reference under which the proof is kept.",
  "UnblockMandate.reason": "Why it may be used again; at most 200 characters.",
  "UnblockMandate.evidence":
    "The reference under which the proof is kept that it may be used again; at most 200 characters.",
  "MandateEvidence.by": "The user, session or client that did it, by its identifier.",
  "MandateEvidence.at": "When they did it, in UTC.",
  "MandateEvidence.place": "The place of the signature.",
  "MandateEvidence.reference": "The reference under which the proof is kept.",
  "SignMandate.place": "The place of the signature; at most 200 characters.",
  "Mandate.createdAt": "When it was made or imported, in UTC.",
  "CreateMandate.productId":
    "A product whose collecting account it is for; it holds for all that is collected to that account.",
  "ImportMandate.productId":
    "A product whose collecting account it is for; it holds for all that is collected to that account.",
  "CreateMandate.locale": "The language in which the debtor reads and signs it.",
  "MandateWording.locale": "The language of the text.",
  "MandateWording.text": "The text that the debtor signs, its lines parted by line feeds.",
  "MandateWording.hash": "The SHA-256 of the text, in lower-case hex: who signs names it.",
  "SignMandate.consent": "That the debtor agrees to the text.",
  "consent.textHash": "The `hash` of the text that was shown.",
  "details.mandateId": "The mandate.",
  "MandateNotUsable.details.status": "The status of the mandate."
}

/** What the parameters of this area mean. */
export const mandateParameters: ParameterTerms = {
  mandateId: { means: "The mandate, by its identifier.", example: id("mandate") }
}
