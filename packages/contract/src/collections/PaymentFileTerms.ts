/** What the members of payment files mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const fileTerms = {
  "PaymentFile.id": "The file, by its identifier.",
  "PaymentFile.bankAccountId": "The account of the tenant that its debits are collected to.",
  "PaymentFile.kind": "`COLLECTION`: a file of debits.",
  "PaymentFile.scheme": "The scheme of its debits; files never mix them.",
  "PaymentFile.submitOn": "The day on which the bank is given it.",
  run: "From 1: files of one account, scheme and day.",
  "PaymentFile.message": "The message of ISO 20022 that it is.",
  messageId: "The number that the bank repeats in its answers and on statements.",
  "PaymentFile.status":
    "`OPEN` while it takes debits, `FILLED` once it has all of them, `SEALED` once its bytes are kept. `DELIVERING` from when a folder may have it, `DELIVERED` once the bank has it. Then what the bank answers: `ACCEPTED`, `PARTLY_REJECTED`, or `REJECTED`.",
  "PaymentFile.count": "How many debits it has.",
  "PaymentFile.sum": "What it collects, in the minor unit of the currency.",
  "PaymentFile.groups":
    "Its debits by sequence and day, as the bank is told of them; none before its bytes are made.",
  "PaymentFileGroup.paymentInformationId": "The number of the group.",
  "PaymentFileGroup.sequence": "The place of its debits in the life of their mandates.",
  "PaymentFileGroup.count": "How many debits it has.",
  "PaymentFileGroup.sum": "What they collect, in the minor unit of the currency.",
  "PaymentFile.faults":
    "Where it breaks what banks ask for: it can then only be cancelled. `SIMULATED_BANK`: the simulated bank of the sandbox can't read it, and answers nothing.",
  "PaymentFileFault.rule": "The rule that is broken.",
  "PaymentFileFault.at": "The number of the file, the group or the debit.",
  "PaymentFileFault.message": "What to mend.",
  "PaymentFile.answers": "What the bank says of the file and its groups, the latest last.",
  "PaymentFileAnswer.id": "The number of the file or the group.",
  "PaymentFileAnswer.code": "What the bank says, in its own code, such as `ACCP` or `RJCT`.",
  "PaymentFileAnswer.reasonCode": "Why the bank refuses it, in its own code.",
  "PaymentFileAnswer.at": "When the answer came, in UTC.",
  openedAt: "When its first debit was to come, in UTC.",
  "PaymentFile.sealedAt": "When its bytes were made, in UTC.",
  "PaymentFile.sha256": "SHA-256 of its bytes, in lower-case hex.",
  deliveredAt: "When the bank had it, in UTC.",
  "PaymentFile.cancelledAt": "When it was cancelled, in UTC.",
  "details.paymentFileId": "The payment file that the tenant does not have."
}

export const fileParameters: ParameterTerms = {
  paymentFileId: { means: "The payment file, by its identifier.", example: id("payment_file") },
  "paymentFiles.list.statuses": { means: "Only files in one of these statuses." },
  "paymentFiles.list.bankAccountId": {
    means: "Only files of this account.",
    example: id("bank_account")
  }
}
