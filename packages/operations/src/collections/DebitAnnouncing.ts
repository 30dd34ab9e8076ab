/** Tells payers of their debits, each once: by a letter, or by people where no letter arrives. */
import { laterDays } from "@quittance/bank/DebitDays"
import { type Debit, DebitId } from "@quittance/domain/collections/Debit"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { localDate } from "@quittance/domain/values/TimeZone"
import { DebitLettersRepo } from "@quittance/persistence/collections/DebitLettersRepo"
import { DebitsRepo } from "@quittance/persistence/collections/DebitsRepo"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { MandatesRepo } from "@quittance/persistence/payments/MandatesRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import type { DueItemHandler } from "../tenants/DueItemHandlers.ts"
import { DebitCancelling } from "./DebitCancelling.ts"
import { worker } from "./DebitFilling.ts"
import { DebitReplacing } from "./DebitReplacing.ts"

export class DebitAnnouncing extends Context.Service<
  DebitAnnouncing,
  {
    /** Has the payer of a planned debit told. */
    readonly handler: DueItemHandler
    /** Records that the letter of a debit has left on a day, unless its payer was told otherwise. */
    told(id: DebitId, notifiedOn: LocalDate): Effect.Effect<void, never, CurrentTenant>
    /** Leaves it to people to tell a payer whom no letter reaches. */
    leftToPeople(id: DebitId): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/DebitAnnouncing") {
  static readonly layer = Layer.effect(
    DebitAnnouncing,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const audit = yield* AuditTrail
      const cancelling = yield* DebitCancelling
      const clock = yield* TenantClockRepo
      const debits = yield* DebitsRepo
      const letters = yield* DebitLettersRepo
      const mandates = yield* MandatesRepo
      const policies = yield* PoliciesRepo
      const replacing = yield* DebitReplacing
      const tenantSql = yield* TenantSql

      const recorded = (debit: Debit, action: string) =>
        Effect.andThen(
          debits.update(debit),
          audit.recordAll(worker, [{ action, recordId: debit.id }])
        )

      /** The debit, its policy and mandate locked, where its payer was not told yet. */
      const held = Effect.fnUntraced(function* (id: DebitId) {
        const { mandateId, policyId } = yield* debits.find(id)
        const { now } = yield* policies.hold(policyId)
        const { mandate } = yield* mandates.hold(mandateId)
        const debit = yield* debits.hold(id)
        return debit.status === "PLANNED" && debit.notifiedOn === undefined
          ? { debit, mandate, now }
          : undefined
      })

      const told = Effect.fn("DebitAnnouncing.told")(function* (
        id: DebitId,
        notifiedOn: LocalDate
      ) {
        const found = yield* held(id)
        if (found?.debit.announcement !== "EMAIL") return
        const { debit, now } = found
        const { settings } = yield* accounts.find(debit.bankAccountId)
        const after = { ...debit, ...laterDays(debit, { notifiedOn }, settings, now), notifiedOn }
        yield* recorded(after, "debit.notify")
        yield* replacing.schedule(after, settings)
      }, tenantSql.transaction)

      const leftToPeople = Effect.fn("DebitAnnouncing.leftToPeople")(function* (id: DebitId) {
        const found = yield* held(id)
        if (found === undefined || found.debit.announcement === "BY_HAND") return
        yield* recorded({ ...found.debit, announcement: "BY_HAND" }, "debit.askPeople")
      }, tenantSql.transaction)

      const announced = Effect.fnUntraced(function* (id: DebitId) {
        const found = yield* held(id)
        if (found === undefined || found.debit.announcement === "EMAIL") return
        const { debit, mandate, now } = found
        if (yield* cancelling.cancelUnusable(debit, mandate, worker)) return
        const { email } = yield* letters.told(id)
        if (email === undefined) return yield* leftToPeople(id)
        yield* debits.update({ ...debit, announcement: "EMAIL" })
        yield* letters.put(id)
        const { isTest } = yield* clock.read
        if (!isTest) return
        // A test clock does not wait for mail: what is in the queue counts as dispatched.
        const { settings } = yield* accounts.find(debit.bankAccountId)
        yield* told(id, localDate(now, settings.timeZone))
      }, tenantSql.transaction)

      const run = Effect.fn("DebitAnnouncing.run")(function* (recordId: string) {
        yield* announced(DebitId.make(recordId))
        return "DONE" as const
      })

      return DebitAnnouncing.of({ handler: { kind: "notifyDebits", run }, told, leftToPeople })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      BankAccountsRepo.layer,
      DebitCancelling.layer,
      DebitLettersRepo.layer,
      DebitReplacing.layer,
      DebitsRepo.layer,
      MandatesRepo.layer,
      PoliciesRepo.layer,
      TenantClockRepo.layer
    ])
  )
}
