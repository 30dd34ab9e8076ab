import type { ShownColumns } from "@quittance/domain/policies/aggregate/ListColumns"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import { type Instant, min } from "@quittance/domain/values/Instant"
import { PolicyNotFound, type PolicyStatus } from "@quittance/domain/policies/Policy"
import { PolicyHead } from "@quittance/domain/policies/PolicyHead"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { headColumns, PolicyHeadRow } from "./PolicyHeadRow.ts"
import { TenantClockRepo } from "../tenants/TenantClockRepo.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { pipelineBoth } from "../sql/Pipelining.ts"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

const Row = Schema.Struct({
  ...PolicyHead.fields,
  incrementalId: IntColumn,
  toldUntil: Schema.NullOr(InstantColumn),
  createdAt: InstantColumn,
  lastModifiedAt: InstantColumn,
  now: InstantColumn,
  granted: Schema.Boolean
})
const decodeRow = Schema.decodeUnknownEffect(Row)
const decodeInstants = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ now: InstantColumn }))
)
const decodeHeads = Schema.decodeUnknownEffect(Schema.Array(PolicyHeadRow))

/** A policy on which the caller may do `action`; only `authorize` makes one. */
export interface AuthorizedPolicy<A extends Action = Action> {
  readonly action: A
  readonly head: PolicyHead
  /** The tenant's business time; of a locked policy, read once the lock was there. */
  readonly now: Instant
}

/** The same of its first state. */
export interface HeadColumns {
  readonly name: string | undefined
  readonly externalId: string | undefined
  readonly startedAt: Instant
}

/** What a command changes on the head, beside the counters. */
export interface HeadUpdate extends ShownColumns {
  readonly defaultBranchId: BranchId
  readonly changeSeq: number
  readonly eventSeq: number
  readonly status: PolicyStatus
  readonly toldUntil: Instant
  readonly startedAt: Instant
  readonly lastModifiedAt: Instant
}

