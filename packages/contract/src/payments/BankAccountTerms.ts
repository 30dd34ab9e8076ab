/** What the members of bank accounts mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"

export const bankAccountTerms = {
  "BankAccount.id": "The bank account, by its identifier.",
  "BankAccount.name": "The name; also that of its folder.",
  "BankAccount.iban": "Its number.",
  "PutBankAccount.iban": "Its number, in SEPA; case and blanks do not count. It never changes.",
  "BankAccount.holder": "The name of the account holder, as in files for banks.",
  "holder.name": "The holder's name, at most 70 characters.",
  "holder.address": "The holder's address in parts.",
  "PartyAddress.street": "The street, at most 70 characters.",
  "PartyAddress.number": "The number in the street, at most 16 characters.",
  "PartyAddress.postcode": "The postcode, at most 16 characters.",
  "PartyAddress.town": "The town, at most 35 characters.",
  "PartyAddress.country": "The country, in two letters (ISO 3166).",
  "BankAccount.bic": "The code of its bank (BIC, ISO 9362).",
  "BankAccount.currency": "The currency of the account, by its ISO 4217 code.",
  "PutBankAccount.currency":
    "The currency of the account, by its ISO 4217 code; absent: `EUR`. It never changes.",
  creditorIdentifier:
    "By which debtors' banks know who collects (EPC262-08); without it nothing is collected by debit.",
  "BankAccount.timeZone": "The time zone of its days, by its IANA name.",
  "BankAccount.usage":
    "`COLLECT`: money of customers comes in. `PAY_OUT`: refunds leave. `CLAIMS`: payments of claims leave.",
  "BankAccount.products":
    "The products whose money it serves, or `ALL` those that no other account names.",
  "BankAccount.channel":
    "How files reach the bank. `NONE`: people take them. `FOLDER`: a folder that another program empties and fills. `SIMULATED`: the simulated bank, in sandboxes.",
  "PutBankAccount.channel":
    "How files reach the bank. `NONE`: people take them, which is the default. `FOLDER`: a folder that another program empties and fills. `SIMULATED`: the simulated bank, in sandboxes.",
  "BankAccount.profile": "The bank's rules for files, and its cut-off time.",
  "PutBankAccount.profile":
    "The bank's rules for files, and its cut-off time; members that are left out have their defaults.",
  "BankProfile.messages": "In which versions files are written.",
  "profile.messages": "In which versions files are written.",
  "messages.debit": "The message of debits.",
  "messages.transfer": "The message of transfers.",
  leadDays:
    "How many TARGET days before the collection a file is handed in, 1 to 10; 2 unless it is said.",
  cutOff:
    "The time of day up to which the bank takes files, in the account's time zone; default: 15:00.",
  batchBooking: "Whether the bank books a group of debits as one entry; it does by default.",
  "BankProfile.sequence":
    "`RCUR_ONLY`: all debits of a mandate are told alike, which is the default. `FRST_RCUR`: its first one is told apart.",
  "profile.sequence":
    "`RCUR_ONLY`: all debits of a mandate are told alike, which is the default. `FRST_RCUR`: its first one is told apart.",
  characters:
    "`SEPA_BASIC`: the letters that every bank takes, which is the default. `UTF8`: all letters.",
  maxTransactions:
    "How many debits or transfers a file has at most, 1 to 100,000; 20,000 unless it is said.",
  "BankAccount.statement": "Which messages of the bank are its statements.",
  "statement.authority":
    "The message that moves money: others tell the same earlier. `CAMT_053` unless it is said.",
  "BankAccount.openingBalance":
    "The balance before its first statement, in the minor unit of the currency.",
  "BankAccount.closedAt":
    "From then on nothing is collected to it or paid from it; absent: it is open.",
  "PutBankAccount.closedAt":
    "From then on nothing is collected to it or paid from it; absent: it is open.",
  "BankAccount.createdAt": "When it was defined, in UTC.",
  "BankAccountNotFound.details.name": "The name that no bank account of the tenant has."
}

/** What the parameters of this area mean. */
export const bankAccountParameters: ParameterTerms = {
  bankAccountName: { means: "The bank account, by its name.", example: "collections" }
}
