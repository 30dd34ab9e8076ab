import { assert, describe, it } from "@effect/vitest"
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import { invoicePreview } from "../../src/billing/InvoicePreview.ts"
import { afterStep, agreedAtFirst, Histories, viewOf } from "../History.ts"
import { change, issuedBy, type Life, lifeOf, run } from "../Life.ts"
import { ChangeId } from "@quittance/domain/values/Ids"

const far = fromEpochMillis(Date.parse("2100-01-01T00:00:00Z"))
const causeOf = (number: number) => ChangeId.make(`change_test_${alphabet[number]!.repeat(21)}`)

const later = (instant: Instant, days: number) =>
  fromEpochMillis(toEpochMillis(instant) + days * 86_400_000)

/** What all invoices come to once nothing more is due. */
const inTheEnd = (life: Life): number =>
  run(life, far).kept.reduce((sum, { draft }) => sum + draft.total.amountWithFeesAndTaxes, 0)

describe("the outlook on a change", () => {
  it.prop(
    "says what comes to pass: the refund and charge at once, and in the end the differences' sum",
    [Histories],
    ([history]) => {
      let agreed = agreedAtFirst(history)
      let now = history.policy.signedAt
      let life = lifeOf(viewOf(history, agreed, { issued: [], toStart: false }))
      for (const [number, { step, wait }] of history.steps.slice(0, 5).entries()) {
        now = later(now, wait)
        life = run(life, now)
        const next = afterStep(history, agreed, step, number)
        const view = viewOf(history, next, life.view)
        const { charge, invoices, refund } = invoicePreview(issuedBy(life), life.view, view)
        const corrected = change(life, view, causeOf(number), now)
        const totals = corrected.kept
          .slice(life.kept.length)
          .map(({ draft }) => draft.total.amountWithFeesAndTaxes)
        assert.strictEqual(
          refund,
          totals.reduce((sum, total) => sum + Math.max(0, -total), 0)
        )
        assert.strictEqual(
          charge,
          totals.reduce((sum, total) => sum + Math.max(0, total), 0)
        )
        for (const { after, before, difference } of invoices) {
          assert.strictEqual(difference, after - before)
        }
        assert.strictEqual(
          invoices.reduce((sum, { difference }) => sum + difference, 0),
          inTheEnd(corrected) - inTheEnd(life)
        )
        agreed = next
        life = corrected
      }
    },
    { arbitrary: { runs: 100 } }
  )
})
