import { assert, describe, it } from "@effect/vitest"
import { approvalReasons } from "../../src/payouts/Approval.ts"
import type { PayeeCheck, PayoutStatus } from "../../src/payouts/Payout.ts"
import { givesBack, payoutAfter, payoutEdges } from "../../src/payouts/PayoutLifecycle.ts"
import { isLike, wordsOf } from "../../src/payouts/Screening.ts"
import type { Instant } from "../../src/values/Instant.ts"
import { LocalDate } from "../../src/values/LocalDate.ts"

const at = "2026-05-04T08:00:00.000Z" as Instant
const match: PayeeCheck = { result: "MATCH", checkedAt: at }
const close: PayeeCheck = { result: "CLOSE_MATCH", nameAtBank: "C. Martin", checkedAt: at }

const asked = {
  amount: 100,
  limit: 100,
  method: { isTheirs: true, addedOn: LocalDate.make("2026-04-27") },
  payee: "MATCH",
  screening: "CLEAR",
  today: LocalDate.make("2026-05-04")
} as const

describe("another person has to agree to a payout", () => {
  it("beyond the asker's authority, and not at it", () => {
    assert.deepStrictEqual(approvalReasons(asked), [])
    assert.deepStrictEqual(approvalReasons({ ...asked, amount: 101 }), ["ABOVE_AUTHORITY"])
    assert.deepStrictEqual(approvalReasons({ ...asked, limit: 0 }), ["ABOVE_AUTHORITY"])
  })

  it("to an account of less than seven days, or of another customer", () => {
    const method = { isTheirs: true, addedOn: LocalDate.make("2026-04-28") }
    assert.deepStrictEqual(approvalReasons({ ...asked, method }), ["NEW_ACCOUNT"])
    assert.deepStrictEqual(
      approvalReasons({ ...asked, method: { ...asked.method, isTheirs: false } }),
      ["OTHER_CUSTOMER"]
    )
  })

  it("where the bank has another name or a list has one alike, and not where no one can say", () => {
    assert.deepStrictEqual(approvalReasons({ ...asked, payee: "NO_MATCH", screening: "HIT" }), [
      "NO_MATCH",
      "SCREENING_HIT"
    ])
    for (const payee of ["CLOSE_MATCH", "NOT_POSSIBLE"] as const) {
      assert.deepStrictEqual(approvalReasons({ ...asked, payee, screening: "NOT_SCREENED" }), [])
    }
  })
})

describe("a payout", () => {
  it("ends once: nothing follows a refusal, a cancellation or a failure", () => {
    for (const status of ["REJECTED", "CANCELLED", "FAILED"] as const) {
      for (const { command } of payoutEdges) {
        assert.strictEqual(payoutAfter({ status, payeeCheck: match }, command)._tag, "Failure")
      }
    }
  })

  it("gives its amount back by exactly one step, from wherever it is", () => {
    const statuses: ReadonlyArray<PayoutStatus> = ["AWAITING_APPROVAL", "APPROVED", "PAID"]
    for (const status of statuses) {
      for (const { command, to } of payoutEdges) {
        const after = payoutAfter({ status, payeeCheck: match }, command)
        if (after._tag === "Failure" || to === undefined) continue
        if (!givesBack(after.success)) continue
        const further = payoutEdges.map((edge) =>
          payoutAfter({ status: after.success, payeeCheck: match }, edge.command)
        )
        assert.isTrue(further.every(({ _tag }) => _tag === "Failure"))
      }
    }
  })

  it("is not paid before a name that nearly matches is confirmed, and that once", () => {
    const waiting = { status: "APPROVED", payeeCheck: close } as const
    const paid = payoutAfter(waiting, "record-paid")
    assert.deepInclude(paid, { _tag: "Failure" })
    if (paid._tag === "Failure") {
      assert.deepStrictEqual(paid.failure.allowed, ["cancel", "confirm-payee", "record-failed"])
    }
    const confirmed = { ...waiting, payeeCheck: { ...close, confirmedAt: at } }
    assert.strictEqual(payoutAfter(confirmed, "record-paid")._tag, "Success")
    assert.strictEqual(payoutAfter(confirmed, "confirm-payee")._tag, "Failure")
    assert.strictEqual(
      payoutAfter({ ...waiting, payeeCheck: match }, "confirm-payee")._tag,
      "Failure"
    )
  })
})

describe("names against a list of asset freezes", () => {
  it("are compared by words, without marks, case, order and punctuation", () => {
    assert.deepStrictEqual(wordsOf("  Łukasz O’Neill-Sørensen, Straße "), [
      "lukasz",
      "oneill",
      "sorensen",
      "strasse"
    ])
    assert.isTrue(isLike("Ivan Petrov", "PETROV, Ivan"))
    assert.isTrue(isLike("Iván Petrov", "Ivan Petrov"))
  })

  it("are alike where one of them only has more given names or a form of company", () => {
    assert.isTrue(isLike("Ivan Petrov", "Ivan Sergeyevich PETROV"))
    assert.isTrue(isLike("Ivan Sergeyevich Petrov", "Ivan Petrov"))
    assert.isTrue(isLike("Acme Trading SARL", "Acme Trading"))
  })

  it("are not alike for one word in common", () => {
    assert.isFalse(isLike("Ivan Durand", "Ivan Petrov"))
    assert.isFalse(isLike("Petrov", "Ivan Petrov"))
    assert.isFalse(isLike("", "Ivan Petrov"))
    assert.isFalse(isLike("Ivan Petrov", "—"))
  })
})
