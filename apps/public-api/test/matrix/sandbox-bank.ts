import { Effect } from "effect"
import { call, type World } from "../Api.ts"
import { dryRun, type Fixtures } from "../MatrixFixture.ts"
import { bankAccount } from "./bank-accounts.ts"

export const transfer = {
  amount: 4200,
  debtorName: "Camille Martin",
  debtorIban: "FR7699999000010000000010106"
}

export const fixtures: Fixtures = {
  "sandboxBank.transfer": {
    ...dryRun,
    bodyOf: (_caller, { simulatedBankAccountId }) => ({
      ...transfer,
      bankAccountId: simulatedBankAccountId
    })
  }
}

/** An account at the simulated bank, beside those of other areas; its id. */
export const atSimulatedBank = Effect.fnUntraced(function* ({ client: token, tenant }: World) {
  const { body } = yield* call("/admin/bank-accounts/simulated", {
    tenant,
    token,
    method: "PUT",
    body: {
      ...bankAccount,
      iban: "FR7699999000010000000020194",
      usage: ["CLAIMS"],
      channel: "SIMULATED"
    }
  })
  return String(body.id)
})

export const recordsOf = (world: World) =>
  Effect.map(atSimulatedBank(world), (simulatedBankAccountId) => ({ simulatedBankAccountId }))
