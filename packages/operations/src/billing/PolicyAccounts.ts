/** Opens the books of policies with few reads, and writes what was decided with few writes. */
import { type Outlook, outlook } from "@quittance/billing/billing/InvoicePreview"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PolicyHead } from "@quittance/domain/policies/PolicyHead"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { type DocumentRow, DocumentsRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { DueRepo } from "@quittance/persistence/policies/DueRepo"
import { DunningRepo } from "@quittance/persistence/dunning/DunningRepo"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { PolicyLogRepo } from "@quittance/persistence/policies/PolicyLogRepo"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { QuotesRepo } from "@quittance/persistence/policies/QuotesRepo"
import { ReceivablesRepo } from "@quittance/persistence/accounting/ReceivablesRepo"
import { RecordsRepo } from "@quittance/persistence/policies/EventsRepo"
import { both, together } from "@quittance/persistence/sql/Pipelining"
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { acceptedQuotes, asOfItsInstant, billingView, type Book, issuedOf } from "./PolicyAccount.ts"
import { changesOf, type Decided, eventsOf, writeOf } from "./BillingDecision.ts"
import { dunningOf as ownDunning } from "../dunning/DunningRecords.ts"
import type { UnnumberedDocument } from "./InvoiceIssuing.ts"
import { membershipsOf } from "../policies/PolicyMembers.ts"
import { type OpenPolicy, productsOf, validityOf } from "../policies/PolicyAggregate.ts"
import { movedColumns } from "../policies/ListColumns.ts"
import { trunkState } from "../policies/BaseTimeline.ts"

export class BillingBooks extends Context.Service<
  BillingBooks,
  {
    /** The books of policies whose heads the transaction holds, as of an instant. */
    openHeads(
      heads: ReadonlyArray<PolicyHead>,
      now: Instant
    ): Effect.Effect<ReadonlyArray<Book>, never, CurrentTenant>
    /** The books of policies that are open already. */
    open(
      policies: ReadonlyArray<OpenPolicy>
    ): Effect.Effect<ReadonlyArray<Book>, never, CurrentTenant>
    /** What a change of a policy would do to its invoices: as it is, and with the change recorded. */
    outlook(before: OpenPolicy, after: OpenPolicy): Effect.Effect<Outlook, never, CurrentTenant>
    /** Writes all of it; answers the heads as they are then. */
    write(
      decided: ReadonlyArray<Decided>,
      actor: Actor
    ): Effect.Effect<ReadonlyArray<PolicyHead>, never, CurrentTenant>
  }
>()("@quittance/operations/BillingBooks") {
  static readonly layer = Layer.effect(
    BillingBooks,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const documents = yield* DocumentsRepo
      const due = yield* DueRepo
      const dunning = yield* DunningRepo
      const entries = yield* EntriesRepo
      const log = yield* PolicyLogRepo
      const policyRows = yield* PoliciesRepo
      const products = yield* ProductsRepo
      const quotes = yield* QuotesRepo
      const receivables = yield* ReceivablesRepo
      const records = yield* RecordsRepo

      const open = Effect.fn("BillingBooks.open")(function* (policies: ReadonlyArray<OpenPolicy>) {
        const policyIds = policies.map(({ head }) => head.id)
        const [[leaves, documentsOf], [sums, facts]] = yield* both(
          both(
            quotes.leavesOf([...new Set(policies.flatMap(acceptedQuotes))]),
            documents.ofPolicies(policyIds)
          ),
          both(entries.sums(policyIds, balancePrefix), dunning.ofPolicies(policyIds))
        )
        const issued = Map.groupBy(documentsOf, ({ policyId }) => policyId)
        const owed = Map.groupBy(sums, ({ policyId }) => policyId)
        const dunningOf = ownDunning(facts)
        return policies.map((policy): Book => ({
          policy,
          leaves,
          documents: issued.get(policy.head.id) ?? [],
          balances: new Map(
            (owed.get(policy.head.id) ?? []).map(({ account, sum }) => [
              // The account of a balance is named after its customer; what is owed is a credit.
              account.slice(balancePrefix.length) as DocumentRow["customerId"],
              -sum
            ])
          ),
          dunning: dunningOf(policy.head)
        }))
      })

      const openHeads = Effect.fn("BillingBooks.openHeads")(function* (
        heads: ReadonlyArray<PolicyHead>,
        now: Instant
      ) {
        const policyIds = heads.map(({ id }) => id)
        const [found, changes] = yield* both(
          log.branchesOf(policyIds),
          log.standingChangesOf(heads)
        )
        const branches = Map.groupBy(found, ({ policyId }) => policyId)
        const policies = yield* Effect.forEach(
          heads,
          Effect.fnUntraced(function* (head) {
            const own = branches.get(head.id) ?? []
            const logged = changes.get(head.id) ?? []
            const productOf = yield* productsOf(products, head, logged)
            const state = trunkState({ changes: logged, head })
            const policy: OpenPolicy = {
              head,
              now,
              product: productOf(state),
              productOf,
              branches: own,
              // The default branch is one of the policy's branches: its key says so.
              branch: own.find(({ id }) => id === head.defaultBranchId)!,
              changes: logged,
              state
            }
            return policy
          })
        )
        return yield* open(policies)
      })

      const outlookOn = Effect.fn("BillingBooks.outlook")(function* (
        before: OpenPolicy,
        after: OpenPolicy
      ) {
        const [was, willBe] = (yield* open([before, after])).map(asOfItsInstant)
        const lines = yield* documents.linesOf(was!.documents.map(({ id }) => id))
        return outlook(issuedOf(was!, lines), billingView(was!), billingView(willBe!))
      })

      /** Numbers are taken last and in the order of the days, so that a series follows the dates. */
      const number = Effect.fnUntraced(function* (issued: ReadonlyArray<UnnumberedDocument>) {
        const bySeries = Map.groupBy([...issued].sort(byDay), ({ series }) => series)
        const numbered: Array<DocumentRow> = []
        for (const series of [...bySeries.keys()].sort()) {
          const own = bySeries.get(series)!
          const first = yield* documents.takeNumbers(series, own.length)
          own.forEach((document, index) => numbered.push({ ...document, number: first + index }))
        }
        return numbered
      })

      const write = Effect.fn("BillingBooks.write")(function* (
        decided: ReadonlyArray<Decided>,
        actor: Actor
      ) {
        const done = decided.map((one) => ({ ...one, events: eventsOf(one) }))
        const heads = done.map(({ after, before, events }) => ({
          ...after.head,
          eventSeq: before.head.eventSeq + events.length
        }))
        yield* together([
          documents.settle(done.flatMap(({ standings = [] }) => standings)),
          log.recordAll(done.filter(({ after, before }) => after !== before).map(recordingOf)),
          due.advance(
            done.map(({ nextDueAt }, index) => ({ head: heads[index]!, dueAt: nextDueAt }))
          ),
          records.events(done.flatMap(({ events }) => events)),
          audit.recordAll(
            actor,
            done.map((one, index) => writeOf(one, heads[index]!))
          ),
          dunning.putNotices(done.flatMap(({ notices }) => notices?.put ?? [])),
          dunning.removeNotices(done.flatMap(({ notices }) => notices?.removed ?? [])),
          policyRows.show(done.flatMap(movedColumns)),
          entries.insert(done.flatMap((one) => one.entries))
        ])
        // Whoever holds a series keeps others waiting until the commit: only what needs it is left.
        const numbered = yield* number(done.flatMap(({ issued }) => issued))
        yield* together([
          documents.insert(numbered),
          receivables.refresh(heads.map(({ id }) => id))
        ])
        return heads
      })

      return BillingBooks.of({ openHeads, open, outlook: outlookOn, write })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      DocumentsRepo.layer,
      DueRepo.layer,
      DunningRepo.layer,
      EntriesRepo.layer,
      PoliciesRepo.layer,
      PolicyLogRepo.layer,
      QuotesRepo.layer,
      ReceivablesRepo.layer,
      RecordsRepo.layer
    ])
  )
}

const balancePrefix = "balance:"

const byDay = (a: UnnumberedDocument, b: UnnumberedDocument): number =>
  compare(a.plannedOn, b.plannedOn) ||
  compare(a.policyId, b.policyId) ||
  compare(a.periodStart, b.periodStart) ||
  compare(a.id, b.id)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const recordingOf = (decided: Decided) => {
  const { after, before } = decided
  const changes = changesOf(decided)
  const touched = new Set(changes.map(({ branchId }) => branchId))
  const validity = validityOf(after, touched)
  return {
    policyId: after.head.id,
    branches: after.branches.filter((branch) => !before.branches.includes(branch)),
    changes,
    validity,
    memberships: membershipsOf(before, after, validity)
  }
}
