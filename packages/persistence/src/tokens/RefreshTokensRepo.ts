import { ClientId, UserId } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

/** One sign-in: all refresh tokens that followed from it. */
export interface Family {
  readonly id: string
  readonly clientId: ClientId
  readonly userId: UserId
}

const Used = Schema.Struct({
  id: Schema.String,
  clientId: ClientId,
  userId: UserId,
  /** Neither revoked nor over, and its user and client are not disabled. */
  alive: Schema.Boolean
})
const decode = Schema.decodeUnknownEffect(Used)

/** A refresh token that can still be used, once. */
const Usable = Schema.Struct({
  clientId: ClientId,
  userId: UserId,
  createdAt: InstantColumn,
  /** The end of its family. */
  expiresAt: InstantColumn
})
export type UsableRefreshToken = typeof Usable.Type
const decodeUsable = Schema.decodeUnknownEffect(Usable)
const decodeUsers = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ userId: UserId })))

/** How long a family is remembered after its end, so that a replay is recognised as one. */
const retentionHours = 24

export class RefreshTokensRepo extends Context.Service<
  RefreshTokensRepo,
  {
    /** Opens the family of a code that was redeemed, with its first token. */
    open(
      family: Family,
      first: {
        readonly codeHash: Uint8Array
        readonly tokenHash: Uint8Array
        readonly lifetimeSeconds: number
      }
    ): Effect.Effect<void, never, CurrentTenant>
    /** Uses up a token, for exactly one of any number of callers at once. */
    consume(
      tokenHash: Uint8Array
    ): Effect.Effect<typeof Used.Type | undefined, never, CurrentTenant>
    /** A token that could be used now, as it is. */
    find(tokenHash: Uint8Array): Effect.Effect<UsableRefreshToken | undefined, never, CurrentTenant>
    /** Adds the token that takes the place of one that was used up. */
    add(familyId: string, tokenHash: Uint8Array): Effect.Effect<void, never, CurrentTenant>
    /** Revokes the family of a token, used or not; whose sign-in it was, if it was not over already. */
    revokeByToken(tokenHash: Uint8Array): Effect.Effect<UserId | undefined, never, CurrentTenant>
    /** The same if it is this client's. */
    revokeOf(
      clientId: ClientId,
      tokenHash: Uint8Array
    ): Effect.Effect<UserId | undefined, never, CurrentTenant>
    /** Revokes every family of a user: all his sign-ins. */
    revokeOfUser(userId: UserId): Effect.Effect<void, never, CurrentTenant>
    /** The same of the family that a code has opened. */
    revokeByCode(codeHash: Uint8Array): Effect.Effect<UserId | undefined, never, CurrentTenant>
  }
>()("@quittance/persistence/RefreshTokensRepo") {
  static readonly layer = Layer.effect(
    RefreshTokensRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const alive = sql`f.revoked_at IS NULL AND f.expires_at > clock_timestamp()
        AND u.status = 'ACTIVE' AND c.disabled_at IS NULL`

      const add = Effect.fn("RefreshTokensRepo.add")(function* (
        familyId: string,
        tokenHash: Uint8Array
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO refresh_token (tenant_id, token_hash, family_id)
          VALUES (${tenantId}, ${tokenHash}, ${familyId})
        `)
      }, Effect.orDie)

      const open = Effect.fn("RefreshTokensRepo.open")(function* (
        family: Family,
        first: {
          readonly codeHash: Uint8Array
          readonly tokenHash: Uint8Array
          readonly lifetimeSeconds: number
        }
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM refresh_family WHERE tenant_id = ${tenantId}
            AND expires_at < clock_timestamp() - ${retentionHours}::int * interval '1 hour'
        `)
        yield* tenantSql.write(sql`
          INSERT INTO refresh_family (tenant_id, id, client_id, user_id, code_hash, expires_at)
          VALUES (${tenantId}, ${family.id}, ${family.clientId}, ${family.userId},
            ${first.codeHash},
            clock_timestamp() + ${first.lifetimeSeconds}::int * interval '1 second')
        `)
        yield* add(family.id, first.tokenHash)
      }, Effect.orDie)

      const consume = Effect.fn("RefreshTokensRepo.consume")(function* (tokenHash: Uint8Array) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          UPDATE refresh_token t SET used_at = clock_timestamp()
          FROM refresh_family f
          JOIN app_user u ON u.tenant_id = f.tenant_id AND u.id = f.user_id
          JOIN client c ON c.tenant_id = f.tenant_id AND c.id = f.client_id
          WHERE t.tenant_id = ${tenantId} AND t.token_hash = ${tokenHash} AND t.used_at IS NULL
            AND f.tenant_id = t.tenant_id AND f.id = t.family_id
          RETURNING f.id, f.client_id, f.user_id, ${alive} AS alive
        `)
        return row === undefined ? undefined : yield* decode(row)
      }, Effect.orDie)

      const find = Effect.fn("RefreshTokensRepo.find")(function* (tokenHash: Uint8Array) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT f.client_id, f.user_id, t.created_at, f.expires_at
          FROM refresh_token t
          JOIN refresh_family f ON f.tenant_id = t.tenant_id AND f.id = t.family_id
          JOIN app_user u ON u.tenant_id = f.tenant_id AND u.id = f.user_id
          JOIN client c ON c.tenant_id = f.tenant_id AND c.id = f.client_id
          WHERE t.tenant_id = ${tenantId} AND t.token_hash = ${tokenHash} AND t.used_at IS NULL
            AND ${alive}
        `)
        return row === undefined ? undefined : yield* decodeUsable(row)
      }, Effect.orDie)

      const revokeFamily = Effect.fnUntraced(function* (
        tokenHash: Uint8Array,
        condition: Statement.Fragment
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          UPDATE refresh_family f SET revoked_at = clock_timestamp()
          FROM refresh_token t
          WHERE t.tenant_id = ${tenantId} AND t.token_hash = ${tokenHash}
            AND f.tenant_id = t.tenant_id AND f.id = t.family_id AND f.revoked_at IS NULL
            AND ${condition}
          RETURNING f.user_id
        `)
        return (yield* decodeUsers(rows))[0]?.userId
      })

      const revokeByToken = Effect.fn("RefreshTokensRepo.revokeByToken")(function* (
        tokenHash: Uint8Array
      ) {
        return yield* revokeFamily(tokenHash, sql`true`)
      }, Effect.orDie)

      const revokeOf = Effect.fn("RefreshTokensRepo.revokeOf")(function* (
        clientId: ClientId,
        tokenHash: Uint8Array
      ) {
        return yield* revokeFamily(tokenHash, sql`f.client_id = ${clientId}`)
      }, Effect.orDie)

      const revokeOfUser = Effect.fn("RefreshTokensRepo.revokeOfUser")(function* (userId: UserId) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE refresh_family SET revoked_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND revoked_at IS NULL
        `)
      }, Effect.orDie)

      const revokeByCode = Effect.fn("RefreshTokensRepo.revokeByCode")(function* (
        codeHash: Uint8Array
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          UPDATE refresh_family SET revoked_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND code_hash = ${codeHash} AND revoked_at IS NULL
          RETURNING user_id
        `)
        return (yield* decodeUsers(rows))[0]?.userId
      }, Effect.orDie)

      return RefreshTokensRepo.of({
        open,
        consume,
        find,
        add,
        revokeByToken,
        revokeOf,
        revokeOfUser,
        revokeByCode
      })
    })
  )
}
