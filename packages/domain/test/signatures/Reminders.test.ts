/** When signers are reminded. */
import { assert, describe, it } from "@effect/vitest"
import { nextReminder, reminded, remindersOf } from "@quittance/domain/signatures/Reminders"
import type { Instant } from "@quittance/domain/values/Instant"

const at = (text: string) => new Date(text).toISOString() as Instant
const now = at("2026-03-25T09:00:00Z")

describe("reminders", () => {
  it("keep the wall clock, come in order, each day once, and end with the signature", () => {
    const terms = { days: [7, 3, 3, 30], expiresAt: at("2026-04-10T00:00:00Z") }
    // Clocks go forward on 29 March in Paris.
    assert.deepStrictEqual(remindersOf(terms, now, "Europe/Paris"), [
      at("2026-03-28T09:00:00Z"),
      at("2026-04-01T08:00:00Z")
    ])
    assert.deepStrictEqual(remindersOf({ ...terms, days: [] }, now, "Europe/Paris"), [])
  })

  it("that were missed together are one", () => {
    const stored = {
      remindAt: [at("2026-03-26"), at("2026-03-27"), at("2026-03-30")],
      remindedAt: []
    }
    assert.isUndefined(reminded(stored, now))
    const late = at("2026-03-28T00:00:00Z")
    assert.deepStrictEqual(reminded(stored, late), {
      remindAt: [at("2026-03-30")],
      remindedAt: [late]
    })
  })

  it("by hand leave an hour after the last letter, whether it told or reminded", () => {
    const notifiedAt = at("2026-03-25T08:30:00Z")
    const remindedAt = [at("2026-03-25T07:00:00Z")]
    assert.strictEqual(nextReminder({ notifiedAt }, now), at("2026-03-25T09:30:00Z"))
    // The letter after a correction.
    assert.strictEqual(nextReminder({ notifiedAt, remindedAt }, now), at("2026-03-25T09:30:00Z"))
    assert.isUndefined(nextReminder({ notifiedAt, remindedAt }, at("2026-03-25T09:30:00Z")))
    const reminder = { notifiedAt, remindedAt: [at("2026-03-25T08:45:00Z")] }
    assert.strictEqual(nextReminder(reminder, now), at("2026-03-25T09:45:00Z"))
    assert.isUndefined(nextReminder({}, now))
  })
})
