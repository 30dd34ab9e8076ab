import { assert, describe, it } from "@effect/vitest"
import { epcQrText } from "../src/EpcQr.ts"
import { invoiceReference } from "../src/References.ts"

const transfer = {
  holder: "Acme Assurances",
  account: { iban: "FR7699999000010000000000115" },
  amount: 4217,
  reference: invoiceReference("INV-000042")
}

describe("the code for a payer's transfer", () => {
  it("has its lines in the order of the guidelines", () => {
    assert.strictEqual(
      epcQrText({ ...transfer, account: { ...transfer.account, bic: "BNPAFRPPXXX" } }),
      `BCD\n002\n1\nSCT\nBNPAFRPPXXX\nAcme Assurances\nFR7699999000010000000000115\nEUR42.17\n\n${transfer.reference}`
    )
  })

  it("keeps the line of a bank that is not known, and is never longer than a code may be", () => {
    const text = epcQrText({ ...transfer, holder: "é".repeat(70), amount: 99_999_999_999 })
    assert.strictEqual(text.split("\n")[4], "")
    assert.include(text, "\nEUR999999999.99\n")
    assert.isAtMost(Buffer.byteLength(text), 331)
  })
})
