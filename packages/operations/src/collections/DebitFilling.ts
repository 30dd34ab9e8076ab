/** Puts a planned debit into a file: what it takes is decided then, under the lock of its policy. */
import { laterDays, lastSubmission } from "@quittance/bank/DebitDays"
import { debitAmount } from "@quittance/billing/collections/DebitAmount"
import { sequenceOf } from "@quittance/billing/collections/DebitSequence"
import { openInvoice } from "@quittance/billing/billing/account/InvoiceIssuing"
import type { PolicyAccount } from "@quittance/billing/billing/account/PolicyAccount"
import type { Debit, DebitId } from "@quittance/domain/collections/Debit"
import type { PaymentFileId } from "@quittance/domain/collections/PaymentFile"
import type { BankAccountSettings } from "@quittance/domain/payments/BankAccount"
import type { StoredMandate } from "@quittance/domain/payments/MandateRecord"
import { jobName } from "@quittance/domain/requests/Actor"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { DebitsRepo } from "@quittance/persistence/collections/DebitsRepo"
import { FiledDebitsRepo } from "@quittance/persistence/collections/FiledDebitsRepo"
import { PaymentFilesRepo } from "@quittance/persistence/collections/PaymentFilesRepo"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { MandatesRepo } from "@quittance/persistence/payments/MandatesRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer } from "effect"
import { BillingCommand, type HeldPolicy } from "../billing/BillingCommand.ts"
import type { Actor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { DebitCancelling } from "./DebitCancelling.ts"

/** Files are made, delivered and settled by a job. */
export const worker: Actor = { kind: "JOB", id: jobName, requestId: jobName }

export class DebitFilling extends Context.Service<
  DebitFilling,
  {
    /**
     * Puts a debit into a file that is open. One that can't be collected is cancelled instead, and one whose day is
     * past goes to the next that is possible.
     */
    fill(id: DebitId, fileId: PaymentFileId): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/DebitFilling") {
  static readonly layer = Layer.effect(
    DebitFilling,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const audit = yield* AuditTrail
      const cancelling = yield* DebitCancelling
      const command = yield* BillingCommand
      const debits = yield* DebitsRepo
      const filed = yield* FiledDebitsRepo
      const files = yield* PaymentFilesRepo
      const mandates = yield* MandatesRepo
      const policies = yield* PoliciesRepo
      const tenantSql = yield* TenantSql

      const taken = (account: PolicyAccount, debit: Debit) => {
        const invoices = new Map(
          account.invoices
            .filter(({ type }) => type === "INVOICE")
            // Only invoices are collected; credit notes were left out.
            .map((invoice) => [invoice.id as InvoiceId, openInvoice(invoice)])
        )
        const { amount, items } = debitAmount(debit.items, invoices)
        const amounts = new Map<string, number>(items.map((item) => [item.invoiceId, item.amount]))
        const settlements = account.invoices.flatMap(({ id, paid, paidAt }) =>
          amounts.has(id) ? [{ id, status: "PAYMENT_IN_PROGRESS" as const, paid, paidAt }] : []
        )
        const withAmounts = debit.items.map((item) => {
          const part = amounts.get(item.invoiceId)
          return part === undefined ? item : { ...item, amount: part }
        })
        return { amount, settlements, items: withAmounts }
      }

      const filledBy = Effect.fnUntraced(function* (
        debit: Debit,
        mandate: StoredMandate,
        { profile }: BankAccountSettings,
        held: Pick<HeldPolicy, "head" | "now">,
        paymentFileId: PaymentFileId
      ) {
        const wasCollected = yield* filed.wasCollected(mandate.id)
        const sequence = sequenceOf(mandate.type, profile.sequence, wasCollected)
        yield* command.write({ ...held, action: "debit.filled", actor: worker }, (account) => {
          const { amount, items, settlements } = taken(account, debit)
          if (amount === 0) {
            return Effect.succeed({
              beside: cancelling.cancel(debit, "NOTHING_DUE", worker),
              answer: Effect.void
            })
          }
          const { paymentMethodId } = mandate
          const after: Debit = {
            ...debit,
            status: "IN_FILE",
            amount,
            items,
            paymentFileId,
            paymentMethodId
          }
          return Effect.succeed({
            settlements,
            happened: [
              { kind: "debit.filled" as const, at: held.now, payload: { debitId: debit.id } }
            ],
            beside: debits.putInFile(after, sequence),
            answer: Effect.void
          })
        })
      })

      const fill = Effect.fn("DebitFilling.fill")(function* (id: DebitId, fileId: PaymentFileId) {
        const { mandateId, policyId } = yield* debits.find(id)
        const held = yield* policies.hold(policyId)
        if (!(yield* files.isFilled(fileId))) return
        const { mandate } = yield* mandates.hold(mandateId)
        const debit = yield* debits.hold(id)
        if (debit.status !== "PLANNED" || debit.notifiedOn === undefined) return
        const { settings } = yield* accounts.find(debit.bankAccountId)
        if (held.now >= lastSubmission(debit.collectOn, settings)) {
          const days = laterDays(debit, {}, settings, held.now)
          yield* debits.update({ ...debit, ...days })
          return yield* audit.recordAll(worker, [{ action: "debit.postpone", recordId: id }])
        }
        if (yield* cancelling.cancelUnusable(debit, mandate, worker)) return
        yield* filledBy(debit, mandate, settings, held, fileId)
      }, tenantSql.transaction)

      return DebitFilling.of({ fill })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      BankAccountsRepo.layer,
      BillingCommand.layer,
      DebitCancelling.layer,
      DebitsRepo.layer,
      FiledDebitsRepo.layer,
      MandatesRepo.layer,
      PaymentFilesRepo.layer,
      PoliciesRepo.layer
    ])
  )
}
