/** What a document tells of money: an invoice as it was issued, a notice as it was written, the schedule. */
import { dunningTimelinesOf } from "@quittance/billing/dunning/DunningTimeline"
import { toInvoice } from "@quittance/domain/billing/InvoiceView"
import type { Invoice } from "@quittance/domain/billing/Invoice"
import { asIssued } from "@quittance/domain/documents/IssuedInvoice"
import type { FormalNotice } from "@quittance/domain/dunning/Dunning"
import { billedView } from "@quittance/domain/policies/aggregate/BilledBranch"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Product } from "@quittance/domain/products/Product"
import type { AnyInvoiceId } from "@quittance/domain/values/Ids"
import type { ModelInput } from "@quittance/documents/model/Model"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { DunningRepo } from "@quittance/persistence/dunning/DunningRepo"
import { Context, Effect, Layer } from "effect"
import { scheduleOf } from "../billing/Billing.ts"
import { PolicyAccounts } from "../billing/PolicyAccounts.ts"
import type { PolicyView } from "../policies/PolicyReader.ts"
import type { DocumentSource } from "./DocumentInputs.ts"
import { KnownPolicies } from "./KnownPolicies.ts"

export class BilledInputs extends Context.Service<
  BilledInputs,
  {
    of(
      document: DocumentSource,
      view: PolicyView
    ): Effect.Effect<Partial<ModelInput>, never, CurrentTenant>
  }
>()("@quittance/operations/BilledInputs") {
  static readonly layer = Layer.effect(
    BilledInputs,
    Effect.gen(function* () {
      const dunning = yield* DunningRepo
      const invoices = yield* InvoicesRepo
      const accounts = yield* PolicyAccounts
      const policies = yield* KnownPolicies

      const invoiceOf = Effect.fnUntraced(function* (id: AnyInvoiceId) {
        const invoice = asIssued(toInvoice((yield* invoices.find(id))!))
        const { creditedInvoiceId } = invoice
        const credited =
          creditedInvoiceId === undefined ? undefined : yield* invoices.find(creditedInvoiceId)
        return credited === undefined
          ? { invoice }
          : { invoice, creditedNumber: toInvoice(credited).number }
      })

      const noticeOf = Effect.fnUntraced(function* (
        { about, formalNoticeId, policyId }: DocumentSource,
        product: Product
      ) {
        const { notices } = yield* dunning.ofPolicies([policyId])
        const stored = notices.find(({ id }) => id === formalNoticeId)
        if (stored === undefined) return {}
        const owed = about?.owed ?? []
        const noticeInvoices: Array<Invoice> = []
        for (const { due, invoiceId } of owed) {
          const row = yield* invoices.find(invoiceId)
          if (row === undefined) continue
          noticeInvoices.push({ ...asIssued(toInvoice(row)), amountDue: due })
        }
        const { announcesTermination, channel, createdAt, customerId, id } = stored
        const [timeline] = dunningTimelinesOf({
          rule: { ...product.dunning, firstPremium: "COVER" },
          timeZone: product.timeZone,
          startedAt: createdAt,
          yearEnds: [],
          holds: [],
          debts: noticeInvoices.map(({ dueOn }, index) => ({
            invoiceId: owed[index]!.invoiceId,
            payerCustomerId: customerId,
            dueOn,
            isFirst: false
          })),
          notices: [
            {
              invoiceIds: owed.map(({ invoiceId }) => invoiceId),
              sentAt: createdAt,
              announcesTermination
            }
          ]
        })
        const { suspendedAt, terminableAt } = timeline ?? {}
        const notice: FormalNotice = {
          id,
          policyId,
          payerCustomerId: customerId,
          invoiceIds: owed.map(({ invoiceId }) => invoiceId),
          status: "TO_SEND",
          channel,
          createdAt,
          announcesTermination,
          ...(suspendedAt === undefined ? {} : { suspendedAt }),
          ...(terminableAt === undefined ? {} : { terminableAt })
        }
        return { notice, noticeInvoices }
      })

      /** What the stop has credited when it was recorded. */
      const refundOf = Effect.fnUntraced(function* ({ knownAt, policyId }: DocumentSource) {
        const rows = yield* invoices.ofPolicies([policyId])
        const credits = rows.filter(
          ({ issuedAt, type }) => type === "CREDIT_NOTE" && issuedAt === knownAt
        )
        return { refund: credits.reduce((sum, { total }) => sum + Math.abs(total), 0) }
      })

      /** All instalments that were to come, with those that were issued as soon as it was due. */
      const instalmentsOf = Effect.fnUntraced(function* (document: DocumentSource) {
        const policy = yield* policies.open(document)
        const [account] = yield* accounts.open([billedView(policy, undefined)])
        const invoicesBefore = account!.invoices.filter(({ issuedAt }) => issuedAt < policy.now)
        return scheduleOf({ ...account!, invoices: invoicesBefore }, undefined)
      })

      const of = Effect.fn("BilledInputs.of")(function* (
        document: DocumentSource,
        { product }: PolicyView
      ) {
        const { formalNoticeId, invoiceId, kind, trigger } = document
        return {
          ...(invoiceId === undefined ? {} : yield* invoiceOf(invoiceId)),
          ...(formalNoticeId === undefined ? {} : yield* noticeOf(document, product)),
          ...(trigger === "STOPPED" ? yield* refundOf(document) : {}),
          ...(kind === "SCHEDULE" ? { instalments: yield* instalmentsOf(document) } : {})
        }
      })

      return BilledInputs.of({ of })
    })
  ).pipe(
    Layer.provide([
      DunningRepo.layer,
      InvoicesRepo.layer,
      KnownPolicies.layer,
      PolicyAccounts.layer
    ])
  )
}
