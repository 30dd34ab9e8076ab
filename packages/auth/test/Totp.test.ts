import { assert, describe, it } from "@effect/vitest"
import * as RecoveryCode from "../src/RecoveryCode.ts"
import * as Totp from "../src/Totp.ts"

const secret = Buffer.from("12345678901234567890")

describe("Totp", () => {
  // The last six digits of the codes in RFC 6238, appendix B.
  it.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"]
  ])("knows the code of second %i", (now, code) => {
    assert.strictEqual(Totp.codeOf(secret, Totp.stepAt(now)), code)
    assert.strictEqual(Totp.stepOf(secret, code, now), Totp.stepAt(now))
  })

  it("takes the code of one step before and after, and of no other", () => {
    const now = 1_234_567_890
    const step = Totp.stepAt(now)
    for (let away = -5; away <= 5; away++) {
      const found = Totp.stepOf(secret, Totp.codeOf(secret, step + away), now)
      assert.strictEqual(found, Math.abs(away) <= 1 ? step + away : undefined, `${away}`)
    }
  })

  it("takes nothing that has not six digits", () => {
    for (const code of ["", "0", "0059241", "00592４", "      "]) {
      assert.isUndefined(Totp.stepOf(secret, code, 1_234_567_890), code)
    }
  })

  // RFC 4648, section 10, without padding.
  it.each([
    ["f", "MY"],
    ["foob", "MZXW6YQ"],
    ["foobar", "MZXW6YTBOI"]
  ])("writes %s in base 32", (text, expected) => {
    assert.strictEqual(Totp.base32(Buffer.from(text)), expected)
  })
})

describe("RecoveryCode", () => {
  it("reads a code however it is written", () => {
    const code = RecoveryCode.make(Buffer.from("0123456789abcde"))
    assert.match(code, /^[A-Z2-7]{4}(-[A-Z2-7]{4}){5}$/u)
    for (const written of [code.toLowerCase(), code.replaceAll("-", ""), ` ${code} `]) {
      assert.deepStrictEqual(RecoveryCode.hash(written), RecoveryCode.hash(code))
    }
    assert.notDeepEqual(RecoveryCode.hash(code), RecoveryCode.hash(code.slice(1)))
  })
})
