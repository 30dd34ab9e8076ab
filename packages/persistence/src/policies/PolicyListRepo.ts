/** Which policies a list shows: those that are asked for and may be seen, page by page. */
import type { Coverage } from "@quittance/auth/Grants"
import type { Instant } from "@quittance/domain/values/Instant"
import type { Direction, PageRequest } from "@quittance/domain/values/Page"
import type { PolicyStatus } from "@quittance/domain/policies/Policy"
import type { PolicyOrderKey } from "@quittance/domain/policies/PolicyList"
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { toDate } from "../sql/Columns.ts"
import { decodeListed, type Listed, listSql } from "./ListSql.ts"
import { onPolicySql } from "./PolicyMembersSql.ts"
import { matchesWords, wordIndex } from "../access/SearchWords.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { type BrokerageFirmId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

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

const decodePolicies = decodeListed(PolicyId)

export class PolicyListRepo extends Context.Service<
  PolicyListRepo,
  {
    policies(query: PolicyListQuery): Effect.Effect<Listed<PolicyId>, never, CurrentTenant>
    /** Whether a coverage reaches a policy. */
    covers(policyId: PolicyId, coverage: Coverage): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/persistence/PolicyListRepo") {
  static readonly layer = Layer.effect(
    PolicyListRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const { coveredBy } = onPolicySql(sql)
      const { paged, policiesIn } = listSql(sql)
      const { ofRecordsWith, rarest } = wordIndex(sql, tenantSql)

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

      const policies = Effect.fn("PolicyListRepo.policies")(function* (query: PolicyListQuery) {
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

      const covers = Effect.fn("PolicyListRepo.covers")(function* (
        policyId: PolicyId,
        coverage: Coverage
      ) {
        const tenantId = yield* CurrentTenant
        const only = [sql`p.id = ${policyId}`]
        const found = yield* tenantSql.read(sql`${policiesIn(tenantId, coverage, sql`p.id`, only)}`)
        return found.length > 0
      }, Effect.orDie)

      return PolicyListRepo.of({ policies, covers })
    })
  )
}
