/** Debits that banks have settle when their day begins: they pay their invoices. */
import { settledAt } from "@quittance/bank/DebitDays"
import { amendmentsDone } from "@quittance/billing/collections/DebitSequence"
import { settleDebit } from "@quittance/billing/collections/DebitSettlement"
import type { Debit, DebitId } from "@quittance/domain/collections/Debit"
import { PaymentFileId } from "@quittance/domain/collections/PaymentFile"
import type { DueItemOutcome } from "@quittance/domain/requests/DueItem"
import type { StoredMandate } from "@quittance/domain/payments/MandateRecord"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { localDate } from "@quittance/domain/values/TimeZone"
import { DebitsRepo } from "@quittance/persistence/collections/DebitsRepo"
import { PaymentFilesRepo } from "@quittance/persistence/collections/PaymentFilesRepo"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { MandatesRepo } from "@quittance/persistence/payments/MandatesRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TreasuryLedgerRepo } from "@quittance/persistence/treasury/TreasuryLedgerRepo"
import { Context, Effect, Layer } from "effect"
import { BillingCommand } from "../billing/BillingCommand.ts"
import { PaymentReceipts } from "../payments/PaymentReceipts.ts"
import type { DueItemHandler } from "../tenants/DueItemHandlers.ts"
import { worker } from "./DebitFilling.ts"

/** Debits of one run; the next one goes on. */
const debitsAtOnce = 250

export class DebitSettling extends Context.Service<
  DebitSettling,
  DueItemHandler & {
    /** Settles one whose day has begun, within a transaction; it locks its head, and so comes first. */
    settle(id: DebitId): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/DebitSettling") {
  static readonly layer = Layer.effect(
    DebitSettling,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const clock = yield* TenantClockRepo
      const command = yield* BillingCommand
      const debits = yield* DebitsRepo
      const files = yield* PaymentFilesRepo
      const ledger = yield* TreasuryLedgerRepo
      const mandates = yield* MandatesRepo
      const policies = yield* PoliciesRepo
      const receipts = yield* PaymentReceipts
      const tenantSql = yield* TenantSql

      /** Its bank knows what has changed; one that was for a single debit is used up. */
      const used = (mandate: StoredMandate) => {
        const isOver = mandate.type === "ONE_OFF" && mandate.status === "ACTIVE"
        return mandates.update({
          ...mandate,
          amendments: amendmentsDone(mandate.amendments),
          ...(isOver ? { status: "EXPIRED" as const } : {})
        })
      }

      const settle = Effect.fn("DebitSettling.settle")(function* (id: DebitId) {
        const { mandateId, policyId } = yield* debits.find(id)
        const held = yield* policies.hold(policyId)
        // Mandates before debits, and both before invoices.
        const { mandate } = yield* mandates.hold(mandateId)
        const debit = yield* debits.hold(id)
        if (debit.status !== "SUBMITTED") return
        const { settings } = yield* accounts.find(debit.bankAccountId)
        const paidAt = settledAt(debit.collectOn, settings)
        const { amount, currency, endToEndId: reference, paymentFileId } = debit
        const [first, ...rest] = debit.items.flatMap(({ amount: part = 0, invoiceId }) =>
          part > 0 ? [{ invoiceId, amount: part }] : []
        )
        // What a file has takes some of an invoice, and says how much: the table has it so.
        const collected = {
          amount: amount!,
          currency,
          settledAt: paidAt,
          items: [first!, ...rest] as const
        }
        const { invoiceId } = first!
        yield* command.write(
          { ...held, action: "debit.settled", actor: worker },
          Effect.fnUntraced(function* (account) {
            const received = { invoiceId, amount: amount!, reference, paidAt }
            const { payment, settlement, written } = yield* receipts.collect(
              account,
              received,
              (invoices) => settleDebit(collected, invoices)
            )
            const after: Debit = {
              ...debit,
              status: "SETTLED",
              paymentId: payment.id,
              ...(settlement.doublePayment > 0 ? { flag: "DOUBLE_PAYMENT" as const } : {})
            }
            const payload = { debitId: id }
            return {
              ...written,
              happened: [
                ...(written.happened ?? []),
                { kind: "debit.settled" as const, at: paidAt, payload }
              ],
              beside: Effect.gen(function* () {
                yield* debits.update(after)
                // The bank books the file as one.
                yield* ledger.expectOn(payment.id, debit.bankAccountId, paymentFileId)
                yield* used(mandate)
              })
            }
          })
        )
      })

      const run = Effect.fn("DebitSettling.run")(function* (recordId: string) {
        const id = PaymentFileId.make(recordId)
        const { bankAccountId } = yield* Effect.orDie(files.find(id))
        const { settings } = yield* accounts.find(bankAccountId)
        const { now } = yield* clock.read
        const by = localDate(now, settings.timeZone)
        const due = yield* files.debitsIn(id, "SUBMITTED", { by, limit: debitsAtOnce })
        yield* Effect.forEach(due, (debit) => tenantSql.transaction(settle(debit.id)), {
          discard: true
        })
        if (due.length === debitsAtOnce) return "MORE" as const
        const [next] = yield* files.debitsIn(id, "SUBMITTED", { limit: 1 })
        const outcome: DueItemOutcome =
          next === undefined ? "DONE" : { again: settledAt(next.collectOn, settings) }
        return outcome
      })

      return DebitSettling.of({ kind: "settleDebits", run, settle })
    })
  ).pipe(
    Layer.provide([
      BankAccountsRepo.layer,
      BillingCommand.layer,
      DebitsRepo.layer,
      MandatesRepo.layer,
      PaymentFilesRepo.layer,
      PaymentReceipts.layer,
      PoliciesRepo.layer,
      TenantClockRepo.layer,
      TreasuryLedgerRepo.layer
    ])
  )
}
