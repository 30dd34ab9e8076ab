/** What is and will be invoiced. */
import { instalmentsToCome } from "@quittance/billing/NextSteps"
import { payersOf } from "@quittance/billing/Payers"
import type { CurrentCaller, Forbidden } from "@quittance/domain/Caller"
import type { DocumentId, Instalment, Invoice, InvoiceNotFound } from "@quittance/domain/Invoice"
import type { Ledger, LedgerEntry } from "@quittance/domain/Ledger"
import * as Page from "@quittance/domain/Page"
import type { PolicyId } from "@quittance/domain/Policy"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { DocumentsRepo } from "@quittance/persistence/DocumentsRepo"
import { EntriesRepo, type EntryRow } from "@quittance/persistence/EntriesRepo"
import { PoliciesRepo } from "@quittance/persistence/PoliciesRepo"
import { Context, Effect, Layer } from "effect"
import { BillingBooks } from "./BillingBooks.ts"
import { type Book, billingView } from "./BillingView.ts"
import { toInvoice, toLine } from "./InvoiceView.ts"
import type { AccessFailure } from "./PolicyReader.ts"
import { trunkState } from "./Trunk.ts"

type Scoped = CurrentTenant | CurrentCaller

export class Billing extends Context.Service<
  Billing,
  {
    /** The instalments to come, those of a policy that nobody has signed as if it were signed now. */
    schedule(
      policyId: PolicyId
    ): Effect.Effect<{ readonly instalments: ReadonlyArray<Instalment> }, AccessFailure, Scoped>
    /** The invoices and credit notes of a policy, the newest first. */
    invoices(
      policyId: PolicyId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Invoice>, AccessFailure, Scoped>
    /** What was posted for a policy, the newest first, and what its accounts come to. */
    ledger(policyId: PolicyId, page: Page.PageRequest): Effect.Effect<Ledger, AccessFailure, Scoped>
    /** One of them: a client's whole tenant, else what the caller may read of the policy. */
    invoice(id: DocumentId): Effect.Effect<Invoice, Forbidden | InvoiceNotFound, Scoped>
  }
>()("@quittance/operations/Billing") {
  static readonly layer = Layer.effect(
    Billing,
    Effect.gen(function* () {
      const books = yield* BillingBooks
      const documents = yield* DocumentsRepo
      const entries = yield* EntriesRepo
      const policies = yield* PoliciesRepo

      const schedule = Effect.fn("Billing.schedule")(function* (policyId: PolicyId) {
        const { head, now } = yield* policies.authorize("billing.read", policyId)
        const [book] = yield* books.openHeads([head], now)
        return { instalments: scheduleOf(book!) }
      })

      const invoices = Effect.fn("Billing.invoices")(function* (
        policyId: PolicyId,
        page: Page.PageRequest
      ) {
        yield* policies.authorize("billing.read", policyId)
        const { rows, total } = yield* documents.listByPolicy(policyId, page)
        return Page.make(rows.map(toInvoice), total, page)
      })

      const ledger = Effect.fn("Billing.ledger")(function* (
        policyId: PolicyId,
        page: Page.PageRequest
      ) {
        yield* policies.authorize("billing.read", policyId)
        const { rows, total } = yield* entries.listByPolicy(policyId, page)
        const balances = (yield* entries.sums([policyId], ""))
          .map(({ account, sum }) => ({ account, balance: sum }))
          .sort((a, b) => (a.account < b.account ? -1 : 1))
        return { ...Page.make(rows.map(toLedgerEntry), total, page), balances }
      })

      const invoice = Effect.fn("Billing.invoice")(function* (id: DocumentId) {
        const { document } = yield* documents.authorize("billing.read", id)
        return toInvoice(document)
      })

      return Billing.of({ schedule, invoices, invoice, ledger })
    })
  ).pipe(
    Layer.provide([BillingBooks.layer, DocumentsRepo.layer, EntriesRepo.layer, PoliciesRepo.layer])
  )
}

const toLedgerEntry = ({
  accounts,
  amounts,
  policyId: _policyId,
  ...entry
}: EntryRow): LedgerEntry => ({
  ...entry,
  postings: accounts.map((account, index) => ({ account, amount: amounts[index]! }))
})

const scheduleOf = (book: Book): ReadonlyArray<Instalment> => {
  const state = trunkState(book.policy)
  // Without an accepted price or somebody to pay it there is nothing to show yet.
  if (state.stage === "DRAFT" || state.quoteId === undefined || payersOf(state) === undefined) {
    return []
  }
  // A sale that was given up has nothing to come.
  if (state.contract === "STOPPED" && state.signedAt === undefined) return []
  return instalmentsToCome(billingView(book))
    .map(({ dueOn, issueOn, key, lines, period, total }): Instalment => ({
      payerCustomerId: key.payerCustomerId,
      periodStart: period.start,
      periodEnd: period.end,
      issueOn,
      dueOn,
      amount: total,
      components: lines.map(toLine)
    }))
    .sort((a, b) => (a.issueOn < b.issueOn ? -1 : a.issueOn > b.issueOn ? 1 : 0))
}
