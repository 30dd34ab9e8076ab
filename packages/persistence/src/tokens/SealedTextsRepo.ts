/** Everything that is stored under a key of the service, whatever table it is in. */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/**
 * Where sealed texts are, and what tells the rows of a tenant apart. A sign-in under way stands before the
 * second factors: enrolling copies its text there under the lock of its row, so reading these tables in order
 * finds each text, in one place or the other.
 */
export const sealedColumns = {
  signing_key: { id: "kid", column: "encrypted_private_jwk" },
  quote_provider: { id: "id", column: "encrypted_secret" },
  identity_provider: { id: "tenant_id", column: "encrypted_secret" },
  sign_in_attempt: { id: "secret_hash", column: "sealed_secret" },
  webhook_secret: { id: "id", column: "sealed_secret" },
  content_key: { id: "tenant_id", column: "sealed_key" },
  content: { id: "address", column: "sealed_key" },
  account_key: { id: "tenant_id", column: "sealed_key" },
  bank_account: { id: "id", column: "sealed_iban" },
  payment_method: { id: "id", column: "sealed_iban" },
  simulated_transfer: { id: "id", column: "sealed_iban" },
  seal_key: { id: "id", column: "sealed_key" },
  second_factor: { id: "id", column: "sealed_secret" }
} as const
export type SealedTable = keyof typeof sealedColumns

/** The tables in the order in which they are to be gone through. */
export const sealedTables: ReadonlyArray<SealedTable> = [
  "signing_key",
  "quote_provider",
  "identity_provider",
  "sign_in_attempt",
  "webhook_secret",
  "content_key",
  "content",
  "account_key",
  "bank_account",
  "payment_method",
  "simulated_transfer",
  "seal_key",
  "second_factor"
]

/** A sealed text, by what tells its row apart: a name, or the hash of a secret. */
export interface SealedText {
  readonly id: string | Uint8Array
  readonly text: string
}

export class SealedTextsRepo extends Context.Service<
  SealedTextsRepo,
  {
    /**
     * The next sealed texts of a table after the row `after`, the first without it. Their rows stay as
     * they are until the transaction ends.
     */
    hold(
      table: SealedTable,
      after: SealedText["id"] | undefined,
      limit: number
    ): Effect.Effect<ReadonlyArray<SealedText>, never, CurrentTenant>
    /** Puts another text in the place of the one that a row has. */
    replace(table: SealedTable, text: SealedText): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/SealedTextsRepo") {
  static readonly layer = Layer.effect(
    SealedTextsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const hold = Effect.fn("SealedTextsRepo.hold")(function* (
        table: SealedTable,
        after: SealedText["id"] | undefined,
        limit: number
      ) {
        const tenantId = yield* CurrentTenant
        const { column, id } = sealedColumns[table]
        // No lock on the keys: rows that refer to these are written meanwhile.
        return yield* tenantSql.write(sql<SealedText>`
          SELECT ${sql(id)} AS id, ${sql(column)} AS text FROM ${sql(table)}
          WHERE tenant_id = ${tenantId} AND ${sql(column)} IS NOT NULL
            ${after === undefined ? sql`` : sql`AND ${sql(id)} > ${after}`}
          ORDER BY ${sql(id)} LIMIT ${limit}
          FOR NO KEY UPDATE
        `)
      }, Effect.orDie)

      const replace = Effect.fn("SealedTextsRepo.replace")(function* (
        table: SealedTable,
        { id: row, text }: SealedText
      ) {
        const tenantId = yield* CurrentTenant
        const { column, id } = sealedColumns[table]
        yield* tenantSql.write(sql`
          UPDATE ${sql(table)} SET ${sql(column)} = ${text}
          WHERE tenant_id = ${tenantId} AND ${sql(id)} = ${row}
        `)
      }, Effect.orDie)

      return SealedTextsRepo.of({ hold, replace })
    })
  )
}
