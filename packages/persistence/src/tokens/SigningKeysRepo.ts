import { maxLifetime } from "@quittance/auth/AccessToken"
import { type KeyState, PublishedKey, StoredKey } from "@quittance/domain/tokens/SigningKey"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const PublishedRow = Schema.Struct({
  ...PublishedKey.fields,
  createdAt: InstantColumn,
  activatedAt: Schema.NullOr(InstantColumn),
  retiredAt: Schema.NullOr(InstantColumn)
})
const decodePublished = Schema.decodeUnknownEffect(Schema.Array(PublishedRow))
const decodeStored = Schema.decodeUnknownEffect(StoredKey)
const decodeAllStored = Schema.decodeUnknownEffect(Schema.Array(StoredKey))

/** How the key that has signed until now leaves: it still verifies, or it does not. */
export type Farewell = "RETIRE" | "DELETE"

export class SigningKeysRepo extends Context.Service<
  SigningKeysRepo,
  {
    /** The public halves of all keys of the tenant; none for a tenant that does not exist. */
    readonly published: Effect.Effect<ReadonlyArray<PublishedKey>, never, CurrentTenant>
    /** The one key that signs. */
    readonly active: Effect.Effect<StoredKey | undefined, never, CurrentTenant>
    /** The keys that sign or will, with their encrypted halves. */
    readonly unretired: Effect.Effect<ReadonlyArray<StoredKey>, never, CurrentTenant>
    /** Seconds since the next key was stored, by the database's clock. */
    readonly ageOfNext: Effect.Effect<number | undefined, never, CurrentTenant>
    /** Stores a key that signs, or that will; `false` when the tenant has one. */
    insert(key: StoredKey, state: "ACTIVE" | "NEXT"): Effect.Effect<boolean, never, CurrentTenant>
    /**
     * The next key signs from now on in place of `active`, and `next` is the next one. `false`, and
     * nothing is changed, when `active` no longer is the active one: of any number at once one wins.
     */
    rotate(
      active: string,
      farewell: Farewell,
      next: StoredKey
    ): Effect.Effect<boolean, never, CurrentTenant>
    /** Deletes the retired keys whose last token has expired. */
    readonly prune: Effect.Effect<void, never, CurrentTenant>
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
            SELECT kid, public_jwk, state, created_at, activated_at, retired_at FROM signing_key
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

      const unretired = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        return yield* decodeAllStored(
          yield* tenantSql.read(sql`
            SELECT kid, public_jwk, encrypted_private_jwk FROM signing_key
            WHERE tenant_id = ${tenantId} AND state <> 'RETIRED'
          `)
        )
      }).pipe(Effect.orDie, Effect.withSpan("SigningKeysRepo.unretired"))

      const ageOfNext = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql<{ readonly seconds: number }>`
          SELECT extract(epoch FROM clock_timestamp() - created_at)::float8 AS seconds
          FROM signing_key WHERE tenant_id = ${tenantId} AND state = 'NEXT'
        `)
        return row?.seconds
      }).pipe(Effect.orDie, Effect.withSpan("SigningKeysRepo.ageOfNext"))

      // The time is that of the statement: a transaction may have waited for another one's lock.
      const insert = Effect.fn("SigningKeysRepo.insert")(function* (
        key: StoredKey,
        state: KeyState
      ) {
        const tenantId = yield* CurrentTenant
        const activatedAt = state === "ACTIVE" ? sql`clock_timestamp()` : sql`NULL`
        const rows = yield* tenantSql.write(sql`
          INSERT INTO signing_key (tenant_id, kid, state, public_jwk, encrypted_private_jwk,
            created_at, activated_at)
          VALUES (${tenantId}, ${key.kid}, ${state}, ${PgTypes.jsonb(key.publicJwk)},
            ${key.encryptedPrivateJwk}, clock_timestamp(), ${activatedAt})
          ON CONFLICT DO NOTHING
          RETURNING kid
        `)
        return rows.length === 1
      }, Effect.orDie)

      const leave = Effect.fnUntraced(function* (kid: string, farewell: Farewell) {
        const key = sql`tenant_id = ${yield* CurrentTenant} AND kid = ${kid} AND state = 'ACTIVE'`
        // A second command waits for this row and then no longer finds it.
        return yield* tenantSql.write(
          farewell === "DELETE"
            ? sql`DELETE FROM signing_key WHERE ${key} RETURNING kid`
            : sql`
                UPDATE signing_key SET state = 'RETIRED', retired_at = clock_timestamp()
                WHERE ${key} RETURNING kid
              `
        )
      })

      const rotate = Effect.fn("SigningKeysRepo.rotate")(function* (
        kid: string,
        farewell: Farewell,
        next: StoredKey
      ) {
        const left = yield* leave(kid, farewell)
        if (left.length === 0) return false
        const tenantId = yield* CurrentTenant
        const activated = yield* tenantSql.write(sql`
          UPDATE signing_key SET state = 'ACTIVE', activated_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND state = 'NEXT' RETURNING kid
        `)
        if (activated.length !== 1)
          return yield* Effect.die(new Error(`${tenantId} has no next key`))
        return yield* insert(next, "NEXT")
      }, Effect.orDie)

      const prune = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM signing_key WHERE tenant_id = ${tenantId} AND state = 'RETIRED'
            AND retired_at < clock_timestamp() - ${maxLifetime + 60}::int * interval '1 second'
        `)
      }).pipe(Effect.orDie, Effect.withSpan("SigningKeysRepo.prune"))

      return SigningKeysRepo.of({ published, active, unretired, ageOfNext, insert, rotate, prune })
    })
  )
}
