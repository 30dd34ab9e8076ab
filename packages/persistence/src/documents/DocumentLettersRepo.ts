/** The letters with links to documents, until each has left: a letter has the identifier of its link. */
import { DocumentId } from "@quittance/domain/documents/Document"
import { DocumentLinkId } from "@quittance/domain/documents/DocumentLink"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { CustomerId } from "@quittance/domain/values/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dueLetters, pauseAfterClaim, pauseAfterFailure } from "../access/LetterRetries.ts"
import { TenantSql } from "../sql/TenantSql.ts"

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
    /** Lets a letter that was not sent be tried again after its pause, or no more. */
    fail(
      letter: ClaimedDocumentLetter,
      options: { readonly giveUp: boolean }
    ): Effect.Effect<void, never, CurrentTenant>
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
          FROM customer c
          WHERE l.tenant_id = ${tenantId} AND l.id = ${id} AND l.due_at <= clock_timestamp()
            AND c.tenant_id = l.tenant_id AND c.id = l.customer_id
          RETURNING l.id, l.document_id, l.customer_id, c.name, c.email, l.attempts,
            l.due_at::text AS claim
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

      const fail = Effect.fn("DocumentLettersRepo.fail")(function* (
        letter: ClaimedDocumentLetter,
        { giveUp }: { readonly giveUp: boolean }
      ) {
        // What the law wants sent is never dropped: what is not tried again stays, and is counted as failed.
        const again = giveUp
          ? sql`'infinity'`
          : sql`clock_timestamp() + ${pauseAfterFailure(sql, sql`attempts`)}`
        yield* tenantSql.write(sql`
          UPDATE document_letter SET due_at = ${again} WHERE ${yield* mine(letter)}
        `)
      }, Effect.orDie)

      return DocumentLettersRepo.of({ due, claim, remove, fail })
    })
  )
}
