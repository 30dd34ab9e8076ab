/** What the members of entries mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

const status =
  "`MATCHING`: a rule has found what it is. `UNMATCHED`: it waits for people. `MATCHED`: all of it is explained. `IGNORED`: people have set it aside. `TOLD`: a message has told it that moves no money."

/** What entries have in common, with and without their payments. */
const members = {
  id: "The entry, by its identifier.",
  bankAccountId: "The tenant's account that it is on.",
  statementId: "The statement that has brought it.",
  bookedOn: "The bank's booking day.",
  valueOn: "The day from which it counts for interest.",
  amount: "In the minor unit of the currency; negative where it left the account.",
  currency: "The currency of its amounts.",
  charge: "What the bank kept of it, in the minor unit of the currency.",
  status,
  rule: "By which rule it was matched; `BY_HAND` by people.",
  allocated: "What of it is explained, in the minor unit of the currency.",
  recordId: "The debit, file, payout or recorded payment that it is.",
  flag: "`DOUBLE_PAYMENT`: the invoice that it names asked for nothing, and it is credit.",
  party: "Who is on the other side, as the bank names them.",
  endToEndId: "What the payer calls the payment.",
  bankReference: "What the bank calls it; some banks give one reference to many entries.",
  family: "ISO's family of the booking, such as `RCDT` for a transfer that came in.",
  subFamily: "ISO's sub-family of it, or a code of the bank's own.",
  returnReason: "Why money came back, such as `AM04`.",
  cameBack: "Whether a payment came back by it.",
  references: "Structured references that the payer gave.",
  texts: "All other texts of it, in their order.",
  recordedAt: "When it was taken in, in UTC.",
  ignored: "Why people have set it aside, and where it went."
}

const of = (schema: string) =>
  Object.fromEntries(
    Object.entries(members).map(([name, meaning]) => [`${schema}.${name}`, meaning])
  )

export const entryTerms: Readonly<Record<string, string>> = {
  ...of("BankEntry"),
  ...of("AllocatedEntry"),
  "AllocatedEntry.payments": "The payments that it stands for.",
  "BankEntryParty.name": "Their name.",
  "BankEntryParty.last4": "The last characters of their account.",
  "IgnoredEntry.account": "Where it went in the journal.",
  "IgnoredEntry.reason": "Why no payment is it.",
  "EntrySuggestions.data": "The invoices, the likeliest first.",
  "EntrySuggestion.invoiceId": "The invoice, by its identifier.",
  "EntrySuggestion.invoiceNumber": "Its number, as its payer reads it.",
  "EntrySuggestion.policyId": "The policy that it is of.",
  "EntrySuggestion.customerId": "Who pays it.",
  "EntrySuggestion.due": "What it asks for, in the minor unit of the currency.",
  "EntrySuggestion.amount": "What it would take of the entry, in the minor unit of the currency.",
  "EntrySuggestion.reasons":
    "`REFERENCE`, `INVOICE_NUMBER`: the payer names it. `ACCOUNT`: an account of its payer. `EXACT_AMOUNT`, `ALL_OWED`: as much as is open. `NAME`: its payer's name.",
  "AllocateEntry.allocations": "The invoices, each once, and what each gets; at most 100.",
  "AllocateEntry.rest":
    "`BALANCE`: the rest goes with the last invoice, then to its payer's credit. `SUSPENSE`: it stays open.",
  "AllocateEntry.allocations.invoiceId": "The invoice, by its identifier.",
  "AllocateEntry.allocations.amount":
    "What it gets, in the minor unit of the currency; at least 1.",
  "IgnoreEntry.reason": "Why no payment is it; at most 200 characters.",
  "IgnoreEntry.account": "`BANK_CHARGES`: what the bank costs. `OTHER`: anything else.",
  "details.bankEntryId": "The entry that the tenant does not have.",
  "InvalidAllocation.details.reason": "Why the entry can't be allocated so.",
  "InvalidAllocation.details.invoiceId": "The invoice that it is about.",
  "InvalidAllocation.details.open":
    "What of the entry may be allocated, in the minor unit of the currency."
}

/** What the parameters of entries mean. */
export const entryParameters: ParameterTerms = {
  bankEntryId: { means: "The entry, by its identifier.", example: id("bank_entry") },
  "bankEntries.list.bankAccountId": {
    means: "Only entries of this account.",
    example: id("bank_account")
  },
  "bankEntries.list.statuses": {
    means: "Only entries with one of these statuses."
  },
  "bankEntries.list.queryString": {
    means: "Words that begin words of the payer's name, the references or the texts.",
    example: "martin"
  }
}
