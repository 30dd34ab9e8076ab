/** The letters that ask for documents, until each has left: one of a request at most. */
import {
  DocumentRequestId,
  DocumentRequestStatus
} from "@quittance/domain/documents/requests/DocumentRequest"
import type { NotSentReason, UnsentLetter } from "@quittance/domain/documents/UnsentLetter"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dueLetters, pauseAfterClaim, pauseAfterFailure } from "../../access/LetterRetries.ts"
import { withoutNulls } from "../../sql/Rows.ts"
import { TenantSql } from "../../sql/TenantSql.ts"
import { unsentLetters } from "../UnsentLetters.ts"

/** A letter that is to be sent, of any tenant. */
const DueRequestLetter = Schema.Struct({ tenantId: TenantId, requestId: DocumentRequestId })
export type DueRequestLetter = typeof DueRequestLetter.Type

const Claimed = Schema.Struct({
  requestId: DocumentRequestId,
  /** How often it was given out to be sent, this time included. */
  attempts: Schema.Int,
  claim: Schema.String,
  status: DocumentRequestStatus,
  label: Schema.String,
  note: Schema.optionalKey(Schema.String),
  dueOn: Schema.optionalKey(LocalDate),
  /** Files that came for it and were rejected. */
  refusals: Schema.Int,
  /** The mailbox among whose letters it is counted; absent where it is among those of none. */
  countedFor: Schema.optionalKey(Schema.Uint8Array),
  /** The product asks, not a person who works on the policy. */
  isOfProduct: Schema.Boolean,
  name: Schema.optionalKey(Schema.String),
  /** Absent where it is not known. */
  email: Schema.optionalKey(Schema.String)
})
export type ClaimedRequestLetter = typeof Claimed.Type

const decode = Schema.decodeUnknownEffect(Claimed)
const decodeDue = Schema.decodeUnknownEffect(Schema.Array(DueRequestLetter))

