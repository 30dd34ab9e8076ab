import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { addDays, type LocalDate } from "../../src/values/LocalDate.ts"
import type { PaymentMethodId } from "../../src/values/Ids.ts"
import type { Instant } from "../../src/values/Instant.ts"
import { example } from "../../src/values/PrefixedId.ts"
import { MandateStatus } from "../../src/payments/Mandate.ts"
import {
  mandateAfter,
  type MandateCommand,
  mandateEdges
} from "../../src/payments/MandateLifecycle.ts"
import { MandateNotUsable } from "../../src/payments/MandateNotUsable.ts"
import {
  blockedBy,
  cancelledOn,
  confirmedByBank,
  MandateReference,
  movedTo,
  shownOn,
  signedBy,
  statusOn,
  StoredMandate,
  unblockedBy
} from "../../src/payments/MandateRecord.ts"

const day = (text: string) => text as LocalDate
const at = "2026-05-04T09:00:00.000Z" as Instant
const method = (letter: string) =>
  `${example("payment_method").slice(0, -1)}${letter}` as PaymentMethodId
const evidence = { by: "user", at, address: "192.0.2.1", userAgent: "Browser" }

const draft = Schema.decodeUnknownSync(StoredMandate)({
  id: example("mandate"),
  paymentMethodId: method("a"),
  customerId: example("customer"),
  bankAccountId: example("bank_account"),
  creditorIdentifier: "FR72ZZZ123456",
  umr: "QM000000000197",
  scheme: "CORE",
  type: "RECURRENT",
  status: "DRAFT",
  locale: "fr",
  amendments: [],
  createdAt: at
})
const today = day("2026-05-04")
const signature = { signedOn: today, textHash: "h", evidence }
const signed = Result.getOrThrow(signedBy(draft, signature, today))

