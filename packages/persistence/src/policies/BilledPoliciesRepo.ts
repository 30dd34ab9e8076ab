/** The policies of invoices and payments: a request for one of these needs the permission on its policy. */
import { CurrentCaller, type Forbidden } from "@quittance/domain/requests/Caller"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import type { AuthorizedPolicy } from "./PoliciesRepo.ts"
import { headColumns, PolicyHeadRow } from "./PolicyHeadRow.ts"
import { TenantClockRepo } from "../tenants/TenantClockRepo.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

const decode = Schema.decodeUnknownEffect(
  Schema.Struct({ ...PolicyHeadRow.fields, now: InstantColumn, granted: Schema.Boolean })
)

export class BilledPoliciesRepo extends Context.Service<
  BilledPoliciesRepo,
  {
    /**
     * The policy of a record that is there, with the permission on it. A client, whose scope was
     * checked, reaches the whole tenant. With `lock` its head stays locked until the transaction ends.
     */
    authorize<A extends Action>(
      action: A,
      policyId: PolicyId,
      options?: { readonly lock?: boolean }
    ): Effect.Effect<AuthorizedPolicy<A>, Forbidden, CurrentTenant | CurrentCaller>
  }
>()("@quittance/persistence/BilledPoliciesRepo") {
  static readonly layer = Layer.effect(
    BilledPoliciesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo
      const clock = yield* TenantClockRepo

      const authorize = Effect.fn("BilledPoliciesRepo.authorize")(function* <A extends Action>(
        action: A,
        policyId: PolicyId,
        { lock = false }: { readonly lock?: boolean } = {}
      ) {
        const tenantId = yield* CurrentTenant
        const caller = yield* CurrentCaller
        const columns = { policyId: sql`p.id`, brokerageFirmId: sql`p.brokerage_firm_id` }
        const granted =
          caller._tag === "Client"
            ? sql`true`
            : yield* Effect.orDie(grants.onPolicy(action, columns))
        const rows = yield* Effect.orDie(
          tenantSql.read(sql`
            SELECT ${headColumns(sql)}, coalesce(t.test_clock, clock_timestamp()) AS now,
              ${granted} AS granted
            FROM policy p JOIN tenant t ON t.tenant_id = p.tenant_id
            WHERE p.tenant_id = ${tenantId} AND p.id = ${policyId}
            ${lock ? sql`FOR UPDATE OF p` : sql``}
          `)
        )
        const { granted: isGranted, now, ...head } = yield* Effect.orDie(decode(rows[0]))
        if (!isGranted) return yield* grants.refuse(action)
        // While we waited for the row its holder may have moved the test clock.
        return { action, head, now: lock ? (yield* clock.read).now : now }
      })

      return BilledPoliciesRepo.of({ authorize })
    })
  ).pipe(Layer.provide([GrantsRepo.layer, TenantClockRepo.layer]))
}
