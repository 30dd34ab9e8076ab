import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { BankAccounts } from "@quittance/operations/payments/BankAccounts"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const BankAccountsHandlers = HttpApiBuilder.group(
  PublicApi,
  "bankAccounts",
  Effect.fn(function* (handlers) {
    const accounts = yield* BankAccounts

    return handlers.handleAll({
      put: ({ params, payload }) => accounts.put(params.bankAccountName, payload),
      list: ({ query }) => accounts.list(pageRequest(query)),
      get: ({ params }) => accounts.get(params.bankAccountName)
    })
  })
).pipe(Layer.provide(BankAccounts.layer))
