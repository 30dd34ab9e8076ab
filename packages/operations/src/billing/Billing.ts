/** What is and will be invoiced. */
import type { AccountSum, StoredEntry } from "@quittance/domain/billing/Entry"
import { instalmentsToCome } from "@quittance/billing/billing/DueSteps"
import { payersOf } from "@quittance/billing/billing/Payers"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { Instant } from "@quittance/domain/values/Instant"
import type { Instalment, Invoice, InvoiceNotFound } from "@quittance/domain/billing/Invoice"
import type { Ledger, LedgerEntry } from "@quittance/domain/billing/Ledger"
import * as Page from "@quittance/domain/values/Page"
import { localDate } from "@quittance/domain/values/TimeZone"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, Layer } from "effect"
import { billedView } from "@quittance/domain/policies/aggregate/BilledBranch"
import { PolicyAccounts } from "./PolicyAccounts.ts"
import {
  asOfItsInstant,
  type PolicyAccount,
  billingView
} from "@quittance/billing/billing/account/PolicyAccount"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { toInvoice, toLine } from "@quittance/domain/billing/InvoiceView"
import {
  type AccessFailure,
  PolicyReader,
  type ReadFailure,
  type ViewRequest
} from "../policies/PolicyReader.ts"
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"
import type { AnyInvoiceId, PolicyId } from "@quittance/domain/values/Ids"
import { InvalidAmount } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

type Scoped = CurrentTenant | CurrentCaller

export class Billing extends Context.Service<
  Billing,
  {
    /**
     * The future instalments; those of an unsigned policy as if it were signed now. In a view, those that are
     * in the future of the shown instant.
     */
    schedule(
      request: ViewRequest
    ): Effect.Effect<
      { readonly instalments: ReadonlyArray<Instalment> },
      ReadFailure,
      CurrentRequest | Scoped
    >
    /** The invoices and credit notes of a policy, the newest first. */
    invoices(
      policyId: PolicyId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Invoice>, AccessFailure, Scoped>
    /** What was posted for a policy, the newest first, and what its accounts come to. */
    ledger(
      policyId: PolicyId,
      page: Page.PageRequest
    ): Effect.Effect<Ledger, AccessFailure | InvalidAmount, Scoped>
    /** One of them: a client's whole tenant, else what the caller may read of the policy. */
    invoice(id: AnyInvoiceId): Effect.Effect<Invoice, Forbidden | InvoiceNotFound, Scoped>
  }
>()("@quittance/operations/Billing") {
  static readonly layer = Layer.effect(
    Billing,
    Effect.gen(function* () {
      const accounts = yield* PolicyAccounts
      const invoicesRepo = yield* InvoicesRepo
      const entries = yield* EntriesRepo
      const policies = yield* PoliciesRepo
      const reader = yield* PolicyReader

      const schedule = Effect.fn("Billing.schedule")(function* ({
        whenAt,
        ...request
      }: ViewRequest) {
        const policy = yield* reader.open("billing.read", request)
        const view = billedView(policy, whenAt)
        if (view.changes.length === 0) return { instalments: [] }
        const [account] = yield* accounts.open([view])
        const until = whenAt !== undefined && whenAt > policy.now ? whenAt : undefined
        return { instalments: scheduleOf(asOfItsInstant(account!), until) }
      })

      const invoices = Effect.fn("Billing.invoices")(function* (
        policyId: PolicyId,
        page: Page.PageRequest
      ) {
        yield* policies.authorize("billing.read", policyId)
        const { rows, total } = yield* invoicesRepo.listByPolicy(policyId, page)
        return Page.make(rows.map(toInvoice), total, page)
      })

      const ledger = Effect.fn("Billing.ledger")(function* (
        policyId: PolicyId,
        page: Page.PageRequest
      ) {
        yield* policies.authorize("billing.read", policyId)
        const { rows, total } = yield* entries.listByPolicy(policyId, page)
        const sums = yield* entries.sums([policyId], "")
        yield* requireExact(sums)
        const balances = sums
          .map(({ account, sum }) => ({ account, balance: Number(sum) }))
          .sort((a, b) => (a.account < b.account ? -1 : 1))
        return { ...Page.make(rows.map(toLedgerEntry), total, page), balances }
      })

      const invoice = Effect.fn("Billing.invoice")(function* (id: AnyInvoiceId) {
        const { invoice } = yield* invoicesRepo.authorize("billing.read", id)
        return toInvoice(invoice)
      })

      return Billing.of({ schedule, invoices, invoice, ledger })
    })
  ).pipe(
    Layer.provide([
      PolicyAccounts.layer,
      InvoicesRepo.layer,
      EntriesRepo.layer,
      PoliciesRepo.layer,
      PolicyReader.layer
    ])
  )
}

/** Books of an earlier release may hold more than an amount may be; it is told, and never rounded. */
const requireExact = (sums: ReadonlyArray<AccountSum>): Effect.Effect<void, InvalidAmount> => {
  const beyond = sums.find(({ sum }) => !Number.isSafeInteger(Number(sum)))
  return beyond === undefined
    ? Effect.void
    : Effect.fail(
        new InvalidAmount({
          field: `balances/${beyond.account}`,
          minimum: Number.MIN_SAFE_INTEGER,
          maximum: Number.MAX_SAFE_INTEGER
        })
      )
}

const toLedgerEntry = ({
  accounts,
  amounts,
  policyId: _policyId,
  ...entry
}: StoredEntry): LedgerEntry => ({
  ...entry,
  postings: accounts.map((account, index) => ({ account, amount: amounts[index]! }))
})

/** What is to come of a book; seen from a later instant what is issued by then no longer is. */
export const scheduleOf = (
  account: PolicyAccount,
  until: Instant | undefined
): ReadonlyArray<Instalment> => {
  const state = baseState(account.policy)
  // Without an accepted price or a payer there is nothing to show yet.
  if (state.stage === "DRAFT" || state.quoteId === undefined || payersOf(state) === undefined) {
    return []
  }
  // A withdrawn sale has no future instalments.
  if (state.contract === "STOPPED" && state.signedAt === undefined) return []
  const view = billingView(account)
  const day = until === undefined ? undefined : localDate(until, view.timeZone)
  return instalmentsToCome(view)
    .filter(({ issueOn }) => day === undefined || issueOn > day)
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
