import { LastManager } from "@quittance/domain/access/Grant"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { grantsSql } from "./GrantRow.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

/** Who may do this on the whole tenant is a manager. */
const right: Action = "permission.write"

/** The active users who may give grants on the whole tenant. */
export class ManagersRepo extends Context.Service<
  ManagersRepo,
  {
    /**
     * Runs a change of grants, roles or users that may leave the tenant without a manager, and fails when it
     * has: then no user could ever give a grant again. Changes that run in here wait for each other, so that
     * two managers who take the right from each other do not both succeed. Rows that the change is about are
     * locked before.
     */
    keeping<A, E, R>(
      change: Effect.Effect<A, E, R>
    ): Effect.Effect<A, E | LastManager, R | CurrentTenant>
  }
>()("@quittance/persistence/ManagersRepo") {
  static readonly layer = Layer.effect(
    ManagersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const { roleHas } = grantsSql(sql)

      const takeTurn = Effect.fnUntraced(function* () {
        const name = `managers ${yield* CurrentTenant}`
        yield* tenantSql.write(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
      }, Effect.orDie)

      const exist = Effect.fnUntraced(function* () {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<{ readonly exist: boolean }>`
          SELECT EXISTS (
            SELECT FROM permission_grant g
            JOIN app_user u ON u.tenant_id = g.tenant_id AND u.id = g.subject_id
            WHERE g.tenant_id = ${tenantId} AND g.target = '*' AND u.status = 'ACTIVE'
              AND ${roleHas(right)}
          ) AS exist
        `)
        return rows[0]!.exist
      }, Effect.orDie)

      const keeping = Effect.fn("ManagersRepo.keeping")(function* <A, E, R>(
        change: Effect.Effect<A, E, R>
      ) {
        yield* takeTurn()
        const before = yield* exist()
        const answer = yield* change
        // A tenant that never had one, such as one that clients alone administer, may stay so.
        if (before && !(yield* exist())) return yield* new LastManager({})
        return answer
      })

      return ManagersRepo.of({ keeping })
    })
  )
}
