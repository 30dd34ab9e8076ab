/** The sign-ins of people: families of refresh tokens that could still be used. */
import { SignIn, type SignInId } from "@quittance/domain/tokens/SignIn"
import type { PageRequest } from "@quittance/domain/values/Page"
import type { UserId } from "@quittance/domain/requests/Caller"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const { isCurrent: _isCurrent, ...fields } = SignIn.fields
const Row = Schema.Struct({
  ...fields,
  startedAt: InstantColumn,
  lastUsedAt: InstantColumn,
  expiresAt: InstantColumn
})
/** A sign-in as it is stored: whose request it is seen from is not known here. */
export type StoredSignIn = typeof Row.Type
const decode = Schema.decodeUnknownEffect(Row)

export class SignInsRepo extends Context.Service<
  SignInsRepo,
  {
    /** One page, the one used last first, and how many there are; a sign-in is over after `idleSeconds` without use. */
    list(
      userId: UserId,
      idleSeconds: number,
      page: PageRequest
    ): Effect.Effect<
      { readonly signIns: ReadonlyArray<StoredSignIn>; readonly total: number },
      never,
      CurrentTenant
    >
    /** Ends one of this person, unless it has ended; what it was. */
    end(
      userId: UserId,
      id: SignInId,
      idleSeconds: number
    ): Effect.Effect<StoredSignIn | undefined, never, CurrentTenant>
  }
>()("@quittance/persistence/SignInsRepo") {
  static readonly layer = Layer.effect(
    SignInsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      /** Those that could be used now, each with when it was: each use has left a token. */
      const present = (tenantId: string, userId: UserId, idleSeconds: number) => sql`
        SELECT f.id, f.client_id, c.name AS client_name, f.created_at AS started_at,
          l.last_used_at,
          least(f.expires_at, l.last_used_at + ${idleSeconds}::int * interval '1 second')
            AS expires_at,
          coalesce(f.methods, '{}') AS methods, f.address, f.browser
        FROM refresh_family f
        JOIN client c ON c.tenant_id = f.tenant_id AND c.id = f.client_id
        CROSS JOIN LATERAL (
          SELECT max(t.created_at) AS last_used_at FROM refresh_token t
          WHERE t.tenant_id = f.tenant_id AND t.family_id = f.id
        ) l
        WHERE f.tenant_id = ${tenantId} AND f.user_id = ${userId} AND f.revoked_at IS NULL
          AND f.expires_at > clock_timestamp() AND c.disabled_at IS NULL
          AND l.last_used_at + ${idleSeconds}::int * interval '1 second' > clock_timestamp()
      `

      const list = Effect.fn("SignInsRepo.list")(function* (
        userId: UserId,
        idleSeconds: number,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT s.* FROM (${present(tenantId, userId, idleSeconds)}) s
          ORDER BY s.last_used_at DESC, s.id LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ total: number }>`
          SELECT count(*)::int AS total FROM (${present(tenantId, userId, idleSeconds)}) s
        `)
        const signIns = yield* Effect.forEach(rows, (row) => decode(withoutNulls(row)))
        return { signIns, total: counted!.total }
      }, Effect.orDie)

      const end = Effect.fn("SignInsRepo.end")(function* (
        userId: UserId,
        id: SignInId,
        idleSeconds: number
      ) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT s.* FROM (${present(tenantId, userId, idleSeconds)}) s WHERE s.id = ${id}
        `)
        if (row === undefined) return undefined
        const ended = yield* tenantSql.write(sql`
          UPDATE refresh_family SET revoked_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND id = ${id} AND revoked_at IS NULL RETURNING id
        `)
        // Another request may have ended it just now.
        return ended.length === 0 ? undefined : yield* decode(withoutNulls(row))
      }, Effect.orDie)

      return SignInsRepo.of({ list, end })
    })
  )
}
