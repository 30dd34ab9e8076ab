/** What events are about, as they stood when each was recorded: read for all events of a batch at once. */
import type { DocumentAbout } from "@quittance/domain/documents/DocumentAbout"
import type { DocumentSubjects } from "@quittance/domain/documents/DocumentPlan"
import type { FeedEvent } from "@quittance/domain/events/Event"
import { lineageOf, stateOf, stateOn } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { StoredBranch } from "@quittance/domain/policies/aggregate/StoredBranch"
import type { Change } from "@quittance/domain/policies/Change"
import { unreverted } from "@quittance/domain/policies/ChangeView"
import { inOrder, type PolicyState, runningAssets } from "@quittance/domain/policies/PolicyState"
import type { Product } from "@quittance/domain/products/Product"
import type { BranchType } from "@quittance/domain/products/ProductTerms"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  AnyInvoiceId,
  type AssetId,
  BranchId,
  ChangeId,
  FormalNoticeId,
  PolicyId
} from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { payersOf } from "@quittance/billing/billing/Payers"
import { DocumentPlansRepo } from "@quittance/persistence/documents/DocumentPlansRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { PolicyLogRepo } from "@quittance/persistence/policies/PolicyLogRepo"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { pipelineBoth } from "@quittance/persistence/sql/Pipelining"
import { Context, Effect, Layer, Schema } from "effect"
import { productsOf } from "../policies/ProductVersions.ts"

/** The members of an event's data that documents go by. */
const EventData = Schema.Struct({
  policyId: PolicyId,
  branchId: Schema.optionalKey(BranchId),
  changeId: Schema.optionalKey(ChangeId),
  invoiceId: Schema.optionalKey(AnyInvoiceId),
  creditNoteId: Schema.optionalKey(AnyInvoiceId),
  formalNoticeId: Schema.optionalKey(FormalNoticeId)
})
export const dataOf = Schema.decodeUnknownSync(EventData)

export interface DocumentFacts {
  readonly branchId: BranchId
  readonly branchType: BranchType
  readonly product: Product
  readonly subjects: DocumentSubjects
  /** From when on the branch is in force, once it is merged. */
  readonly inForceAt: Instant
  /** Of a formal notice. */
  readonly owed?: DocumentAbout["owed"]
}

/** Which documents a revert takes out of force, or brings back. */
export interface RevertedFacts {
  readonly kind: "END" | "RESTORE"
  readonly changeId: ChangeId
  /** The branch whose merge had recorded the change. */
  readonly branchId?: BranchId | undefined
}

export interface FactsOfEvents {
  /** `undefined` where what the event names is not there any more. */
  readonly of: (event: FeedEvent) => DocumentFacts | undefined
  readonly reverted: (event: FeedEvent) => RevertedFacts | undefined
}

export class DocumentFactsReader extends Context.Service<
  DocumentFactsReader,
  { read(events: ReadonlyArray<FeedEvent>): Effect.Effect<FactsOfEvents, never, CurrentTenant> }
>()("@quittance/operations/DocumentFactsReader") {
  static readonly layer = Layer.effect(
    DocumentFactsReader,
    Effect.gen(function* () {
      const log = yield* PolicyLogRepo
      const plans = yield* DocumentPlansRepo
      const policies = yield* PoliciesRepo
      const products = yield* ProductsRepo

      /** Of what is told with its branch: the policies with their logs. */
      const logged = Effect.fnUntraced(function* (policyIds: ReadonlyArray<PolicyId>) {
        const found = new Map<PolicyId, LoggedPolicy>()
        if (policyIds.length === 0) return found
        const [heads, [branches, changes]] = yield* pipelineBoth(
          policies.findMany(policyIds),
          pipelineBoth(log.branchesOf(policyIds), log.changesOf(policyIds))
        )
        const branchesOf = Map.groupBy(branches, ({ policyId }) => policyId)
        for (const head of heads) {
          const own = changes.get(head.id) ?? []
          found.set(head.id, {
            branches: branchesOf.get(head.id) ?? [],
            changes: own,
            productOf: yield* productsOf(products, head, own)
          })
        }
        return found
      })

      const billed = Effect.fnUntraced(function* (events: ReadonlyArray<FeedEvent>) {
        const asked = events.map(({ data, timestamp }) => {
          const { creditNoteId, formalNoticeId, invoiceId, policyId } = dataOf(data)
          const recordId = invoiceId ?? creditNoteId ?? formalNoticeId!
          return { policyId, at: timestamp, recordId }
        })
        const rows = yield* plans.billed(asked)
        const facts = new Map<FeedEvent["id"], DocumentFacts>()
        for (const [index, row] of rows.entries()) {
          if (row?.payerId === undefined) continue
          facts.set(events[index]!.id, {
            branchId: row.branchId,
            branchType: "BASE",
            product: yield* products.version(row.productId, row.productVersion),
            subjects: { customers: [], assets: [], payers: [row.payerId] },
            inForceAt: events[index]!.timestamp,
            ...(row.owed === undefined ? {} : { owed: row.owed })
          })
        }
        return facts
      })

      const read = Effect.fn("DocumentFactsReader.read")(function* (
        events: ReadonlyArray<FeedEvent>
      ) {
        const isBranched = ({ data }: FeedEvent) => "branchId" in data
        const byBranch = events.filter(isBranched)
        const money = yield* billed(events.filter((event) => !isBranched(event)))
        const logs = yield* logged([...new Set(byBranch.map(({ data }) => dataOf(data).policyId))])
        const policyOf = (event: FeedEvent) =>
          isBranched(event) ? logs.get(dataOf(event.data).policyId) : undefined
        return {
          of: (event: FeedEvent) => {
            const policy = policyOf(event)
            return policy === undefined ? money.get(event.id) : factsOf(policy, event)
          },
          reverted: (event: FeedEvent) => {
            const policy = policyOf(event)
            return policy === undefined ? undefined : revertedBy(policy, event)
          }
        }
      })

      return DocumentFactsReader.of({ read })
    })
  ).pipe(Layer.provide([DocumentPlansRepo.layer, PoliciesRepo.layer, PolicyLogRepo.layer]))
}

