/** What the members of statements and of the treasury's journal mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const statementTerms = {
  "BankFileUpload.file":
    "The file as the bank gave it, as XML or packed with gzip; at most 25 MiB.",
  "BankFileOutcome.kind": "Which message it is.",
  "BankFileOutcome.known": "Whether the same bytes were there before; then nothing was done.",
  "BankFileOutcome.statements": "Its statements, in the order of the file.",
  "StatementOutcome.id": "The statement, by its identifier.",
  "StatementOutcome.status": "Whether it is booked, held or only told.",
  "StatementOutcome.reasons": "Why it is held; empty where it is not.",
  "StatementOutcome.new": "How many of its booked entries are new.",
  "StatementOutcome.known": "How many of them were known.",
  "BankStatement.id": "The statement, by its identifier.",
  "BankStatement.bankAccountId": "The tenant's account that it is of.",
  "BankStatement.message": "Which message it came in.",
  "BankStatement.statementId": "What the bank calls it.",
  "BankStatement.sequence":
    "Its number among the statements of the account, as the bank counts them.",
  "BankStatement.status":
    "`BOOKED`: its entries are in the books. `HELD`: a person has to accept it. `TOLD`: it tells early, and another message moves the money.",
  "BankStatement.reasons":
    "`DOES_NOT_ADD`: its balances and entries contradict each other. `GAP`: it does not follow the last one. `CURRENCY`: another currency. `AMOUNT`: a fraction of a cent, or an entry without a day.",
  "BankStatement.currency": "The currency of the account.",
  "BankStatement.opening":
    "The opening balance in the minor unit of the currency; absent where the bank gives none.",
  "BankStatement.closing":
    "The closing balance in the minor unit of the currency: the bank's, else what the entries make it.",
  "BankStatement.closingOn": "The day of the closing balance, else of the last entry.",
  "BankStatement.entries": "How many booked entries it has.",
  "BankStatement.sum": "What they sum to, in the minor unit of the currency.",
  "BankStatement.newEntries": "How many of them were not known before.",
  "BankStatement.receivedAt": "When it came, in UTC.",
  "BankStatement.accepted": "Who has accepted it though it was held.",
  "StatementAcceptance.by": "The user or client that did it, by its identifier.",
  "StatementAcceptance.at": "When they did it, in UTC.",
  "StatementAcceptance.reason": "Why it may be booked.",
  "AcceptStatement.reason": "Why it may be booked; at most 200 characters.",
  "TreasuryEntry.id": "The entry of the journal, by its identifier.",
  "TreasuryEntry.bankAccountId": "The bank account that it is of.",
  "TreasuryEntry.kind":
    "`OPENING`: what was there before. `ARRIVAL`: not explained yet. `OWN`: a collection or payout of ours. `BANK_CHARGE`: the bank's own. `ALLOCATION`, `ALLOCATION_UNDONE`: a payment, or no longer. `SET_ASIDE`: ignored. `DIFFERENCE`: what no entry explains.",
  "TreasuryEntry.bankEntryId": "The entry of a statement that it posts.",
  "TreasuryEntry.recordId": "The payment, debit, file or payout that its cash is of.",
  "TreasuryEntry.bookedOn": "The bank's booking day.",
  "TreasuryEntry.recordedAt": "When it was posted, in UTC.",
  "TreasuryEntry.currency": "The currency of its amounts.",
  "TreasuryEntry.postings": "What it posts; the amounts sum to zero.",
  "TreasuryPosting.account":
    "`bank:<id>`, `suspense:<id>`, `bank_charges:<id>`, `other:<id>`, `opening:<id>`, `difference:<id>` or `cash`.",
  "TreasuryPosting.amount":
    "In the minor unit of the currency: debits are positive, credits negative.",
  "TreasuryLedger.balances": "What each account of the journal sums to.",
  "AwaitedCash.recordId": "The payment, refund, debit, file or payout whose cash it is.",
  "AwaitedCash.amount":
    "In the minor unit of the currency: positive where money is to come in, negative where it is to leave.",
  "AwaitedCash.currency": "The currency of the amount.",
  "AwaitedCash.since": "When the books had it first, in UTC; absent where only a statement has it.",
  "AwaitedPage.sum": "What all of them sum to, in the minor unit of the currency.",
  "details.bankStatementId": "The statement that the tenant does not have.",
  "InvalidBankFile.details.reason": "Why it can't be read.",
  "InvalidBankFile.details.line": "The line at which reading ended, from 1.",
  "StatementOfOtherAccount.details.statementId": "What the bank calls the statement."
}

/** What the parameters of this area mean. */
export const treasuryParameters: ParameterTerms = {
  bankAccountId: { means: "The bank account, by its identifier.", example: id("bank_account") },
  bankStatementId: { means: "The statement, by its identifier.", example: id("bank_statement") },
  "bankStatements.list.bankAccountId": {
    means: "Only statements of this account.",
    example: id("bank_account")
  },
  "bankStatements.list.statuses": {
    means: "Only statements with one of these statuses."
  }
}
