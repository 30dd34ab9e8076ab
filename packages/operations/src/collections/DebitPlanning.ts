/** Plans the debits of invoices that are issued, or says why they are to be transferred. */
import { debitDays } from "@quittance/bank/DebitDays"
import { numberText } from "@quittance/bank/References"
import {
  type Collectable,
  type CollectionChoice,
  collectionOf,
  debitPlan
} from "@quittance/billing/collections/DebitPlan"
import type { Debit } from "@quittance/domain/collections/Debit"
import type { PayerMandate } from "@quittance/domain/collections/PayerMandate"
import { accountFor } from "@quittance/domain/payments/BankAccount"
import type { DirectDebitTerms } from "@quittance/domain/products/payments/ProductPayments"
import type { Currency } from "@quittance/domain/values/Amount"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { localDate } from "@quittance/domain/values/TimeZone"
import { CollectionFactsRepo } from "@quittance/persistence/collections/CollectionFactsRepo"
import { PlannedDebitsRepo } from "@quittance/persistence/collections/PlannedDebitsRepo"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { PaymentNumbersRepo } from "@quittance/persistence/payments/PaymentNumbersRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { pipelineAll } from "@quittance/persistence/sql/Pipelining"
import { DueItemsRepo } from "@quittance/persistence/tenants/DueItemsRepo"
import { Effect, Layer } from "effect"
import { type CollectedInvoice, InvoiceCollections } from "../billing/InvoiceCollections.ts"
import type { Actor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"

/** An invoice that is collected by debit, with all that its debit says. */
interface Debited extends Collectable, Pick<Debit, "earliest" | "plannedAt" | "submitOn"> {
  readonly mandate: PayerMandate
  readonly terms: DirectDebitTerms
  readonly currency: Currency
}

export const layer = Layer.effect(
  InvoiceCollections,
  Effect.gen(function* () {
    const accounts = yield* BankAccountsRepo
    const audit = yield* AuditTrail
    const debits = yield* PlannedDebitsRepo
    const due = yield* DueItemsRepo
    const facts = yield* CollectionFactsRepo
    const ids = yield* Ids
    const numbers = yield* PaymentNumbersRepo

    /** How each is collected, with the debit's days where it is by debit. */
    const chosen = Effect.fnUntraced(function* (issued: ReadonlyArray<CollectedInvoice>) {
      const payers = yield* facts.payers([
        ...new Set(issued.map(({ invoice }) => invoice.customerId))
      ])
      const serving = (yield* accounts.all).map(({ id, name, settings }) => ({
        id,
        name,
        ...settings
      }))
      return issued.map(({ invoice, now, productId, terms: { directDebit: terms } }) => {
        const account = accountFor(serving, "COLLECT", productId, now)
        const { dueOn } = invoice
        const days =
          account === undefined || terms === undefined
            ? undefined
            : debitDays(
                {
                  dueOn,
                  notifiedOn: localDate(now, account.timeZone),
                  notificationDays: terms.notificationDays
                },
                account,
                now
              )
        const { mandates = [], wantsDebit = false } = payers.get(invoice.customerId) ?? {}
        const collectOn = days?.collectOn ?? dueOn
        const currency = invoice.currency
        const choice = collectionOf({ terms, currency, wantsDebit, account, mandates, collectOn })
        return { invoice, choice, debited: debitedBy(choice) }

        function debitedBy({ mandate }: CollectionChoice): ReadonlyArray<Debited> {
          if (mandate === undefined || days === undefined || terms === undefined) return []
          const { customerId, paid, policyId, total } = invoice
          // Only invoices are collected; credit notes are not among them.
          const invoiceId = invoice.id as InvoiceId
          const key = { policyId, customerId, mandateId: mandate.id }
          const amount = total - paid
          return [{ ...key, ...days, invoiceId, amount, mandate, terms, currency, plannedAt: now }]
        }
      })
    })

    const newDebit = (
      { amount: _, invoiceId: __, mandate, terms, ...first }: Debited,
      items: Debit["items"],
      number: number
    ): Debit => ({
      ...first,
      id: ids.next("debit"),
      bankAccountId: mandate.bankAccountId,
      paymentMethodId: mandate.paymentMethodId,
      scheme: mandate.scheme,
      endToEndId: numberText("DD", number),
      status: "PLANNED",
      items,
      notificationDays: terms.notificationDays,
      attempt: 1
    })

    /** Numbers are taken before those of invoices, as everyone does who takes both. */
    const numbered = Effect.fnUntraced(function* (debited: ReadonlyArray<Debited>) {
      const open = yield* debits.open([...new Set(debited.map(({ policyId }) => policyId))])
      const { joined, planned } = debitPlan(debited, open)
      const first = planned.length === 0 ? 0 : yield* numbers.take("DD", planned.length)
      const made = planned.map((one, index) => newDebit(one.first, one.items, first + index))
      return { joined, made }
    })

    const plan = Effect.fn("DebitPlanning.plan")(function* (
      issued: ReadonlyArray<CollectedInvoice>,
      actor: Actor
    ) {
      const choices = yield* chosen(issued)
      const debited = choices.flatMap((one) => one.debited)
      const { joined, made } =
        debited.length === 0 ? { joined: [], made: [] } : yield* numbered(debited)
      const added = [
        ...made.map(({ id, items }) => ({ debitId: id, after: 0, items })),
        ...joined.map(({ debit, items }) => ({
          debitId: debit.id,
          after: debit.items.length,
          items
        }))
      ]
      const writes = [
        ...made.map(({ id, plannedAt }) => ({
          action: "debit.plan",
          recordId: id,
          businessAt: plannedAt
        })),
        ...joined.map(({ debit }) => ({ action: "debit.extend", recordId: debit.id }))
      ]
      return {
        of: new Map(choices.map(({ choice, invoice }) => [invoice.id, choice.collection])),
        write:
          added.length === 0
            ? Effect.void
            : pipelineAll([
                debits.insert(made),
                debits.addItems(added),
                audit.recordAll(actor, writes),
                // Their payers are told once what joins them in this transaction has.
                due.schedule(
                  made.map(({ id, plannedAt }) => ({
                    kind: "notifyDebits" as const,
                    recordId: id,
                    dueAt: plannedAt
                  }))
                )
              ])
      }
    })

    return InvoiceCollections.of({ plan })
  })
).pipe(
  Layer.provide([
    AuditTrail.layer,
    BankAccountsRepo.layer,
    CollectionFactsRepo.layer,
    DueItemsRepo.layer,
    PlannedDebitsRepo.layer,
    PaymentNumbersRepo.layer
  ])
)
