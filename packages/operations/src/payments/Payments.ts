/** Money received: recorded on an invoice, settled, posted, and what it sets in motion. */
import type { RecordPayment } from "@quittance/domain/payments/PaymentRequests"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import * as Page from "@quittance/domain/values/Page"
import type { Payment } from "@quittance/domain/payments/Payment"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { PaymentsRepo } from "@quittance/persistence/payments/PaymentsRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, Layer } from "effect"
import { BillingCommand } from "../billing/BillingCommand.ts"
import { PaymentReceipts, type ReceiptFailure } from "./PaymentReceipts.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { AccessFailure } from "../policies/PolicyReader.ts"
import type { InvoiceId, PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export type PaymentFailure = Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused | ReceiptFailure

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

export class Payments extends Context.Service<
  Payments,
  {
    /** Settles the invoice, then the payer's oldest unpaid ones of the policy, then the balance. */
    record(
      invoiceId: InvoiceId,
      input: RecordPayment
    ): Effect.Effect<Payment, PaymentFailure, Scoped>
    /** The payments of a policy, the newest first. */
    listByPolicy(
      policyId: PolicyId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Payment>, AccessFailure, Scoped>
  }
>()("@quittance/operations/Payments") {
  static readonly layer = Layer.effect(
    Payments,
    Effect.gen(function* () {
      const command = yield* BillingCommand
      const invoices = yield* InvoicesRepo
      const payments = yield* PaymentsRepo
      const receipts = yield* PaymentReceipts
      const policies = yield* PoliciesRepo

      const record = Effect.fn("Payments.record")(function* (
        invoiceId: InvoiceId,
        input: RecordPayment
      ) {
        return yield* command.run({
          action: "payment.record",
          authorize: invoices.authorize("payment.write", invoiceId, { lock: true }),
          policyOf: ({ policy }) => policy,
          decide: (account) => receipts.receive(account, invoiceId, input)
        })
      })

      const listByPolicy = Effect.fn("Payments.listByPolicy")(function* (
        policyId: PolicyId,
        page: Page.PageRequest
      ) {
        yield* policies.authorize("payment.read", policyId)
        const { rows, total } = yield* payments.listByPolicy(policyId, page)
        return Page.make(rows, total, page)
      })

      return Payments.of({ record, listByPolicy })
    })
  ).pipe(
    Layer.provide([
      BillingCommand.layer,
      InvoicesRepo.layer,
      PaymentReceipts.layer,
      PaymentsRepo.layer,
      PoliciesRepo.layer
    ])
  )
}
