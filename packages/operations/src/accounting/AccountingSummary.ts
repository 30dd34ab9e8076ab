/** Who owes what: the accounting summary, read from its projection. */
import type { Receivable } from "@quittance/domain/accounting/Receivable"
import type { ListSummaries } from "@quittance/domain/accounting/AccountingRequests"
import type { Coverage } from "@quittance/auth/Grants"
import type { AccountingSummaryEntry } from "@quittance/domain/accounting/AccountingSummary"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { Customer } from "@quittance/domain/customers/Customer"
import type { Instant } from "@quittance/domain/values/Instant"
import * as Page from "@quittance/domain/values/Page"
import type { Policy } from "@quittance/domain/policies/Policy"
import { CustomersRepo } from "@quittance/persistence/customers/CustomersRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { CurrentStatesRepo } from "@quittance/persistence/policies/CurrentStatesRepo"
import { ReceivablesRepo } from "@quittance/persistence/accounting/ReceivablesRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { toCustomer } from "@quittance/domain/customers/CustomerView"
import { PolicyViews } from "../policies/PolicyViews.ts"
import { storable } from "@quittance/domain/values/StorableText"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class AccountingSummary extends Context.Service<
  AccountingSummary,
  {
    /** One entry for each payer of a policy with an unpaid invoice that the caller may see. */
    list(
      query: ListSummaries,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<AccountingSummaryEntry>, Forbidden, CurrentTenant | CurrentCaller>
  }
>()("@quittance/operations/AccountingSummary") {
  static readonly layer = Layer.effect(
    AccountingSummary,
    Effect.gen(function* () {
      const clock = yield* TenantClockRepo
      const customers = yield* CustomersRepo
      const grants = yield* GrantsRepo
      const states = yield* CurrentStatesRepo
      const views = yield* PolicyViews
      const receivables = yield* ReceivablesRepo

      const entriesOf = Effect.fnUntraced(function* (
        rows: ReadonlyArray<Receivable>,
        now: Instant,
        coverage: Coverage
      ) {
        if (rows.length === 0) return []
        const found = yield* views.of([...new Set(rows.map(({ policyId }) => policyId))], now)
        const payerIds = [...new Set(rows.map(({ customerId }) => customerId))]
        const payers = new Map(
          (yield* customers.findMany(payerIds, coverage)).map((row) => [row.id, row])
        )
        // Who is invoiced at the signature may only come onto the policy with its start.
        const onPolicies = yield* states.customers(rows, now)
        return rows.map((row, index) => {
          // The projection is made of policies and customers that are there, and neither ever goes.
          const payer = toCustomer(payers.get(row.customerId)!, onPolicies[index])
          return entryOf(row, found.get(row.policyId)!, payer)
        })
      })

      const list = Effect.fn("AccountingSummary.list")(function* (
        query: ListSummaries,
        page: Page.PageRequest
      ) {
        const coverage = yield* grants.coverage("accounting.read")
        const { now } = yield* clock.read
        const { rows, total } = yield* receivables.list({
          filter: {
            issuedBefore: query.unpaidInvoiceIssuedBefore,
            issuedAfter: query.unpaidInvoiceIssuedAfter,
            brokerageFirmId: query.brokerageFirmId,
            productIds: query.productIds?.map(storable),
            statuses: query.statuses,
            stopReasons: query.terminationReasons?.map(storable),
            hasFormalNotice: query.hasFormalNotice,
            minimumUnpaidDays: query.unpaidDurationDays,
            words: query.queryString === undefined ? undefined : storable(query.queryString)
          },
          order: query.order ?? { by: "oldestUnpaidInvoiceIssuedAt", direction: "ASC" },
          page,
          coverage,
          now
        })
        return Page.make(yield* entriesOf(rows, now, coverage), total, page)
      })

      return AccountingSummary.of({ list })
    })
  ).pipe(
    Layer.provide([
      CustomersRepo.layer,
      GrantsRepo.layer,
      PolicyViews.layer,
      CurrentStatesRepo.layer,
      ReceivablesRepo.layer,
      TenantClockRepo.layer
    ])
  )
}

const entryOf = (row: Receivable, policy: Policy, customer: Customer): AccountingSummaryEntry => ({
  customer,
  policy,
  numberOfUnpaidInvoices: row.unpaidCount,
  unpaidDurationInDay: row.unpaidDays,
  oldestUnpaidInvoiceIssuedAt: row.oldestIssuedAt,
  ...(row.lastFormalNoticeSentAt === null
    ? {}
    : { lastFormalNoticeSentAt: row.lastFormalNoticeSentAt })
})
