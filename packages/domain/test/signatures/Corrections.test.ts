/** What evidence shows of a telephone that was corrected. */
import { assert, describe, it } from "@effect/vitest"
import { maskedPhone } from "@quittance/domain/signatures/Corrections"

describe("a telephone in evidence", () => {
  it("shows its start and its end, and of a short one nothing", () => {
    assert.strictEqual(maskedPhone("+33 6 12 34 56 78"), "+33 6 •• •• •• 78")
    assert.strictEqual(maskedPhone("+33612345678"), "+336••••••78")
    assert.strictEqual(maskedPhone("0612345678"), "061•••••78")
    assert.strictEqual(maskedPhone("112"), "•••")
    assert.strictEqual(maskedPhone("call me"), "call me")
  })
})
