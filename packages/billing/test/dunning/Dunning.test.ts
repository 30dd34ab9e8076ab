import { assert, describe, it } from "@effect/vitest"
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import { addDays, daysBetween, LocalDate } from "@quittance/domain/values/LocalDate"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import type { Dunning } from "@quittance/domain/products/ProductTerms"
import { localDate, startOfDay } from "@quittance/domain/values/TimeZone"
import { Arbitrary, Result, Schema } from "effect"
import { dunningSteps, untilEnd } from "../../src/dunning/Dunning.ts"
import {
  dunningTimelinesOf,
  type Debt,
  type DunningFacts,
  noticeableFrom,
  type SentNotice
} from "../../src/dunning/DunningTimeline.ts"
import { permitTermination } from "../../src/dunning/Termination.ts"
import { Day, int, payerA, payerB } from "../Drawn.ts"
import { FormalNoticeId, InvoiceId } from "@quittance/domain/values/Ids"

const zone = "Europe/Paris"
const day = (text: string): LocalDate => LocalDate.make(text)
const at = (text: string): Instant => fromEpochMillis(Date.parse(text))
const id = (number: number) => InvoiceId.make(`invoice_test_${alphabet[number]!.repeat(21)}`)

/** Art. L113-3 code des assurances. */
const french: Dunning = {
  firstPremium: "COVER",
  grace: { amount: 10, unit: "DAY" },
  notice: { required: true, channel: "REGISTERED_LETTER" },
  suspend: { after: { amount: 30, unit: "DAY" }, from: "NOTICE" },
  terminate: { after: { amount: 40, unit: "DAY" }, from: "NOTICE", mode: "MANUAL" },
  reactivation: "NEXT_DAY_NOON",
  feesRebilled: 0,
  stopReason: "NON_PAYMENT"
}

/** Art. 1901 codice civile: fifteen days, six months, and cover again at the end of the payment's day. */
const italian: Dunning = {
  firstPremium: "NO_COVER",
  suspend: { after: { amount: 15, unit: "DAY" }, from: "DUE_DATE" },
  terminate: { after: { amount: 6, unit: "MONTH" }, from: "DUE_DATE", mode: "AUTOMATIC" },
  reactivation: "END_OF_DAY",
  feesRebilled: 0,
  stopReason: "NON_PAYMENT"
}

const debt = (number: number, dueOn: string, more: Partial<Debt> = {}): Debt => ({
  invoiceId: id(number),
  payerCustomerId: payerA,
  dueOn: day(dueOn),
  isFirst: false,
  ...more
})

const notice = (sentAt: string, ...numbers: ReadonlyArray<number>): SentNotice => ({
  invoiceIds: numbers.map(id),
  sentAt: at(sentAt),
  announcesTermination: false
})

const facts = (more: Partial<DunningFacts>): DunningFacts => ({
  rule: french,
  timeZone: zone,
  startedAt: at("2025-12-31T23:00:00Z"),
  yearEnds: [at("2026-12-31T23:00:00Z")],
  debts: [],
  notices: [],
  holds: [],
  ...more
})

const steps = (more: Partial<DunningFacts>) =>
  untilEnd(dunningSteps(facts(more))).map(({ dueAt, kind }) => `${kind} ${dueAt}`)

