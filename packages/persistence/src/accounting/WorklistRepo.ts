/** What people have to do about money, found by sets: a page of it, and how much there is of each kind. */
import type { Coverage } from "@quittance/auth/Grants"
import {
  type WorklistCounts,
  WorklistKind,
  worklistKinds,
  WorklistTask
} from "@quittance/domain/accounting/Worklist"
import { unpaidStatuses } from "@quittance/domain/billing/Invoice"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import { Currency } from "@quittance/domain/values/Amount"
import { CustomerId } from "@quittance/domain/values/Ids"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { waitsAside } from "../policies/ParkedOfferSql.ts"
import { onPolicySql } from "../policies/PolicyMembersSql.ts"
import { InstantColumn, IntColumn } from "../sql/Columns.ts"
import { pipelineBoth } from "../sql/Pipelining.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { tenantNow } from "../tenants/TenantNow.ts"

const TaskRow = Schema.Struct({
  ...WorklistTask.fields,
  customerId: Schema.NullOr(CustomerId),
  recordId: Schema.NullOr(Schema.String),
  amount: Schema.NullOr(IntColumn),
  currency: Schema.NullOr(Currency),
  since: InstantColumn,
  dueOn: Schema.NullOr(LocalDate),
  reason: Schema.NullOr(Schema.String)
})
const decode = Schema.decodeUnknownEffect(Schema.Array(TaskRow))

const CountRow = Schema.Struct({ kind: WorklistKind, count: Schema.Int })
const decodeCounts = Schema.decodeUnknownEffect(Schema.Array(CountRow))

/** What is null in a row is absent. */
const shown = ({
  amount,
  currency,
  customerId,
  dueOn,
  reason,
  recordId,
  ...row
}: typeof TaskRow.Type): WorklistTask => ({
  ...row,
  ...(customerId === null ? {} : { customerId }),
  ...(recordId === null ? {} : { recordId }),
  ...(amount === null ? {} : { amount }),
  ...(currency === null ? {} : { currency }),
  ...(dueOn === null ? {} : { dueOn }),
  ...(reason === null ? {} : { reason })
})

export interface WorklistQuery {
  readonly kinds: ReadonlyArray<WorklistKind>
  readonly page: PageRequest
  /** The policies whose bills the caller may see. */
  readonly coverage: Coverage
  /** The policies on which they may do what tasks of the kind need. */
  readonly mayDo: (kind: WorklistKind) => Coverage
}

