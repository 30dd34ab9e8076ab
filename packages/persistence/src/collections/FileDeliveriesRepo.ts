/** Files that are on their way to a folder of their bank. */
import { PaymentFileId } from "@quittance/domain/collections/PaymentFile"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dueLetters, pauseAfterClaim } from "../access/LetterRetries.ts"
import { TenantSql } from "../sql/TenantSql.ts"

/** A file that is to be delivered, of any tenant. */
const DueDelivery = Schema.Struct({ tenantId: TenantId, paymentFileId: PaymentFileId })
export type DueDelivery = typeof DueDelivery.Type
const decode = Schema.decodeUnknownEffect(Schema.Array(DueDelivery))

export class FileDeliveriesRepo extends Context.Service<
  FileDeliveriesRepo,
  {
    /** Has a file delivered. */
    put(id: PaymentFileId): Effect.Effect<void, never, CurrentTenant>
    /** Files of all tenants that are due, each tenant's oldest first; not those of disabled tenants. */
    due(limit: number): Effect.Effect<ReadonlyArray<DueDelivery>>
    /** Takes one for a while, longer after each time; whether it is due and no other worker has it. */
    claim(id: PaymentFileId): Effect.Effect<boolean, never, CurrentTenant>
    /** Which copy may be released; `undefined` while none may. */
    token(id: PaymentFileId): Effect.Effect<string | undefined, never, CurrentTenant>
    /** Lets one copy be released, within the transaction that says that the file is being delivered. */
    release(id: PaymentFileId, token: string): Effect.Effect<void, never, CurrentTenant>
    /** Ends a delivery. */
    remove(id: PaymentFileId): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/FileDeliveriesRepo") {
  static readonly layer = Layer.effect(
    FileDeliveriesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const of = Effect.fnUntraced(function* (id: PaymentFileId) {
        return sql`tenant_id = ${yield* CurrentTenant} AND payment_file_id = ${id}`
      })

      const put = Effect.fn("FileDeliveriesRepo.put")(function* (id: PaymentFileId) {
        yield* tenantSql.write(sql`
          INSERT INTO file_delivery (tenant_id, payment_file_id)
          VALUES (${yield* CurrentTenant}, ${id}) ON CONFLICT DO NOTHING
        `)
      }, Effect.orDie)

      const due = Effect.fn("FileDeliveriesRepo.due")(function* (limit: number) {
        const rows = yield* tenantSql.unscoped(
          "file_delivery",
          dueLetters(sql, "file_delivery", "payment_file_id", limit)
        )
        return yield* decode(rows)
      }, Effect.orDie)

      const claim = Effect.fn("FileDeliveriesRepo.claim")(function* (id: PaymentFileId) {
        const rows = yield* tenantSql.write(sql`
          UPDATE file_delivery SET attempts = least(attempts + 1, ${mostCounted}),
            due_at = clock_timestamp() + ${pauseAfterClaim(sql, sql`attempts`)}
          WHERE ${yield* of(id)} AND due_at <= clock_timestamp() RETURNING attempts
        `)
        return rows.length > 0
      }, Effect.orDie)

      const token = Effect.fn("FileDeliveriesRepo.token")(function* (id: PaymentFileId) {
        const [row] = yield* tenantSql.read(sql<{ readonly token: string | null }>`
          SELECT token FROM file_delivery WHERE ${yield* of(id)}
        `)
        return row?.token ?? undefined
      }, Effect.orDie)

      const release = Effect.fn("FileDeliveriesRepo.release")(function* (
        id: PaymentFileId,
        copy: string
      ) {
        yield* tenantSql.write(sql`UPDATE file_delivery SET token = ${copy} WHERE ${yield* of(id)}`)
      }, Effect.orDie)

      const remove = Effect.fn("FileDeliveriesRepo.remove")(function* (id: PaymentFileId) {
        yield* tenantSql.write(sql`DELETE FROM file_delivery WHERE ${yield* of(id)}`)
      }, Effect.orDie)

      return FileDeliveriesRepo.of({ put, due, claim, token, release, remove })
    })
  )
}

/** A file is tried for ever: its pause stops growing at about an hour. */
const mostCounted = 7
