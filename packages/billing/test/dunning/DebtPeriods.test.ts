import { assert, describe, it } from "@effect/vitest"
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
