/** What customers are asked to bring: by hand, listed, cancelled. */
import { requestHappening } from "@quittance/domain/documents/DocumentRequestEvents"
import {
  type AskForDocument,
  type DocumentRequest,
  DocumentRequestClosed,
  type DocumentRequestFilter,
  type DocumentRequestId,
  DocumentRequestNotFound
} from "@quittance/domain/documents/requests/DocumentRequest"
import type { UnsentLetter } from "@quittance/domain/documents/UnsentLetter"
import type { PolicyNotFound } from "@quittance/domain/policies/Policy"
import { otherKind } from "@quittance/domain/products/documents/DocumentDefinition"
import type { Product } from "@quittance/domain/products/Product"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidReference
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { PolicyId } from "@quittance/domain/values/Ids"
import * as Page from "@quittance/domain/values/Page"
import { DeliveriesRepo } from "@quittance/persistence/documents/DeliveriesRepo"
import { DocumentRequestLettersRepo } from "@quittance/persistence/documents/requests/DocumentRequestLettersRepo"
import { DocumentRequestsRepo } from "@quittance/persistence/documents/requests/DocumentRequestsRepo"
import { type AuthorizedPolicy, PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer } from "effect"
import { PolicyReader } from "../../policies/PolicyReader.ts"
import { requestActor } from "../../requests/Actor.ts"
import { AuditTrail } from "../../requests/AuditTrail.ts"
import { Command } from "../../requests/Command.ts"

type Asked = CurrentTenant | CurrentCaller
type Scoped = Asked | CurrentRequest
type Refused = Forbidden | PolicyNotFound | UserNotFound
type Written<E> = E | IdempotencyKeyInUse | IdempotencyKeyReused | Refused

export class DocumentRequests extends Context.Service<
  DocumentRequests,
  {
    /** Asks a customer of a policy for a document: by a letter with a link that takes one file. */
    open(
      policyId: PolicyId,
      input: AskForDocument
    ): Effect.Effect<DocumentRequest, Written<InvalidReference>, Scoped>
    /** The requests of a policy that the caller may see, the latest first. */
    list(
      policyId: PolicyId,
      filter: DocumentRequestFilter,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<DocumentRequest>, Refused, Asked>
    /** The letter of a request where it has not left, and why. */
    unsent(
      id: DocumentRequestId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<UnsentLetter>, DocumentRequestNotFound | Refused, Asked>
    /** Ends a request that is not fulfilled. A file that has come for it stays on the policy. */
    cancel(
      id: DocumentRequestId
    ): Effect.Effect<
      DocumentRequest,
      Written<DocumentRequestClosed | DocumentRequestNotFound>,
      Scoped
    >
  }
>()("@quittance/operations/DocumentRequests") {
  static readonly layer = Layer.effect(
    DocumentRequests,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const command = yield* Command
      const events = yield* EventsRepo
      const ids = yield* Ids
      const letters = yield* DocumentRequestLettersRepo
      const members = yield* DeliveriesRepo
      const policies = yield* PoliciesRepo
      const reader = yield* PolicyReader
      const repo = yield* DocumentRequestsRepo

      const add = Effect.fnUntraced(function* (
        { head, now }: AuthorizedPolicy,
        input: AskForDocument
      ) {
        const { product } = yield* Effect.orDie(reader.readCovered({ policyId: head.id }))
        const label = yield* labelOf(product, input)
        const { customerId } = input
        if (!(yield* members.isOn(customerId, head.id))) {
          const expected = "a customer on the policy"
          return yield* new InvalidReference({ field: "customerId", value: customerId, expected })
        }
        const { id, kind } = yield* requestActor
        const request = {
          id: ids.next("document_request"),
          policyId: head.id,
          ...input,
          label,
          author: { kind, id },
          createdAt: now
        }
        yield* repo.insert(request)
        yield* letters.write(request.id)
        const after: DocumentRequest = { ...request, status: "OPEN" }
        yield* audit.record({
          action: "document_request.open",
          recordId: request.id,
          after,
          detail: { policyId: head.id }
        })
        yield* events.insertOfRecords([requestHappening("document_request.opened", after)])
        return after
      })

      const open = Effect.fn("DocumentRequests.open")((policyId: PolicyId, input: AskForDocument) =>
        command.run({
          authorize: policies.authorize("document.write", policyId, { lock: true }),
          decide: (policy) => add(policy, input)
        })
      )

      const list = Effect.fn("DocumentRequests.list")(function* (
        policyId: PolicyId,
        filter: DocumentRequestFilter,
        page: Page.PageRequest
      ) {
        yield* policies.authorize("document.read", policyId)
        const { rows, total } = yield* repo.list(policyId, filter, page)
        return Page.make(rows, total, page)
      })

      const find = Effect.fnUntraced(function* (id: DocumentRequestId) {
        const found = yield* repo.find(id)
        return found ?? (yield* new DocumentRequestNotFound({ documentRequestId: id }))
      })

      const unsent = Effect.fn("DocumentRequests.unsent")(function* (
        id: DocumentRequestId,
        page: Page.PageRequest
      ) {
        const { policyId } = yield* find(id)
        yield* policies.authorize("internalDocument.read", policyId)
        const { rows, total } = yield* letters.list(id, page)
        return Page.make(rows, total, page)
      })

      const cancel = Effect.fn("DocumentRequests.cancel")((id: DocumentRequestId) =>
        command.run({
          authorize: Effect.flatMap(find(id), ({ policyId }) =>
            policies.authorize("document.write", policyId, { lock: true })
          ),
          decide: Effect.fnUntraced(function* ({ head, now }) {
            // It was found, and requests are never deleted.
            const before = (yield* repo.hold(id))!
            if (before.status !== "OPEN" && before.status !== "RECEIVED") {
              return yield* new DocumentRequestClosed({ status: before.status })
            }
            yield* repo.cancel(id, now)
            yield* letters.forget(id)
            const after: DocumentRequest = { ...before, status: "CANCELLED", cancelledAt: now }
            yield* audit.record({
              action: "document_request.cancel",
              recordId: id,
              before,
              after,
              detail: { policyId: head.id }
            })
            yield* events.insertOfRecords([requestHappening("document_request.cancelled", after)])
            return after
          })
        })
      )

      return DocumentRequests.of({ open, list, unsent, cancel })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      DeliveriesRepo.layer,
      DocumentRequestLettersRepo.layer,
      DocumentRequestsRepo.layer,
      EventsRepo.layer,
      PoliciesRepo.layer,
      PolicyReader.layer
    ])
  )
}

/** What the customer reads that they are asked for: the product's words, or of `OTHER` the note. */
const labelOf = (
  { requestedDocuments = [] }: Product,
  { kind, note }: AskForDocument
): Effect.Effect<string, InvalidReference> => {
  if (kind === otherKind) {
    const expected = "what the document is, since its kind is OTHER"
    return note === undefined
      ? Effect.fail(new InvalidReference({ field: "note", value: "", expected }))
      : Effect.succeed(note)
  }
  const asked = requestedDocuments.find((one) => one.kind === kind)
  const kinds = [...requestedDocuments.map((one) => one.kind), otherKind].join(", ")
  return asked === undefined
    ? Effect.fail(
        new InvalidReference({ field: "kind", value: kind, expected: `one of: ${kinds}` })
      )
    : Effect.succeed(asked.label)
}
