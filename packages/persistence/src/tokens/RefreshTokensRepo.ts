import { ClientId, UserId } from "@quittance/domain/requests/Caller"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** One sign-in: all refresh tokens that followed from it. */
export interface Family {
  readonly id: string
  readonly clientId: ClientId
  readonly userId: UserId
  /** The key that its tokens may be used with alone, by its thumbprint; absent or `null`: any. */
  readonly dpopJkt?: string | null
  /** When the person signed in; `null` if their identity provider did not say. */
  readonly authenticatedAt: Instant | null
  /** How they did (RFC 8176). */
  readonly methods: ReadonlyArray<string>
  /** The key of the address from which they did, and the name of the browser; absent or `null`: not known. */
  readonly address?: string | null
  readonly browser?: string | null
}

const Used = Schema.Struct({
  id: Schema.String,
  clientId: ClientId,
  userId: UserId,
  dpopJkt: Schema.NullOr(Schema.String),
  authenticatedAt: Schema.NullOr(InstantColumn),
  methods: Schema.Array(Schema.String),
  /** Neither revoked nor over nor idle for too long, and its user and client are not disabled. */
  alive: Schema.Boolean
})
const decode = Schema.decodeUnknownEffect(Used)

/** A refresh token that can still be used, once. */
const Usable = Schema.Struct({
  clientId: ClientId,
  userId: UserId,
  createdAt: InstantColumn,
  /** When it can't be used any more: its family is over, or has been idle for too long. */
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
    /**
     * Uses up a token, for exactly one of any number of callers at once. A family is idle from its
     * newest token on, and dead after `idleSeconds` of it.
     */
    consume(
      tokenHash: Uint8Array,
      idleSeconds: number
    ): Effect.Effect<typeof Used.Type | undefined, never, CurrentTenant>
    /** A token that could be used now, as it is. */
    find(
      tokenHash: Uint8Array,
      idleSeconds: number
    ): Effect.Effect<UsableRefreshToken | undefined, never, CurrentTenant>
    /** Adds the token that takes the place of one that was used up. */
    add(familyId: string, tokenHash: Uint8Array): Effect.Effect<void, never, CurrentTenant>
    /** Revokes the family of a token, used or not; whose sign-in it was, if it was not over already. */
    revokeByToken(tokenHash: Uint8Array): Effect.Effect<UserId | undefined, never, CurrentTenant>
    /** The same if it is this client's. */
    revokeOf(
      clientId: ClientId,
      tokenHash: Uint8Array
    ): Effect.Effect<UserId | undefined, never, CurrentTenant>
    /** Revokes every family of a user, which is all their sign-ins, but the one that is excepted. */
    revokeOfUser(userId: UserId, except?: string): Effect.Effect<void, never, CurrentTenant>
    /** The same of the family that a code has opened. */
    revokeByCode(codeHash: Uint8Array): Effect.Effect<UserId | undefined, never, CurrentTenant>
  }
>()("@quittance/persistence/RefreshTokensRepo") {
  static readonly layer = Layer.effect(
    RefreshTokensRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const idleEnd = (idleSeconds: number) =>
        sql`(t.created_at + ${idleSeconds}::int * interval '1 second')`
      const isAlive = (idleSeconds: number) =>
        sql`f.revoked_at IS NULL AND f.expires_at > clock_timestamp()
          AND ${idleEnd(idleSeconds)} > clock_timestamp()
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
        const at = family.authenticatedAt === null ? null : toDate(family.authenticatedAt)
        yield* tenantSql.write(sql`
          INSERT INTO refresh_family (tenant_id, id, client_id, user_id, code_hash, dpop_jkt,
            authenticated_at, methods, address, browser, expires_at)
          VALUES (${tenantId}, ${family.id}, ${family.clientId}, ${family.userId},
            ${first.codeHash}, ${family.dpopJkt ?? null}, ${at}::timestamptz,
            ${[...family.methods]}::text[], ${family.address ?? null}, ${family.browser ?? null},
            clock_timestamp() + ${first.lifetimeSeconds}::int * interval '1 second')
        `)
        yield* add(family.id, first.tokenHash)
      }, Effect.orDie)

      const consume = Effect.fn("RefreshTokensRepo.consume")(function* (
        tokenHash: Uint8Array,
        idleSeconds: number
      ) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          UPDATE refresh_token t SET used_at = clock_timestamp()
          FROM refresh_family f
          JOIN app_user u ON u.tenant_id = f.tenant_id AND u.id = f.user_id
          JOIN client c ON c.tenant_id = f.tenant_id AND c.id = f.client_id
          WHERE t.tenant_id = ${tenantId} AND t.token_hash = ${tokenHash} AND t.used_at IS NULL
            AND f.tenant_id = t.tenant_id AND f.id = t.family_id
          RETURNING f.id, f.client_id, f.user_id, f.dpop_jkt, ${isAlive(idleSeconds)} AS alive,
            CASE WHEN 'fed' = ANY (f.methods) THEN f.authenticated_at
              ELSE coalesce(f.authenticated_at, f.created_at) END AS authenticated_at,
            coalesce(f.methods, '{}') AS methods
        `)
        return row === undefined ? undefined : yield* decode(row)
      }, Effect.orDie)

      const find = Effect.fn("RefreshTokensRepo.find")(function* (
        tokenHash: Uint8Array,
        idleSeconds: number
      ) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT f.client_id, f.user_id, t.created_at,
            least(f.expires_at, ${idleEnd(idleSeconds)}) AS expires_at
          FROM refresh_token t
          JOIN refresh_family f ON f.tenant_id = t.tenant_id AND f.id = t.family_id
          JOIN app_user u ON u.tenant_id = f.tenant_id AND u.id = f.user_id
          JOIN client c ON c.tenant_id = f.tenant_id AND c.id = f.client_id
          WHERE t.tenant_id = ${tenantId} AND t.token_hash = ${tokenHash} AND t.used_at IS NULL
            AND ${isAlive(idleSeconds)}
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

      const revokeOfUser = Effect.fn("RefreshTokensRepo.revokeOfUser")(function* (
        userId: UserId,
        except?: string
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE refresh_family SET revoked_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND revoked_at IS NULL
            AND id <> ${except ?? ""}
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
