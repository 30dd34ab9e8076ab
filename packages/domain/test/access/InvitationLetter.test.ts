import { assert, describe, it } from "@effect/vitest"
import { letterOf, type UnsentLetter } from "../../src/access/Invitation.ts"

const given = (hasFailed: boolean, failure: UnsentLetter["failure"]) => ({ hasFailed, failure })

describe("the letter of an invitation", () => {
  it("has left an open invitation that has none to send", () => {
    assert.deepStrictEqual(letterOf("PENDING", null), { state: "SENT" })
    assert.isUndefined(letterOf("EXPIRED", null))
  })

  it("waits with the reason for which it has failed", () => {
    assert.deepStrictEqual(letterOf("PENDING", given(false, null)), { state: "WAITING" })
    assert.deepStrictEqual(letterOf("PENDING", given(false, "TRANSPORT")), {
      state: "WAITING",
      reason: "TRANSPORT"
    })
  })

  it("says what to do once it has failed, for each reason", () => {
    const steps = (["ADDRESS", "TRANSPORT"] as const).map((reason) => {
      const letter = letterOf("EXPIRED", given(true, reason))
      assert.deepInclude(letter, { state: "FAILED", reason })
      return letter?.nextStep
    })
    assert.match(steps[0]!, /invite the right one\.$/u)
    assert.match(steps[1]!, /send it again/u)
    assert.deepInclude(letterOf("PENDING", given(true, null)), {
      state: "FAILED",
      nextStep: steps[1]!
    })
  })

  it("has no state once the invitation is accepted or withdrawn", () => {
    for (const status of ["ACCEPTED", "REVOKED"] as const) {
      assert.isUndefined(letterOf(status, given(true, "ADDRESS")))
    }
  })
})
