/** The projection behind the accounting summary: what each payer of a policy has not paid. */
import type { Receivable } from "@quittance/domain/accounting/Receivable"
import type { Coverage } from "@quittance/auth/Grants"
import type { OrderKey } from "@quittance/domain/accounting/AccountingSummary"
import type { Instant } from "@quittance/domain/values/Instant"
import { unpaidStatuses } from "@quittance/domain/billing/Invoice"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { Direction, PageRequest } from "@quittance/domain/values/Page"
import type { PolicyStatus } from "@quittance/domain/policies/Policy"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { matchesWords, wordIndex } from "../access/SearchWords.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { pipelineBoth } from "../sql/Pipelining.ts"
import { type BrokerageFirmId, CustomerId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const ReceivableRow = Schema.Struct({
  policyId: PolicyId,
  customerId: CustomerId,
  unpaidCount: Schema.Int,
  /** Whole local days, in the product's time zone, since the oldest unpaid invoice was issued. */
  unpaidDays: Schema.Int,
  oldestIssuedAt: InstantColumn,
  lastFormalNoticeSentAt: Schema.NullOr(InstantColumn)
})
const decode = Schema.decodeUnknownEffect(Schema.Array(ReceivableRow))

/** Which receivables are asked for; what is absent does not restrict. */
export interface ReceivableFilter {
  /** An unpaid invoice was issued before it. A date stands for its first instant, where the risk is. */
  readonly issuedBefore?: Instant | LocalDate | undefined
  /** An unpaid invoice was issued at it or later. */
  readonly issuedAfter?: Instant | LocalDate | undefined
  readonly brokerageFirmId?: BrokerageFirmId | undefined
  readonly productIds?: ReadonlyArray<string> | undefined
  readonly statuses?: ReadonlyArray<PolicyStatus> | undefined
  readonly stopReasons?: ReadonlyArray<string> | undefined
  readonly hasFormalNotice?: boolean | undefined
  readonly minimumUnpaidDays?: number | undefined
  /** Words that all have to begin a word of the row, whatever their accents and case. */
  readonly words?: string | undefined
}

export interface ReceivableQuery {
  readonly filter: ReceivableFilter
  readonly order: { readonly by: OrderKey; readonly direction: Direction }
  readonly page: PageRequest
  readonly coverage: Coverage
  readonly now: Instant
}

export class ReceivablesRepo extends Context.Service<
  ReceivablesRepo,
  {
    /**
     * Derives the rows of these policies again. It belongs into every transaction that changes a
     * document, a notice, or what a row shows of its policy or customer.
     */
    refresh(policyIds: ReadonlyArray<PolicyId>): Effect.Effect<void, never, CurrentTenant>
    /** One page in a total order, and how many there are. */
    list(
      query: ReceivableQuery
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<Receivable>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/ReceivablesRepo") {
  static readonly layer = Layer.effect(
    ReceivablesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const { ofRecordsWith, rarest } = wordIndex(sql, tenantSql)

      const refresh = Effect.fn("ReceivablesRepo.refresh")(function* (
        policyIds: ReadonlyArray<PolicyId>
      ) {
        if (policyIds.length === 0) return
        const tenantId = yield* CurrentTenant
        const ids = [...policyIds]
        yield* tenantSql.write(sql`
          WITH unpaid AS MATERIALIZED (
            -- Policy by policy, however many invoices the tenant was thought to have.
            SELECT d.policy_id, d.customer_id, count(*)::int AS unpaid_count,
              array_agg(d.issued_at ORDER BY d.issued_at) AS unpaid_issued_at,
              array_agg(d.id) AS ids
            FROM unnest(${ids}::text[]) AS i(id) CROSS JOIN LATERAL (
              SELECT id, policy_id, customer_id, issued_at FROM invoice
              WHERE tenant_id = ${tenantId} AND policy_id = i.id AND type = 'INVOICE'
                AND status = ANY(${[...unpaidStatuses]})
              OFFSET 0) d
            GROUP BY d.policy_id, d.customer_id
          ), settled AS (
            DELETE FROM receivable r WHERE r.tenant_id = ${tenantId} AND r.policy_id = ANY(${ids})
              -- Looked up in a hash, which no wrong estimate of their number can keep it from.
              AND (r.policy_id, r.customer_id) NOT IN (SELECT policy_id, customer_id FROM unpaid)
          ), payer AS MATERIALIZED (
            -- Locked, so that a change of a name that is under way is waited for and seen.
            SELECT jsonb_object_agg(id, jsonb_build_array(name, search)) AS by_id
            FROM (
              SELECT id, search_fold(name) AS name, search FROM customer
              WHERE tenant_id = ${tenantId} AND id IN (SELECT customer_id FROM unpaid)
              ORDER BY id FOR SHARE) locked
          ), zone AS MATERIALIZED (
            SELECT product_id, version, definition ->> 'timeZone' AS time_zone FROM product_version
            WHERE tenant_id = ${tenantId} AND (product_id, version) IN (
              SELECT product_id, product_version FROM policy
              WHERE tenant_id = ${tenantId} AND id = ANY(${ids}))
          )
          INSERT INTO receivable (tenant_id, policy_id, customer_id, product_id, time_zone,
            brokerage_firm_id, status, stop_reason, customer_name, policy_created_at, search,
            unpaid_count, oldest_issued_at, unpaid_issued_at, last_formal_notice_sent_at)
          SELECT ${tenantId}, p.id, u.customer_id, p.product_id, z.time_zone, p.brokerage_firm_id, p.status,
            p.stop_reason, c.known ->> 0, p.created_at, p.search || (c.known ->> 1), u.unpaid_count, u.unpaid_issued_at[1], u.unpaid_issued_at,
            (SELECT max(n.sent_at) FROM notice n
              WHERE n.tenant_id = ${tenantId} AND n.policy_id = p.id AND n.customer_id = u.customer_id
                AND n.status = 'SENT' AND n.invoice_ids && u.ids)
          FROM unpaid u
          JOIN policy p ON p.tenant_id = ${tenantId} AND p.id = u.policy_id
          CROSS JOIN LATERAL (SELECT by_id -> u.customer_id AS known FROM payer) c
          JOIN zone z ON z.product_id = p.product_id AND z.version = p.product_version
          ORDER BY p.id, u.customer_id
          ON CONFLICT (tenant_id, policy_id, customer_id) DO UPDATE SET
            product_id = excluded.product_id, time_zone = excluded.time_zone,
            brokerage_firm_id = excluded.brokerage_firm_id, status = excluded.status,
            stop_reason = excluded.stop_reason, customer_name = excluded.customer_name,
            policy_created_at = excluded.policy_created_at, search = excluded.search,
            unpaid_count = excluded.unpaid_count, oldest_issued_at = excluded.oldest_issued_at,
            unpaid_issued_at = excluded.unpaid_issued_at,
            last_formal_notice_sent_at = excluded.last_formal_notice_sent_at
        `)
      }, Effect.orDie)

      const unpaidDays = (now: Instant) => sql`
        ((${toDate(now)}::timestamptz AT TIME ZONE r.time_zone)::date
          - (r.oldest_issued_at AT TIME ZONE r.time_zone)::date)
      `

      /** Local days differ from days of 24 hours by less than two: most rows need no calendar. */
      const unpaidFor = (days: number, now: Instant) => {
        const ago = (more: number) =>
          sql`${toDate(now)}::timestamptz - make_interval(hours => 24 * ${days + more}::int)`
        return sql`r.oldest_issued_at < ${ago(-2)}
          AND (r.oldest_issued_at < ${ago(2)} OR ${unpaidDays(now)} >= ${days}::int)`
      }

      /** A date is its first instant in the time zone of the row's product. */
      const instantOf = (at: Instant | LocalDate) =>
        at.includes("T")
          ? // What has a time of day is an instant.
            sql`${toDate(at as Instant)}::timestamptz`
          : sql`(${at}::date::timestamp AT TIME ZONE r.time_zone)`

      const issuedWithin = ({ issuedAfter, issuedBefore }: ReceivableFilter) => sql`
        EXISTS (SELECT FROM unnest(r.unpaid_issued_at) AS issued(at) WHERE ${sql.and([
          issuedAfter === undefined ? sql`true` : sql`issued.at >= ${instantOf(issuedAfter)}`,
          issuedBefore === undefined ? sql`true` : sql`issued.at < ${instantOf(issuedBefore)}`
        ])})
      `

      const conditions = (
        tenantId: string,
        { coverage, filter, now }: ReceivableQuery
      ): ReadonlyArray<Statement.Fragment> => {
        const only: Array<Statement.Fragment> = [sql`r.tenant_id = ${tenantId}`]
        if (coverage._tag === "Records") {
          only.push(sql`(r.brokerage_firm_id = ANY(${[...coverage.firmIds]})
            OR r.policy_id = ANY(${[...coverage.recordIds]}))`)
        }
        if (filter.issuedAfter !== undefined || filter.issuedBefore !== undefined) {
          only.push(issuedWithin(filter))
        }
        if (filter.brokerageFirmId !== undefined) {
          only.push(sql`r.brokerage_firm_id = ${filter.brokerageFirmId}`)
        }
        if (filter.productIds !== undefined) {
          only.push(sql`r.product_id = ANY(${[...filter.productIds]})`)
        }
        if (filter.statuses !== undefined) {
          only.push(sql`r.status = ANY(${[...filter.statuses]})`)
        }
        if (filter.stopReasons !== undefined) {
          only.push(sql`r.stop_reason = ANY(${[...filter.stopReasons]})`)
        }
        if (filter.hasFormalNotice !== undefined) {
          const has = filter.hasFormalNotice
          only.push(sql`(r.last_formal_notice_sent_at IS NOT NULL) = ${has}`)
        }
        if (filter.minimumUnpaidDays !== undefined) {
          only.push(unpaidFor(filter.minimumUnpaidDays, now))
        }
        if (filter.words !== undefined) only.push(matchesWords(sql, sql`r.search`, filter.words))
        return only
      }

      const orderColumn = (by: OrderKey, now: Instant): Statement.Fragment => {
        switch (by) {
          case "oldestUnpaidInvoiceIssuedAt":
            return sql`r.oldest_issued_at`
          case "unpaidDurationInDay":
            return unpaidDays(now)
          case "numberOfUnpaidInvoices":
            return sql`r.unpaid_count`
          case "lastFormalNoticeSentAt":
            return sql`r.last_formal_notice_sent_at`
          case "customerName":
            return sql`r.customer_name`
          case "policyCreatedAt":
            return sql`r.policy_created_at`
        }
      }

      /** The keys of what is asked for, and more: of all rows, or of the records with a part of the words. */
      const keysOf =
        (tenantId: string, query: ReceivableQuery, part: string | undefined) =>
        (more: Statement.Fragment) => {
          const fits = conditions(tenantId, query)
          const those = (only: ReadonlyArray<Statement.Fragment>) => sql`
            SELECT r.policy_id, r.customer_id${more} FROM receivable r
            WHERE ${sql.and([...fits, ...only])}`
          if (part === undefined) return those([])
          return sql`
            ${ofRecordsWith(tenantId, "policy", part, those([sql`r.policy_id = w.id`]))} UNION
            ${ofRecordsWith(tenantId, "customer", part, those([sql`r.customer_id = w.id`]))}`
        }

      const list = Effect.fn("ReceivablesRepo.list")(function* (query: ReceivableQuery) {
        const tenantId = yield* CurrentTenant
        const { now, order } = query
        const { count, page: number } = query.page
        const part = yield* rarest(["policy", "customer"], query.filter.words, query.coverage)
        const found = keysOf(tenantId, query, part)
        const direction = order.direction === "ASC" ? sql`ASC` : sql`DESC`
        const by = orderColumn(order.by, now)
        const place = sql`place ${direction} NULLS LAST, r.policy_id, r.customer_id`
        // The keys of the page first: an index may hold all that finds them, on the last page as on the first.
        const page = tenantSql.read(sql`
          SELECT r.policy_id, r.customer_id, r.unpaid_count, ${unpaidDays(now)} AS unpaid_days,
            r.oldest_issued_at, r.last_formal_notice_sent_at
          FROM (
            SELECT r.* FROM (${found(sql`, ${by} AS place`)}) r
            ORDER BY ${place} LIMIT ${count} OFFSET ${(number - 1) * count}
          ) k
          JOIN receivable r ON r.tenant_id = ${tenantId} AND r.policy_id = k.policy_id
            AND r.customer_id = k.customer_id
          ORDER BY ${place}
        `)
        const total = tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM (${found(sql``)}) r
        `)
        const [rows, totals] = yield* pipelineBoth(page, total)
        return { rows: yield* decode(rows), total: totals[0]!.total }
      }, Effect.orDie)

      return ReceivablesRepo.of({ refresh, list })
    })
  )
}