export class PoliciesRepo extends Context.Service<
  PoliciesRepo,
  {
    /**
     * Fetches a policy together with the permission on it. With `lock` the row stays locked until
     * the transaction ends: every writer takes it first, and reads its clock then.
     */
    authorize<A extends Action>(
      action: A,
      id: PolicyId,
      options?: { readonly lock?: boolean }
    ): Effect.Effect<
      AuthorizedPolicy<A>,
      PolicyNotFound | Forbidden | UserNotFound,
      CurrentTenant | CurrentCaller
    >
    /**
     * Waits for the writers that have these policies. With the business time up to which nothing is
     * recorded of them any more: who writes next reads its clock later. None where there is no policy.
     */
    settled(ids: ReadonlyArray<PolicyId>): Effect.Effect<Instant | undefined, never, CurrentTenant>
    /** Locks a policy for a command from beside the service, which no permission stands in the way of. */
    hold(
      id: PolicyId
    ): Effect.Effect<{ readonly head: PolicyHead; readonly now: Instant }, never, CurrentTenant>
    /** The heads of several policies, for lists whose coverage was resolved. */
    findMany(
      ids: ReadonlyArray<PolicyId>
    ): Effect.Effect<ReadonlyArray<PolicyHead>, never, CurrentTenant>
    /** Stores a new policy and gives it the tenant's next incremental number. */
    insert(
      head: Omit<PolicyHead, "incrementalId">,
      columns: HeadColumns
    ): Effect.Effect<number, never, CurrentTenant>
    update(update: HeadUpdate): Effect.Effect<void, never, CurrentTenant>
    /** Brings what lists find several policies by up to what they show by now. */
    show(shown: ReadonlyArray<ShownColumns>): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/PoliciesRepo") {
  static readonly layer = Layer.effect(
    PoliciesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo
      const clock = yield* TenantClockRepo

      const authorize = Effect.fn("PoliciesRepo.authorize")(function* <A extends Action>(
        action: A,
        id: PolicyId,
        { lock = false }: { readonly lock?: boolean } = {}
      ) {
        const tenantId = yield* CurrentTenant
        const granted = yield* grants.onPolicy(action, {
          policyId: sql`p.id`,
          brokerageFirmId: sql`p.brokerage_firm_id`
        })
        const found = Effect.orDie(
          tenantSql.read(sql`
            SELECT p.id, p.incremental_id, p.product_id, p.product_version, p.type,
              p.brokerage_firm_id, p.parent_id, p.author, p.default_branch_id, p.change_seq,
              p.event_seq, p.status, p.told_until, p.created_at, p.last_modified_at,
              coalesce(t.test_clock, clock_timestamp()) AS now, ${granted} AS granted
            FROM policy p JOIN tenant t ON t.tenant_id = p.tenant_id
            WHERE p.tenant_id = ${tenantId} AND p.id = ${id}
            ${lock ? sql`FOR UPDATE OF p` : sql``}
          `)
        )
        // While it waits for the row its holder may move the test clock: that is read after it.
        const [rows, present] = yield* lock
          ? pipelineBoth(found, clock.read)
          : Effect.map(found, (rows) => [rows, undefined] as const)
        if (rows[0] === undefined) return yield* new PolicyNotFound({ policyId: id })
        const { granted: isGranted, now, ...head } = yield* Effect.orDie(decodeRow(rows[0]))
        if (!isGranted) return yield* grants.refuse(action)
        return { action, head, now: present?.now ?? now }
      })

      const settled = Effect.fn("PoliciesRepo.settled")(function* (ids: ReadonlyArray<PolicyId>) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT coalesce(t.test_clock, clock_timestamp()) AS now
          FROM policy p JOIN tenant t ON t.tenant_id = p.tenant_id
          WHERE p.tenant_id = ${tenantId} AND p.id = ANY(${[...ids]}) FOR KEY SHARE OF p
        `)
        const instants = (yield* decodeInstants(rows)).map(({ now }) => now)
        return instants.length === 0 ? undefined : instants.reduce(min)
      }, Effect.orDie)

      const hold = Effect.fn("PoliciesRepo.hold")(function* (id: PolicyId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${headColumns(sql)} FROM policy p
          WHERE p.tenant_id = ${tenantId} AND p.id = ${id} FOR UPDATE
        `)
        const [head] = yield* decodeHeads(rows)
        return { head: head!, now: (yield* clock.read).now }
      }, Effect.orDie)

      const findMany = Effect.fn("PoliciesRepo.findMany")(function* (ids: ReadonlyArray<PolicyId>) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${headColumns(sql)} FROM policy p
          WHERE p.tenant_id = ${tenantId} AND p.id = ANY(${[...ids]})
        `)
        return yield* decodeHeads(rows)
      }, Effect.orDie)

      const insert = Effect.fn("PoliciesRepo.insert")(function* (
        head: Omit<PolicyHead, "incrementalId">,
        columns: HeadColumns
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql<{ readonly incrementalId: bigint }>`
          WITH number AS (
            INSERT INTO counter (tenant_id, series, value) VALUES (${tenantId}, 'policy', 1)
            ON CONFLICT (tenant_id, series) DO UPDATE SET value = counter.value + 1
            RETURNING value
          )
          INSERT INTO policy (tenant_id, id, incremental_id, product_id, product_version, type,
            brokerage_firm_id, parent_id, author, default_branch_id, change_seq, event_seq, status,
            name, external_id, started_at, created_at, last_modified_at)
          SELECT ${tenantId}, ${head.id}, number.value, ${head.productId}, ${head.productVersion},
            ${head.type}, ${head.brokerageFirmId}, ${head.parentId},
            ${head.author === null ? null : PgTypes.jsonb(head.author)}, ${head.defaultBranchId},
            ${head.changeSeq}, ${head.eventSeq}, ${head.status}, ${columns.name ?? null},
            ${columns.externalId ?? null}, ${toDate(columns.startedAt)}, ${toDate(head.createdAt)},
            ${toDate(head.lastModifiedAt)}
          FROM number
          RETURNING incremental_id
        `)
        return Number(rows[0]!.incrementalId)
      }, Effect.orDie)

      const update = Effect.fn("PoliciesRepo.update")(function* (update: HeadUpdate) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE policy SET default_branch_id = ${update.defaultBranchId},
            change_seq = ${update.changeSeq}, event_seq = ${update.eventSeq},
            status = ${update.status}, name = ${update.name ?? null},
            external_id = ${update.externalId ?? null}, stop_reason = ${update.stopReason ?? null},
            told_until = ${toDate(update.toldUntil)}, started_at = ${toDate(update.startedAt)},
            last_modified_at = ${toDate(update.lastModifiedAt)}
          WHERE tenant_id = ${tenantId} AND id = ${update.id}
        `)
      }, Effect.orDie)

      const show = Effect.fn("PoliciesRepo.show")(function* (shown: ReadonlyArray<ShownColumns>) {
        if (shown.length === 0) return
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE policy p SET name = s.name, external_id = s."externalId", stop_reason = s."stopReason"
          FROM jsonb_to_recordset(${PgTypes.jsonb(shown)}) AS s(
            id text, name text, "externalId" text, "stopReason" text)
          WHERE p.tenant_id = ${tenantId} AND p.id = s.id
        `)
      }, Effect.orDie)

      return PoliciesRepo.of({ settled, hold, authorize, findMany, insert, update, show })
    })
  ).pipe(Layer.provide([GrantsRepo.layer, TenantClockRepo.layer]))
}
