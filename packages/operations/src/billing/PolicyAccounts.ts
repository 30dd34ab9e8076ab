/** Loads the accounts of policies with few reads, and writes what was decided with few writes. */
import type { StoredInvoice } from "@quittance/domain/billing/StoredInvoice"
import { told } from "@quittance/domain/policies/aggregate/PolicyEffects"
import { type InvoicePreview, invoicePreview } from "@quittance/billing/billing/InvoicePreview"
import { type Instant, min } from "@quittance/domain/values/Instant"
import type { PolicyHead } from "@quittance/domain/policies/PolicyHead"
import { InvoiceNumbersRepo } from "@quittance/persistence/billing/InvoiceNumbersRepo"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { DueRepo } from "@quittance/persistence/policies/DueRepo"
import { SettlementRecordsRepo } from "@quittance/persistence/billing/SettlementRecordsRepo"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { PolicyLogRepo } from "@quittance/persistence/policies/PolicyLogRepo"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { QuotesRepo } from "@quittance/persistence/policies/QuotesRepo"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import { pipelineBoth, pipelineAll } from "@quittance/persistence/sql/Pipelining"
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import {
  acceptedQuotes,
  asOfItsInstant,
  billingView,
  type PolicyAccount,
  issuedOf
} from "@quittance/billing/billing/account/PolicyAccount"
import { InvoiceCollections, type PlannedCollections } from "./InvoiceCollections.ts"
import { LedgerRoom } from "./LedgerRoom.ts"
import {
  type BillingDecision,
  collectedOf,
  eventsOf,
  isNothing,
  recordingOf,
  writeOf
} from "./BillingDecision.ts"
import type { UnnumberedInvoice } from "@quittance/billing/billing/account/InvoiceIssuing"
import { PolicyProjections } from "../policies/FollowUp.ts"
import type { PolicyAggregate } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { productsOf } from "../policies/ProductVersions.ts"
import { movedColumns } from "@quittance/domain/policies/aggregate/ListColumns"
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class PolicyAccounts extends Context.Service<
  PolicyAccounts,
  {
    /** The accounts of policies whose heads the transaction holds, as of an instant. */
    openHeads(
      heads: ReadonlyArray<PolicyHead>,
      now: Instant
    ): Effect.Effect<ReadonlyArray<PolicyAccount>, never, CurrentTenant>
    /** The accounts of policies that are loaded already. */
    open(
      policies: ReadonlyArray<PolicyAggregate>
    ): Effect.Effect<ReadonlyArray<PolicyAccount>, never, CurrentTenant>
    /** What a change of a policy would do to its invoices: as it is, and with the change recorded. */
    outlook(
      before: PolicyAggregate,
      after: PolicyAggregate
    ): Effect.Effect<InvoicePreview, never, CurrentTenant>
    /** The decisions that fit the limits of the ledger. A policy that exceeds them is parked. */
    withRoom<A extends BillingDecision>(
      decided: ReadonlyArray<A>
    ): Effect.Effect<ReadonlyArray<A>, never, CurrentTenant>
    /**
     * Writes all of it, and what another area has decided `beside` it; answers the heads as they are
     * then.
     */
    write(
      decided: ReadonlyArray<BillingDecision>,
      actor: Actor,
      beside?: Effect.Effect<void, never, CurrentTenant>
    ): Effect.Effect<ReadonlyArray<PolicyHead>, never, CurrentTenant>
  }
