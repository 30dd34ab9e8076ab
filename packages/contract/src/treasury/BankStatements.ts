import { AwaitedPage } from "@quittance/domain/treasury/AwaitedCash"
import { BankFileOutcome, BankStatement } from "@quittance/domain/treasury/BankStatement"
import { TreasuryLedger } from "@quittance/domain/treasury/TreasuryEntry"
import {
  AcceptStatement,
  BankFileUpload,
  statementFilter
} from "@quittance/domain/treasury/TreasuryRequests"
import { BankAccountId, BankStatementId } from "@quittance/domain/values/Ids"
import { Page } from "@quittance/domain/values/Page"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample, unkeyed } from "../access/Access.ts"
import { bankAccountErrors } from "../payments/BankAccountErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { pageQuery, writeHeaders, writeQuery } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { treasuryErrors } from "./TreasuryErrors.ts"
import { statementTerms, treasuryParameters } from "./TreasuryTerms.ts"

export const BankStatementPage = Page(BankStatement).annotate({ identifier: "BankStatementPage" })

/** Bytes of a bank file that a request brings. */
export const maximumBankFile = 26_214_400

/** Of a form with a file: as large as a file may be, and a little for what is around it. */
const formLimits = {
  maxParts: 2,
  maxFieldSize: 4096,
  maxFileSize: maximumBankFile + 65_536,
  maxTotalSize: maximumBankFile + 65_536
}

const onAccount = { params: { bankAccountId: BankAccountId } }
const onStatement = { params: { bankStatementId: BankStatementId } }

export class BankStatements extends bearer(
  HttpApiGroup.make("bankStatements")
    .add(
      HttpApiEndpoint.post("take", "/bank-accounts/:bankAccountId/statements", {
        ...onAccount,
        payload: BankFileUpload.pipe(HttpApiSchema.asMultipartStream(formLimits)),
        success: BankFileOutcome,
        error: [
          bankAccountErrors.BankAccountNotFound,
          treasuryErrors.InvalidBankFile,
          treasuryErrors.StatementOfOtherAccount
        ]
      })
        // The bytes say which file it is: the same ones again do nothing.
        .annotateMerge(unkeyed)
        .annotateMerge(needs("collection.write", "TENANT"))
        .annotate(RequestExample, { file: "(the bytes)" })
        .annotate(OpenApi.Summary, "Take a file of a bank")
        .annotate(
          OpenApi.Description,
          "A camt.052, camt.053, camt.054 or pain.002 of any version, as XML or packed with gzip; at most 25 MiB. The same bytes again do nothing."
        ),
      HttpApiEndpoint.get("ledger", "/bank-accounts/:bankAccountId/ledger", {
        ...onAccount,
        query: pageQuery,
        success: TreasuryLedger,
        error: bankAccountErrors.BankAccountNotFound
      })
        .annotateMerge(needs("collection.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read the journal of a bank account, the newest entries first"),
      HttpApiEndpoint.get("awaited", "/bank-accounts/:bankAccountId/awaited", {
        ...onAccount,
        query: pageQuery,
        success: AwaitedPage,
        error: bankAccountErrors.BankAccountNotFound
      })
        .annotateMerge(needs("collection.read", "TENANT"))
        .annotate(
          OpenApi.Summary,
          "List the cash that the books and the statements tell differently"
        )
        .annotate(
          OpenApi.Description,
          "Payments that no statement has shown yet, refunds that have not left, and what statements have and the books don't; the oldest first."
        ),
      HttpApiEndpoint.get("list", "/bank-statements", {
        query: { ...pageQuery, ...statementFilter },
        success: BankStatementPage
      })
        .annotateMerge(needs("collection.read", "TENANT"))
        .annotate(OpenApi.Summary, "List statements, the newest first"),
      HttpApiEndpoint.get("get", "/bank-statements/:bankStatementId", {
        ...onStatement,
        success: BankStatement,
        error: treasuryErrors.BankStatementNotFound
      })
        .annotateMerge(needs("collection.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read a statement"),
      HttpApiEndpoint.post("accept", "/bank-statements/:bankStatementId/accept", {
        ...onStatement,
        query: writeQuery,
        headers: writeHeaders,
        payload: AcceptStatement,
        success: BankStatement,
        error: [
          treasuryErrors.BankStatementNotFound,
          requestErrors.InvalidTransition,
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("collection.write", "TENANT"))
        .annotate(RequestExample, { reason: "The bank has confirmed it by telephone" })
        .annotate(OpenApi.Summary, "Book a statement that is held")
        .annotate(
          OpenApi.Description,
          "What the statement and its entries do not explain of its closing balance is posted as a difference."
        )
    )
    .annotateMerge(access({ scope: "platform/payments", callers: ["Client", "User"] }))
    .annotateMerge(
      reference({ errors: treasuryErrors, terms: statementTerms, parameters: treasuryParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Bank statements",
        description: "What the tenant's banks say of its accounts."
      })
    )
) {}
