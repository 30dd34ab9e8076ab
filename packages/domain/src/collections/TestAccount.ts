/** Accounts of the simulated bank, as sandboxes show them. */
import { Schema } from "effect"
import { Iban } from "../payments/Iban.ts"

/** An account that is ready to try. */
export const TestAccount = Schema.Struct({
  iban: Schema.toType(Iban),
  /** What becomes of payments with it. */
  does: Schema.String
}).annotate({ identifier: "TestAccount" })

export const TestAccounts = Schema.Struct({ data: Schema.Array(TestAccount) }).annotate({
  identifier: "TestAccounts"
})
export type TestAccounts = typeof TestAccounts.Type
