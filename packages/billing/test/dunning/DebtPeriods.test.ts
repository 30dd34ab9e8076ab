import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { int } from "../Drawn.ts"
import { fromEpochMillis, type Instant } from "@quittance/domain/values/Instant"
import { owedTimes } from "../../src/dunning/DebtPeriods.ts"

const on = (day: number): Instant => fromEpochMillis(Date.UTC(2026, 0, day))

describe("an invoice whose payment a bank returns", () => {
  it("is one debt while no payment was returned", () => {
    assert.deepStrictEqual(
      owedTimes({ total: 100, amountPaid: 100, settledAt: on(5) }, [
        { amount: 100, paidAt: on(5) }
      ]),
      [{ settledAt: on(5), reopenedAt: undefined }]
    )
  })

  it("is a debt anew from the return on, and once more with each further one", () => {
    assert.deepStrictEqual(
      owedTimes({ total: 100, amountPaid: 100, settledAt: on(30) }, [
        { amount: 100, paidAt: on(5), returnedAt: on(10) },
        { amount: 100, paidAt: on(15), returnedAt: on(20) },
        { amount: 100, paidAt: on(30) }
      ]),
      [
        { settledAt: on(5), reopenedAt: undefined },
        { settledAt: on(15), reopenedAt: on(10) },
        { settledAt: on(30), reopenedAt: on(20) }
      ]
    )
  })

  it("stays one debt where a part comes back that had not settled it", () => {
    assert.deepStrictEqual(
      owedTimes({ total: 100, amountPaid: 0 }, [{ amount: 40, paidAt: on(5), returnedAt: on(10) }]),
      [{ settledAt: undefined, reopenedAt: undefined }]
    )
  })

  it("stays one debt where credits settled the rest only after a part came back", () => {
    assert.deepStrictEqual(
      owedTimes({ total: 100, amountPaid: 97, notes: [{ amount: 97, issuedAt: on(20) }] }, [
        { amount: 40, paidAt: on(5), returnedAt: on(10) }
      ]),
      [{ settledAt: undefined, reopenedAt: undefined }]
    )
  })

  it("counts what credits have settled of it", () => {
    assert.deepStrictEqual(
      owedTimes({ total: 100, amountPaid: 60 }, [
        { amount: 40, paidAt: on(5), returnedAt: on(10) }
      ]),
      [
        { settledAt: on(5), reopenedAt: undefined },
        { settledAt: undefined, reopenedAt: on(10) }
      ]
    )
  })
})

describe("an invoice of which little is left to pay", () => {
  const tolerant = { total: 100, tolerance: 3 }

  it("is owed until no more than the tolerance is left, and not until the rest is paid", () => {
    const parts = [
      { amount: 60, paidAt: on(5) },
      { amount: 37, paidAt: on(8) },
      { amount: 3, paidAt: on(30) }
    ]
    const at = { settledAt: on(8), reopenedAt: undefined, toleratedBy: "PAYMENT" as const }
    assert.deepStrictEqual(owedTimes({ ...tolerant, amountPaid: 97 }, parts.slice(0, 2)), [at])
    assert.deepStrictEqual(owedTimes({ ...tolerant, amountPaid: 100, settledAt: on(30) }, parts), [
      at
    ])
  })

  it("is owed where one cent more than the tolerance is left", () => {
    assert.deepStrictEqual(
      owedTimes({ ...tolerant, amountPaid: 96 }, [{ amount: 96, paidAt: on(5) }]),
      [{ settledAt: undefined, reopenedAt: undefined }]
    )
  })

  it("is settled by a credit note where the note leaves no more", () => {
    assert.deepStrictEqual(
      owedTimes({ ...tolerant, amountPaid: 98, notes: [{ amount: 38, issuedAt: on(9) }] }, [
        { amount: 60, paidAt: on(5) }
      ]),
      [{ settledAt: on(9), reopenedAt: undefined, toleratedBy: "CREDIT" }]
    )
  })

  it("is not owed again where a bank returns no more than the tolerance", () => {
    const payments = [
      { amount: 98, paidAt: on(5) },
      { amount: 2, paidAt: on(6), returnedAt: on(10) }
    ]
    assert.deepStrictEqual(owedTimes({ ...tolerant, amountPaid: 98 }, payments), [
      { settledAt: on(5), reopenedAt: undefined, toleratedBy: "PAYMENT" }
    ])
  })

  it("is owed again where a bank returns more, until it is paid but for the tolerance", () => {
    const payments = [
      { amount: 98, paidAt: on(5), returnedAt: on(10) },
      { amount: 97, paidAt: on(20) }
    ]
    assert.deepStrictEqual(owedTimes({ ...tolerant, amountPaid: 97 }, payments), [
      { settledAt: on(5), reopenedAt: undefined },
      { settledAt: on(20), reopenedAt: on(10), toleratedBy: "PAYMENT" }
    ])
  })

  /** Payments in any order, of which some come back; no two events are of one instant. */
  const Life = Schema.Array(
    Schema.Struct({ amount: int(1, 60), day: int(1, 9), backAfter: Schema.NullOr(int(1, 9)) })
  ).check(Schema.isMaxLength(5))

  it.prop(
    "is owed at exactly those instants at which more than the tolerance is left",
    [Life, int(0, 30)],
    ([life, tolerance]) => {
      const total = 100
      const minute = (day: number, index: number) =>
        fromEpochMillis(Date.UTC(2026, 0, day, 0, index))
      let left = total
      const payments = life.flatMap(({ amount: wanted, backAfter, day }, index) => {
        const amount = Math.min(wanted, left)
        left -= amount
        if (amount === 0) return []
        const returnedAt = backAfter === null ? undefined : minute(day + backAfter, index * 2 + 1)
        return [{ amount, paidAt: minute(day, index * 2), returnedAt }]
      })
      const paidBy = (at: Instant) =>
        payments
          .filter(({ paidAt, returnedAt = on(99) }) => paidAt <= at && at < returnedAt)
          .reduce((sum, { amount }) => sum + amount, 0)
      const amountPaid = paidBy(on(40))
      const settledAt =
        amountPaid < total
          ? undefined
          : payments
              .map(({ paidAt }) => paidAt)
              .sort()
              .at(-1)
      const periods = owedTimes({ total, tolerance, amountPaid, settledAt }, payments)
      const instants = payments.flatMap(({ paidAt, returnedAt = paidAt }) => [paidAt, returnedAt])
      for (const at of [on(1), ...instants, on(40)]) {
        const isOwed = periods.some(
          ({ reopenedAt = at, settledAt: until = on(99) }) => reopenedAt <= at && at < until
        )
        assert.strictEqual(isOwed, total - paidBy(at) > tolerance, at)
      }
    },
    { arbitrary: { runs: 3000 } }
  )
})