export class WorklistRepo extends Context.Service<
  WorklistRepo,
  {
    /** One page, what can be done the longest first, and how many tasks there are of every kind. */
    list(
      query: WorklistQuery
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<WorklistTask>; readonly counts: WorklistCounts },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/WorklistRepo") {
  static readonly layer = Layer.effect(
    WorklistRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const { coveredBy } = onPolicySql(sql)
      const sources = tasks(sql)

      /** The tasks of a kind `t` on the policies `p` that the caller may see. */
      const ofKind = (
        tenantId: TenantId,
        kind: WorklistKind,
        { coverage, mayDo }: WorklistQuery
      ) => sql`
        SELECT ${kind}::text AS kind, t.*, (${sql.or(coveredBy(mayDo(kind)))}) AS permitted
        FROM (${sources[kind](tenantId)}) t
        JOIN policy p ON p.tenant_id = ${tenantId} AND p.id = t.policy_id
        WHERE ${sql.or(coveredBy(coverage))}
      `
      const union = (parts: ReadonlyArray<Statement.Fragment>) =>
        sql.join(" UNION ALL ", false)(parts.map((part) => sql`(${part})`))

      const list = Effect.fn("WorklistRepo.list")(function* (query: WorklistQuery) {
        const tenantId = yield* CurrentTenant
        const { count, page } = query.page
        const asked = worklistKinds.filter((kind) => query.kinds.includes(kind))
        const rows = tenantSql.read(sql`
          SELECT k.* FROM (${union(asked.map((kind) => ofKind(tenantId, kind, query)))}) k
          ORDER BY k.since, k.kind, k.policy_id, k.record_id NULLS FIRST, k.customer_id
          LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const all = tenantSql.read(sql`
          SELECT k.kind, count(*)::int AS count
          FROM (${union(worklistKinds.map((kind) => ofKind(tenantId, kind, query)))}) k
          GROUP BY k.kind
        `)
        const [found, sums] = yield* pipelineBoth(rows, all)
        const numbers = new Map(
          (yield* decodeCounts(sums)).map(({ kind, count: sum }) => [kind, sum])
        )
        const counted = (kind: WorklistKind) => numbers.get(kind) ?? 0
        const counts: WorklistCounts = {
          NOTICE_TO_SEND: counted("NOTICE_TO_SEND"),
          BALANCE_TO_PAY_BACK: counted("BALANCE_TO_PAY_BACK"),
          PARKED_POLICY: counted("PARKED_POLICY"),
          SMALL_BALANCE: counted("SMALL_BALANCE"),
          DEBIT_TO_ANNOUNCE: counted("DEBIT_TO_ANNOUNCE")
        }
        return { rows: (yield* decode(found)).map(shown), counts }
      }, Effect.orDie)

      return WorklistRepo.of({ list })
    })
  )
}

/** The tasks of each kind, all with the same columns. */
const tasks = (
  sql: SqlClient.SqlClient
): Readonly<Record<WorklistKind, (tenantId: TenantId) => Statement.Fragment>> => ({
  NOTICE_TO_SEND: (tenantId) => sql`
    SELECT n.policy_id, n.customer_id, n.id AS record_id, NULL::bigint AS amount,
      NULL::text AS currency, n.created_at AS since, NULL::text AS due_on, NULL::text AS reason
    FROM notice n JOIN policy q ON q.tenant_id = n.tenant_id AND q.id = n.policy_id
    WHERE n.tenant_id = ${tenantId} AND n.status = 'TO_SEND' AND NOT EXISTS (
      SELECT FROM hold h
      WHERE h.tenant_id = ${tenantId}
        AND (h.policy_id = n.policy_id OR h.policy_id IS NULL
          AND (h.product_ids IS NULL OR q.product_id = ANY (h.product_ids)))
        AND h.from_at <= ${tenantNow(sql, tenantId)}
        AND (h.to_at IS NULL OR h.to_at > ${tenantNow(sql, tenantId)}))
  `,
  BALANCE_TO_PAY_BACK: (tenantId) => sql`
    SELECT o.policy_id, o.customer_id, NULL::text AS record_id, o.amount, o.currency, o.since,
      least(
        (SELECT min(w.refund_due_on) FROM withdrawal w
          WHERE w.tenant_id = ${tenantId} AND w.policy_id = o.policy_id AND w.status = 'CONFIRMED'),
        (SELECT (c.effective_at AT TIME ZONE (v.definition ->> 'timeZone'))::date
            + (s #>> '{rule,refundWithinDays}')::integer
          FROM policy q
          JOIN product_version v ON v.tenant_id = ${tenantId} AND v.product_id = q.product_id
            AND v.version = q.product_version
          JOIN jsonb_array_elements(v.definition -> 'stopReasons') s ON s ->> 'id' = q.stop_reason
          JOIN policy_change c ON c.tenant_id = ${tenantId} AND c.policy_id = q.id
            AND c.kind = 'STOP'
          WHERE q.tenant_id = ${tenantId} AND q.id = o.policy_id
          ORDER BY c.seq DESC LIMIT 1)
      )::text AS due_on, NULL::text AS reason
    FROM owed_balance o WHERE o.tenant_id = ${tenantId} AND o.amount > 0
  `,
  PARKED_POLICY: (tenantId) => sql`
    SELECT k.policy_id, NULL::text AS customer_id, NULL::text AS record_id, NULL::bigint AS amount,
      NULL::text AS currency, k.at AS since, NULL::text AS due_on, k.reason
    FROM parked k WHERE k.tenant_id = ${tenantId}
    UNION ALL
    SELECT policy_id, NULL, id, NULL, NULL, (aside ->> 'at')::timestamptz, NULL, aside ->> 'reason'
    FROM branch WHERE tenant_id = ${tenantId} AND ${waitsAside(sql)}
  `,
  SMALL_BALANCE: (tenantId) => sql`
    SELECT d.policy_id, d.customer_id, d.id AS record_id, d.total - d.paid AS amount, d.currency,
      d.issued_at AS since, NULL::text AS due_on, NULL::text AS reason
    FROM receivable r
    JOIN policy q ON q.tenant_id = ${tenantId} AND q.id = r.policy_id
    JOIN product_version v ON v.tenant_id = ${tenantId} AND v.product_id = q.product_id
      AND v.version = q.product_version
      AND (v.definition #>> '{dunning,tolerance}')::bigint > 0
    JOIN invoice d ON d.tenant_id = ${tenantId} AND d.policy_id = r.policy_id
      AND d.customer_id = r.customer_id AND d.type = 'INVOICE'
      AND d.status = ANY (${unpaidStatuses.filter((status) => status !== "PAYMENT_IN_PROGRESS")})
      AND d.total - d.paid <= (v.definition #>> '{dunning,tolerance}')::bigint
    WHERE r.tenant_id = ${tenantId}
  `,
  DEBIT_TO_ANNOUNCE: (tenantId) => sql`
    SELECT d.policy_id, d.customer_id, d.id AS record_id, (
        SELECT sum(i.notified)::bigint FROM debit_item i
        WHERE i.tenant_id = ${tenantId} AND i.debit_id = d.id
      ) AS amount, d.currency, d.planned_at AS since, NULL::text AS due_on,
      NULL::text AS reason
    FROM debit d
    WHERE d.tenant_id = ${tenantId} AND d.status = 'PLANNED' AND d.announcement = 'BY_HAND'
      AND d.notified_on IS NULL
  `
})
