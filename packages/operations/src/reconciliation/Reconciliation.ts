/** Derives the balances and the accounting summary of a tenant again, and compares. */
import {
  type Difference,
  firstDifference,
  type PolicyBooks
} from "@quittance/billing/reconciliation/Reconciliation"
import { bankDifference } from "@quittance/billing/reconciliation/TreasuryReconciliation"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { BankEntriesRepo } from "@quittance/persistence/treasury/BankEntriesRepo"
import { BankStatementsRepo } from "@quittance/persistence/treasury/BankStatementsRepo"
import { TreasuryLedgerRepo } from "@quittance/persistence/treasury/TreasuryLedgerRepo"
import { PaymentsRepo } from "@quittance/persistence/payments/PaymentsRepo"
import { CollectionReconciliationRepo } from "@quittance/persistence/reconciliation/CollectionReconciliationRepo"
import { ReconciliationRepo } from "@quittance/persistence/reconciliation/ReconciliationRepo"
import { RefundsRepo } from "@quittance/persistence/payments/RefundsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer } from "effect"
import type { PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** How many policies are held at a time: memory stays the same however many there are. */
const pageSize = 200

export interface Reconciled {
  /** How many policies were compared, up to the first difference. */
  readonly policies: number
  readonly entries: number
  readonly difference?: Difference & { readonly policyId?: PolicyId }
}

export class Reconciliation extends Context.Service<
  Reconciliation,
  {
    /**
     * Compares the tenant's books, policy by policy in the order of their ids, then the numbers of its
     * invoices, then the journals of its bank accounts, then its files of debits, and ends with the first difference.
     * What is written meanwhile does not disturb it: each page of policies is read at one instant.
     */
    readonly reconcile: Effect.Effect<Reconciled, never, CurrentTenant>
  }
>()("@quittance/operations/Reconciliation") {
  static readonly layer = Layer.effect(
    Reconciliation,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const bankEntries = yield* BankEntriesRepo
      const collections = yield* CollectionReconciliationRepo
      const repo = yield* ReconciliationRepo
      const payments = yield* PaymentsRepo
      const refunds = yield* RefundsRepo
      const statements = yield* BankStatementsRepo
      const tenantSql = yield* TenantSql
      const treasury = yield* TreasuryLedgerRepo

      const booksAfter = (after: string) =>
        tenantSql.snapshot(
          Effect.gen(function* () {
            const ids = yield* repo.policiesAfter(after, pageSize)
            const { entries, invoices, owed, summary } = yield* repo.page(ids)
            const issued = Map.groupBy(invoices, policyOf)
            const posted = Map.groupBy(entries, policyOf)
            const paid = Map.groupBy(yield* payments.ofPolicies(ids), policyOf)
            const paidOut = Map.groupBy(yield* refunds.ofPolicies(ids), policyOf)
            const kept = Map.groupBy(summary, policyOf)
            const balances = Map.groupBy(owed, policyOf)
            return ids.map((policyId): PolicyBooks => ({
              policyId,
              invoices: issued.get(policyId) ?? [],
              entries: posted.get(policyId) ?? [],
              payments: paid.get(policyId) ?? [],
              refunds: paidOut.get(policyId) ?? [],
              summary: kept.get(policyId) ?? [],
              owed: balances.get(policyId) ?? []
            }))
          })
        )

      /** A series has as many invoices as numbers were given, up to its last. */
      const inNumbers = Effect.gen(function* () {
        for (const { invoices, given, last, series } of yield* repo.series) {
          if (invoices === last && last === given) continue
          const difference: Difference = {
            record: `series ${series}`,
            field: "numbers",
            expected: `${given} given, without a gap`,
            found: `${invoices} invoices, the last with ${last}`
          }
          return difference
        }
        return undefined
      })

      const inTreasury = tenantSql.snapshot(
        Effect.gen(function* () {
          for (const { id, name } of yield* accounts.all) {
            const { moved, open } = yield* bankEntries.sums(id)
            const difference = bankDifference({
              id,
              name,
              balances: yield* treasury.balances(id),
              closing: (yield* statements.last(id))?.closing,
              moved,
              open
            })
            if (difference !== undefined) return difference
          }
          const unbooked = yield* treasury.unbooked
          if (unbooked === undefined) return undefined
          const difference: Difference = {
            record: unbooked,
            field: "cash",
            expected: "an entry in the books of a policy",
            found: "the entry of a bank alone"
          }
          return difference
        })
      )

      const reconcile = Effect.gen(function* () {
        let after = ""
        let [policies, entries] = [0, 0]
        while (true) {
          const page = yield* booksAfter(after)
          for (const accounts of page) {
            const difference = firstDifference(accounts)
            if (difference !== undefined) {
              const { policyId } = accounts
              return { policies, entries, difference: { ...difference, policyId } }
            }
            policies++
            entries += accounts.entries.length
          }
          if (page.length < pageSize) break
          after = page.at(-1)!.policyId
        }
        const difference = (yield* inNumbers) ?? (yield* inTreasury) ?? (yield* collections.first)
        return { policies, entries, ...(difference === undefined ? {} : { difference }) }
      }).pipe(Effect.withSpan("Reconciliation.reconcile"))

      return Reconciliation.of({ reconcile })
    })
  ).pipe(
    Layer.provide([
      BankAccountsRepo.layer,
      BankEntriesRepo.layer,
      BankStatementsRepo.layer,
      CollectionReconciliationRepo.layer,
      PaymentsRepo.layer,
      ReconciliationRepo.layer,
      RefundsRepo.layer,
      TreasuryLedgerRepo.layer
    ])
  )
}

const policyOf = ({ policyId }: { readonly policyId: PolicyId }): PolicyId => policyId
