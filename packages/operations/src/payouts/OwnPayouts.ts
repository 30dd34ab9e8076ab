/** What statements and status reports tell of payouts: found by their numbers, paid, or given back. */
import type { OwnRecord } from "@quittance/billing/treasury/Matching"
import { movingStatuses } from "@quittance/domain/payouts/PayoutLifecycle"
import type { Payout, PayoutId } from "@quittance/domain/payouts/Payout"
import { PayoutsRepo } from "@quittance/persistence/payouts/PayoutsRepo"
import { Context, Effect, Layer } from "effect"
import type { HeardPayments } from "../treasury/OwnPayments.ts"
import { PayoutSteps } from "./PayoutSteps.ts"

/** The cash of a payout is that of its refund in the books. */
const ownOf = ({ amount, currency, endToEndId, id, refundId }: Payout): OwnRecord => ({
  kind: "PAYOUT",
  number: endToEndId,
  recordId: id,
  cashRecordId: refundId,
  amount,
  currency
})

/** The record was found by `find`, which has payouts alone. */
const payoutIdOf = ({ recordId }: OwnRecord): PayoutId => recordId as PayoutId

export class OwnPayouts extends Context.Service<OwnPayouts, HeardPayments>()(
  "@quittance/operations/OwnPayouts"
) {
  static readonly layer = Layer.effect(
    OwnPayouts,
    Effect.gen(function* () {
      const payouts = yield* PayoutsRepo
      const steps = yield* PayoutSteps

      const find = Effect.fn("OwnPayouts.find")(function* (numbers: ReadonlyArray<string>) {
        const found = yield* payouts.ofNumbers(numbers, movingStatuses)
        return new Map(found.map((payout) => [payout.endToEndId, ownOf(payout)]))
      })

      const moved: HeardPayments["moved"] = ({ bookedOn: on, record }) =>
        steps.hear({ id: payoutIdOf(record), word: "LEFT", on, reasonCode: undefined })

      const cameBack: HeardPayments["cameBack"] = ({ bookedOn: on, reasonCode, record }) =>
        steps.hear({ id: payoutIdOf(record), word: "CAME_BACK", on, reasonCode })

      /** Files are people's own, so that only what is told of a payout by its number concerns one. */
      const report = Effect.fn("OwnPayouts.report")(function* (
        bankAccountId: Payout["bankAccountId"],
        reports: Parameters<HeardPayments["report"]>[1]
      ) {
        const rejected = new Map(
          reports.flatMap(({ id, level, outcome, reasonCode }) =>
            level === "PAYMENT" && outcome === "REJECTED" ? [[id, reasonCode] as const] : []
          )
        )
        const found = yield* payouts.ofNumbers([...rejected.keys()], movingStatuses)
        for (const payout of found.filter((one) => one.bankAccountId === bankAccountId)) {
          const reasonCode = rejected.get(payout.endToEndId)
          yield* steps.hear({ id: payout.id, word: "CAME_BACK", on: undefined, reasonCode })
        }
      })

      return OwnPayouts.of({ find, moved, cameBack, report })
    })
  ).pipe(Layer.provide([PayoutsRepo.layer, PayoutSteps.layer]))
}
