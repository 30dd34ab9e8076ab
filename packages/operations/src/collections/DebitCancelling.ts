/** Cancels planned debits that come to nothing. */
import type { Debit } from "@quittance/domain/collections/Debit"
import { endsOn, isUsableOn } from "@quittance/domain/payments/Mandate"
import type { StoredMandate } from "@quittance/domain/payments/MandateRecord"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { DebitsRepo } from "@quittance/persistence/collections/DebitsRepo"
import { DueDebitsRepo } from "@quittance/persistence/collections/DueDebitsRepo"
import { PaymentMethodsRepo } from "@quittance/persistence/payments/PaymentMethodsRepo"
import { Context, Effect, Layer } from "effect"
import { MandateEnds } from "../payments/MandateEnds.ts"
import type { Actor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"

export class DebitCancelling extends Context.Service<
  DebitCancelling,
  {
    /** Cancels a debit that is planned and locked; without a usable mandate its invoices are to be transferred. */
    cancel(
      debit: Debit,
      cancellation: "MANDATE_NOT_USABLE" | "NOTHING_DUE",
      actor: Actor
    ): Effect.Effect<void, never, CurrentTenant>
    /** Whether a debit may be collected by its mandate, which is locked, on its day. */
    isUsable(mandate: StoredMandate, debit: Debit): Effect.Effect<boolean, never, CurrentTenant>
    /** Cancels it where its mandate, which is locked, can't be used on its day; whether it did. */
    cancelUnusable(
      debit: Debit,
      mandate: StoredMandate,
      actor: Actor
    ): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/operations/DebitCancelling") {
  static readonly layer = Layer.effect(
    DebitCancelling,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const debits = yield* DebitsRepo
      const methods = yield* PaymentMethodsRepo

      const cancel = Effect.fn("DebitCancelling.cancel")(function* (
        debit: Debit,
        cancellation: "MANDATE_NOT_USABLE" | "NOTHING_DUE",
        actor: Actor
      ) {
        if (cancellation === "MANDATE_NOT_USABLE") {
          const collection = { mode: "BANK_TRANSFER", because: cancellation } as const
          yield* debits.setCollection(debit, collection)
        }
        yield* debits.update({ ...debit, status: "CANCELLED", cancellation })
        yield* audit.recordAll(actor, [{ action: "debit.cancel", recordId: debit.id }])
      })

      /** The payer's account is that of the mandate, which may have moved since the debit was planned. */
      const isUsable = Effect.fn("DebitCancelling.isUsable")(function* (
        mandate: StoredMandate,
        debit: Debit
      ) {
        const { lastPresentedOn, signedOn, status } = mandate
        if (signedOn === undefined) return false
        const standing = { status, endsOn: endsOn({ signedOn, lastPresentedOn }) }
        if (!isUsableOn(standing, debit.collectOn)) return false
        return (yield* methods.find(mandate.paymentMethodId)).status === "ACTIVE"
      })

      const cancelUnusable = Effect.fn("DebitCancelling.cancelUnusable")(function* (
        debit: Debit,
        mandate: StoredMandate,
        actor: Actor
      ) {
        if (yield* isUsable(mandate, debit)) return false
        yield* cancel(debit, "MANDATE_NOT_USABLE", actor)
        return true
      })

      return DebitCancelling.of({ cancel, isUsable, cancelUnusable })
    })
  ).pipe(Layer.provide([AuditTrail.layer, DebitsRepo.layer, PaymentMethodsRepo.layer]))
}

/** Cancels what is planned on a mandate that has ended. */
export const layerMandateEnds = Layer.effect(
  MandateEnds,
  Effect.gen(function* () {
    const cancelling = yield* DebitCancelling
    const debits = yield* DebitsRepo
    const planned = yield* DueDebitsRepo

    const ended: MandateEnds["Service"]["ended"] = Effect.fn("MandateEnds.ended")(
      function* (mandateId, actor) {
        for (const id of yield* planned.holdPlannedBy(mandateId)) {
          const debit = yield* debits.find(id)
          yield* cancelling.cancel(debit, "MANDATE_NOT_USABLE", actor)
        }
      }
    )

    return MandateEnds.of({ ended })
  })
).pipe(Layer.provide([DebitCancelling.layer, DebitsRepo.layer, DueDebitsRepo.layer]))
