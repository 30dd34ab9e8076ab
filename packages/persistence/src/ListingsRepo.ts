/** Which policies and customers a list shows: those that are asked for and may be seen, page by page. */
import type { Coverage } from "@quittance/auth/Grants"
import type { Direction } from "@quittance/domain/AccountingSummary"
import type { BrokerageFirmId } from "@quittance/domain/Amount"
import { CustomerId, type CustomerStatus } from "@quittance/domain/Customer"
import type { Instant } from "@quittance/domain/Instant"
import type { PageRequest } from "@quittance/domain/Page"
import { PolicyId, type PolicyStatus } from "@quittance/domain/Policy"
import type { PolicyOrderKey } from "@quittance/domain/PolicyListing"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { toDate } from "./Columns.ts"
import { matchesWords } from "./SearchWords.ts"
import { TenantSql } from "./TenantSql.ts"

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

const decodePolicies = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: PolicyId })))
const decodeCustomers = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: CustomerId })))

export class ListingsRepo extends Context.Service<
  ListingsRepo,
  {
    policies(query: PolicyListQuery): Effect.Effect<Listed<PolicyId>, never, CurrentTenant>
    /** The newest first. A customer is covered as its earliest policy is, in whose context it is read. */
    customers(query: CustomerListQuery): Effect.Effect<Listed<CustomerId>, never, CurrentTenant>
  }
>()("@quittance/persistence/ListingsRepo") {
  static readonly layer = Layer.effect(
    ListingsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      /** Each half is a look into an index: by firm, or by key. */
      const covered = ({ firmIds, recordIds }: Extract<Coverage, { readonly _tag: "Records" }>) =>
        sql`(p.brokerage_firm_id = ANY (${[...firmIds]}) OR p.id = ANY (${[...recordIds]}))`

      const policyConditions = (tenantId: string, { coverage, filter }: PolicyListQuery) => {
        const only: Array<Statement.Fragment> = [sql`p.tenant_id = ${tenantId}`]
        const add = <A>(value: A | undefined, condition: (value: A) => Statement.Fragment) => {
          if (value !== undefined) only.push(condition(value))
        }
        if (coverage._tag === "Records") only.push(covered(coverage))
        add(filter.statuses, (statuses) => sql`p.status = ANY (${[...statuses]})`)
        add(filter.productIds, (ids) => sql`p.product_id = ANY (${[...ids]})`)
        add(filter.brokerageFirmId, (id) => sql`p.brokerage_firm_id = ${id}`)
        add(filter.externalId, (id) => sql`p.external_id = ${id}`)
        add(filter.createdAfter, (at) => sql`p.created_at >= ${toDate(at)}`)
        add(filter.createdBefore, (at) => sql`p.created_at < ${toDate(at)}`)
        add(filter.startedAfter, (at) => sql`p.started_at >= ${toDate(at)}`)
        add(filter.startedBefore, (at) => sql`p.started_at < ${toDate(at)}`)
        add(filter.words, (words) => matchesWords(sql, sql`p.search`, words))
        return sql.and(only)
      }

      const columnOf: Readonly<Record<PolicyOrderKey, Statement.Fragment>> = {
        createdAt: sql`p.created_at`,
        startedAt: sql`p.started_at`,
        lastModifiedAt: sql`p.last_modified_at`
      }

      const policies = Effect.fn("ListingsRepo.policies")(function* (query: PolicyListQuery) {
        const tenantId = yield* CurrentTenant
        const where = policyConditions(tenantId, query)
        const { order, page } = query
        const direction = order.direction === "ASC" ? sql`ASC` : sql`DESC`
        const rows = yield* tenantSql.read(sql`
          SELECT p.id FROM policy p WHERE ${where}
          ORDER BY ${columnOf[order.by]} ${direction}, p.id ${direction}
          LIMIT ${page.count} OFFSET ${(page.page - 1) * page.count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM policy p WHERE ${where}
        `)
        return { ids: (yield* decodePolicies(rows)).map(({ id }) => id), total: counted!.total }
      }, Effect.orDie)

      /** Whoever came onto a policy that fits before he came onto any other. */
      const onEarliest = (tenantId: string, fits: Statement.Fragment) => sql`c.id IN (
        SELECT l.customer_id FROM policy p
        JOIN customer_policy l ON l.tenant_id = p.tenant_id AND l.policy_id = p.id
        WHERE p.tenant_id = ${tenantId} AND ${fits} AND NOT EXISTS (
          SELECT FROM customer_policy e
          WHERE e.tenant_id = l.tenant_id AND e.customer_id = l.customer_id
            AND (e.linked_at, e.policy_id) < (l.linked_at, l.policy_id)))`

      const customerConditions = (tenantId: string, { coverage, filter }: CustomerListQuery) => {
        const only: Array<Statement.Fragment> = [sql`c.tenant_id = ${tenantId}`]
        if (coverage._tag === "Records") only.push(onEarliest(tenantId, covered(coverage)))
        if (filter.policyId !== undefined) {
          only.push(sql`c.id IN (
            SELECT l.customer_id FROM customer_policy l
            WHERE l.tenant_id = ${tenantId} AND l.policy_id = ${filter.policyId})`)
        }
        if (filter.statuses !== undefined) {
          only.push(sql`c.status = ANY (${[...filter.statuses]})`)
        }
        if (filter.words !== undefined) only.push(matchesWords(sql, sql`c.search`, filter.words))
        return sql.and(only)
      }

      const customers = Effect.fn("ListingsRepo.customers")(function* (query: CustomerListQuery) {
        const tenantId = yield* CurrentTenant
        const where = customerConditions(tenantId, query)
        const { count, page } = query.page
        const rows = yield* tenantSql.read(sql`
          SELECT c.id FROM customer c WHERE ${where}
          ORDER BY c.created_at DESC, c.id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM customer c WHERE ${where}
        `)
        return { ids: (yield* decodeCustomers(rows)).map(({ id }) => id), total: counted!.total }
      }, Effect.orDie)

      return ListingsRepo.of({ policies, customers })
    })
  )
}
