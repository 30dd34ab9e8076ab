import { ClientId, UserId } from "@quittance/domain/requests/Caller"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Code = Schema.Struct({
  clientId: ClientId,
  userId: UserId,
  redirectUri: Schema.String,
  codeChallenge: Schema.String,
  /** The key that its redeemer has to prove (RFC 9449, section 10), by its thumbprint; absent or `null`: any. */
  dpopJkt: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** How the person signed in (RFC 8176). */
  methods: Schema.Array(Schema.String),
  /** When another provider signed them in; absent or `null` if it doesn't say, or there was none. */
  authenticatedAt: Schema.optionalKey(Schema.NullOr(InstantColumn)),
  /** The key of the address from which they did, and the name of the browser. */
  address: Schema.optionalKey(Schema.NullOr(Schema.String)),
  browser: Schema.optionalKey(Schema.NullOr(Schema.String))
})
/** What a code was given for; redeeming it needs the same client, address and verifier. */
export type Code = typeof Code.Type

const decode = Schema.decodeUnknownEffect(
  Schema.Struct({
    ...Code.fields,
    expired: Schema.Boolean,
    /** When it was given: the person had just signed in. */
    createdAt: InstantColumn
  })
)
type Consumed = Effect.Success<ReturnType<typeof decode>>

/** How long a code is remembered after its end, so that a replay is recognised as one. */
const retentionHours = 24

export class AuthorizationCodesRepo extends Context.Service<
  AuthorizationCodesRepo,
  {
    insert(
      codeHash: Uint8Array,
      code: Code,
      lifetimeSeconds: number
    ): Effect.Effect<void, never, CurrentTenant>
    /**
     * Uses up a code, for exactly one of any number of callers at once; `undefined` for all others,
     * and for a code that never was.
     */
    consume(codeHash: Uint8Array): Effect.Effect<Consumed | undefined, never, CurrentTenant>
    /** Whom a code was given to, used up or not. */
    holderOf(codeHash: Uint8Array): Effect.Effect<UserId | undefined, never, CurrentTenant>
    /** Uses up every code of a user that was not redeemed. */
    voidOfUser(userId: UserId): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/AuthorizationCodesRepo") {
  static readonly layer = Layer.effect(
    AuthorizationCodesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const insert = Effect.fn("AuthorizationCodesRepo.insert")(function* (
        codeHash: Uint8Array,
        code: Code,
        lifetimeSeconds: number
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM authorization_code WHERE tenant_id = ${tenantId}
            AND expires_at < clock_timestamp() - ${retentionHours}::int * interval '1 hour'
        `)
        const { address = null, authenticatedAt = null, browser = null } = code
        yield* tenantSql.write(sql`
          INSERT INTO authorization_code (tenant_id, code_hash, client_id, user_id, redirect_uri,
            code_challenge, dpop_jkt, methods, authenticated_at, address, browser, expires_at)
          VALUES (${tenantId}, ${codeHash}, ${code.clientId}, ${code.userId}, ${code.redirectUri},
            ${code.codeChallenge}, ${code.dpopJkt ?? null}, ${[...code.methods]}::text[],
            ${authenticatedAt === null ? null : toDate(authenticatedAt)}::timestamptz,
            ${address}, ${browser},
            clock_timestamp() + ${lifetimeSeconds}::int * interval '1 second')
        `)
      }, Effect.orDie)

      // Decided by `used_at IS NULL` alone, which PostgreSQL tests again on the row it has locked. To
      // compare instants instead would let two callers through now and then.
      const consume = Effect.fn("AuthorizationCodesRepo.consume")(function* (codeHash: Uint8Array) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          UPDATE authorization_code SET used_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND code_hash = ${codeHash} AND used_at IS NULL
          RETURNING client_id, user_id, redirect_uri, code_challenge, dpop_jkt,
            coalesce(methods, '{}') AS methods, authenticated_at, address, browser, created_at,
            expires_at <= clock_timestamp() AS expired
        `)
        return row === undefined ? undefined : yield* decode(row)
      }, Effect.orDie)

      const holderOf = Effect.fn("AuthorizationCodesRepo.holderOf")(function* (
        codeHash: Uint8Array
      ) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql<{ userId: UserId }>`
          SELECT user_id FROM authorization_code
          WHERE tenant_id = ${tenantId} AND code_hash = ${codeHash}
        `)
        return row?.userId
      }, Effect.orDie)

      const voidOfUser = Effect.fn("AuthorizationCodesRepo.voidOfUser")(function* (userId: UserId) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE authorization_code SET used_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND used_at IS NULL
        `)
      }, Effect.orDie)

      return AuthorizationCodesRepo.of({ insert, consume, holderOf, voidOfUser })
    })
  )
}
