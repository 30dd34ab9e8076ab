import {
  ListedQuoteProvider,
  QuoteProviderSettings
} from "@quittance/domain/products/QuoteProvider"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Stored = Schema.Struct({
  ...QuoteProviderSettings.fields,
  encryptedSecret: Schema.NonEmptyString
})
/** A provider with its secret, which only the service's key opens. */
export type StoredQuoteProvider = typeof Stored.Type

const ListedRow = Schema.Struct({
  ...ListedQuoteProvider.fields,
  createdAt: InstantColumn,
  lastModifiedAt: InstantColumn
})

const decodeStored = Schema.decodeUnknownEffect(Stored)
const decodeListed = Schema.decodeUnknownEffect(Schema.Array(ListedRow))

export class QuoteProvidersRepo extends Context.Service<
  QuoteProvidersRepo,
  {
    find(id: string): Effect.Effect<StoredQuoteProvider | undefined, never, CurrentTenant>
    /** By identifier. */
    readonly list: Effect.Effect<ReadonlyArray<ListedQuoteProvider>, never, CurrentTenant>
    /** Whether it is there, and then it stays until the transaction ends. */
    keep(id: string): Effect.Effect<boolean, never, CurrentTenant>
    /** Adds it, or puts it in the place of the one of this name. */
    put(provider: StoredQuoteProvider): Effect.Effect<void, never, CurrentTenant>
    /** Waits for those who keep it; whether it was there. */
    remove(id: string): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/persistence/QuoteProvidersRepo") {
  static readonly layer = Layer.effect(
    QuoteProvidersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const settings = sql`id, url, key_id, try_timeout, total_timeout`

      const find = Effect.fn("QuoteProvidersRepo.find")(function* (id: string) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT ${settings}, encrypted_secret FROM quote_provider
          WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
        return row === undefined ? undefined : yield* decodeStored(row)
      }, Effect.orDie)

      const list = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${settings}, created_at, last_modified_at FROM quote_provider
          WHERE tenant_id = ${tenantId} ORDER BY id
        `)
        return yield* decodeListed(rows)
      }).pipe(Effect.orDie, Effect.withSpan("QuoteProvidersRepo.list"))

      const keep = Effect.fn("QuoteProvidersRepo.keep")(function* (id: string) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          SELECT id FROM quote_provider WHERE tenant_id = ${tenantId} AND id = ${id} FOR SHARE
        `)
        return rows.length === 1
      }, Effect.orDie)

      const put = Effect.fn("QuoteProvidersRepo.put")(function* (provider: StoredQuoteProvider) {
        const tenantId = yield* CurrentTenant
        const { encryptedSecret, id, keyId, totalTimeout, tryTimeout, url } = provider
        yield* tenantSql.write(sql`
          INSERT INTO quote_provider
            (tenant_id, id, url, key_id, encrypted_secret, try_timeout, total_timeout)
          VALUES (${tenantId}, ${id}, ${url}, ${keyId}, ${encryptedSecret}, ${tryTimeout},
            ${totalTimeout})
          ON CONFLICT (tenant_id, id) DO UPDATE SET url = excluded.url, key_id = excluded.key_id,
            encrypted_secret = excluded.encrypted_secret, try_timeout = excluded.try_timeout,
            total_timeout = excluded.total_timeout, last_modified_at = now()
        `)
      }, Effect.orDie)

      const remove = Effect.fn("QuoteProvidersRepo.remove")(function* (id: string) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          DELETE FROM quote_provider WHERE tenant_id = ${tenantId} AND id = ${id} RETURNING id
        `)
        return rows.length === 1
      }, Effect.orDie)

      return QuoteProvidersRepo.of({ find, list, keep, put, remove })
    })
  )
}
