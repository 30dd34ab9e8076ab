/** What is due and when: the heads that the worker claims, the directory of tenants, what is parked. */
import type { Instant } from "@quittance/domain/values/Instant"
import type { PolicyHead } from "@quittance/domain/policies/PolicyHead"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { waitsAside } from "./ParkedOfferSql.ts"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { headColumns, PolicyHeadRow } from "./PolicyHeadRow.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { DueDirectory } from "../tenants/DueDirectory.ts"
import { unnested } from "../sql/UnnestRows.ts"
import { PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const Due = Schema.Struct({ policyId: PolicyId, dueAt: InstantColumn })
export type Due = typeof Due.Type

/** A policy that the worker had to leave aside, and why. */
export const ParkedPolicy = Schema.Struct({
  policyId: PolicyId,
  reason: Schema.String,
  at: InstantColumn
})
export type ParkedPolicy = typeof ParkedPolicy.Type

/** What waits in a tenant: policies that are due, for how many seconds at most, and what is parked of any. */
export const Backlog = Schema.Struct({
  due: Schema.Int,
  oldestSeconds: Schema.Finite,
  parked: Schema.Int
})
export type Backlog = typeof Backlog.Type

const advancedTypes = {
  id: "text",
  changeSeq: "integer",
  eventSeq: "integer",
  status: "text",
  toldUntil: "timestamptz",
  lastModifiedAt: "timestamptz",
  dueAt: "timestamptz"
} as const

const DueTenant = Schema.Struct({ tenantId: TenantId, isDue: Schema.Boolean })
const decodeBacklog = Schema.decodeUnknownEffect(Schema.Tuple([Backlog]))
const decodeDue = Schema.decodeUnknownEffect(Schema.Array(Due))
const decodeHeads = Schema.decodeUnknownEffect(Schema.Array(PolicyHeadRow))
const decodeParked = Schema.decodeUnknownEffect(Schema.Array(ParkedPolicy))
const decodeTenants = Schema.decodeUnknownEffect(Schema.Array(DueTenant))

export class DueRepo extends Context.Service<
  DueRepo,
  {
    /** The next policies that are due by an instant, the longest due first; nothing is locked. */
    due(by: Instant, limit: number): Effect.Effect<ReadonlyArray<Due>, never, CurrentTenant>
    /** Locks the heads of what is due by an instant, leaving out what others have locked. */
    claim(
      by: Instant,
      limit: number
    ): Effect.Effect<ReadonlyArray<PolicyHead>, never, CurrentTenant>
    /** Locks one head, if it is due by an instant and not locked. */
    claimOne(
      policyId: PolicyId,
      by: Instant
    ): Effect.Effect<PolicyHead | undefined, never, CurrentTenant>
    /** Locks one head, waiting for its lock; `undefined` once it is no longer due. */
    waitFor(
      policyId: PolicyId,
      by: Instant
    ): Effect.Effect<PolicyHead | undefined, never, CurrentTenant>
    /**
     * Moves the counters and the status of heads that the transaction holds, says when each is due
     * next, and lets the directory know. What is parked stays aside.
     */
    advance(
      heads: ReadonlyArray<{ readonly head: PolicyHead; readonly dueAt: Instant | undefined }>
    ): Effect.Effect<void, never, CurrentTenant>
    /** Has the worker look now at policies in arrears, of some products or of all. */
    wakeUnpaid(
      productIds: ReadonlyArray<string> | undefined,
      at: Instant
    ): Effect.Effect<void, never, CurrentTenant>
    /** The enabled tenants with work, and whether it is due by now; none with a test clock. */
    readonly tenants: Effect.Effect<
      ReadonlyArray<{ readonly tenantId: TenantId; readonly isDue: boolean }>
    >
    /** What waits by now; of a tenant with a test clock, or a disabled one, only what is parked. */
    readonly backlog: Effect.Effect<Backlog, never, CurrentTenant>
    /** Sets a policy aside until it is retried. */
    park(policyId: PolicyId, reason: string, at: Instant): Effect.Effect<void, never, CurrentTenant>
    isParked(policyId: PolicyId): Effect.Effect<boolean, never, CurrentTenant>
    readonly parked: Effect.Effect<ReadonlyArray<ParkedPolicy>, never, CurrentTenant>
    /** Lets the worker try again what is parked of a policy: the policy, or offers of it. */
    retry(policyId: PolicyId, dueAt: Instant): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/DueRepo") {
  static readonly layer = Layer.effect(
    DueRepo,
    Effect.gen(function* () {
      const directory = yield* DueDirectory
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = headColumns(sql)

      const due = Effect.fn("DueRepo.due")(function* (by: Instant, limit: number) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT id AS policy_id, next_due_at AS due_at FROM policy
          WHERE tenant_id = ${tenantId} AND next_due_at <= ${toDate(by)}
          ORDER BY next_due_at, id LIMIT ${limit}
        `)
        return yield* decodeDue(rows)
      }, Effect.orDie)

      const claim = Effect.fn("DueRepo.claim")(function* (by: Instant, limit: number) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          SELECT ${columns} FROM policy p
          WHERE p.tenant_id = ${tenantId} AND p.next_due_at <= ${toDate(by)}
          ORDER BY p.next_due_at, p.id LIMIT ${limit} FOR UPDATE SKIP LOCKED
        `)
        return yield* decodeHeads(rows)
      }, Effect.orDie)

      const lockOne = Effect.fnUntraced(function* (policyId: PolicyId, by: Instant, wait: boolean) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          SELECT ${columns} FROM policy p
          WHERE p.tenant_id = ${tenantId} AND p.id = ${policyId} AND p.next_due_at <= ${toDate(by)}
          FOR UPDATE ${wait ? sql`` : sql`SKIP LOCKED`}
        `)
        return (yield* decodeHeads(rows))[0]
      }, Effect.orDie)

      const advance = Effect.fn("DueRepo.advance")(function* (
        heads: ReadonlyArray<{ readonly head: PolicyHead; readonly dueAt: Instant | undefined }>
      ) {
        if (heads.length === 0) return
        const tenantId = yield* CurrentTenant
        const instants = heads.flatMap(({ dueAt }) => (dueAt === undefined ? [] : [dueAt]))
        if (instants.length > 0)
          yield* directory.announce(instants.reduce((a, b) => (a <= b ? a : b)))
        const rows = heads.map(({ dueAt, head }) => ({ ...head, dueAt: dueAt ?? null }))
        yield* tenantSql.write(sql`
          UPDATE policy p SET change_seq = h."changeSeq", event_seq = h."eventSeq",
            status = h.status, told_until = h."toldUntil", last_modified_at = h."lastModifiedAt",
            next_due_at = CASE WHEN k.policy_id IS NULL THEN h."dueAt" END
          FROM ${unnested(sql, rows, advancedTypes)} AS h
          LEFT JOIN parked k ON k.tenant_id = ${tenantId} AND k.policy_id = h.id
          WHERE p.tenant_id = ${tenantId} AND p.id = h.id
        `)
      }, Effect.orDie)

      const wakeUnpaid = Effect.fn("DueRepo.wakeUnpaid")(function* (
        productIds: ReadonlyArray<string> | undefined,
        at: Instant
      ) {
        const tenantId = yield* CurrentTenant
        yield* directory.announce(at)
        yield* tenantSql.write(sql`
          UPDATE policy p SET next_due_at = least(p.next_due_at, ${toDate(at)})
          WHERE p.tenant_id = ${tenantId}
            AND p.id IN (SELECT policy_id FROM receivable WHERE tenant_id = ${tenantId})
            AND p.id NOT IN (SELECT policy_id FROM parked WHERE tenant_id = ${tenantId})
            AND ${productIds === undefined ? sql`true` : sql`p.product_id = ANY(${[...productIds]})`}
        `)
      }, Effect.orDie)

      const tenants = Effect.gen(function* () {
        const rows = yield* tenantSql.unscoped(
          "due_tenant",
          sql`
            SELECT d.tenant_id, d.next_due_at <= clock_timestamp() AS is_due FROM due_tenant d
            JOIN tenant t ON t.tenant_id = d.tenant_id
            WHERE t.test_clock IS NULL AND t.disabled_at IS NULL ORDER BY d.next_due_at, d.tenant_id
          `
        )
        return yield* decodeTenants(rows)
      }).pipe(Effect.orDie, Effect.withSpan("DueRepo.tenants"))

      const backlog = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT count(p.id)::int AS due,
            coalesce(extract(epoch FROM clock_timestamp() - min(p.next_due_at)), 0)::float8
              AS oldest_seconds,
            (SELECT count(*) FROM parked WHERE tenant_id = ${tenantId})::int + (SELECT count(*)
              FROM branch WHERE tenant_id = ${tenantId} AND ${waitsAside(sql)})::int AS parked
          FROM tenant t LEFT JOIN policy p ON p.tenant_id = ${tenantId}
            AND t.test_clock IS NULL AND t.disabled_at IS NULL AND p.next_due_at <= clock_timestamp()
          WHERE t.tenant_id = ${tenantId}
        `)
        return (yield* decodeBacklog(rows))[0]
      }).pipe(Effect.orDie, Effect.withSpan("DueRepo.backlog"))

      const park = Effect.fn("DueRepo.park")(function* (
        policyId: PolicyId,
        reason: string,
        at: Instant
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO parked (tenant_id, policy_id, reason, at)
          VALUES (${tenantId}, ${policyId}, ${reason}, ${toDate(at)})
          ON CONFLICT (tenant_id, policy_id) DO UPDATE SET reason = excluded.reason, at = excluded.at
        `)
        yield* tenantSql.write(sql`
          UPDATE policy SET next_due_at = NULL WHERE tenant_id = ${tenantId} AND id = ${policyId}
        `)
      }, Effect.orDie)

      const isParked = Effect.fn("DueRepo.isParked")(function* (policyId: PolicyId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT FROM parked WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
        `)
        return rows.length > 0
      }, Effect.orDie)

      const parked = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT policy_id, reason, at FROM parked WHERE tenant_id = ${tenantId}
          ORDER BY at, policy_id
        `)
        return yield* decodeParked(rows)
      }).pipe(Effect.orDie, Effect.withSpan("DueRepo.parked"))

      const retry = Effect.fn("DueRepo.retry")(function* (policyId: PolicyId, dueAt: Instant) {
        const tenantId = yield* CurrentTenant
        const ofPolicy = sql`tenant_id = ${tenantId} AND policy_id = ${policyId}`
        yield* tenantSql.write(sql`DELETE FROM parked WHERE ${ofPolicy}`)
        yield* tenantSql.write(sql`
          UPDATE branch SET aside = aside || '{"again": true}' WHERE ${ofPolicy} AND aside IS NOT NULL
        `)
        yield* directory.announce(dueAt)
        yield* tenantSql.write(sql`
          UPDATE policy SET next_due_at = ${toDate(dueAt)}
          WHERE tenant_id = ${tenantId} AND id = ${policyId}
        `)
      }, Effect.orDie)

      return DueRepo.of({
        due,
        claim,
        claimOne: (policyId, by) => lockOne(policyId, by, false),
        waitFor: (policyId, by) => lockOne(policyId, by, true),
        advance,
        wakeUnpaid,
        isParked,
        tenants,
        backlog,
        park,
        parked,
        retry
      })
    })
  ).pipe(Layer.provide(DueDirectory.layer))
}