describe("the clock of unpaid premiums", () => {
  it("writes no notice while a debit is about to pay, and waits no longer than for its outcome", () => {
    const awaitedUntil = at("2026-01-20T23:00:00Z")
    const awaited = debt(0, "2026-01-01", { awaitedUntil })
    // Without it on the first day after the grace.
    assert.deepStrictEqual(steps({ debts: [debt(0, "2026-01-01")] }), [
      "NOTICE 2026-01-11T23:00:00.000Z"
    ])
    assert.deepStrictEqual(steps({ debts: [awaited] }), [`NOTICE ${awaitedUntil}`])
    const early = { ...awaited, awaitedUntil: at("2026-01-05T23:00:00Z") }
    assert.deepStrictEqual(steps({ debts: [early] }), ["NOTICE 2026-01-11T23:00:00.000Z"])
    // Another invoice of the payer does not wait for it, and a hold comes on top.
    assert.deepStrictEqual(steps({ debts: [awaited, debt(1, "2026-01-01")] }), [
      "NOTICE 2026-01-11T23:00:00.000Z",
      `NOTICE ${awaitedUntil}`
    ])
    const hold = { from: at("2026-01-15T00:00:00Z"), to: at("2026-02-01T00:00:00Z") }
    assert.deepStrictEqual(steps({ debts: [awaited], holds: [hold] }), [
      "NOTICE 2026-02-01T00:00:00.000Z"
    ])
  })

  it("has no step where nothing is owed, or all is paid in time (overdue-credit-695)", () => {
    assert.deepStrictEqual(steps({}), [])
    const paid = debt(0, "2026-01-01", { settledAt: at("2026-01-11T22:59:59Z") })
    assert.deepStrictEqual(steps({ debts: [paid] }), [])
  })

  it("asks for one notice to each payer, from the eleventh day on (double-mail)", () => {
    const debts = [
      debt(0, "2026-01-01"),
      debt(1, "2026-01-01"),
      debt(2, "2026-01-01", { payerCustomerId: payerB })
    ]
    assert.deepStrictEqual(
      dunningSteps(facts({ debts })).map(({ dueAt, invoiceIds, kind }) => [
        kind,
        dueAt,
        invoiceIds
      ]),
      [
        ["NOTICE", at("2026-01-11T23:00:00Z"), [id(0), id(1)]],
        ["NOTICE", at("2026-01-11T23:00:00Z"), [id(2)]]
      ]
    )
  })

  it("skips no step: without a notice cover continues, however long (overdue-2297)", () => {
    assert.deepStrictEqual(steps({ debts: [debt(0, "2020-01-01")] }), [
      "NOTICE 2020-01-11T23:00:00.000Z"
    ])
  })

  it("suspends on the thirty-first day after the notice, and never ends a contract by itself", () => {
    const debts = [debt(0, "2026-01-01")]
    const notices = [notice("2026-01-12T15:00:00Z", 0)]
    assert.deepStrictEqual(steps({ debts, notices }), [
      "SUSPEND 2026-02-11T23:00:00.000Z",
      // The insurance year is over.
      "REACTIVATE 2026-12-31T23:00:00.000Z"
    ])
    const [course] = dunningTimelinesOf(facts({ debts, notices }))
    assert.strictEqual(course!.terminableAt, "2026-02-21T23:00:00.000Z")
  })

  it("ends the contract by itself where the notice said so and the product lets it", () => {
    const announced: Dunning = { ...french, terminate: { ...french.terminate, mode: "ANNOUNCED" } }
    const sent = notice("2026-01-12T15:00:00Z", 0)
    const debts = [debt(0, "2026-01-01")]
    const said = [{ ...sent, announcesTermination: true }]
    const ends = (notices: ReadonlyArray<SentNotice>, rule: Dunning) =>
      steps({ debts, notices, rule }).filter((step) => step.startsWith("TERMINATE"))
    assert.deepStrictEqual(ends(said, announced), ["TERMINATE 2026-02-21T23:00:00.000Z"])
    assert.deepStrictEqual(ends([sent], announced), [])
    assert.deepStrictEqual(ends(said, french), [])
  })

  it("resumes at noon of the day after payment, also where the clocks change", () => {
    const paid = (settledAt: string) => {
      const debts = [debt(0, "2026-01-01", { settledAt: at(settledAt) })]
      return steps({ debts, notices: [notice("2026-01-12T15:00:00Z", 0)] }).at(-1)
    }
    assert.strictEqual(paid("2026-03-28T20:00:00Z"), "REACTIVATE 2026-03-29T10:00:00.000Z")
    assert.strictEqual(paid("2026-04-04T20:00:00Z"), "REACTIVATE 2026-04-05T10:00:00.000Z")
    assert.strictEqual(paid("2026-10-24T20:00:00Z"), "REACTIVATE 2026-10-25T11:00:00.000Z")
  })

  it("resumes only when what fell due while cover rested is paid too", () => {
    const notices = [notice("2026-01-12T15:00:00Z", 0)]
    const first = debt(0, "2026-01-01", { settledAt: at("2026-03-10T12:00:00Z") })
    const during = (settledAt?: Instant) => debt(1, "2026-03-01", { settledAt })
    assert.strictEqual(
      steps({ debts: [first, during()], notices }).find((step) => step.startsWith("REACTIVATE")),
      "REACTIVATE 2026-12-31T23:00:00.000Z"
    )
    assert.strictEqual(
      steps({ debts: [first, during(at("2026-03-20T12:00:00Z"))], notices }).at(-1),
      "REACTIVATE 2026-03-21T11:00:00.000Z"
    )
    const later = debt(2, "2026-04-01")
    assert.include(steps({ debts: [first, later], notices }), "REACTIVATE 2026-03-11T11:00:00.000Z")
  })

  it("resumes cover without what was not asked for when all else was paid", () => {
    const paidAt = at("2026-03-10T12:00:00Z")
    const first = debt(0, "2026-01-01", { settledAt: paidAt })
    const notices = [notice("2026-01-12T15:00:00Z", 0)]
    const beside = (more: Partial<Debt>) =>
      steps({ debts: [first, debt(1, "2026-03-10", more)], notices })
    const resumed = "REACTIVATE 2026-03-11T11:00:00.000Z"
    const before = at("2026-03-10T11:59:59Z")
    // Without the year's end nothing else resumes it.
    assert.notInclude(beside({ askedAt: before }), resumed)
    assert.notInclude(beside({ askedAt: paidAt }), resumed)
    assert.include(beside({ askedAt: paidAt, followsPayment: true }), resumed)
    assert.include(beside({ askedAt: at("2026-03-10T12:00:01Z") }), resumed)
    // What was asked for, and settled two days later, lets it wait for that alone.
    const later = { askedAt: before, settledAt: at("2026-03-12T12:00:00Z") }
    assert.include(beside(later), "REACTIVATE 2026-03-13T11:00:00.000Z")
  })

  it("does not count a notice for a payment returned after it", () => {
    const reopened = debt(0, "2026-01-01", { reopenedAt: at("2026-03-02T09:00:00Z") })
    const notices = [notice("2026-01-12T15:00:00Z", 0)]
    assert.deepStrictEqual(steps({ debts: [reopened], notices }), [
      "NOTICE 2026-03-02T09:00:00.000Z"
    ])
  })

  it("waits for the end of a hold, and while it has none", () => {
    const debts = [debt(0, "2026-01-01")]
    const notices = [notice("2026-01-12T15:00:00Z", 0)]
    const from = at("2026-02-01T00:00:00Z")
    const to = at("2026-03-01T00:00:00Z")
    assert.deepStrictEqual(steps({ debts, notices, holds: [{ from, to }] })[0], `SUSPEND ${to}`)
    assert.strictEqual(
      dunningTimelinesOf(facts({ debts, notices, holds: [{ from, to }] }))[0]!.terminableAt,
      to
    )
    assert.deepStrictEqual(steps({ debts, notices, holds: [{ from }] }), [])
  })

  it("suspends once where two notices overlap, and resumes when both are done", () => {
    const debts = [
      debt(0, "2026-01-01", { settledAt: at("2026-04-10T12:00:00Z") }),
      debt(1, "2026-02-01", { settledAt: at("2026-05-10T12:00:00Z") })
    ]
    const notices = [notice("2026-01-12T15:00:00Z", 0), notice("2026-02-12T15:00:00Z", 1)]
    assert.deepStrictEqual(steps({ debts, notices }), [
      "SUSPEND 2026-02-11T23:00:00.000Z",
      "REACTIVATE 2026-05-11T10:00:00.000Z"
    ])
  })

  it("follows other laws by their rules: no notice, no first cover, an end by law", () => {
    const first = debt(0, "2026-01-01", { isFirst: true, settledAt: at("2026-01-05T12:00:00Z") })
    assert.deepStrictEqual(steps({ rule: italian, debts: [first] }), [
      "SUSPEND 2025-12-31T23:00:00.000Z",
      "REACTIVATE 2026-01-05T23:00:00.000Z"
    ])
    assert.deepStrictEqual(steps({ rule: italian, debts: [debt(1, "2026-01-31")] }), [
      "SUSPEND 2026-02-15T23:00:00.000Z",
      "TERMINATE 2026-07-31T22:00:00.000Z"
    ])
  })

  it("counts from the suspension where the rule does, and resumes at once or the next day", () => {
    const rule: Dunning = {
      ...french,
      terminate: { after: { amount: 10, unit: "DAY" }, from: "SUSPENSION", mode: "AUTOMATIC" }
    }
    const debts = [debt(0, "2026-01-01")]
    const notices = [notice("2026-01-12T15:00:00Z", 0)]
    assert.include(steps({ rule, debts, notices }), "TERMINATE 2026-02-21T23:00:00.000Z")
    const paid = [debt(0, "2026-01-01", { settledAt: at("2026-02-14T12:00:00Z") })]
    const resumes = (reactivation: Dunning["reactivation"]) =>
      steps({ rule: { ...french, reactivation }, debts: paid, notices }).at(-1)
    assert.strictEqual(resumes("IMMEDIATE"), "REACTIVATE 2026-02-14T12:00:00.000Z")
    assert.strictEqual(resumes("NEXT_DAY"), "REACTIVATE 2026-02-14T23:00:00.000Z")
  })

  it.prop(
    "keeps its order and its distances whatever is paid when",
    [
      Day,
      Arbitrary.schema(
        Schema.Struct({
          wait: int(11, 60),
          paid: Schema.optionalKey(int(0, 200)),
          hour: int(0, 23)
        })
      )
    ],
    ([dueOn, { hour, paid, wait }]) => {
      const sentAt = fromEpochMillis(
        toEpochMillis(startOfDay(addDays(dueOn, wait), zone)) + hour * 3_600_000
      )
      const settledAt = paid === undefined ? undefined : startOfDay(addDays(dueOn, paid), zone)
      const own: Debt = { ...debt(0, dueOn), settledAt }
      const notices = [{ ...notice(sentAt, 0), sentAt }]
      const [course] = dunningTimelinesOf(facts({ debts: [own], notices, yearEnds: [] }))
      const { reactivatedAt, suspendedAt, terminableAt } = course!
      const sentOn = localDate(sentAt, zone)
      assert.strictEqual(daysBetween(dueOn, noticeableFrom(french, dueOn)), 11)
      if (suspendedAt !== undefined) {
        assert.strictEqual(suspendedAt, startOfDay(addDays(sentOn, 31), zone))
        assert.isTrue(settledAt === undefined || settledAt >= suspendedAt)
        assert.strictEqual(reactivatedAt === undefined, settledAt === undefined)
      } else assert.isTrue(settledAt! < startOfDay(addDays(sentOn, 31), zone))
      if (terminableAt !== undefined) {
        assert.strictEqual(terminableAt, startOfDay(addDays(sentOn, 41), zone))
        assert.isTrue(settledAt === undefined || settledAt >= terminableAt)
      }
      if (reactivatedAt !== undefined) {
        assert.strictEqual(localDate(reactivatedAt, zone), addDays(localDate(settledAt!, zone), 1))
      }
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop(
    "lets a contract be ended by hand from the instant on at which one would end by itself",
    [
      Day,
      Arbitrary.schema(Schema.Struct({ wait: int(11, 90), paid: Schema.optionalKey(int(12, 200)) }))
    ],
    ([dueOn, { paid, wait }]) => {
      const settledAt = paid === undefined ? undefined : startOfDay(addDays(dueOn, paid), zone)
      const sentAt = startOfDay(addDays(dueOn, wait), zone)
      const known = facts({
        yearEnds: [],
        debts: [debt(1, dueOn, { settledAt })],
        notices: [{ invoiceIds: [id(1)], sentAt, announcesTermination: true }]
      })
      const byItself = dunningSteps({
        ...known,
        rule: { ...french, terminate: { ...french.terminate, mode: "ANNOUNCED" } }
      }).find(({ kind }) => kind === "TERMINATE")?.dueAt
      const permitted = (now: Instant) =>
        Result.isSuccess(permitTermination(known, [], { effectiveAt: now, now }))
      for (let day = 0; day < 240; day++) {
        const now = startOfDay(addDays(dueOn, day), zone)
        const isUnpaid = settledAt === undefined || now < settledAt
        assert.strictEqual(permitted(now), byItself !== undefined && byItself <= now && isUnpaid)
      }
    },
    { arbitrary: { runs: 100 } }
  )

  it.prop(
    "lets the cost of a notice delay suspended cover, and nothing else",
    [
      Day,
      Arbitrary.schema(
        Schema.Struct({
          wait: int(11, 60),
          paid: Schema.optionalKey(int(12, 200)),
          costPaid: Schema.optionalKey(int(12, 200))
        })
      )
    ],
    ([dueOn, { costPaid, paid, wait }]) => {
      const on = (days: number | undefined) =>
        days === undefined ? undefined : startOfDay(addDays(dueOn, days), zone)
      const noticeId = FormalNoticeId.make(`formal_notice_test_${alphabet.slice(0, 21)}`)
      const premium = debt(0, dueOn, { settledAt: on(paid) })
      const cost = debt(1, addDays(dueOn, wait), { settledAt: on(costPaid), costOf: noticeId })
      const sent = { id: noticeId, sentAt: on(wait)!, invoiceIds: [id(0)] }
      const of = (debts: ReadonlyArray<Debt>) =>
        dunningSteps(
          facts({ yearEnds: [], debts, notices: [{ ...sent, announcesTermination: false }] })
        )
      const [free, charged] = [of([premium]), of([premium, cost])]
      const but = (steps: typeof free) => steps.filter(({ kind }) => kind !== "REACTIVATE")
      assert.deepStrictEqual(but(charged), but(free))
      const resumed = (steps: typeof free) => steps.find(({ kind }) => kind === "REACTIVATE")?.dueAt
      const isLater = costPaid === undefined || (paid !== undefined && costPaid > paid)
      if (!isLater || resumed(free) === undefined) {
        assert.strictEqual(resumed(charged), resumed(free))
      } else if (costPaid === undefined) assert.isUndefined(resumed(charged))
      else assert.isTrue(resumed(charged)! > resumed(free)!)
    },
    { arbitrary: { runs: 300 } }
  )
})
