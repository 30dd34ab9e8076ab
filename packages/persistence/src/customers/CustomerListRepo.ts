/** Which customers a list shows: those that are asked for and may be seen, page by page. */
import type { Coverage } from "@quittance/auth/Grants"
import type { CustomerStatus } from "@quittance/domain/customers/Customer"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { matchesWords, wordIndex } from "../access/SearchWords.ts"
import { decodeListed, type Listed, listSql } from "../policies/ListSql.ts"
import { onPolicySql } from "../policies/PolicyMembersSql.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CustomerId, type PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Which customers are asked for; what is absent does not restrict. */
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

const decodeCustomers = decodeListed(CustomerId)

export class CustomerListRepo extends Context.Service<
  CustomerListRepo,
  {
    /** The newest first. A customer is covered where one of its policies is; of one, who has a role there. */
    customers(query: CustomerListQuery): Effect.Effect<Listed<CustomerId>, never, CurrentTenant>
  }
>()("@quittance/persistence/CustomerListRepo") {
  static readonly layer = Layer.effect(
    CustomerListRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const { coveredBy, isOn, stands } = onPolicySql(sql)
      const { ofRecordsWith, rarest } = wordIndex(sql, tenantSql)
      const { paged, policiesIn } = listSql(sql)

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

      const customers = Effect.fn("CustomerListRepo.customers")(function* (
        query: CustomerListQuery
      ) {
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

      return CustomerListRepo.of({ customers })
    })
  )
}
