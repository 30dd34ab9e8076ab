/** What the members of the simulated bank mean. */
export const sandboxBankTerms = {
  "TestAccounts.data": "The accounts, one that pays first.",
  "TestAccount.iban": "The account's number, as a payment method takes it.",
  "TestAccount.does": "What becomes of payments with it."
}
