/** The policies of a product that are insured, picked out by criteria and read through from end to end. */
import type { Instant } from "@quittance/domain/values/Instant"
import type { PolicyStatus } from "@quittance/domain/policies/Policy"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { IntColumn, toDate } from "../sql/Columns.ts"
import { tenantNow } from "../tenants/TenantNow.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { type BrokerageFirmId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Which live policies are asked for; what is absent does not restrict. Before is exclusive, after not. */
export interface LiveFilter {
  readonly productId: string
  readonly statuses?: ReadonlyArray<PolicyStatus> | undefined
  readonly firmIds?: ReadonlyArray<BrokerageFirmId> | undefined
  readonly productVersions?: ReadonlyArray<string> | undefined
  readonly startedAfter?: Instant | undefined
  readonly startedBefore?: Instant | undefined
  /** At most so many: those whose identifiers have the least digests. */
  readonly sample?: number | undefined
}

/** A live policy, and the product version that it has now. */
const LivePolicy = Schema.Struct({ id: PolicyId, productVersion: Schema.String })
export type LivePolicy = typeof LivePolicy.Type

/** A walk through live policies, from the least identifier to the greatest. */
export interface Walk {
  /** How many there are on it. */
  readonly count: number
  /** The next ones; none at the end. */
  readonly next: Effect.Effect<ReadonlyArray<LivePolicy>, never, CurrentTenant>
}

const decodeCount = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: IntColumn })]))
const decodePage = Schema.decodeUnknownEffect(Schema.Array(LivePolicy))

export class PortfolioRepo extends Context.Service<
  PortfolioRepo,
  {
    /**
     * Begins a walk through the live policies that fit, signed and not stopped, so many at a time. It is
     * over with the transaction that it is in, usually a `TenantSql.snapshot`, which has one at a time.
     */
    walk(filter: LiveFilter, pageSize: number): Effect.Effect<Walk, never, CurrentTenant>
  }
>()("@quittance/persistence/PortfolioRepo") {
  static readonly layer = Layer.effect(
    PortfolioRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      // A digest that is the same in every version of the database.
      const digest = sql`md5(p.id) COLLATE "C"`

      const live = (tenantId: string, filter: LiveFilter): Statement.Fragment => {
        const only: Array<Statement.Fragment> = [
          sql`p.tenant_id = ${tenantId}`,
          sql`p.product_id = ${filter.productId}`
        ]
        const add = <A>(value: A | undefined, condition: (value: A) => Statement.Fragment) => {
          if (value !== undefined) only.push(condition(value))
        }
        add(filter.statuses, (statuses) => sql`p.status = ANY (${[...statuses]})`)
        add(filter.firmIds, (ids) => sql`p.brokerage_firm_id = ANY (${[...ids]})`)
        add(filter.productVersions, (of) => sql`v.version = ANY (${[...of]})`)
        add(filter.startedAfter, (at) => sql`p.started_at >= ${toDate(at)}`)
        add(filter.startedBefore, (at) => sql`p.started_at < ${toDate(at)}`)
        // A policy is on its base branch from its signature on; a renewal may have moved its version.
        return sql`
          FROM policy p
          JOIN branch b ON b.tenant_id = p.tenant_id AND b.policy_id = p.id
            AND b.id = p.default_branch_id AND b.branch_type = 'BASE'
          CROSS JOIN LATERAL (SELECT coalesce((
            SELECT s.state ->> 'productVersion' FROM validity s
            WHERE s.tenant_id = p.tenant_id AND s.policy_id = p.id AND s.branch_id = b.id
              AND s.entity_id = p.id AND s.valid_from <= ${tenantNow(sql, tenantId)}
              AND s.valid_to > ${tenantNow(sql, tenantId)}
          ), p.product_version) AS version) v
          WHERE p.status <> 'POLICY_STOPPED' AND ${sql.and(only)}`
      }

      const selected = (tenantId: string, filter: LiveFilter): Statement.Fragment => {
        const all = sql`SELECT p.id, v.version AS product_version ${live(tenantId, filter)}`
        return filter.sample === undefined
          ? all
          : sql`SELECT id, product_version FROM (${all} ORDER BY ${digest} LIMIT ${filter.sample}) s`
      }

      const walk = Effect.fn("PortfolioRepo.walk")(function* (
        filter: LiveFilter,
        pageSize: number
      ) {
        const tenantId = yield* CurrentTenant
        const policies = selected(tenantId, filter)
        const counted = yield* tenantSql.read(sql`SELECT count(*) AS count FROM (${policies}) c`)
        const [{ count }] = yield* decodeCount(counted)
        // With a cursor it is planned once and gone through once, whatever the plan is.
        yield* tenantSql.read(sql`
          DECLARE live_policy NO SCROLL CURSOR FOR ${policies} ORDER BY id
        `)
        const fetch = tenantSql.read(
          sql`FETCH FORWARD ${sql.literal(String(pageSize))} FROM live_policy`
        )
        const next = fetch.pipe(
          Effect.flatMap(decodePage),
          Effect.orDie,
          Effect.withSpan("PortfolioRepo.next")
        )
        return { count, next }
      }, Effect.orDie)

      return PortfolioRepo.of({ walk })
    })
  )
}
