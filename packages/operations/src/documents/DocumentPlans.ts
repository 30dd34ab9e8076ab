/** Writes down which documents are due, by what happens. Nothing is rendered here: that takes its time. */
import { type DocumentMove, moved } from "@quittance/domain/documents/DocumentBatch"
import {
  type DueDocument,
  dueDocuments,
  type DocumentOccasion,
  lettersTo,
  occasionOf
} from "@quittance/domain/documents/DocumentPlan"
import type { FeedEvent } from "@quittance/domain/events/Event"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { DocumentPlansRepo } from "@quittance/persistence/documents/DocumentPlansRepo"
import type { PlannedDocument } from "@quittance/persistence/documents/DocumentRow"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer } from "effect"
import type { EventConsumer } from "../events/EventConsumers.ts"
import { DocumentConditions } from "./DocumentConditions.ts"
import {
  dataOf,
  type DocumentFacts,
  DocumentFactsReader,
  type FactsOfEvents
} from "./DocumentFacts.ts"
import { RequestPlans } from "./requests/RequestPlans.ts"

export class DocumentPlans extends Context.Service<DocumentPlans, EventConsumer>()(
  "@quittance/operations/DocumentPlans"
) {
  static readonly layer = Layer.effect(
    DocumentPlans,
    Effect.gen(function* () {
      const conditions = yield* DocumentConditions
      const facts = yield* DocumentFactsReader
      const ids = yield* Ids
      const repo = yield* DocumentPlansRepo
      const requests = yield* RequestPlans

      const planned = Effect.fnUntraced(function* (
        event: FeedEvent,
        about: DocumentFacts
      ): Effect.fn.Return<ReadonlyArray<PlannedDocument>, never, CurrentTenant> {
        const { makes } = occasionOf(event.type)!
        if (makes === undefined) return []
        const due = dueDocuments(about.product, makes, about.branchType, about.subjects)
        const documents = due.map((one) => ({
          definition: one.definition,
          document: rowOf(ids.next("document"), event, about, one)
        }))
        const kept = yield* Effect.filter(documents, ({ definition, document }) =>
          conditions.hold(definition, document)
        )
        return kept.map(({ document }) => document)
      })

      const handle = Effect.fn("DocumentPlans.handle")(function* (
        events: ReadonlyArray<FeedEvent>
      ) {
        const telling = events.filter(
          ({ type }) => occasionOf(type) !== undefined || type === "change.reverted"
        )
        const known = yield* facts.read(telling)
        let due: ReadonlyArray<PlannedDocument> = []
        const moves: Array<DocumentMove> = []
        for (const event of telling) {
          const about = known.of(event)
          const steps = [
            ...movesOf(event, occasionOf(event.type) ?? {}),
            ...mergeOf(event, about),
            ...revertsOf(event, known.reverted)
          ]
          moves.push(...steps)
          // A quote of several intervals is told once for each: what one command ends again was never there.
          due = due
            .map((document) => steps.reduce(moved, document))
            .filter(({ createdAt, voidedAt }) => voidedAt !== createdAt)
          if (about !== undefined && event.type !== "change.reverted") {
            due = [...due, ...(yield* planned(event, about))]
            yield* requests.follow(event, about)
          }
        }
        yield* repo.move(moves)
        yield* repo.plan(due)
      })

      return DocumentPlans.of({ name: "documents", handle })
    })
  ).pipe(
    Layer.provide([
      DocumentConditions.layer,
      DocumentFactsReader.layer,
      DocumentPlansRepo.layer,
      RequestPlans.layer
    ])
  )
}

const movesOf = (
  { data, recordedAt: at }: FeedEvent,
  { ends = [], outdates = [] }: DocumentOccasion
): ReadonlyArray<DocumentMove> => {
  const { branchId, formalNoticeId, policyId } = dataOf(data)
  return [
    ...outdates.map((trigger): DocumentMove => ({
      kind: "VOID",
      policyId,
      trigger,
      at,
      ...(branchId === undefined ? {} : { branchId }),
      ...(formalNoticeId === undefined ? {} : { formalNoticeId })
    })),
    ...ends.map((trigger): DocumentMove => ({ kind: "END", policyId, trigger, at }))
  ]
}

const mergeOf = (
  { data, recordedAt: at, type }: FeedEvent,
  about: DocumentFacts | undefined
): ReadonlyArray<DocumentMove> => {
  if (type !== "branch.merged" || about === undefined) return []
  const { branchId, branchType, inForceAt, product, subjects } = about
  const anew = dueDocuments(product, "MERGED", branchType, subjects).map(
    ({ definition }) => definition.id
  )
  return [{ kind: "MERGE", policyId: dataOf(data).policyId, branchId, inForceAt, anew, at }]
}

const revertsOf = (
  event: FeedEvent,
  factsOf: FactsOfEvents["reverted"]
): ReadonlyArray<DocumentMove> => {
  const reverted = event.type === "change.reverted" ? factsOf(event) : undefined
  if (reverted === undefined) return []
  const { branchId, changeId, kind } = reverted
  const { policyId } = dataOf(event.data)
  const step = { kind, policyId, at: event.recordedAt }
  return [{ ...step, changeId }, ...(branchId === undefined ? [] : [{ ...step, branchId }])]
}

/** What is in force from the start: all but what a branch offers. */
const rowOf = (
  id: PlannedDocument["id"],
  event: FeedEvent,
  { branchId, branchType, inForceAt, owed, product, subjects }: DocumentFacts,
  { assetId, definition, trigger, ...due }: DueDocument
): PlannedDocument => {
  const data = dataOf(event.data)
  const invoiceId = data.invoiceId ?? data.creditNoteId
  const { source } = definition
  // An invoice or a notice is its payer's, whether or not the definition says so.
  const isBilled = invoiceId !== undefined || data.formalNoticeId !== undefined
  const customerId = due.customerId ?? (isBilled ? subjects.payers[0] : undefined)
  const isInForce = branchType === "BASE" || trigger === "MERGED"
  return {
    id,
    eventId: event.id,
    changeId: data.changeId,
    definitionId: definition.id,
    kind: definition.kind,
    title: definition.title,
    visibility: definition.visibility,
    trigger,
    policyId: data.policyId,
    branchId,
    formalNoticeId: data.formalNoticeId,
    mediaType: "application/pdf",
    effectiveAt: event.timestamp,
    knownAt: event.recordedAt,
    createdAt: event.recordedAt,
    product: { id: product.productId, version: product.version },
    ...("template" in source
      ? { template: { id: source.template, version: source.version } }
      : { sourceFile: source.file }),
    ...(owed === undefined ? {} : { about: { owed } }),
    ...(isInForce ? { inForceAt, inForceKnownAt: event.recordedAt } : {}),
    ...(customerId === undefined ? {} : { customerId }),
    ...(assetId === undefined ? {} : { assetId }),
    ...(invoiceId === undefined ? {} : { invoiceId }),
    letters: lettersTo(definition, customerId, subjects.customers)
  }
}
