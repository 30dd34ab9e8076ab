/** People collect the money of a failed debit once more. */
import { debitAmount } from "@quittance/billing/collections/DebitAmount"
import { openInvoice } from "@quittance/billing/billing/account/InvoiceIssuing"
import type { PolicyAccount } from "@quittance/billing/billing/account/PolicyAccount"
import {
  type Debit,
  type DebitId,
  type DebitNotFound,
  DebitNotRetriable
} from "@quittance/domain/collections/Debit"
import { commandedDebit } from "@quittance/domain/payments/DebitLifecycle"
import { MandateNotUsable } from "@quittance/domain/payments/MandateNotUsable"
import { shownOn, type StoredMandate } from "@quittance/domain/payments/MandateRecord"
import { isFinal } from "@quittance/domain/payments/ReturnReason"
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  InvalidTransition
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { DebitsRepo } from "@quittance/persistence/collections/DebitsRepo"
import { FiledDebitsRepo } from "@quittance/persistence/collections/FiledDebitsRepo"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { MandatesRepo } from "@quittance/persistence/payments/MandatesRepo"
import { Context, Effect, Layer } from "effect"
import { PolicyAccounts } from "../billing/PolicyAccounts.ts"
import { requestActor } from "../requests/Actor.ts"
import { Command } from "../requests/Command.ts"
import { DebitCancelling } from "./DebitCancelling.ts"
import { DebitReplacing } from "./DebitReplacing.ts"

/** ISO 20022: the bank has had a payment of this reference already. */
const duplication = "AM05"

type RetryFailure =
  | DebitNotFound
  | DebitNotRetriable
  | Forbidden
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | InvalidTransition
  | MandateNotUsable

export class DebitRetrying extends Context.Service<
  DebitRetrying,
  {
    /**
     * Plans a new debit of what the invoices of a failed one still ask for, as long as its mandate may be used and the
     * bank has not taken it after all. Its payer is told anew.
     */
    retry(
      id: DebitId
    ): Effect.Effect<Debit, RetryFailure, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/DebitRetrying") {
  static readonly layer = Layer.effect(
    DebitRetrying,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const cancelling = yield* DebitCancelling
      const command = yield* Command
      const debits = yield* DebitsRepo
      const filed = yield* FiledDebitsRepo
      const mandates = yield* MandatesRepo
      const policies = yield* PolicyAccounts
      const replacing = yield* DebitReplacing

      /** What its invoices ask for; fails where that is nothing, or for another debit to collect. */
      const owed = Effect.fnUntraced(function* (
        account: PolicyAccount,
        { id: debitId, items }: Debit
      ) {
        const isOpen = yield* debits.isCollected(items.map(({ invoiceId }) => invoiceId))
        if (isOpen) return yield* new DebitNotRetriable({ debitId, reason: "BEING_COLLECTED" })
        // Of several tries the last one says how many there were.
        const isRetried = yield* debits.isRetried(debitId)
        if (isRetried) return yield* new DebitNotRetriable({ debitId, reason: "RETRIED" })
        const invoices = new Map(
          account.invoices
            .filter(({ type }) => type === "INVOICE")
            // Only invoices are collected; credit notes were left out.
            .map((invoice) => [invoice.id as InvoiceId, openInvoice(invoice)])
        )
        const due = debitAmount(items, invoices)
        if (due.amount === 0)
          return yield* new DebitNotRetriable({ debitId, reason: "NOTHING_DUE" })
        return due.items.map(({ amount, invoiceId }) => ({ invoiceId, notified: amount }))
      })

      const unusable = (mandate: StoredMandate, day: Debit["collectOn"], reasonCode?: string) => {
        const { endsOn, status } = shownOn(mandate, day)
        return new MandateNotUsable({
          mandateId: mandate.id,
          status,
          ...(endsOn === undefined ? {} : { endsOn }),
          ...(reasonCode === undefined ? {} : { reasonCode })
        })
      }

      /** One for one debit has had it, once that was not rejected. */
      const isSpent = ({ id, type }: StoredMandate) =>
        type === "ONE_OFF" ? filed.wasCollected(id) : Effect.succeed(false)

      const retry = Effect.fn("DebitRetrying.retry")((id: DebitId) =>
        command.run({
          authorize: debits.authorize("collection.write", id, { lock: true }),
          decide: Effect.fnUntraced(function* ({ head, now }) {
            const { bankAccountId, mandateId } = yield* debits.find(id)
            const { mandate } = yield* mandates.hold(mandateId)
            const failed = yield* debits.hold(id)
            const { collectOn, notifiedOn, reasonCode, status } = failed
            const standing = { status, isNotified: notifiedOn !== undefined }
            yield* Effect.fromResult(commandedDebit(standing, "retry"))
            if (reasonCode !== undefined && isFinal(reasonCode)) {
              return yield* unusable(mandate, collectOn, reasonCode)
            }
            // It is not the bank's first: a new one would be collected beside the one that it took.
            if (reasonCode === duplication) {
              return yield* new DebitNotRetriable({ debitId: id, reason: "KNOWN_TO_BANK" })
            }
            if (yield* isSpent(mandate)) {
              return yield* unusable({ ...mandate, status: "EXPIRED" }, collectOn)
            }
            const [account] = yield* policies.openHeads([head], now)
            const items = yield* owed(account!, failed)
            const { policy } = account!
            const terms = policy.productOf(baseState(policy)).payments?.directDebit
            const { settings } = yield* accounts.find(bankAccountId)
            const made = yield* replacing.replace(
              failed,
              {
                actor: yield* requestActor,
                attempt: failed.attempt + 1,
                notificationDays: terms?.retry.notificationDays ?? failed.notificationDays,
                items
              },
              settings,
              now
            )
            if (!(yield* cancelling.isUsable(mandate, made))) {
              return yield* unusable(mandate, made.collectOn, mandate.blocked?.reasonCode)
            }
            yield* debits.setCollection(made, { mode: "DIRECT_DEBIT" })
            return made
          })
        })
      )

      return DebitRetrying.of({ retry })
    })
  ).pipe(
    Layer.provide([
      BankAccountsRepo.layer,
      Command.layer,
      DebitCancelling.layer,
      DebitReplacing.layer,
      DebitsRepo.layer,
      FiledDebitsRepo.layer,
      MandatesRepo.layer,
      PolicyAccounts.layer
    ])
  )
}
