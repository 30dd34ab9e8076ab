import { PublicApi } from "@quittance/contract/api/PublicApi"
import { SandboxBank } from "@quittance/operations/collections/SandboxBank"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const SandboxBankHandlers = HttpApiBuilder.group(
  PublicApi,
  "sandboxBank",
  Effect.fn(function* (handlers) {
    const bank = yield* SandboxBank

    return handlers.handleAll({
      testAccounts: () => bank.testAccounts,
      transfer: ({ payload }) => bank.transfer(payload)
    })
  })
).pipe(Layer.provide(SandboxBank.layer))
