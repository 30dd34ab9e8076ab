/** The keys by which a tenant seals, each with its certificates. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { SealKeyUse } from "@quittance/domain/signatures/SealKey"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

export interface StoredSealKey {
  /** SHA-256 of the certificate in DER, in lower-case hexadecimal. */
  readonly id: string
  readonly use: SealKeyUse
  /** In PEM: its own, then its issuers'. */
  readonly certificates: string
  /** PKCS#8 in PEM, sealed under a key of the service; `null` once it is retired. */
  readonly sealedKey: string | null
}

/** A key that may still seal. */
export type ActiveSealKey = StoredSealKey & { readonly sealedKey: string }

export class SealKeysRepo extends Context.Service<
  SealKeysRepo,
  {
    /** All of the tenant, the oldest first. */
    readonly list: Effect.Effect<ReadonlyArray<StoredSealKey>, never, CurrentTenant>
    /** Those that are not retired: one of each use at most. */
    readonly active: Effect.Effect<ReadonlyArray<ActiveSealKey>, never, CurrentTenant>
    /** Stores a key where the tenant has no active one of its use; of any number at once one does. */
    add(key: ActiveSealKey): Effect.Effect<boolean, never, CurrentTenant>
    /** Retires an active key and destroys its private half; whether it was active. */
    retire(id: string): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/persistence/SealKeysRepo") {
  static readonly layer = Layer.effect(
    SealKeysRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const list = Effect.gen(function* () {
        return yield* tenantSql.read(sql<StoredSealKey>`
          SELECT id, use, certificates, sealed_key FROM seal_key
          WHERE tenant_id = ${yield* CurrentTenant} ORDER BY created_at, id
        `)
      }).pipe(Effect.orDie, Effect.withSpan("SealKeysRepo.list"))

      const active = Effect.gen(function* () {
        return yield* tenantSql.read(sql<ActiveSealKey>`
          SELECT id, use, certificates, sealed_key FROM seal_key
          WHERE tenant_id = ${yield* CurrentTenant} AND retired_at IS NULL ORDER BY use
        `)
      }).pipe(Effect.orDie, Effect.withSpan("SealKeysRepo.active"))

      const add = Effect.fn("SealKeysRepo.add")(function* (key: ActiveSealKey) {
        const row = { tenantId: yield* CurrentTenant, ...key }
        const added = yield* tenantSql.write(sql`
          INSERT INTO seal_key ${sql.insert(row)} ON CONFLICT DO NOTHING RETURNING id
        `)
        return added.length === 1
      }, Effect.orDie)

      const retire = Effect.fn("SealKeysRepo.retire")(function* (id: string) {
        const retired = yield* tenantSql.write(sql`
          UPDATE seal_key SET sealed_key = NULL, retired_at = clock_timestamp()
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id} AND retired_at IS NULL
          RETURNING id
        `)
        return retired.length === 1
      }, Effect.orDie)

      return SealKeysRepo.of({ list, active, add, retire })
    })
  )
}
