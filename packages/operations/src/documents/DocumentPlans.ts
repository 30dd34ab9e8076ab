/** Writes down which documents are due, by what happens. Nothing is rendered here: that takes its time. */
import type { PlannedDocument } from "@quittance/persistence/documents/DocumentRow"
import {
  definitionsOf,
  type DocumentOccasion,
  occasionOf
} from "@quittance/domain/documents/DocumentPlan"
import type { FeedEvent } from "@quittance/domain/events/Event"
import { AnyInvoiceId, BranchId, PolicyId } from "@quittance/domain/values/Ids"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { DocumentsRepo } from "@quittance/persistence/documents/DocumentsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import type { EventConsumer } from "../events/EventConsumers.ts"
import { PolicyReader } from "../policies/PolicyReader.ts"
import { asJob } from "./DocumentInputs.ts"

export class DocumentPlans extends Context.Service<DocumentPlans, EventConsumer>()(
  "@quittance/operations/DocumentPlans"
) {
  static readonly layer = Layer.effect(
    DocumentPlans,
    Effect.gen(function* () {
      const documents = yield* DocumentsRepo
      const ids = yield* Ids
      const invoices = yield* InvoicesRepo
      const reader = yield* PolicyReader

      const planned = Effect.fnUntraced(function* (
        event: FeedEvent,
        trigger: NonNullable<DocumentOccasion["makes"]>
      ) {
        const { branchId, policyId, ...data } = subjectOf(event.data)
        const invoiceId = data.invoiceId ?? data.creditNoteId
        // As it is now, without waiting for a command that holds the policy: what is shown is read later.
        const { branch, product } = yield* asJob(reader.readCovered({ policyId, branchId }))
        const definitions = definitionsOf(product, trigger, branch.branchType)
        if (definitions.length === 0) return []
        const invoice = invoiceId === undefined ? undefined : yield* invoices.find(invoiceId)
        return definitions.map(({ id, kind, source, title, visibility }): PlannedDocument => ({
          id: ids.next("document"),
          eventId: event.id,
          definitionId: id,
          kind,
          title,
          visibility,
          trigger,
          policyId,
          branchId: branch.id,
          mediaType: "application/pdf",
          effectiveAt: event.timestamp,
          knownAt: event.recordedAt,
          createdAt: event.recordedAt,
          product: { id: product.productId, version: product.version },
          template: { id: source.template, version: source.version },
          ...(invoice === undefined
            ? {}
            : { invoiceId: invoice.id, customerId: invoice.customerId })
        }))
      })

      const follow = Effect.fnUntraced(function* (event: FeedEvent, occasion: DocumentOccasion) {
        const { makes, outdates } = occasion
        const { branchId, policyId } = subjectOf(event.data)
        if (branchId !== undefined && outdates.length > 0) {
          yield* documents.outdate({ policyId, branchId }, outdates)
        }
        if (makes !== undefined) yield* documents.plan(yield* planned(event, makes))
      })

      const handle = Effect.fn("DocumentPlans.handle")(function* (
        events: ReadonlyArray<FeedEvent>
      ) {
        for (const event of events) {
          const occasion = occasionOf(event.type)
          if (occasion !== undefined) yield* follow(event, occasion)
        }
      })

      return DocumentPlans.of({ name: "documents", handle })
    })
  ).pipe(Layer.provide([DocumentsRepo.layer, InvoicesRepo.layer, PolicyReader.layer]))
}

/** The members of such an event's data, by their names. */
const subjectOf = Schema.decodeUnknownSync(
  Schema.Struct({
    policyId: PolicyId,
    branchId: Schema.optionalKey(BranchId),
    invoiceId: Schema.optionalKey(AnyInvoiceId),
    creditNoteId: Schema.optionalKey(AnyInvoiceId)
  })
)
