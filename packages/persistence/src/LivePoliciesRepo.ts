/** The policies of a product that are insured, picked out by criteria and read through from end to end. */
import type { BrokerageFirmId } from "@quittance/domain/Amount"
import type { Instant } from "@quittance/domain/Instant"
import { PolicyId, type PolicyStatus } from "@quittance/domain/Policy"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { IntColumn, toDate } from "./Columns.ts"
import { TenantSql } from "./TenantSql.ts"

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

/** What a walk through the policies needs: how many there are, and where their sample ends. */
export interface Chosen {
  readonly filter: LiveFilter
  readonly count: number
  /** The greatest digest in the sample; absent where there is none, or it is all of them. */
  readonly lastDigest?: string | undefined
}

const decodeCount = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ count: IntColumn })]))
const decodeSample = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ count: IntColumn, lastDigest: Schema.NullOr(Schema.String) })])
)
const decodePage = Schema.decodeUnknownEffect(Schema.Array(LivePolicy))

export class LivePoliciesRepo extends Context.Service<
  LivePoliciesRepo,
  {
    /**
     * Counts the live policies that fit: signed, and not stopped. All of a walk belongs into one
     * `TenantSql.snapshot`; else what is written meanwhile moves the count.
     */
    choose(filter: LiveFilter): Effect.Effect<Chosen, never, CurrentTenant>
    /** The next of them after an identifier, in the order of identifiers; from the first with "". */
    after(
      chosen: Chosen,
      id: PolicyId | "",
      limit: number
    ): Effect.Effect<ReadonlyArray<LivePolicy>, never, CurrentTenant>
  }
>()("@quittance/persistence/LivePoliciesRepo") {
  static readonly layer = Layer.effect(
    LivePoliciesRepo,
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
        add(filter.productVersions, (of) => sql`p.product_version = ANY (${[...of]})`)
        add(filter.startedAfter, (at) => sql`p.started_at >= ${toDate(at)}`)
        add(filter.startedBefore, (at) => sql`p.started_at < ${toDate(at)}`)
        // A policy is on its trunk from its signature on.
        return sql`
          FROM policy p
          JOIN branch b ON b.tenant_id = p.tenant_id AND b.policy_id = p.id
            AND b.id = p.default_branch_id AND b.branch_type = 'BASE'
          WHERE p.status <> 'POLICY_STOPPED' AND ${sql.and(only)}`
      }

      const choose = Effect.fn("LivePoliciesRepo.choose")(function* (filter: LiveFilter) {
        const tenantId = yield* CurrentTenant
        const fits = live(tenantId, filter)
        if (filter.sample === undefined) {
          const rows = yield* tenantSql.read(sql`SELECT count(*) AS count ${fits}`)
          const [{ count }] = yield* decodeCount(rows)
          return { filter, count }
        }
        const rows = yield* tenantSql.read(sql`
          SELECT count(*) AS count, max(digest) AS last_digest FROM (
            SELECT ${digest} AS digest ${fits} ORDER BY 1 LIMIT ${filter.sample}
          ) sampled
        `)
        const [{ count, lastDigest }] = yield* decodeSample(rows)
        return { filter, count, lastDigest: lastDigest ?? undefined }
      }, Effect.orDie)

      const after = Effect.fn("LivePoliciesRepo.after")(function* (
        { filter, lastDigest }: Chosen,
        id: PolicyId | "",
        limit: number
      ) {
        const tenantId = yield* CurrentTenant
        const sampled = lastDigest === undefined ? sql`` : sql`AND ${digest} <= ${lastDigest}`
        const rows = yield* tenantSql.read(sql`
          SELECT p.id, p.product_version ${live(tenantId, filter)} AND p.id > ${id} ${sampled}
          ORDER BY p.id LIMIT ${limit}
        `)
        return yield* decodePage(rows)
      }, Effect.orDie)

      return LivePoliciesRepo.of({ choose, after })
    })
  )
}
