/** What proves that customers have their documents: their own reads, and what others have handed over. */
import type { Delivery, DeliveryChannel, HandingLevel } from "@quittance/domain/documents/Delivery"
import {
  type Document,
  type DocumentId,
  type DocumentNotFound,
  DocumentNotReady
} from "@quittance/domain/documents/Document"
import { documentOpened } from "@quittance/domain/documents/DocumentEvents"
import type { RecordDelivery } from "@quittance/domain/documents/DocumentRequests"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { UnsentLetter } from "@quittance/domain/documents/UnsentLetter"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidEffectiveDate,
  InvalidReference
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { CustomerId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import * as Page from "@quittance/domain/values/Page"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { DeliveriesRepo } from "@quittance/persistence/documents/DeliveriesRepo"
import { DocumentLettersRepo } from "@quittance/persistence/documents/DocumentLettersRepo"
import { DocumentLinksRepo } from "@quittance/persistence/documents/DocumentLinksRepo"
import { DocumentsRepo } from "@quittance/persistence/documents/DocumentsRepo"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { type Actor, requestActor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { DocumentBytes, type FixedDocument, type WithoutBytes } from "./DocumentBytes.ts"

type Asked = CurrentTenant | CurrentCaller
type Scoped = Asked | CurrentRequest
type Written<E = never> = E | Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused | WithoutBytes

/** What was done with the bytes of a document, for which customer. */
export interface Handing {
  readonly customerId: CustomerId
  readonly channel: DeliveryChannel
  readonly level: HandingLevel
  /** Now unless it is said. */
  readonly at?: Instant | undefined
}

/** Who has done it, and from where. */
export interface HandedBy {
  readonly actor: Pick<Actor, "id" | "kind">
  readonly address?: string | undefined
  readonly userAgent?: string | undefined
}

export class Deliveries extends Context.Service<
  Deliveries,
  {
    /** Keeps that a customer has read a document themselves; of others nothing. */
    opened(document: FixedDocument["document"]): Effect.Effect<void, never, Scoped>
    /**
     * Adds a proof, or that a link was sent, in the transaction of whatever has handed the document over: a ceremony of signatures, a
     * letter that was sent. Answers it, and `undefined` where a customer does again what they have done.
     */
    prove(
      document: FixedDocument["document"],
      handing: Handing,
      by: HandedBy
    ): Effect.Effect<Delivery | undefined, never, CurrentTenant>
    /** Records that a document was handed over otherwise. One that waits to be made is made first. */
    record(
      id: DocumentId,
      input: RecordDelivery
    ): Effect.Effect<Delivery, Written<InvalidEffectiveDate | InvalidReference>, Scoped>
    /** The customer says that they have a document. Those who work on the policy can't say so for them. */
    acknowledge(id: DocumentId): Effect.Effect<Document, Written, Scoped>
    /** Those of a document, the latest first. */
    list(
      id: DocumentId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Delivery>, Forbidden | WithoutBytes, Asked>
    /** Letters with a link to a document that have not left, and why. */
    unsent(
      id: DocumentId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<UnsentLetter>, Forbidden | DocumentNotFound, Asked>
  }
>()("@quittance/operations/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const bytes = yield* DocumentBytes
      const clock = yield* TenantClockRepo
      const command = yield* Command
      const documents = yield* DocumentsRepo
      const events = yield* EventsRepo
      const grants = yield* GrantsRepo
      const ids = yield* Ids
      const letters = yield* DocumentLettersRepo
      const links = yield* DocumentLinksRepo
      const repo = yield* DeliveriesRepo
      const tenantSql = yield* TenantSql

      const prove: Deliveries["Service"]["prove"] = Effect.fn("Deliveries.prove")(function* (
        document,
        { at, ...handing },
        { actor, address, userAgent }
      ) {
        const { now } = yield* clock.read
        const delivery: Delivery = {
          id: ids.next("delivery"),
          documentId: document.id,
          sha256: document.sha256,
          ...handing,
          at: at ?? now,
          recordedAt: now,
          actor: { kind: actor.kind, id: actor.id },
          ...(address === undefined ? {} : { address }),
          ...(userAgent === undefined ? {} : { userAgent })
        }
        if (!(yield* repo.insert(delivery))) return undefined
        if (handing.level === "OPENED") {
          yield* events.insertOfRecords([documentOpened(document, handing.customerId)])
        }
        return delivery
      }, tenantSql.transaction)

      const byCaller = Effect.gen(function* () {
        const { address, userAgent } = yield* CurrentRequest
        return { actor: yield* requestActor, address, userAgent }
      })

      const opened = Effect.fn("Deliveries.opened")(function* (
        document: FixedDocument["document"]
      ) {
        // A file that people have added is no paper that they have to be given.
        if (document.origin === "UPLOADED") return
        const customerId = yield* repo.readerOf(document.id)
        if (customerId === undefined || (yield* repo.hasOpened(document.id, customerId))) return
        const handing = { customerId, channel: "SCREEN", level: "OPENED" } as const
        yield* prove(document, handing, yield* byCaller)
      })

      const record = Effect.fn("Deliveries.record")(function* (
        id: DocumentId,
        { at, channel, customerId }: RecordDelivery
      ) {
        const { document } = yield* bytes.ofCommand(
          yield* documents.authorize("document.write", id)
        )
        return yield* command.run({
          authorize: documents.authorize("document.write", id),
          decide: Effect.fnUntraced(function* () {
            const { now } = yield* clock.read
            const earliest = document.readyAt ?? document.createdAt
            if (at !== undefined && (at < earliest || at > now)) {
              return yield* new InvalidEffectiveDate({ field: "at", earliest, latest: now })
            }
            if (!(yield* repo.isOn(customerId, document.policyId))) {
              const expected = "a customer of the document's policy"
              return yield* new InvalidReference({
                field: "customerId",
                value: customerId,
                expected
              })
            }
            const isLink = channel === "LINK"
            if (isLink && !(yield* links.isMadeFor(customerId, id, at ?? now))) {
              const expected =
                "a customer for whom a link of the document was made by then: POST /documents/{documentId}/links with their customerId"
              return yield* new InvalidReference({
                field: "customerId",
                value: customerId,
                expected
              })
            }
            const level = isLink ? "SENT" : "DELIVERED"
            const handing = { customerId, channel, level, at } as const
            const delivery = (yield* prove(document, handing, yield* byCaller))!
            yield* audit.record({
              action: "document.deliver",
              recordId: id,
              after: delivery,
              detail: { deliveryId: delivery.id, sha256: delivery.sha256 }
            })
            return delivery
          })
        })
      })

      const acknowledge = Effect.fn("Deliveries.acknowledge")(function* (id: DocumentId) {
        const found = yield* documents.authorize("document.read", id)
        const customerId = yield* repo.readerOf(id)
        if (customerId === undefined) return yield* grants.refuse("document.read")
        const { document } = yield* bytes.ofCommand(found)
        return yield* command.run({
          authorize: documents.authorize("document.read", id),
          decide: Effect.fnUntraced(function* (stored) {
            const { status } = stored.document
            if (status !== "READY") return yield* new DocumentNotReady({ status })
            const handing = { customerId, channel: "SCREEN", level: "ACKNOWLEDGED" } as const
            const delivery = yield* prove(document, handing, yield* byCaller)
            if (delivery !== undefined) {
              yield* audit.record({
                action: "document.acknowledge",
                recordId: id,
                after: delivery,
                detail: { deliveryId: delivery.id, sha256: delivery.sha256 }
              })
            }
            return stored.document
          })
        })
      })

      const list = Effect.fn("Deliveries.list")(function* (id: DocumentId, page: Page.PageRequest) {
        yield* documents.authorize("internalDocument.read", id)
        const { rows, total } = yield* repo.list(id, page)
        return Page.make(rows, total, page)
      })

      const unsent = Effect.fn("Deliveries.unsent")(function* (
        id: DocumentId,
        page: Page.PageRequest
      ) {
        yield* documents.authorize("internalDocument.read", id)
        const { rows, total } = yield* letters.list(id, page)
        return Page.make(rows, total, page)
      })

      return Deliveries.of({ opened, prove, record, acknowledge, list, unsent })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      DeliveriesRepo.layer,
      DocumentBytes.layer,
      DocumentLettersRepo.layer,
      DocumentLinksRepo.layer,
      DocumentsRepo.layer,
      EventsRepo.layer,
      GrantsRepo.layer,
      TenantClockRepo.layer
    ])
  )
}
