/** What becomes of documents: made, failed, tried again. Each step is by the table of transitions. */
import type {
  DocumentFailure,
  DocumentId,
  DocumentStatus
} from "@quittance/domain/documents/Document"
import { statesBefore } from "@quittance/domain/documents/DocumentTransitions"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { documentColumns, type StoredDocument, toStored } from "./DocumentRow.ts"

/** The bytes of a document that was made, and by what; a file of the product was not made here. */
export interface MadeDocument {
  readonly contentAddress: string
  readonly sha256: string
  readonly size: number
  readonly pages?: number | undefined
  readonly renderer?: string | undefined
}

/** A document as a step has left it, and whether it was this step that did. */
export interface SteppedDocument extends StoredDocument {
  readonly isNew: boolean
}

type Stepped = Effect.Effect<SteppedDocument | undefined, never, CurrentTenant>

export class DocumentStatesRepo extends Context.Service<
  DocumentStatesRepo,
  {
    /** Gives a document its bytes, where it waits for some. */
    finish(id: DocumentId, made: MadeDocument, now: Instant): Stepped
    /** Says why a document could not be made, where it waits to be. */
    fail(id: DocumentId, failure: DocumentFailure): Stepped
    /** Lets one that has failed wait to be made again. */
    retry(id: DocumentId): Stepped
    /** Withdraws one that says something wrong, with the reason. */
    takeBack(id: DocumentId, reason: string, now: Instant): Stepped
  }
>()("@quittance/persistence/DocumentStatesRepo") {
  static readonly layer = Layer.effect(
    DocumentStatesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = sql.literal(documentColumns)

      const find = Effect.fn("DocumentStatesRepo.find")(function* (id: DocumentId) {
        const [row] = yield* tenantSql.read(sql`
          SELECT ${columns} FROM document d
          WHERE d.tenant_id = ${yield* CurrentTenant} AND d.id = ${id}
        `)
        return row === undefined ? undefined : toStored(row)
      }, Effect.orDie)

      const step = Effect.fnUntraced(function* (
        id: DocumentId,
        from: ReadonlyArray<DocumentStatus>,
        change: Statement.Fragment
      ) {
        const [row] = yield* tenantSql.write(sql<object>`
          UPDATE document d SET ${change}
          WHERE d.tenant_id = ${yield* CurrentTenant} AND d.id = ${id}
            AND d.status = ANY (${[...from]})
          RETURNING ${columns}
        `)
        if (row !== undefined) return { ...toStored(row), isNew: true }
        const found = yield* find(id)
        return found === undefined ? undefined : { ...found, isNew: false }
      }, Effect.orDie)

      const finish = Effect.fn("DocumentStatesRepo.finish")(
        (id: DocumentId, made: MadeDocument, now: Instant) =>
          step(
            id,
            statesBefore("READY").filter((status) => status !== "QUARANTINED"),
            sql`status = 'READY', failure = NULL, content_address = ${made.contentAddress},
              sha256 = ${made.sha256}, size = ${made.size}, pages = ${made.pages ?? null},
              renderer = ${made.renderer ?? null}, ready_at = ${toDate(now)}`
          )
      )

      const fail = Effect.fn("DocumentStatesRepo.fail")(
        (id: DocumentId, failure: DocumentFailure) =>
          step(
            id,
            statesBefore("FAILED"),
            sql`status = 'FAILED', failure = ${PgTypes.jsonb(failure)}`
          )
      )

      const retry = Effect.fn("DocumentStatesRepo.retry")((id: DocumentId) =>
        step(id, statesBefore("PENDING"), sql`status = 'PENDING', failure = NULL`)
      )

      const takeBack = Effect.fn("DocumentStatesRepo.takeBack")(
        (id: DocumentId, reason: string, now: Instant) =>
          step(
            id,
            statesBefore("VOID"),
            sql`status = 'VOID', failure = NULL, voided_at = ${toDate(now)}, void_reason = ${reason}`
          )
      )

      return DocumentStatesRepo.of({ finish, fail, retry, takeBack })
    })
  )
}
