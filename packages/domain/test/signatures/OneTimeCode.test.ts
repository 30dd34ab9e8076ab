/** How long a code holds, how often it is tried, and how often one is sent. */
import { assert, describe, it } from "@effect/vitest"
import { mostCodes, mostTries, sendableAt, tryCode } from "@quittance/domain/signatures/OneTimeCode"
import { fromEpochMillis, type Instant } from "@quittance/domain/values/Instant"
import { Result } from "effect"

const start = Date.UTC(2026, 3, 1, 8)
const at = (seconds: number) => fromEpochMillis(start + seconds * 1000)
const expiresAt = at(30 * 86_400)
const codes = (...sent: ReadonlyArray<Instant>) => ({ number: sent.length, sent, expiresAt })
const sent = (tries: number) => ({ sentAt: at(0), tries })
const outcome = (...args: Parameters<typeof tryCode>) =>
  Result.match(tryCode(...args), {
    onSuccess: () => "PROVEN",
    onFailure: (refusal) =>
      refusal._tag === "OtpInvalid" ? `${refusal.triesLeft} left` : refusal._tag
  })

describe("a code", () => {
  it("proves the address for ten minutes, to the millisecond", () => {
    assert.strictEqual(outcome(sent(0), true, at(599.999)), "PROVEN")
    assert.strictEqual(outcome(sent(0), true, at(600)), "OtpLocked")
  })

  it("is tried five times, and then not even the right one counts", () => {
    const tries = Array.from({ length: mostTries + 1 }, (_, n) => outcome(sent(n), false, at(60)))
    assert.deepStrictEqual(tries, ["4 left", "3 left", "2 left", "1 left", "0 left", "OtpLocked"])
    assert.strictEqual(outcome(sent(mostTries - 1), true, at(60)), "PROVEN")
    assert.strictEqual(outcome(sent(mostTries), true, at(60)), "OtpLocked")
  })

  it("counts only once it was sent", () => {
    assert.strictEqual(outcome(undefined, true, at(60)), "OtpLocked")
  })

  it("is sent three times within fifteen minutes, and again once the first is older", () => {
    assert.isUndefined(sendableAt(codes(), at(0)))
    assert.isUndefined(sendableAt(codes(at(0), at(60)), at(120)))
    const three = [at(0), at(60), at(120)] as const
    assert.strictEqual(sendableAt(codes(...three), at(121)), start + 900_000)
    assert.strictEqual(sendableAt(codes(...three), at(899.999)), start + 900_000)
    assert.isUndefined(sendableAt(codes(...three), at(900)))
    assert.strictEqual(sendableAt(codes(...three, at(900)), at(901)), start + 960_000)
  })

  it("is sent twenty times in all, so that tries over weeks find none", () => {
    const last = { number: mostCodes - 1, sent: [], expiresAt }
    assert.isUndefined(sendableAt(last, at(86_400)))
    assert.strictEqual(
      sendableAt({ ...last, number: mostCodes }, at(86_400)),
      start + 30 * 86_400_000
    )
  })
})
