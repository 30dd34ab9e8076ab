import { Effect } from "effect"
import { call, type World } from "../Api.ts"
import { dryRun, type Fixtures } from "../MatrixFixture.ts"

/** An account as its bank would have it, which collects and pays out. */
export const bankAccount = {
  holder: { name: "Acme Assurances", address: { town: "Paris", country: "FR" } },
  iban: "FR7699999000010000000000115",
  creditorIdentifier: "FR72ZZZ123456",
  timeZone: "Europe/Paris",
  usage: ["COLLECT", "PAY_OUT"],
  products: "ALL"
}

/** Beside the one that is there. */
const another = { ...bankAccount, iban: "FR7699999000010000000010106", products: ["motor-fr"] }

export const fixtures: Fixtures = {
  "bankAccounts.put": { ...dryRun, body: another, record: "sharedBankAccountName" }
}

export const recordsOf = Effect.fnUntraced(function* ({ client: token, tenant }: World) {
  const bankAccountName = `of-${tenant}`.slice(0, 40)
  // Each tenant has a name of its own, so that one's is none of another's.
  const path = `/admin/bank-accounts/${bankAccountName}`
  yield* call(path, { tenant, token, method: "PUT", body: bankAccount })
  return { bankAccountName, sharedBankAccountName: "collections" }
})

export const missing = {
  bankAccountName: "no-such-account",
  // Defining makes what its path names.
  sharedBankAccountName: "collections"
}
