import {
  SendBankTransfer,
  SimulatedTransfer
} from "@quittance/domain/collections/SimulatedTransfer"
import { TestAccounts } from "@quittance/domain/collections/TestAccount"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample } from "../access/Access.ts"
import { bankAccountErrors } from "../payments/BankAccountErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { exampleId } from "../requests/Examples.ts"
import { triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { sandboxBankTerms } from "./SandboxBankTerms.ts"

export class SandboxBank extends bearer(
  HttpApiGroup.make("sandboxBank")
    .add(
      HttpApiEndpoint.get("testAccounts", "/sandbox/test-accounts", {
        success: TestAccounts,
        error: requestErrors.RouteNotFound
      })
        .annotateMerge(needs("collection.read", "TENANT"))
        .annotate(OpenApi.Summary, "List account numbers that are ready to try")
        .annotate(
          OpenApi.Description,
          "Their check digits are right, and no bank has them. The simulated bank answers files with them as it is said here."
        ),
      HttpApiEndpoint.post("transfer", "/sandbox/bank-transfers", {
        query: triedQuery,
        headers: writeHeaders,
        payload: SendBankTransfer,
        success: SimulatedTransfer.pipe(HttpApiSchema.status(201)),
        error: [
          bankAccountErrors.BankAccountNotFound,
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused,
          requestErrors.InvalidReference,
          requestErrors.RouteNotFound
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("collection.write", "TENANT"))
        .annotate(RequestExample, {
          bankAccountId: exampleId("bank_account"),
          amount: 12_345,
          debtorName: "Camille Martin",
          debtorIban: "FR76 9999 9000 0100 0000 0010 106",
          text: "Car insurance, second half"
        })
        .annotate(OpenApi.Summary, "Let a payer transfer money to an account")
        .annotate(
          OpenApi.Description,
          "The account is one with the channel `SIMULATED`. The statement of the day tells the transfer at `toldAt`, and is read like that of a real bank."
        )
    )
    .annotateMerge(access({ scope: "platform/payments", callers: ["User", "Client"] }))
    .annotateMerge(reference({ terms: sandboxBankTerms }))
    .annotateMerge(
      OpenApi.annotations({
        title: "Simulated bank",
        description: "Only in the sandbox: in production these routes do not exist."
      })
    )
) {}