>()("@quittance/operations/PolicyAccounts") {
  static readonly layer = Layer.effect(
    PolicyAccounts,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const collections = yield* InvoiceCollections
      const invoices = yield* InvoicesRepo
      const numbers = yield* InvoiceNumbersRepo
      const due = yield* DueRepo
      const entries = yield* EntriesRepo
      const log = yield* PolicyLogRepo
      const policyRows = yield* PoliciesRepo
      const products = yield* ProductsRepo
      const quotes = yield* QuotesRepo
      const projections = yield* PolicyProjections
      const events = yield* EventsRepo
      const room = yield* LedgerRoom
      const settlements = yield* SettlementRecordsRepo

      const open = Effect.fn("PolicyAccounts.open")(function* (
        policies: ReadonlyArray<PolicyAggregate>
      ) {
        const policyIds = policies.map(({ head }) => head.id)
        const tolerant = policies.flatMap((policy) =>
          policy.productOf(baseState(policy)).dunning.tolerance === undefined
            ? []
            : [policy.head.id]
        )
        const [[premiumItems, invoicesOf], [sums, settled]] = yield* pipelineBoth(
          pipelineBoth(
            quotes.premiumItemsOf([...new Set(policies.flatMap(acceptedQuotes))]),
            invoices.ofPolicies(policyIds)
          ),
          pipelineBoth(
            entries.sums(policyIds, balancePrefix),
            settlements.ofPolicies(policyIds, tolerant)
          )
        )
        const issued = Map.groupBy(invoicesOf, ({ policyId }) => policyId)
        const owed = Map.groupBy(sums, ({ policyId }) => policyId)
        const allocations = Map.groupBy(settled.allocations, ({ policyId }) => policyId)
        const writeOffs = Map.groupBy(settled.writeOffs, ({ policyId }) => policyId)
        return policies.map((policy): PolicyAccount => ({
          policy,
          premiumItems,
          invoices: issued.get(policy.head.id) ?? [],
          balances: new Map(
            (owed.get(policy.head.id) ?? []).map(({ account, sum }) => [
              // The account of a balance is named after its customer; what is owed is a credit.
              account.slice(balancePrefix.length) as StoredInvoice["customerId"],
              // A ledger that would leave the exact integers is never written.
              Number(-sum)
            ])
          ),
          settled: {
            allocations: allocations.get(policy.head.id) ?? [],
            writeOffs: writeOffs.get(policy.head.id) ?? []
          }
        }))
      })

      const openHeads = Effect.fn("PolicyAccounts.openHeads")(function* (
        heads: ReadonlyArray<PolicyHead>,
        now: Instant
      ) {
        const policyIds = heads.map(({ id }) => id)
        const [found, changes] = yield* pipelineBoth(
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
            const state = baseState({ changes: logged, head })
            const policy: PolicyAggregate = {
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

      const outlookOn = Effect.fn("PolicyAccounts.outlook")(function* (
        before: PolicyAggregate,
        after: PolicyAggregate
      ) {
        const [was, willBe] = (yield* open([before, after])).map(asOfItsInstant)
        const lines = yield* invoices.linesOf(was!.invoices.map(({ id }) => id))
        return invoicePreview(issuedOf(was!, lines), billingView(was!), billingView(willBe!))
      })

      /** Numbers are taken last and in the order of the days, so that a series follows the dates. */
      const number = Effect.fnUntraced(function* (
        issued: ReadonlyArray<UnnumberedInvoice>,
        collected: PlannedCollections["of"]
      ) {
        const bySeries = Map.groupBy([...issued].sort(byDay), ({ series }) => series)
        const numbered: Array<StoredInvoice> = []
        for (const series of [...bySeries.keys()].sort()) {
          const own = bySeries.get(series)!
          const issuedAt = own.map((invoice) => invoice.issuedAt).reduce(min)
          const first = yield* numbers.take(series, own.length, issuedAt)
          own.forEach((invoice, index) => {
            const collection = collected.get(invoice.id) ?? null
            numbered.push({ ...invoice, collection, number: first + index })
          })
        }
        return numbered
      })

      const withRoom = Effect.fn("PolicyAccounts.withRoom")(function* <A extends BillingDecision>(
        decided: ReadonlyArray<A>
      ) {
        const lacking = yield* room.lacking(
          decided.map(({ before, entries: posted }) => ({
            policyId: before.head.id,
            entries: posted
          }))
        )
        for (const { before } of decided) {
          const policyId = before.head.id
          const account = lacking.get(policyId)
          if (account === undefined) continue
          const reason = `The account ${account} would hold more than a policy's books may.`
          yield* Effect.logError("Parked a policy", { policyId, reason })
          yield* due.park(policyId, reason, before.now)
        }
        return decided.filter(({ before }) => !lacking.has(before.head.id))
      })

      const write = Effect.fn("PolicyAccounts.write")(function* (
        decided: ReadonlyArray<BillingDecision>,
        actor: Actor,
        beside: Effect.Effect<void, never, CurrentTenant> = Effect.void
      ) {
        const done = decided.map((one) => ({ ...one, events: eventsOf(one) }))
        const heads = done.map(({ after, before, events: own }) => told(before, after, own.length))
        yield* pipelineAll([
          invoices.settle(done.flatMap(({ settlements = [] }) => settlements)),
          log.recordAll(done.filter(({ after, before }) => after !== before).map(recordingOf)),
          due.advance(
            done.map(({ nextDueAt }, index) => ({ head: heads[index]!, dueAt: nextDueAt }))
          ),
          events.insertOfPolicies(done.flatMap((one) => one.events)),
          audit.recordAll(
            actor,
            done.flatMap((one, index) => (isNothing(one) ? [] : [writeOf(one, heads[index]!)]))
          ),
          beside,
          policyRows.show(done.flatMap(movedColumns)),
          entries.insert(done.flatMap((one) => one.entries))
        ])
        const collected = done.flatMap(collectedOf)
        const planned =
          collected.length === 0 ? byTransfer : yield* collections.plan(collected, actor)
        // A series stays locked until the commit, so only statements that need the number come after this.
        const numbered = yield* number(
          done.flatMap(({ issued }) => issued),
          planned.of
        )
        yield* pipelineAll([
          invoices.insert(numbered),
          planned.write,
          projections.refresh(heads.map(({ id }) => id))
        ])
        return heads
      })

      return PolicyAccounts.of({ openHeads, open, outlook: outlookOn, withRoom, write })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      InvoiceNumbersRepo.layer,
      InvoicesRepo.layer,
      DueRepo.layer,
      EntriesRepo.layer,
      LedgerRoom.layer,
      PoliciesRepo.layer,
      PolicyLogRepo.layer,
      QuotesRepo.layer,
      EventsRepo.layer,
      SettlementRecordsRepo.layer
    ])
  )
}

/** Of products that do not say how their money is collected. */
const byTransfer: PlannedCollections = { of: new Map(), write: Effect.void }

const balancePrefix = "balance:"

const byDay = (a: UnnumberedInvoice, b: UnnumberedInvoice): number =>
  compare(a.plannedOn, b.plannedOn) ||
  compare(a.policyId, b.policyId) ||
  compare(a.periodStart, b.periodStart) ||
  compare(a.id, b.id)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
