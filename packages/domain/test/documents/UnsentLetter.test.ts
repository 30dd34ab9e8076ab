import { assert, describe, it } from "@effect/vitest"
import { isOfOffer, mailboxOf } from "../../src/documents/UnsentLetter.ts"

describe("UnsentLetter", () => {
  it("limits what visitors can cause again and again, not what the service offers or what holds", () => {
    for (const trigger of ["QUOTED", "CONFIRMED", "SIGNED"] as const) {
      assert.isTrue(isOfOffer(trigger, "NEW_BUSINESS"), trigger)
      assert.isTrue(isOfOffer(trigger, "MTA"), trigger)
      assert.isFalse(isOfOffer(trigger, "RENEWAL"), trigger)
      assert.isFalse(isOfOffer(trigger, "REPRICING"), trigger)
    }
    for (const trigger of ["RENEWAL_NOTICE", "NOTICE_WRITTEN", "STARTED", "STOPPED"] as const) {
      assert.isFalse(isOfOffer(trigger, "NEW_BUSINESS"), trigger)
    }
  })

  it.each([
    ["Camille@Example.test", "camille@example.test"],
    [" camille+a+b@example.test ", "camille@example.test"],
    ["+@example.test", "+@example.test"],
    ['"a@b+c"@example.test', '"a@b@example.test'],
    ["camille.durand@example.test", "camille.durand@example.test"]
  ])("knows the mailbox of %s", (email, mailbox) => {
    assert.strictEqual(mailboxOf(email), mailbox)
  })
})
