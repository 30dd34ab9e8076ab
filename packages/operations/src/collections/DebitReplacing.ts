/** Plans a debit anew that came to nothing: the same money, another number, days that are still possible. */
import { fileMadeAt, laterDays } from "@quittance/bank/DebitDays"
import { numberText } from "@quittance/bank/References"
import type { Debit } from "@quittance/domain/collections/Debit"
import type { BankAccountSettings } from "@quittance/domain/payments/BankAccount"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { PlannedDebitsRepo } from "@quittance/persistence/collections/PlannedDebitsRepo"
import { PaymentNumbersRepo } from "@quittance/persistence/payments/PaymentNumbersRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { DueItemsRepo } from "@quittance/persistence/tenants/DueItemsRepo"
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"

/** What the new debit has of its own. */
export interface Replacement {
  readonly attempt: number
  readonly notificationDays: number
  /** Absent where the payer has to be told anew. */
  readonly notifiedOn?: LocalDate | undefined
  readonly askedFor?: LocalDate | undefined
  /** What of it is still to be collected; all, unless it is said. */
  readonly items?: Debit["items"]
  readonly actor: Actor
}

export class DebitReplacing extends Context.Service<
  DebitReplacing,
  {
    /** Part of the transaction that ends the debit, and holds its policy's head. */
    replace(
      debit: Debit,
      replacement: Replacement,
      bank: BankAccountSettings,
      now: Instant
    ): Effect.Effect<Debit, never, CurrentTenant>
    /** Has the payer of a planned debit told, or its file made in time where that was done. */
    schedule(debit: Debit, bank: BankAccountSettings): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/DebitReplacing") {
  static readonly layer = Layer.effect(
    DebitReplacing,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const debits = yield* PlannedDebitsRepo
      const due = yield* DueItemsRepo
      const ids = yield* Ids
      const numbers = yield* PaymentNumbersRepo

      const schedule = Effect.fn("DebitReplacing.schedule")(function* (
        { bankAccountId, id, notifiedOn, plannedAt, submitOn }: Debit,
        bank: BankAccountSettings
      ) {
        // None is handed in whose payer was not told.
        yield* due.schedule([
          notifiedOn === undefined
            ? { kind: "notifyDebits", recordId: id, dueAt: plannedAt }
            : { kind: "makeFiles", recordId: bankAccountId, dueAt: fileMadeAt(submitOn, bank) }
        ])
      })

      const replace = Effect.fn("DebitReplacing.replace")(function* (
        debit: Debit,
        {
          actor,
          askedFor,
          attempt,
          items = debit.items,
          notificationDays,
          notifiedOn
        }: Replacement,
        bank: BankAccountSettings,
        now: Instant
      ) {
        const { bankAccountId, currency, customerId, earliest, mandateId, paymentMethodId } = debit
        const { policyId, scheme } = debit
        const planned = { earliest, notificationDays, notifiedOn }
        const made: Debit = {
          policyId,
          customerId,
          bankAccountId,
          paymentMethodId,
          mandateId,
          scheme,
          currency,
          ...laterDays(planned, { askedFor }, bank, now),
          id: ids.next("debit"),
          endToEndId: numberText("DD", yield* numbers.next("DD")),
          status: "PLANNED",
          items: items.map(({ invoiceId, notified }) => ({ invoiceId, notified })),
          attempt,
          notificationDays,
          replaces: debit.id,
          plannedAt: now,
          ...(notifiedOn === undefined ? {} : { notifiedOn, ...announcedAs(debit) })
        }
        yield* debits.insert([made])
        yield* debits.addItems([{ debitId: made.id, after: 0, items: made.items }])
        yield* audit.recordAll(actor, [
          { action: "debit.plan", recordId: made.id, after: made, businessAt: now }
        ])
        yield* schedule(made, bank)
        return made
      })

      return DebitReplacing.of({ replace, schedule })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      DueItemsRepo.layer,
      PaymentNumbersRepo.layer,
      PlannedDebitsRepo.layer
    ])
  )
}

const announcedAs = ({ announcement }: Debit): Pick<Debit, "announcement"> =>
  announcement === undefined ? {} : { announcement }
