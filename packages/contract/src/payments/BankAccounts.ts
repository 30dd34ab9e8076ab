import { BankAccount, BankAccountName } from "@quittance/domain/payments/BankAccount"
import { PutBankAccount } from "@quittance/domain/payments/BankAccountRequests"
import { Page } from "@quittance/domain/values/Page"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, needs, RequestExample, unkeyed } from "../access/Access.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { pageQuery, triedQuery } from "../requests/Parameters.ts"
import { RecentSignIn } from "../requests/RecentSignIn.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { bankAccountErrors } from "./BankAccountErrors.ts"
import { bankAccountParameters, bankAccountTerms } from "./BankAccountTerms.ts"

export const BankAccountPage = Page(BankAccount).annotate({ identifier: "BankAccountPage" })

const onAccount = { params: { bankAccountName: BankAccountName } }

export class BankAccounts extends bearer(
  HttpApiGroup.make("bankAccounts")
    .add(
      HttpApiEndpoint.put("put", "/admin/bank-accounts/:bankAccountName", {
        ...onAccount,
        // No idempotency key: the number is in no stored answer.
        query: { dryRun: triedQuery.dryRun },
        payload: PutBankAccount,
        success: BankAccount,
        error: requestErrors.InvalidReference
      })
        .annotateMerge(unkeyed)
        .annotateMerge(needs("bank.write", "TENANT"))
        .middleware(RecentSignIn)
        .annotate(RequestExample, {
          holder: {
            name: "Acme Assurances",
            address: {
              street: "Rue de la Paix",
              number: "2",
              postcode: "75002",
              town: "Paris",
              country: "FR"
            }
          },
          iban: "FR76 9999 9000 0100 0000 0000 115",
          creditorIdentifier: "FR72ZZZ123456",
          timeZone: "Europe/Paris",
          usage: ["COLLECT", "PAY_OUT"],
          products: "ALL",
          channel: "SIMULATED"
        })
        .annotate(OpenApi.Summary, "Define a bank account of the tenant, or change it")
        .annotate(
          OpenApi.Description,
          "The body is the whole account: what it leaves out is as it is by default, or taken away. A use and a product have one open account at most."
        ),
      HttpApiEndpoint.get("list", "/admin/bank-accounts", {
        query: pageQuery,
        success: BankAccountPage
      })
        .annotateMerge(needs("bank.read", "TENANT"))
        .annotate(OpenApi.Summary, "List the bank accounts of the tenant, by name"),
      HttpApiEndpoint.get("get", "/admin/bank-accounts/:bankAccountName", {
        ...onAccount,
        success: BankAccount,
        error: bankAccountErrors.BankAccountNotFound
      })
        .annotateMerge(needs("bank.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read a bank account of the tenant")
    )
    .annotateMerge(access({ scope: "platform/admin", callers: ["Client", "User"] }))
    .annotateMerge(
      reference({
        errors: bankAccountErrors,
        terms: bankAccountTerms,
        parameters: bankAccountParameters
      })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Bank accounts",
        description: "The bank accounts by which the tenant collects and pays money."
      })
    )
) {}
