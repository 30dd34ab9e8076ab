import { KeyState, PublicJwk, StoredKey } from "@quittance/domain/SigningKey"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "./TenantSql.ts"

const PublishedKey = Schema.Struct({ kid: Schema.String, publicJwk: PublicJwk, state: KeyState })
export type PublishedKey = typeof PublishedKey.Type

const decodePublished = Schema.decodeUnknownEffect(Schema.Array(PublishedKey))
const decodeStored = Schema.decodeUnknownEffect(StoredKey)

export class SigningKeysRepo extends Context.Service<
  SigningKeysRepo,
  {
    /** The public halves of all keys of the tenant; none for a tenant that does not exist. */
    readonly published: Effect.Effect<ReadonlyArray<PublishedKey>, never, CurrentTenant>
    /** The one key that signs. */
    readonly active: Effect.Effect<StoredKey | undefined, never, CurrentTenant>
    /** Stores a key that signs from now on; `false` when the tenant has one. */
    insertActive(key: StoredKey): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/persistence/SigningKeysRepo") {
  static readonly layer = Layer.effect(
    SigningKeysRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const published = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        return yield* decodePublished(
          yield* tenantSql.read(sql`
            SELECT kid, public_jwk, state FROM signing_key
            WHERE tenant_id = ${tenantId} ORDER BY created_at, kid
          `)
        )
      }).pipe(Effect.orDie, Effect.withSpan("SigningKeysRepo.published"))

      const active = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT kid, public_jwk, encrypted_private_jwk FROM signing_key
          WHERE tenant_id = ${tenantId} AND state = 'ACTIVE'
        `)
        return row === undefined ? undefined : yield* decodeStored(row)
      }).pipe(Effect.orDie, Effect.withSpan("SigningKeysRepo.active"))

      const insertActive = Effect.fn("SigningKeysRepo.insertActive")(function* (key: StoredKey) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          INSERT INTO signing_key (tenant_id, kid, state, public_jwk, encrypted_private_jwk,
            activated_at)
          VALUES (${tenantId}, ${key.kid}, 'ACTIVE', ${PgTypes.jsonb(key.publicJwk)},
            ${key.encryptedPrivateJwk}, now())
          ON CONFLICT (tenant_id) WHERE state = 'ACTIVE' DO NOTHING
          RETURNING kid
        `)
        return rows.length === 1
      }, Effect.orDie)

      return SigningKeysRepo.of({ published, active, insertActive })
    })
  )
}