export class DocumentRequestLettersRepo extends Context.Service<
  DocumentRequestLettersRepo,
  {
    /** Letters of all tenants that are due, each tenant's oldest first; not those of disabled tenants. */
    due(limit: number): Effect.Effect<ReadonlyArray<DueRequestLetter>>
    /**
     * Claims a letter for sending; `undefined` when it is not due, or another sender has it. It falls due
     * again by itself unless it is removed: so no letter is lost when its sender dies.
     */
    claim(
      id: DocumentRequestId
    ): Effect.Effect<ClaimedRequestLetter | undefined, never, CurrentTenant>
    /** Has a letter sent that asks for a document, once the transaction is committed. */
    write(id: DocumentRequestId): Effect.Effect<void, never, CurrentTenant>
    /** Removes a letter that was sent, or is not wanted. */
    remove(letter: ClaimedRequestLetter): Effect.Effect<void, never, CurrentTenant>
    /** Keeps among the letters of which mailbox a letter is counted. */
    count(
      letter: ClaimedRequestLetter,
      mailbox: Uint8Array
    ): Effect.Effect<void, never, CurrentTenant>
    /** Lets a letter that was not sent be tried again after its pause, or no more where it has a reason. */
    fail(
      letter: ClaimedRequestLetter,
      notSent: NotSentReason | undefined
    ): Effect.Effect<void, never, CurrentTenant>
    /** Forgets that the letter of a request was not sent, since the request takes no file any more. */
    forget(id: DocumentRequestId): Effect.Effect<void, never, CurrentTenant>
    /** Those of a request that have not left. */
    list(
      id: DocumentRequestId,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<UnsentLetter>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/DocumentRequestLettersRepo") {
  static readonly layer = Layer.effect(
    DocumentRequestLettersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const due = Effect.fn("DocumentRequestLettersRepo.due")(function* (limit: number) {
        const rows = yield* tenantSql.unscoped(
          "document_request_letter",
          dueLetters(sql, "document_request_letter", "request_id", limit)
        )
        return yield* decodeDue(rows)
      }, Effect.orDie)

      const claim = Effect.fn("DocumentRequestLettersRepo.claim")(function* (
        id: DocumentRequestId
      ) {
        const [row] = yield* tenantSql.write(sql`
          UPDATE document_request_letter l SET attempts = l.attempts + 1,
            due_at = clock_timestamp() + ${pauseAfterClaim(sql, sql`l.attempts`)}
          FROM document_request r
          JOIN customer c ON c.tenant_id = r.tenant_id AND c.id = r.customer_id
          WHERE l.tenant_id = ${yield* CurrentTenant} AND l.request_id = ${id}
            AND l.due_at <= clock_timestamp() AND r.tenant_id = l.tenant_id AND r.id = l.request_id
          RETURNING l.request_id, l.attempts, l.due_at::text AS claim, r.status, r.label, r.note,
            r.due_on::text AS due_on, r.refusals, l.counted_for,
            r.author_id IS NULL AS is_of_product, c.name, c.email
        `)
        return row === undefined ? undefined : yield* decode(withoutNulls(row))
      }, Effect.orDie)

      const write = Effect.fn("DocumentRequestLettersRepo.write")(function* (
        id: DocumentRequestId
      ) {
        yield* tenantSql.write(sql`
          INSERT INTO document_request_letter (tenant_id, request_id)
          VALUES (${yield* CurrentTenant}, ${id})
          ON CONFLICT (tenant_id, request_id) DO UPDATE
          SET due_at = clock_timestamp(), attempts = 0, not_sent = NULL, counted_for = NULL
        `)
      }, Effect.orDie)

      const mine = Effect.fnUntraced(function* ({ claim, requestId }: ClaimedRequestLetter) {
        return sql`tenant_id = ${yield* CurrentTenant} AND request_id = ${requestId}
          AND due_at = ${claim}::timestamptz`
      })

      const remove = Effect.fn("DocumentRequestLettersRepo.remove")(function* (
        letter: ClaimedRequestLetter
      ) {
        yield* tenantSql.write(
          sql`DELETE FROM document_request_letter WHERE ${yield* mine(letter)}`
        )
      }, Effect.orDie)

      const count = Effect.fn("DocumentRequestLettersRepo.count")(function* (
        letter: ClaimedRequestLetter,
        mailbox: Uint8Array
      ) {
        yield* tenantSql.write(sql`
          UPDATE document_request_letter SET counted_for = ${mailbox} WHERE ${yield* mine(letter)}
        `)
      }, Effect.orDie)

      const fail = Effect.fn("DocumentRequestLettersRepo.fail")(function* (
        letter: ClaimedRequestLetter,
        notSent: NotSentReason | undefined
      ) {
        const change =
          notSent === undefined
            ? sql`due_at = clock_timestamp() + ${pauseAfterFailure(sql, sql`attempts`)}`
            : sql`due_at = 'infinity', not_sent = ${notSent}, counted_for = NULL`
        yield* tenantSql.write(
          sql`UPDATE document_request_letter SET ${change} WHERE ${yield* mine(letter)}`
        )
      }, Effect.orDie)

      const forget = Effect.fn("DocumentRequestLettersRepo.forget")(function* (
        id: DocumentRequestId
      ) {
        // One that waits may be with its sender, who removes it; waiting for them here could be in vain.
        yield* tenantSql.write(sql`
          DELETE FROM document_request_letter WHERE tenant_id = ${yield* CurrentTenant}
            AND request_id = ${id} AND due_at = 'infinity'
        `)
      }, Effect.orDie)

      const list = Effect.fn("DocumentRequestLettersRepo.list")(function* (
        id: DocumentRequestId,
        page: PageRequest
      ) {
        const found = sql`FROM document_request_letter l JOIN document_request r
          ON r.tenant_id = l.tenant_id AND r.id = l.request_id
          WHERE l.tenant_id = ${yield* CurrentTenant} AND l.request_id = ${id}`
        return yield* unsentLetters({ sql, tenantSql }, found, page)
      }, Effect.orDie)

      return DocumentRequestLettersRepo.of({ due, claim, write, remove, count, fail, forget, list })
    })
  )
}
