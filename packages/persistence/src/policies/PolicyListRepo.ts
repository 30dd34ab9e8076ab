/** Which policies and customers a list shows: those that are asked for and may be seen, page by page. */
import type { Coverage } from "@quittance/auth/Grants"
import type { Direction } from "@quittance/domain/accounting/AccountingSummary"
import type { BrokerageFirmId } from "@quittance/domain/values/Amount"
import { CustomerId, type CustomerStatus } from "@quittance/domain/customers/Customer"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PageRequest } from "@quittance/domain/values/Page"
import { PolicyId, type PolicyStatus } from "@quittance/domain/policies/Policy"
import type { PolicyOrderKey } from "@quittance/domain/policies/PolicyList"
import { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { toDate } from "../sql/Columns.ts"
import { onPolicySql } from "./PolicyMembersSql.ts"
import { matchesWords, wordIndex } from "../access/SearchWords.ts"
import { TenantSql } from "../sql/TenantSql.ts"

/** Which policies are asked for; what is absent does not restrict. Before is exclusive, after not. */
export interface PolicyFilter {
  readonly statuses?: ReadonlyArray<PolicyStatus> | undefined
  readonly productIds?: ReadonlyArray<string> | undefined
  readonly brokerageFirmId?: BrokerageFirmId | undefined
  readonly externalId?: string | undefined
  readonly createdAfter?: Instant | undefined
  readonly createdBefore?: Instant | undefined
  readonly startedAfter?: Instant | undefined
  readonly startedBefore?: Instant | undefined
  /** Words that all have to begin a word of the row, whatever their accents and case. */
  readonly words?: string | undefined
}

export interface PolicyListQuery {
  readonly filter: PolicyFilter
  readonly order: { readonly by: PolicyOrderKey; readonly direction: Direction }
  readonly page: PageRequest
  readonly coverage: Coverage
}

export interface CustomerFilter {
  readonly statuses?: ReadonlyArray<CustomerStatus> | undefined
  readonly policyId?: PolicyId | undefined
  readonly words?: string | undefined
}

export interface CustomerListQuery {
  readonly filter: CustomerFilter
  readonly page: PageRequest
  readonly coverage: Coverage
}

/** The identifiers of one page in a total order, and how many there are on all of them. */
export interface Listed<Id> {
  readonly ids: ReadonlyArray<Id>
  readonly total: number
}

const decode = <Id extends Schema.ConstraintDecoder<string>>(id: Id) =>
  Schema.decodeUnknownEffect(Schema.Struct({ ids: Schema.Array(id), total: Schema.Int }))
const decodePolicies = decode(PolicyId)
const decodeCustomers = decode(CustomerId)

export class ListingsRepo extends Context.Service<
  ListingsRepo,
  {
    policies(query: PolicyListQuery): Effect.Effect<Listed<PolicyId>, never, CurrentTenant>
    /** Whether a coverage reaches a policy. */
    covers(policyId: PolicyId, coverage: Coverage): Effect.Effect<boolean, never, CurrentTenant>
    /** The newest first. A customer is covered where one of its policies is; of one, who has a role there. */
    customers(query: CustomerListQuery): Effect.Effect<Listed<CustomerId>, never, CurrentTenant>
  }
>()("@quittance/persistence/ListingsRepo") {
  static readonly layer = Layer.effect(
    ListingsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const { coveredBy, isOn, stands } = onPolicySql(sql)
      const { ofRecordsWith, rarest } = wordIndex(sql, tenantSql)

      /**
       * A page of the listed rows, `id` and `at`, and their number, of one snapshot. Where they are few
       * for sure they are read first and as a whole, so that no page is filled by going through the
       * rows of others; of all rows of a tenant a page is read by the index of its order.
       */
      const paged = (
        listed: Statement.Fragment,
        areFew: boolean,
        direction: Direction,
        { count, page }: PageRequest
      ) => {
        const way = direction === "ASC" ? sql`ASC` : sql`DESC`
        return sql`
          WITH listed AS ${areFew ? sql`MATERIALIZED` : sql`NOT MATERIALIZED`} (${listed})
          SELECT (SELECT count(*)::int FROM listed) AS total, ARRAY(
            SELECT id FROM listed ORDER BY at ${way}, id ${way}
            LIMIT ${count} OFFSET ${(page - 1) * count}) AS ids
        `
      }

      /** The given columns of the covered policies that fit. */
      const policiesIn = (
        tenantId: string,
        coverage: Coverage,
        columns: Statement.Fragment,
        fits: ReadonlyArray<Statement.Fragment> = []
      ) =>
        sql.join(
          " UNION ",
          false
        )(
          coveredBy(coverage).map(
            (covered) => sql`
              SELECT ${columns} FROM policy p
              WHERE ${sql.and([sql`p.tenant_id = ${tenantId}`, covered, ...fits])}`
          )
        )

      const policyFits = (filter: PolicyFilter): ReadonlyArray<Statement.Fragment> => {
        const only: Array<Statement.Fragment> = []
        const add = <A>(value: A | undefined, condition: (value: A) => Statement.Fragment) => {
          if (value !== undefined) only.push(condition(value))
        }
        add(filter.statuses, (statuses) => sql`p.status = ANY (${[...statuses]})`)
        add(filter.productIds, (ids) => sql`p.product_id = ANY (${[...ids]})`)
        add(filter.brokerageFirmId, (id) => sql`p.brokerage_firm_id = ${id}`)
        add(filter.externalId, (id) => sql`p.external_id = ${id}`)
        add(filter.createdAfter, (at) => sql`p.created_at >= ${toDate(at)}`)
        add(filter.createdBefore, (at) => sql`p.created_at < ${toDate(at)}`)
        add(filter.startedAfter, (at) => sql`p.started_at >= ${toDate(at)}`)
        add(filter.startedBefore, (at) => sql`p.started_at < ${toDate(at)}`)
        add(filter.words, (words) => matchesWords(sql, sql`p.search`, words))
        return only
      }

      const columnOf: Readonly<Record<PolicyOrderKey, Statement.Fragment>> = {
        createdAt: sql`p.created_at`,
        startedAt: sql`p.started_at`,
        lastModifiedAt: sql`p.last_modified_at`
      }

      const policies = Effect.fn("ListingsRepo.policies")(function* (query: PolicyListQuery) {
        const tenantId = yield* CurrentTenant
        const { coverage, filter, order, page } = query
        const columns = sql`p.id, ${columnOf[order.by]} AS at`
        const fits = policyFits(filter)
        const part =
          filter.externalId === undefined
            ? yield* rarest(["policy"], filter.words, coverage)
            : undefined
        const listed =
          part === undefined
            ? policiesIn(tenantId, coverage, columns, fits)
            : ofRecordsWith(
                tenantId,
                "policy",
                part,
                sql`
                  SELECT ${columns} FROM policy p
                  WHERE p.tenant_id = ${tenantId} AND p.id = w.id
                    AND ${sql.and([sql.or(coveredBy(coverage)), ...fits])}`
              )
        const areFew =
          part !== undefined || coverage._tag === "Records" || filter.externalId !== undefined
        const [row] = yield* tenantSql.read(paged(listed, areFew, order.direction, page))
        return yield* decodePolicies(row)
      }, Effect.orDie)

      const customerFits = ({ statuses, words }: CustomerFilter) =>
        sql.and([
          statuses === undefined ? sql`true` : sql`c.status = ANY (${[...statuses]})`,
          words === undefined ? sql`true` : matchesWords(sql, sql`c.search`, words)
        ])

      /**
       * The customers on covered policies that fit. Each policy's are looked up by themselves:
       * `OFFSET 0` keeps the planner from joining the links and the customers of all policies.
       */
      const ofCovered = (
        tenantId: string,
        policies: Statement.Fragment,
        fits: Statement.Fragment
      ) => sql`
        SELECT DISTINCT c.id, c.at FROM (${policies}) p
        CROSS JOIN LATERAL (
          SELECT c.id, c.created_at AS at FROM customer_policy l
          JOIN customer c ON c.tenant_id = l.tenant_id AND c.id = l.customer_id
          WHERE l.tenant_id = ${tenantId} AND l.policy_id = p.id AND ${isOn(tenantId)} AND ${fits}
          OFFSET 0
        ) c`

      /** Whether the customer `c` is on a covered policy. */
      const isCovered = (tenantId: string, coverage: Coverage) =>
        coverage._tag === "Tenant"
          ? sql`true`
          : sql`EXISTS (
              SELECT FROM customer_policy l
              JOIN policy p ON p.tenant_id = l.tenant_id AND p.id = l.policy_id
              WHERE l.tenant_id = ${tenantId} AND l.customer_id = c.id AND ${isOn(tenantId)}
                AND ${sql.or(coveredBy(coverage))})`

      const customersIn = (
        tenantId: string,
        { coverage, filter }: CustomerListQuery,
        part: string | undefined
      ) => {
        const fits = customerFits(filter)
        const { policyId } = filter
        if (part !== undefined) {
          const each = sql`
            SELECT c.id, c.created_at AS at FROM customer c
            WHERE c.tenant_id = ${tenantId} AND c.id = w.id AND ${fits}
              AND ${isCovered(tenantId, coverage)}`
          return ofRecordsWith(tenantId, "customer", part, each)
        }
        if (policyId === undefined && coverage._tag === "Tenant") {
          return sql`
              SELECT c.id, c.created_at AS at FROM customer c
              WHERE c.tenant_id = ${tenantId} AND ${fits}`
        }
        const only = policyId === undefined ? [] : [sql`p.id = ${policyId}`]
        // Who is only on an open branch belongs to the views of that branch.
        const ofPolicy = policyId === undefined ? fits : sql.and([stands(tenantId), fits])
        return ofCovered(tenantId, policiesIn(tenantId, coverage, sql`p.id`, only), ofPolicy)
      }

      const customers = Effect.fn("ListingsRepo.customers")(function* (query: CustomerListQuery) {
        const tenantId = yield* CurrentTenant
        const { coverage, filter, page } = query
        const part =
          filter.policyId === undefined
            ? yield* rarest(["customer"], filter.words, coverage)
            : undefined
        const areFew =
          part !== undefined || coverage._tag === "Records" || filter.policyId !== undefined
        const [row] = yield* tenantSql.read(
          paged(customersIn(tenantId, query, part), areFew, "DESC", page)
        )
        return yield* decodeCustomers(row)
      }, Effect.orDie)

      const covers = Effect.fn("ListingsRepo.covers")(function* (
        policyId: PolicyId,
        coverage: Coverage
      ) {
        const tenantId = yield* CurrentTenant
        const only = [sql`p.id = ${policyId}`]
        const found = yield* tenantSql.read(sql`${policiesIn(tenantId, coverage, sql`p.id`, only)}`)
        return found.length > 0
      }, Effect.orDie)

      return ListingsRepo.of({ policies, customers, covers })
    })
  )
}
