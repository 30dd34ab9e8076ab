/** The errors of statements and entries on the wire. The last argument of each shows its details. */
import * as BankFile from "@quittance/domain/payments/BankFile"
import * as BankEntry from "@quittance/domain/treasury/BankEntry"
import * as BankStatement from "@quittance/domain/treasury/BankStatement"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const treasuryErrors = {
  BankStatementNotFound: wireError(
    BankStatement.BankStatementNotFound,
    404,
    "BANK_STATEMENT_NOT_FOUND",
    "The tenant has no such statement.",
    { bankStatementId: id("bank_statement") }
  ),
  BankEntryNotFound: wireError(
    BankEntry.BankEntryNotFound,
    404,
    "BANK_ENTRY_NOT_FOUND",
    "The tenant has no such entry.",
    { bankEntryId: id("bank_entry") }
  ),
  InvalidBankFile: wireError(
    BankFile.InvalidBankFile,
    422,
    "INVALID_BANK_FILE",
    "The file can't be read; nothing of it is kept.",
    { reason: "NOT_XML", line: 1 }
  ),
  StatementOfOtherAccount: wireError(
    BankStatement.StatementOfOtherAccount,
    422,
    "STATEMENT_OF_OTHER_ACCOUNT",
    "A statement of the file is of another account; nothing of it is kept.",
    { statementId: "2026-12-01" }
  ),
  InvalidAllocation: wireError(
    BankEntry.InvalidAllocation,
    422,
    "INVALID_ALLOCATION",
    "The entry can't be allocated so.",
    { reason: "MORE_THAN_OPEN", invoiceId: id("invoice"), open: 8000 }
  )
} as const
