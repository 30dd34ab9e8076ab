/** What people have asked for that others have to agree to. */
import type { Coverage } from "@quittance/auth/Grants"
import { Approval, ApprovalNotFound, type ApprovalStatus } from "@quittance/domain/payouts/Approval"
import type { ApprovalId } from "@quittance/domain/payouts/Payout"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { PageRequest } from "@quittance/domain/values/Page"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const decode = Schema.decodeUnknownEffect(
  Schema.Struct({ ...Approval.fields, amount: IntColumn, requestedAt: InstantColumn })
)
const encode = Schema.encodeSync(Approval)

interface ApprovalQuery {
  readonly statuses: ReadonlyArray<ApprovalStatus> | undefined
  readonly coverage: Coverage
  readonly page: PageRequest
}

export class ApprovalsRepo extends Context.Service<
  ApprovalsRepo,
  {
    insert(approval: Approval): Effect.Effect<void, never, CurrentTenant>
    /** Records a decision; the record that it is about is locked. */
    update(approval: Approval): Effect.Effect<void, never, CurrentTenant>
    find(id: ApprovalId): Effect.Effect<Approval, ApprovalNotFound, CurrentTenant>
    /** Those on policies of a coverage, the oldest first. */
    list(
      query: ApprovalQuery
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<Approval>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/ApprovalsRepo") {
  static readonly layer = Layer.effect(
    ApprovalsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = sql`a.id, a.kind, a.record_id, a.policy_id, a.amount, a.currency, a.reasons,
        a.requested_by, a.requested_at, a.status, a.decision`

      const insert = Effect.fn("ApprovalsRepo.insert")(function* (approval: Approval) {
        const { decision: _, reasons, requestedAt, ...others } = approval
        const row = {
          tenantId: yield* CurrentTenant,
          ...others,
          reasons: [...reasons],
          requestedAt: toDate(requestedAt)
        }
        yield* tenantSql.write(sql`INSERT INTO approval ${sql.insert(row)}`)
      }, Effect.orDie)

      const update = Effect.fn("ApprovalsRepo.update")(function* (approval: Approval) {
        const { decision, status } = encode(approval)
        const changed = {
          status,
          decision: decision === undefined ? null : PgTypes.jsonb(decision)
        }
        yield* tenantSql.write(sql`
          UPDATE approval SET ${sql.update(changed)}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${approval.id}
        `)
      }, Effect.orDie)

      const find = Effect.fn("ApprovalsRepo.find")(function* (approvalId: ApprovalId) {
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql`
            SELECT ${columns} FROM approval a
            WHERE a.tenant_id = ${yield* CurrentTenant} AND a.id = ${approvalId}
          `)
        )
        if (row === undefined) return yield* new ApprovalNotFound({ approvalId })
        return yield* Effect.orDie(decode(withoutNulls(row)))
      })

      const list = Effect.fn("ApprovalsRepo.list")(function* ({
        coverage,
        page: { count, page },
        statuses
      }: ApprovalQuery) {
        const only = [sql`a.tenant_id = ${yield* CurrentTenant}`]
        if (statuses !== undefined) only.push(sql`a.status = ANY (${[...statuses]})`)
        if (coverage._tag === "Records") {
          only.push(sql`(p.brokerage_firm_id = ANY (${[...coverage.firmIds]})
            OR a.policy_id = ANY (${[...coverage.recordIds]}))`)
        }
        const selected = sql`FROM approval a
          JOIN policy p ON p.tenant_id = a.tenant_id AND p.id = a.policy_id
          WHERE ${sql.and(only)}`
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} ${selected} ORDER BY a.requested_at, a.id
          LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total ${selected}
        `)
        return {
          rows: yield* Effect.forEach(rows, (row) => decode(withoutNulls(row))),
          total: counted!.total
        }
      }, Effect.orDie)

      return ApprovalsRepo.of({ insert, update, find, list })
    })
  )
}
