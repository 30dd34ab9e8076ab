/** Asks customers for what the product needs of them, when a branch comes to the step before; and no longer. */
import { requestHappening } from "@quittance/domain/documents/DocumentRequestEvents"
import type { DocumentRequest } from "@quittance/domain/documents/requests/DocumentRequest"
import {
  concernsRequests,
  type NeededDocument,
  neededDocuments,
  sendsLetter,
  toAsk,
  toCancel
} from "@quittance/domain/documents/requests/RequestPlan"
import type { FeedEvent } from "@quittance/domain/events/Event"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  DocumentRequestsRepo,
  type NewDocumentRequest
} from "@quittance/persistence/documents/requests/DocumentRequestsRepo"
import { DocumentRequestLettersRepo } from "@quittance/persistence/documents/requests/DocumentRequestLettersRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../../requests/Actor.ts"
import { AuditTrail } from "../../requests/AuditTrail.ts"
import { DocumentConditions } from "../DocumentConditions.ts"
import { dataOf, type DocumentFacts } from "../DocumentFacts.ts"

export class RequestPlans extends Context.Service<
  RequestPlans,
  {
    /** Has requests arise from an event, each once however often it is told; and ends those of no use. */
    follow(event: FeedEvent, about: DocumentFacts): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/RequestPlans") {
  static readonly layer = Layer.effect(
    RequestPlans,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const conditions = yield* DocumentConditions
      const events = yield* EventsRepo
      const ids = yield* Ids
      const letters = yield* DocumentRequestLettersRepo
      const policies = yield* PoliciesRepo
      const repo = yield* DocumentRequestsRepo

      const isNeeded = ({ data, recordedAt, timestamp }: FeedEvent, about: DocumentFacts) => {
        const source = {
          kind: "OTHER",
          title: about.product.name,
          policyId: dataOf(data).policyId,
          branchId: about.branchId,
          trigger: "QUOTED",
          effectiveAt: timestamp,
          knownAt: recordedAt
        } as const
        return ({ definition }: NeededDocument) => conditions.hold(definition, source)
      }

      const told = Effect.fnUntraced(function* (
        kind: "document_request.cancelled" | "document_request.opened",
        after: DocumentRequest
      ) {
        const action =
          kind === "document_request.opened" ? "document_request.open" : "document_request.cancel"
        yield* audit.recordAll(plans, [{ action, recordId: after.id, after }])
        yield* events.insertOfRecords([requestHappening(kind, after)])
      })

      const ask = Effect.fnUntraced(function* (
        event: FeedEvent,
        { branchId }: DocumentFacts,
        { customerId, definition: { kind, label } }: NeededDocument
      ) {
        const request: NewDocumentRequest = {
          id: ids.next("document_request"),
          policyId: dataOf(event.data).policyId,
          branchId,
          customerId,
          kind,
          label,
          createdAt: event.recordedAt
        }
        if (!(yield* repo.insert(request))) return
        if (sendsLetter(event.type)) yield* letters.write(request.id)
        yield* told("document_request.opened", { ...request, status: "OPEN" })
      })

      const cancel = Effect.fnUntraced(function* (event: FeedEvent, request: DocumentRequest) {
        yield* repo.cancel(request.id, event.recordedAt)
        yield* letters.forget(request.id)
        yield* told("document_request.cancelled", {
          ...request,
          status: "CANCELLED",
          cancelledAt: event.recordedAt
        })
      })

      const follow = Effect.fn("RequestPlans.follow")(function* (
        event: FeedEvent,
        about: DocumentFacts
      ) {
        const { branchId, branchType, product, subjects } = about
        // What is merged is recorded on the base branch, where nothing is sold.
        if (!concernsRequests(event.type) || branchType === "BASE") return
        if (product.requestedDocuments === undefined) return
        const { policyId } = dataOf(event.data)
        // Writers hold a policy before its requests: so does this, or the two could wait for each other.
        yield* policies.settled([policyId])
        const needed =
          event.type === "branch.invalidated"
            ? []
            : yield* Effect.filter(neededDocuments(product, subjects), isNeeded(event, about))
        const open = yield* repo.holdOpenOf(branchId)
        yield* Effect.forEach(toCancel(needed, open), (one) => cancel(event, one), {
          discard: true
        })
        const requests = yield* repo.ofPolicy(policyId)
        const due = toAsk(event.type, needed, requests)
        yield* Effect.forEach(due, (one) => ask(event, about, one), { discard: true })
      })

      return RequestPlans.of({ follow })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      DocumentConditions.layer,
      DocumentRequestLettersRepo.layer,
      DocumentRequestsRepo.layer,
      EventsRepo.layer,
      PoliciesRepo.layer
    ])
  )
}

/** The job, as the audit trail names it. */
const plans: Actor = { kind: "JOB", id: "document-requests", requestId: "document-requests" }
