import { ClientId, UserId } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

const Code = Schema.Struct({
  clientId: ClientId,
  userId: UserId,
  redirectUri: Schema.String,
  codeChallenge: Schema.String
})
/** What a code was given for; redeeming it needs the same client, address and verifier. */
export type Code = typeof Code.Type

const decode = Schema.decodeUnknownEffect(
  Schema.Struct({ ...Code.fields, expired: Schema.Boolean })
)

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
    consume(
      codeHash: Uint8Array
    ): Effect.Effect<(Code & { readonly expired: boolean }) | undefined, never, CurrentTenant>
    /** Whom a code was given to, used up or not. */
    holderOf(codeHash: Uint8Array): Effect.Effect<UserId | undefined, never, CurrentTenant>
    /** Uses up every code of a user that nobody has redeemed. */
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
        yield* tenantSql.write(sql`
          INSERT INTO authorization_code (tenant_id, code_hash, client_id, user_id, redirect_uri,
            code_challenge, expires_at)
          VALUES (${tenantId}, ${codeHash}, ${code.clientId}, ${code.userId}, ${code.redirectUri},
            ${code.codeChallenge}, clock_timestamp() + ${lifetimeSeconds}::int * interval '1 second')
        `)
      }, Effect.orDie)

      // Decided by `used_at IS NULL` alone, which PostgreSQL tests again on the row it has locked. To
      // compare instants instead would let two callers through now and then.
      const consume = Effect.fn("AuthorizationCodesRepo.consume")(function* (codeHash: Uint8Array) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          UPDATE authorization_code SET used_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND code_hash = ${codeHash} AND used_at IS NULL
          RETURNING client_id, user_id, redirect_uri, code_challenge,
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
