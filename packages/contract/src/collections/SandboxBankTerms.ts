const bankAccountId = "The tenant's account that the money arrives on."
const amount = "What arrives, in cents."
const debtorName = "The payer, as their bank names them."
const text = "What the payer has written."
const reference = "The creditor reference that the payer has given, right or wrong."

/** What the members of the simulated bank mean. */
export const sandboxBankTerms = {
  "TestAccounts.data": "The accounts, one that pays first.",
  "TestAccount.iban": "The account's number, as a payment method takes it.",
  "TestAccount.does": "What becomes of payments with it.",
  "SendBankTransfer.bankAccountId": bankAccountId,
  "SendBankTransfer.amount": amount,
  "SendBankTransfer.debtorName": debtorName,
  "SendBankTransfer.debtorIban": "The payer's account; it is shown in no answer.",
  "SendBankTransfer.text": text,
  "SendBankTransfer.reference": reference,
  "SendBankTransfer.on":
    "The local day on which it arrives, at most 366 days ahead; today, unless it is said.",
  "SimulatedTransfer.id": "The transfer, by its identifier.",
  "SimulatedTransfer.bankAccountId": bankAccountId,
  "SimulatedTransfer.amount": amount,
  "SimulatedTransfer.debtorName": debtorName,
  "SimulatedTransfer.debtorLast4": "The last characters of the payer's account.",
  "SimulatedTransfer.text": text,
  "SimulatedTransfer.reference": reference,
  "SimulatedTransfer.bookedOn":
    "The day on which the bank books it: the first open one whose statement is still to come.",
  "SimulatedTransfer.toldAt": "When the statement of that day is told, in UTC."
}
