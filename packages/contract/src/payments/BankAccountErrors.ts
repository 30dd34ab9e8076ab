/** The errors of bank accounts on the wire. The last argument of each shows its details. */
import * as BankAccount from "@quittance/domain/payments/BankAccount"
import { wireError } from "../requests/WireError.ts"

export const bankAccountErrors = {
  BankAccountNotFound: wireError(
    BankAccount.BankAccountNotFound,
    404,
    "BANK_ACCOUNT_NOT_FOUND",
    "The tenant has no such bank account.",
    { name: "collections" }
  )
} as const
