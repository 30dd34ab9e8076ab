/** The letters with links to documents, until each has left: a letter has the identifier of its link. */
import { DocumentId } from "@quittance/domain/documents/Document"
import { DocumentLinkId } from "@quittance/domain/documents/DocumentLink"
import type { NotSentReason, UnsentLetter } from "@quittance/domain/documents/UnsentLetter"
import { DocumentTrigger } from "@quittance/domain/products/documents/DocumentDefinition"
import { BranchType } from "@quittance/domain/products/ProductTerms"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { CustomerId } from "@quittance/domain/values/Ids"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dueLetters, pauseAfterClaim, pauseAfterFailure } from "../access/LetterRetries.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unsentLetters } from "./UnsentLetters.ts"

/** A letter that is to be sent, of any tenant. */
const DueDocumentLetter = Schema.Struct({ tenantId: TenantId, id: DocumentLinkId })
export type DueDocumentLetter = typeof DueDocumentLetter.Type

const Claimed = Schema.Struct({
  id: DocumentLinkId,
  documentId: DocumentId,
  customerId: CustomerId,
  /** The customer's, as they are now. */
  name: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  /** What its document was made for, on which branch. */
  trigger: DocumentTrigger,
  branchType: BranchType,
  /** The mailbox among whose letters it is counted; absent where it is among those of none. */
  countedFor: Schema.NullOr(Schema.Uint8Array),
  /** How often it was given out to be sent, this time included. */
  attempts: Schema.Int,
  claim: Schema.String
})
export type ClaimedDocumentLetter = typeof Claimed.Type

const decode = Schema.decodeUnknownEffect(Claimed)
const decodeDue = Schema.decodeUnknownEffect(Schema.Array(DueDocumentLetter))

export class DocumentLettersRepo extends Context.Service<
  DocumentLettersRepo,
  {
    /** Letters of all tenants that are due, each tenant's oldest first; not those of disabled tenants. */
    due(limit: number): Effect.Effect<ReadonlyArray<DueDocumentLetter>>
    /**
     * Claims a letter for sending; `undefined` when it is not due, or another sender has it. It falls due
     * again by itself unless it is removed: so no letter is lost when its sender dies.
     */
    claim(
      id: DocumentLinkId
    ): Effect.Effect<ClaimedDocumentLetter | undefined, never, CurrentTenant>
    /** Removes a letter; `false` where another sender has claimed it since. */
    remove(letter: ClaimedDocumentLetter): Effect.Effect<boolean, never, CurrentTenant>
    /** Keeps among the letters of which mailbox a letter is counted. */
    count(
      letter: ClaimedDocumentLetter,
      mailbox: Uint8Array
    ): Effect.Effect<void, never, CurrentTenant>
    /** Lets a letter that was not sent be tried again after its pause, or no more where it has a reason. */
    fail(
      letter: ClaimedDocumentLetter,
      notSent: NotSentReason | undefined
    ): Effect.Effect<void, never, CurrentTenant>
    /** Those of a document that have not left, in the order in which they were written down. */
    list(
      documentId: DocumentId,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<UnsentLetter>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/DocumentLettersRepo") {
  static readonly layer = Layer.effect(
    DocumentLettersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const due = Effect.fn("DocumentLettersRepo.due")(function* (limit: number) {
        const rows = yield* tenantSql.unscoped(
          "document_letter",
          dueLetters(sql, "document_letter", "id", limit)
        )
        return yield* decodeDue(rows)
      }, Effect.orDie)

      const claim = Effect.fn("DocumentLettersRepo.claim")(function* (id: DocumentLinkId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          UPDATE document_letter l SET attempts = attempts + 1,
            due_at = clock_timestamp() + ${pauseAfterClaim(sql, sql`attempts`)}
          FROM customer c, document d
          JOIN branch b ON b.tenant_id = d.tenant_id AND b.policy_id = d.policy_id
            AND b.id = d.branch_id
          WHERE l.tenant_id = ${tenantId} AND l.id = ${id} AND l.due_at <= clock_timestamp()
            AND c.tenant_id = l.tenant_id AND c.id = l.customer_id
            AND d.tenant_id = l.tenant_id AND d.id = l.document_id
          RETURNING l.id, l.document_id, l.customer_id, c.name, c.email, d.trigger, b.branch_type,
            l.counted_for, l.attempts, l.due_at::text AS claim
        `)
        return row === undefined ? undefined : yield* decode(row)
      }, Effect.orDie)

      const mine = Effect.fnUntraced(function* ({ claim: claimed, id }: ClaimedDocumentLetter) {
        return sql`tenant_id = ${yield* CurrentTenant} AND id = ${id}
          AND due_at = ${claimed}::timestamptz`
      })

      const remove = Effect.fn("DocumentLettersRepo.remove")(function* (
        letter: ClaimedDocumentLetter
      ) {
        const removed = yield* tenantSql.write(
          sql`DELETE FROM document_letter WHERE ${yield* mine(letter)} RETURNING id`
        )
        return removed.length > 0
      }, Effect.orDie)

      const count = Effect.fn("DocumentLettersRepo.count")(function* (
        letter: ClaimedDocumentLetter,
        mailbox: Uint8Array
      ) {
        yield* tenantSql.write(
          sql`UPDATE document_letter SET counted_for = ${mailbox} WHERE ${yield* mine(letter)}`
        )
      }, Effect.orDie)

      const fail = Effect.fn("DocumentLettersRepo.fail")(function* (
        letter: ClaimedDocumentLetter,
        notSent: NotSentReason | undefined
      ) {
        // What the law wants sent is never dropped: what is not tried again stays, and is shown.
        const change =
          notSent === undefined
            ? sql`due_at = clock_timestamp() + ${pauseAfterFailure(sql, sql`attempts`)}`
            : sql`due_at = 'infinity', not_sent = ${notSent}, counted_for = NULL`
        yield* tenantSql.write(
          sql`UPDATE document_letter SET ${change} WHERE ${yield* mine(letter)}`
        )
      }, Effect.orDie)

      const list = Effect.fn("DocumentLettersRepo.list")(function* (
        documentId: DocumentId,
        page: PageRequest
      ) {
        const found = sql`FROM document_letter
          WHERE tenant_id = ${yield* CurrentTenant} AND document_id = ${documentId}`
        return yield* unsentLetters({ sql, tenantSql }, found, page)
      }, Effect.orDie)

      return DocumentLettersRepo.of({ due, claim, remove, count, fail, list })
    })
  )
}
