import { assert, describe, it } from "@effect/vitest"
import { bankDifference, type BankBooks } from "../../src/reconciliation/TreasuryReconciliation.ts"
import type { BankAccountId } from "@quittance/domain/values/Ids"

const id = "bank_account_1" as BankAccountId

/** It held 100, 50 came of which 20 are not explained, and a statement was accepted 7 too high. */
const sound: BankBooks = {
  id,
  name: "collections",
  balances: [
    { account: `bank:${id}`, amount: 157 },
    { account: "cash", amount: -30 },
    { account: `suspense:${id}`, amount: -20 },
    { account: `opening:${id}`, amount: -100 },
    { account: `difference:${id}`, amount: -7 }
  ],
  closing: 157,
  moved: 50,
  open: 20
}

const fieldOf = (more: Partial<BankBooks>) => bankDifference({ ...sound, ...more })?.field

describe("the journal of a bank account", () => {
  it("agrees with its statements and entries, also before the first", () => {
    assert.isUndefined(bankDifference(sound))
    const empty = { ...sound, balances: [], closing: undefined, moved: 0, open: 0 }
    assert.isUndefined(bankDifference(empty))
  })

  it("differs by one cent of a balance, of entries, or of what is not explained", () => {
    for (const cent of [-1, 1]) {
      assert.strictEqual(fieldOf({ closing: 157 + cent }), "balance of the last statement")
      assert.strictEqual(fieldOf({ moved: 50 + cent }), "entries of statements")
      assert.strictEqual(fieldOf({ open: 20 + cent }), "entries that nothing explains")
    }
    assert.deepStrictEqual(bankDifference({ ...sound, open: 21 }), {
      record: "bank account collections",
      field: "entries that nothing explains",
      expected: "21",
      found: "20"
    })
  })

  it("differs where a statement was booked and nothing is posted of it", () => {
    assert.strictEqual(fieldOf({ balances: [] }), "balance of the last statement")
  })
})