interface LoggedPolicy {
  readonly branches: ReadonlyArray<StoredBranch>
  readonly changes: ReadonlyArray<Change>
  readonly productOf: (state: PolicyState) => Product
}

const factsOf = (policy: LoggedPolicy, event: FeedEvent): DocumentFacts | undefined => {
  const { branches, changes, productOf } = policy
  const { branchId, changeId } = dataOf(event.data)
  const branch = branches.find(({ id }) => id === branchId)
  if (branch === undefined) return undefined
  const last = changes.find(({ id }) => id === changeId)?.seq
  const known = changes.filter(({ recordedAt, seq }) =>
    last === undefined ? recordedAt <= event.recordedAt : seq <= last
  )
  const state = stateBy(known, branches, branch, event)
  const { branchType } = branch
  return {
    branchId: branch.id,
    branchType,
    product: productOf(state),
    subjects: subjectsOf(state),
    inForceAt: branchType === "BASE" ? event.timestamp : (branch.effectiveAt ?? state.startedAt)
  }
}

/** On the base branch what had taken effect; of an offer all of it. */
const stateBy = (
  known: ReadonlyArray<Change>,
  branches: ReadonlyArray<StoredBranch>,
  branch: StoredBranch,
  { recordedAt, timestamp }: FeedEvent
): PolicyState => {
  const lineage = lineageOf(branches, branch)
  return branch.branchType === "BASE"
    ? stateOf(known, lineage, timestamp > recordedAt ? timestamp : recordedAt)
    : stateOn(known, lineage, branch, recordedAt)
}

const subjectsOf = (state: PolicyState): DocumentSubjects => {
  const payers = payersOf(state)
  return {
    customers: inOrder(state.customers).map(([id, { role }]) => ({ id, role })),
    // The keys of a state are the identifiers that it was built with.
    assets: runningAssets(state).map(([id]) => id as AssetId),
    payers:
      payers === undefined
        ? []
        : [...new Set([payers.defaultPayerId, ...payers.byComponent.values()])]
  }
}

const revertedBy = (
  { branches, changes }: LoggedPolicy,
  { data }: FeedEvent
): RevertedFacts | undefined => {
  const { branchId, changeId } = dataOf(data)
  // On another branch it is only offered; its merge records it on the base branch.
  if (branches.find(({ id }) => id === branchId)?.branchType !== "BASE") return undefined
  const reverting = changes.find(({ id }) => id === changeId)
  // A revert may be reverted in its turn: what it is about in the end is the first change.
  let target = reverting
  while (target?.reverts !== undefined) {
    const reverted: ChangeId = target.reverts
    target = changes.find(({ id }) => id === reverted)
  }
  if (reverting === undefined || target === undefined) return undefined
  const { id, recordedAt } = target
  const known = changes.filter(({ seq }) => seq <= reverting.seq)
  const stands = unreverted(known, { branchId: target.branchId }).some((one) => one.id === id)
  const merged = branches.find(({ mergedAt }) => mergedAt === recordedAt)
  return { kind: stands ? "RESTORE" : "END", changeId: id, branchId: merged?.id }
}
