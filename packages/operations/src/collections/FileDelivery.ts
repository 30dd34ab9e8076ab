/** Files leave, each once; one that does not leave in time is cancelled, and its debits are planned anew. */
import { lastSubmission, settledAt } from "@quittance/bank/DebitDays"
import { freed } from "@quittance/billing/collections/DebitReversal"
import type { Debit, DebitId } from "@quittance/domain/collections/Debit"
import { PaymentFileId } from "@quittance/domain/collections/PaymentFile"
import type { DueItemOutcome } from "@quittance/domain/requests/DueItem"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import { DebitsRepo } from "@quittance/persistence/collections/DebitsRepo"
import {
  PaymentFilesRepo,
  type StoredPaymentFile
} from "@quittance/persistence/collections/PaymentFilesRepo"
import { SimulatedAnswersRepo } from "@quittance/persistence/collections/SimulatedAnswersRepo"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { DueItemsRepo } from "@quittance/persistence/tenants/DueItemsRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { BillingCommand } from "../billing/BillingCommand.ts"
import type { Actor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import type { DueItemHandler } from "../tenants/DueItemHandlers.ts"
import { worker } from "./DebitFilling.ts"
import { DebitReplacing } from "./DebitReplacing.ts"

/** Debits of one run; the next one goes on. */
const debitsAtOnce = 250

export class FileDelivery extends Context.Service<
  FileDelivery,
  {
    /** Hands a sealed file over, within a transaction that holds it. */
    deliver(
      file: StoredPaymentFile,
      actor: Actor,
      now: Instant
    ): Effect.Effect<StoredPaymentFile, never, CurrentTenant>
    /** Cancels one that has not left, in the same way; its debits follow at once. */
    cancel(
      file: StoredPaymentFile,
      actor: Actor,
      now: Instant
    ): Effect.Effect<StoredPaymentFile, never, CurrentTenant>
    /** Until when a file may leave for the first of its days. */
    latest(file: StoredPaymentFile): Effect.Effect<Instant, never, CurrentTenant>
    readonly handler: DueItemHandler
  }
>()("@quittance/operations/FileDelivery") {
  static readonly layer = Layer.effect(
    FileDelivery,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const answers = yield* SimulatedAnswersRepo
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const command = yield* BillingCommand
      const debits = yield* DebitsRepo
      const due = yield* DueItemsRepo
      const files = yield* PaymentFilesRepo
      const policies = yield* PoliciesRepo
      const replacing = yield* DebitReplacing
      const tenantSql = yield* TenantSql

      /** When the first of its debits is collected; one whose debits were all rejected settles nothing. */
      const firstDay = (file: StoredPaymentFile) =>
        Effect.map(
          files.debitsIn(file.id, "IN_FILE", { limit: 1 }),
          ([first]) => first?.collectOn ?? file.submitOn
        )

      const latest = Effect.fn("FileDelivery.latest")(function* (file: StoredPaymentFile) {
        const { settings } = yield* accounts.find(file.bankAccountId)
        return lastSubmission(yield* firstDay(file), settings)
      })

      const deliver = Effect.fn("FileDelivery.deliver")(function* (
        file: StoredPaymentFile,
        actor: Actor,
        now: Instant
      ) {
        const { settings } = yield* accounts.find(file.bankAccountId)
        const after: StoredPaymentFile = { ...file, status: "DELIVERED", deliveredAt: now }
        const dueAt = settledAt(yield* firstDay(file), settings)
        yield* files.update(after)
        yield* files.submit(file.id)
        yield* due.schedule([{ kind: "settleDebits", recordId: file.id, dueAt }])
        if (settings.channel === "SIMULATED") {
          yield* answers.give(file.id)
          yield* due.schedule([{ kind: "answerAsBank", recordId: file.bankAccountId, dueAt: now }])
        }
        yield* audit.recordAll(actor, [
          {
            action: "paymentFile.deliver",
            recordId: file.id,
            before: file,
            after,
            businessAt: now
          }
        ])
        return after
      })

      const cancel = Effect.fn("FileDelivery.cancel")(function* (
        file: StoredPaymentFile,
        actor: Actor,
        now: Instant
      ) {
        const after: StoredPaymentFile = { ...file, status: "CANCELLED", cancelledAt: now }
        yield* files.update(after)
        yield* due.schedule([{ kind: "deliverFiles", recordId: file.id, dueAt: now }])
        yield* audit.recordAll(actor, [
          {
            action: "paymentFile.cancel",
            recordId: file.id,
            before: file,
            after,
            businessAt: now
          }
        ])
        return after
      })

      /** Ends a debit of a cancelled file, and plans its money anew: its payer was told already. */
      const planAnew = Effect.fnUntraced(function* (id: DebitId) {
        const { policyId } = yield* debits.find(id)
        const held = yield* policies.hold(policyId)
        const debit = yield* debits.hold(id)
        if (debit.status !== "IN_FILE") return
        const { settings } = yield* accounts.find(debit.bankAccountId)
        const isLate = held.now >= lastSubmission(debit.collectOn, settings)
        const after: Debit = {
          ...debit,
          status: "CANCELLED",
          cancellation: isLate ? "TOO_LATE" : "FILE_CANCELLED"
        }
        const { attempt, notificationDays, notifiedOn } = debit
        const replacement = { attempt, notificationDays, notifiedOn, actor: worker }
        yield* command.write({ ...held, action: "debit.free", actor: worker }, (account) =>
          Effect.succeed({
            settlements: freed(
              debit.items,
              account.invoices,
              attempt > 1 ? "PAYMENT_FAILED" : "ISSUED"
            ),
            beside: Effect.gen(function* () {
              yield* debits.update(after)
              yield* audit.recordAll(worker, [{ action: "debit.cancel", recordId: id }])
              yield* replacing.replace(debit, replacement, settings, held.now)
            }),
            answer: Effect.void
          })
        )
      }, tenantSql.transaction)

      const looked = Effect.fnUntraced(function* (id: PaymentFileId) {
        const file = yield* Effect.orDie(files.hold(id))
        // Bytes that were handed out may be with the bank: only people know, and no payer is debited twice.
        if (file.status !== "FILLED") return { file }
        const { now } = yield* clock.read
        const until = yield* latest(file)
        return now < until ? { file, again: until } : { file: yield* cancel(file, worker, now) }
      }, tenantSql.transaction)

      const run = Effect.fn("FileDelivery.run")(function* (recordId: string) {
        const id = PaymentFileId.make(recordId)
        const { again, file }: { again?: Instant; file: StoredPaymentFile } = yield* looked(id)
        if (again !== undefined) return { again }
        if (file.status !== "CANCELLED") return "DONE" as const
        const left = yield* files.debitsIn(id, "IN_FILE", { limit: debitsAtOnce })
        yield* Effect.forEach(left, (debit) => planAnew(debit.id), { discard: true })
        const outcome: DueItemOutcome = left.length === debitsAtOnce ? "MORE" : "DONE"
        return outcome
      })

      return FileDelivery.of({ deliver, cancel, latest, handler: { kind: "deliverFiles", run } })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      BankAccountsRepo.layer,
      BillingCommand.layer,
      DebitReplacing.layer,
      DebitsRepo.layer,
      DueItemsRepo.layer,
      PaymentFilesRepo.layer,
      PoliciesRepo.layer,
      SimulatedAnswersRepo.layer,
      TenantClockRepo.layer
    ])
  )
}
