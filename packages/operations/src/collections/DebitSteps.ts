/** What people do about debits that no file has: tell payers of them, collect them later, or not at all. */
import { laterDays } from "@quittance/bank/DebitDays"
import type { PostponeDebit } from "@quittance/domain/collections/CollectionRequests"
import type { Debit, DebitId, DebitNotFound } from "@quittance/domain/collections/Debit"
import type { BankAccountSettings } from "@quittance/domain/payments/BankAccount"
import { commandedDebit, type DebitCommand } from "@quittance/domain/payments/DebitLifecycle"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidReference,
  type InvalidTransition
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import { addDays } from "@quittance/domain/values/LocalDate"
import { localDate } from "@quittance/domain/values/TimeZone"
import { DebitsRepo } from "@quittance/persistence/collections/DebitsRepo"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { DebitReplacing } from "./DebitReplacing.ts"
import { Command } from "../requests/Command.ts"

type Stepped<E = never> = Effect.Effect<
  Debit,
  E | DebitNotFound | Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused | InvalidTransition,
  CurrentTenant | CurrentCaller | CurrentRequest
>

export class DebitSteps extends Context.Service<
  DebitSteps,
  {
    /** Records that its payer was told today, by hand: its days follow from that. */
    notify(id: DebitId): Stepped
    /** Collects it on a day that is asked for, or the first open one after it. */
    postpone(id: DebitId, input: PostponeDebit): Stepped<InvalidReference>
    /** Collects it never: its invoices are to be transferred. */
    cancel(id: DebitId): Stepped
  }
>()("@quittance/operations/DebitSteps") {
  static readonly layer = Layer.effect(
    DebitSteps,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const audit = yield* AuditTrail
      const command = yield* Command
      const replacing = yield* DebitReplacing
      const repo = yield* DebitsRepo

      /** A step under the lock of the debit's policy. */
      const step = <E = never>(
        id: DebitId,
        name: DebitCommand,
        decide: (
          debit: Debit,
          bank: BankAccountSettings,
          now: Instant
        ) => Effect.Effect<Debit, E, CurrentTenant>
      ) =>
        command.run({
          authorize: repo.authorize("collection.write", id, { lock: true }),
          decide: Effect.fnUntraced(function* ({ now }) {
            const before = yield* repo.hold(id)
            const { notifiedOn, status } = before
            const standing = { status, isNotified: notifiedOn !== undefined }
            yield* Effect.fromResult(commandedDebit(standing, name))
            const { settings } = yield* accounts.find(before.bankAccountId)
            const after = yield* decide(before, settings, now)
            yield* repo.update(after)
            const action = `debit.${name}`
            yield* audit.record({ action, recordId: id, before, after, businessAt: now })
            if (after.status === "PLANNED") yield* replacing.schedule(after, settings)
            return after
          })
        })

      const notify = Effect.fn("DebitSteps.notify")((id: DebitId) =>
        step(id, "notify", (debit, bank, now) => {
          const notifiedOn = localDate(now, bank.timeZone)
          return Effect.succeed({
            ...debit,
            ...laterDays(debit, { notifiedOn }, bank, now),
            announcement: "BY_HAND" as const,
            notifiedOn
          })
        })
      )

      const postpone = Effect.fn("DebitSteps.postpone")(
        (id: DebitId, { collectOn }: PostponeDebit) =>
          step(
            id,
            "postpone",
            Effect.fnUntraced(function* (debit, bank, now) {
              const latest = addDays(debit.collectOn, mostDaysLater)
              if (collectOn <= debit.collectOn || collectOn > latest) {
                const expected = `a day after ${debit.collectOn}, up to ${latest}`
                return yield* new InvalidReference({
                  field: "collectOn",
                  value: collectOn,
                  expected
                })
              }
              return { ...debit, ...laterDays(debit, { askedFor: collectOn }, bank, now) }
            })
          )
      )

      const cancel = Effect.fn("DebitSteps.cancel")((id: DebitId) =>
        step(
          id,
          "cancel",
          Effect.fnUntraced(function* (debit) {
            yield* repo.setCollection(debit, { mode: "BANK_TRANSFER" })
            return { ...debit, status: "CANCELLED", cancellation: "BY_HAND" }
          })
        )
      )

      return DebitSteps.of({ notify, postpone, cancel })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      BankAccountsRepo.layer,
      Command.layer,
      DebitReplacing.layer,
      DebitsRepo.layer
    ])
  )
}

/** What is put off for longer is agreed with the payer anew. */
const mostDaysLater = 366