describe("the life of a mandate", () => {
  it("has exactly the steps of the table", () => {
    const steps = new Set(
      mandateEdges.flatMap(({ command, from }) => from.map((status) => `${status} ${command}`))
    )
    const commands: ReadonlyArray<MandateCommand> = [
      ...new Set(mandateEdges.map(({ command }) => command))
    ]
    for (const status of MandateStatus.literals) {
      for (const command of commands) {
        const after = mandateAfter({ status, scheme: "CORE" }, command)
        assert.strictEqual(Result.isSuccess(after), steps.has(`${status} ${command}`), status)
        if (Result.isFailure(after)) assert.notInclude(after.failure.allowed, command)
      }
    }
    for (const status of ["CANCELLED", "EXPIRED"] as const) {
      assert.isFalse(mandateEdges.some(({ from }) => from.includes(status)))
    }
  })

  it("is never unblocked after what a new mandate is needed for", () => {
    for (const blockedBy of ["MD01", "md07", " AC04"]) {
      const after = mandateAfter({ status: "BLOCKED", scheme: "CORE", blockedBy }, "unblock")
      assert.isTrue(Result.isFailure(after), blockedBy)
    }
    const after = mandateAfter({ status: "BLOCKED", scheme: "CORE", blockedBy: "AC06" }, "unblock")
    assert.deepStrictEqual(after, Result.succeed("ACTIVE"))
  })

  it("is unblocked with a reason, unless a final one came meanwhile", () => {
    const blocked = blockedBy(signed, { reasonCode: "AC06", at }, today)
    const unblocked = { by: "user", at, reference: "Letter", reason: "The seizure has ended" }
    const again = Result.getOrThrow(unblockedBy(blocked, { ...unblocked, address: "::1" }, today))
    assert.strictEqual(again.status, "ACTIVE")
    assert.notProperty(again, "blocked")
    assert.deepStrictEqual(shownOn(again, today).unblocked, unblocked)
    assert.strictEqual(Result.getFailure(unblockedBy(again, unblocked, today))._tag, "Some")

    const died = blockedBy(blocked, { reasonCode: "MD07", at }, today)
    assert.strictEqual(
      blockedBy(died, { reasonCode: "AC06", at }, today).blocked?.reasonCode,
      "MD07"
    )
    const refused = Result.getOrThrow(Result.flip(unblockedBy(died, unblocked, today)))
    assert.instanceOf(refused, MandateNotUsable)
    assert.include(refused.message, "have a new mandate signed")
  })

  it("waits for the debtor's bank where it is B2B", () => {
    const b2b = Result.getOrThrow(signedBy({ ...draft, scheme: "B2B" }, signature, today))
    assert.strictEqual(b2b.status, "AWAITING_BANK")
    const confirmed = Result.getOrThrow(confirmedByBank(b2b, evidence, today))
    assert.strictEqual(confirmed.status, "ACTIVE")
    assert.isTrue(Result.isFailure(confirmedByBank(signed, evidence, today)))
  })

  it("is signed once, by a day of the last 36 months", () => {
    assert.isTrue(Result.isFailure(signedBy(signed, signature, today)))
    for (const [signedOn, fits] of [
      ["2026-05-05", false],
      ["2026-05-04", true],
      ["2023-05-04", true],
      ["2023-05-03", false]
    ] as const) {
      const after = signedBy(draft, { ...signature, signedOn: day(signedOn) }, today)
      assert.strictEqual(Result.isSuccess(after), fits, signedOn)
    }
  })

  it("ends 36 months after the last debit that a bank was given, else after the signature", () => {
    const endings = [
      [{}, "2029-05-04"],
      [{ lastPresentedOn: day("2027-02-28") }, "2030-02-28"],
      // A month that lacks the day has its last one.
      [{ lastPresentedOn: day("2028-02-29") }, "2031-02-28"]
    ] as const
    for (const [change, last] of endings) {
      const mandate = { ...signed, ...change }
      assert.strictEqual(shownOn(mandate, today).endsOn, day(last))
      assert.strictEqual(statusOn(mandate, day(last)), "ACTIVE")
      const after = addDays(day(last), 1)
      assert.strictEqual(statusOn(mandate, after), "EXPIRED")
      for (const refused of [
        cancelledOn(mandate, after),
        movedTo(mandate, { paymentMethodId: method("b"), at }, after)
      ]) {
        assert.deepInclude(Result.isFailure(refused) ? refused.failure : {}, { status: "EXPIRED" })
      }
    }
    // What ended before stays what it was, and what is not signed does not end.
    const late = day("2040-01-01")
    assert.strictEqual(statusOn({ ...signed, status: "CANCELLED" }, late), "CANCELLED")
    assert.strictEqual(statusOn(draft, late), "DRAFT")
    assert.notProperty(shownOn(draft, late), "endsOn")
  })

  it("tells banks the account that they know, however often it moved before", () => {
    const letters = ["a", "b", "c"]
    // Every way of five moves between three accounts.
    for (let way = 0; way < 3 ** 5; way++) {
      let mandate = signed
      let rest = way
      for (let move = 0; move < 5; move++, rest = Math.floor(rest / 3)) {
        const paymentMethodId = method(letters[rest % 3]!)
        mandate = Result.getOrThrow(movedTo(mandate, { paymentMethodId, at }, today))
        assert.strictEqual(mandate.paymentMethodId, paymentMethodId)
        assert.deepStrictEqual(
          mandate.amendments.map(({ from, kind, status, to }) => [kind, from, to, status]),
          paymentMethodId === method("a")
            ? []
            : [["ACCOUNT", method("a"), paymentMethodId, "PENDING"]]
        )
      }
    }
  })

  it("keeps what was sent when it moves again", () => {
    const once = Result.getOrThrow(movedTo(signed, { paymentMethodId: method("b"), at }, today))
    const sent = {
      ...once,
      amendments: once.amendments.map((one) => ({ ...one, status: "SENT" as const }))
    }
    const twice = Result.getOrThrow(movedTo(sent, { paymentMethodId: method("a"), at }, today))
    assert.deepStrictEqual(
      twice.amendments.map(({ from, status, to }) => [from, to, status]),
      [
        [method("a"), method("b"), "SENT"],
        [method("b"), method("a"), "PENDING"]
      ]
    )
  })

  it("is shown without the address and the browser of who has signed", () => {
    const shown = JSON.stringify(shownOn({ ...signed, bankConfirmation: evidence }, today))
    assert.notInclude(shown, evidence.address)
    assert.notInclude(shown, evidence.userAgent)
    assert.include(shown, '"by":"user"')
  })
})

describe("a mandate's reference", () => {
  const isOne = Schema.is(MandateReference)

  it("is one that every bank takes", () => {
    for (const text of ["A", "OLD-2024/17", "a b", "+(1),'.:?", "x".repeat(35)]) {
      assert.isTrue(isOne(text), text)
    }
    for (const text of [
      "",
      " ",
      "/A",
      "A/",
      "A//B",
      "É",
      "A_1",
      "A ",
      " A",
      "x".repeat(36),
      "A\nB"
    ]) {
      assert.isFalse(isOne(text), JSON.stringify(text))
    }
  })
})
