/** The versions of a policy: its branches, their changes, and the validity rows they make. */
import {
  BranchId,
  BranchStatus,
  BranchType,
  InvalidationReason,
  Stage
} from "@quittance/domain/Branch"
import { Change, ChangeId, origin } from "@quittance/domain/Change"
import type { Instant } from "@quittance/domain/Instant"
import { PolicyId } from "@quittance/domain/Policy"
import { CurrentTenant } from "@quittance/domain/Tenant"
import type { Validity } from "@quittance/domain/Validity"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { endOfTime, InstantColumn, lastInstant, toDate } from "./Columns.ts"
import { type Memberships, onPolicySql } from "./OnPolicySql.ts"
import { TenantSql } from "./TenantSql.ts"
import { together } from "./Together.ts"

/** A branch with the counters that the wire does not show. */
export const BranchRow = Schema.Struct({
  id: BranchId,
  policyId: PolicyId,
  branchType: BranchType,
  name: Schema.String,
  status: BranchStatus,
  stage: Stage,
  effectiveAt: Schema.NullOr(InstantColumn),
  forkedAt: InstantColumn,
  forkedSeq: Schema.Int,
  /** The last change of the branch: its etag. */
  seq: Schema.Int,
  author: Schema.String,
  createdAt: InstantColumn,
  mergedAt: Schema.NullOr(InstantColumn),
  invalidatedAt: Schema.NullOr(InstantColumn),
  invalidationReason: Schema.NullOr(InvalidationReason)
})
export type BranchRow = typeof BranchRow.Type

const ForkRow = Schema.Struct({ id: BranchId, seq: Schema.Int, at: InstantColumn })
/** Up to which change of the trunk a branch has forked from it, and when. */
export type Fork = Pick<typeof ForkRow.Type, "at" | "seq">
const decodeForks = Schema.decodeUnknownEffect(Schema.Array(ForkRow))

const ChangeRow = Schema.Struct({
  policyId: PolicyId,
  ...Change.fields,
  effectiveAt: InstantColumn,
  recordedAt: InstantColumn,
  reverts: Schema.NullOr(ChangeId)
})
const decodeBranches = Schema.decodeUnknownEffect(Schema.Array(BranchRow))
const decodeSpans = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ from: InstantColumn, to: InstantColumn }))
)
const decodeChanges = Schema.decodeUnknownEffect(Schema.Array(ChangeRow))

/** One entity's state, as a read at an instant needs it. */
export type ValidityRow = Pick<Validity, "entityId" | "entityKind" | "state">

/** What one command adds to a policy's versions. */
export interface Recording {
  readonly policyId: PolicyId
  /** New branches, and those whose stage, status or seq moved. */
  readonly branches: ReadonlyArray<BranchRow>
  readonly changes: ReadonlyArray<Change>
  /** The validity rows of these branches, whole: what was there is replaced. */
  readonly validity: ReadonlyMap<BranchId, ReadonlyArray<Validity>>
  readonly memberships: Memberships | undefined
}

export class PolicyLogRepo extends Context.Service<
  PolicyLogRepo,
  {
    branches(policyId: PolicyId): Effect.Effect<ReadonlyArray<BranchRow>, never, CurrentTenant>
    /** The branches of several policies, each policy's in the order of their opening. */
    branchesOf(
      policyIds: ReadonlyArray<PolicyId>
    ): Effect.Effect<ReadonlyArray<BranchRow>, never, CurrentTenant>
    branch(branchId: BranchId): Effect.Effect<BranchRow | undefined, never, CurrentTenant>
    /** Where the branches of policies have forked first, whatever a rebase has made of it since. */
    firstForks(
      policyIds: ReadonlyArray<PolicyId>
    ): Effect.Effect<ReadonlyMap<BranchId, Fork>, never, CurrentTenant>
    changes(policyId: PolicyId): Effect.Effect<ReadonlyArray<Change>, never, CurrentTenant>
    /** The changes of several policies, each policy's in their order. */
    changesOf(
      policyIds: ReadonlyArray<PolicyId>
    ): Effect.Effect<ReadonlyMap<PolicyId, ReadonlyArray<Change>>, never, CurrentTenant>
    /** The validity rows of a branch in force at an instant; without one, its latest. */
    validityAt(
      policyId: PolicyId,
      branchId: BranchId,
      whenAt: Instant | undefined
    ): Effect.Effect<ReadonlyArray<Validity>, never, CurrentTenant>
    /** Between which changes of state on a branch an instant lies, `[from, to)`. */
    effectsAround(
      policyId: PolicyId,
      branchId: BranchId,
      whenAt: Instant
    ): Effect.Effect<{ readonly from: Instant; readonly to: Instant }, never, CurrentTenant>
    record(recording: Recording): Effect.Effect<void, never, CurrentTenant>
    /** Writes what was decided about several policies with one statement for each table. */
    recordAll(recordings: ReadonlyArray<Recording>): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/PolicyLogRepo") {
  static readonly layer = Layer.effect(
    PolicyLogRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const { endLinks } = onPolicySql(sql)

      const branchColumns = sql`id, policy_id, branch_type, name, status, stage, effective_at,
        forked_at, forked_seq, seq, author, created_at, merged_at, invalidated_at, invalidation_reason`

      const branchesOf = Effect.fn("PolicyLogRepo.branchesOf")(function* (
        policyIds: ReadonlyArray<PolicyId>
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${branchColumns} FROM branch
          WHERE tenant_id = ${tenantId} AND policy_id = ANY(${[...policyIds]})
          ORDER BY policy_id, created_at, id
        `)
        return yield* decodeBranches(rows)
      }, Effect.orDie)

      const branch = Effect.fn("PolicyLogRepo.branch")(function* (branchId: BranchId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${branchColumns} FROM branch WHERE tenant_id = ${tenantId} AND id = ${branchId}
        `)
        return (yield* decodeBranches(rows))[0]
      }, Effect.orDie)

      const firstForks = Effect.fn("PolicyLogRepo.firstForks")(function* (
        policyIds: ReadonlyArray<PolicyId>
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT id, first_forked_seq AS seq, first_forked_at AS at FROM branch
          WHERE tenant_id = ${tenantId} AND policy_id = ANY(${[...policyIds]})
        `)
        return new Map((yield* decodeForks(rows)).map(({ id, ...fork }) => [id, fork]))
      }, Effect.orDie)

      const changesOf = Effect.fn("PolicyLogRepo.changesOf")(function* (
        policyIds: ReadonlyArray<PolicyId>
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT c.* FROM unnest(${[...policyIds]}::text[]) AS i(id) CROSS JOIN LATERAL (
            SELECT policy_id, id, seq, branch_id, kind, effective_at, recorded_at, author, patch,
              reverts
            FROM policy_change WHERE tenant_id = ${tenantId} AND policy_id = i.id
            OFFSET 0) c
          ORDER BY c.policy_id, c.seq
        `)
        return byPolicy(yield* decodeChanges(rows))
      }, Effect.orDie)

      const validityAt = Effect.fn("PolicyLogRepo.validityAt")(function* (
        policyId: PolicyId,
        branchId: BranchId,
        whenAt: Instant | undefined
      ) {
        const tenantId = yield* CurrentTenant
        const at = toDate(whenAt ?? lastInstant)
        return yield* tenantSql.read(sql<Validity>`
          SELECT entity_id, entity_kind, state FROM validity
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId} AND branch_id = ${branchId}
            AND valid_from <= ${at} AND valid_to > ${at}
        `)
      }, Effect.orDie)

      const effectsAround = Effect.fn("PolicyLogRepo.effectsAround")(function* (
        policyId: PolicyId,
        branchId: BranchId,
        whenAt: Instant
      ) {
        const tenantId = yield* CurrentTenant
        const at = toDate(whenAt)
        const rows = yield* tenantSql.read(sql`
          SELECT coalesce(max(instant) FILTER (WHERE instant <= ${at}), ${toDate(origin)}) AS from,
            coalesce(min(instant) FILTER (WHERE instant > ${at}), ${toDate(endOfTime)}) AS to
          FROM validity CROSS JOIN LATERAL (VALUES (valid_from), (valid_to)) AS v(instant)
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId} AND branch_id = ${branchId}
        `)
        return (yield* decodeSpans(rows))[0]!
      }, Effect.orDie)

      const writeBranches = (tenantId: string, branches: ReadonlyArray<BranchRow>) =>
        tenantSql.write(sql`
          INSERT INTO branch (tenant_id, ${branchColumns}, first_forked_at, first_forked_seq)
          SELECT ${tenantId}, id, "policyId", "branchType", name, status, stage, "effectiveAt",
            "forkedAt", "forkedSeq", seq, author, "createdAt", "mergedAt", "invalidatedAt",
            "invalidationReason", "forkedAt", "forkedSeq"
          FROM jsonb_to_recordset(${PgTypes.jsonb(branches)}) AS b(
            id text, "policyId" text, "branchType" text, name text, status text, stage text,
            "effectiveAt" timestamptz, "forkedAt" timestamptz, "forkedSeq" integer, seq integer,
            author text, "createdAt" timestamptz, "mergedAt" timestamptz, "invalidatedAt" timestamptz,
            "invalidationReason" text)
          ON CONFLICT (tenant_id, policy_id, id) DO UPDATE SET stage = excluded.stage,
            status = excluded.status, seq = excluded.seq, merged_at = excluded.merged_at,
            forked_at = excluded.forked_at, forked_seq = excluded.forked_seq,
            invalidated_at = excluded.invalidated_at,
            invalidation_reason = excluded.invalidation_reason
        `)

      const writeChanges = (tenantId: string, changes: ReadonlyArray<object>) =>
        tenantSql.write(sql`
          INSERT INTO policy_change (tenant_id, policy_id, seq, id, branch_id, kind, effective_at,
            recorded_at, author, patch, reverts)
          SELECT ${tenantId}, "policyId", seq, id, "branchId", kind, "effectiveAt", "recordedAt",
            author, patch, reverts
          FROM jsonb_to_recordset(${PgTypes.jsonb(changes)}) AS c(
            "policyId" text, seq integer, id text, "branchId" text, kind text,
            "effectiveAt" timestamptz, "recordedAt" timestamptz, author text, patch jsonb, reverts text)
        `)

      const writeValidity = (
        tenantId: string,
        touched: ReadonlyArray<object>,
        rows: ReadonlyArray<object>
      ) => [
        tenantSql.write(sql`
          DELETE FROM validity v
          USING jsonb_to_recordset(${PgTypes.jsonb(touched)}) AS t("policyId" text, "branchId" text)
          WHERE v.tenant_id = ${tenantId} AND v.policy_id = t."policyId"
            AND v.branch_id = t."branchId"
        `),
        tenantSql.write(sql`
          INSERT INTO validity (tenant_id, policy_id, branch_id, entity_id, entity_kind,
            valid_from, valid_to, state)
          SELECT ${tenantId}, "policyId", "branchId", "entityId", "entityKind", "from", "to", state
          FROM jsonb_to_recordset(${PgTypes.jsonb(rows)}) AS v(
            "policyId" text, "branchId" text, "entityId" text, "entityKind" text,
            "from" timestamptz, "to" timestamptz, state jsonb)
        `)
      ]

      const recordAll = Effect.fn("PolicyLogRepo.recordAll")(function* (
        recordings: ReadonlyArray<Recording>
      ) {
        const tenantId = yield* CurrentTenant
        const branches = recordings.flatMap((recording) => recording.branches)
        const changes = recordings.flatMap(({ changes, policyId }) =>
          changes.map((change) => ({ policyId, ...change }))
        )
        const touched = recordings.flatMap(({ policyId, validity }) =>
          [...validity].map(([branchId, rows]) => ({ policyId, branchId, rows }))
        )
        const links = endLinks(tenantId, recordings)
        const keys = touched.map(({ branchId, policyId }) => ({ branchId, policyId }))
        const rows = touched.flatMap(({ branchId, policyId, rows }) =>
          rows.map((row) => ({ policyId, branchId, to: endOfTime, ...row }))
        )
        yield* together([
          ...(branches.length > 0 ? [writeBranches(tenantId, branches)] : []),
          ...(changes.length > 0 ? [writeChanges(tenantId, changes)] : []),
          ...(links === undefined ? [] : [tenantSql.write(links)]),
          ...(touched.length > 0 ? writeValidity(tenantId, keys, rows) : [])
        ])
      }, Effect.orDie)

      return PolicyLogRepo.of({
        branches: (policyId) => branchesOf([policyId]),
        branchesOf,
        branch,
        firstForks,
        changes: (policyId) =>
          Effect.map(changesOf([policyId]), (changes) => changes.get(policyId) ?? []),
        changesOf,
        validityAt,
        effectsAround,
        record: (recording) => recordAll([recording]),
        recordAll
      })
    })
  )
}

const byPolicy = (
  rows: ReadonlyArray<typeof ChangeRow.Type>
): ReadonlyMap<PolicyId, ReadonlyArray<Change>> => {
  const result = new Map<PolicyId, Array<Change>>()
  for (const { policyId, reverts, ...row } of rows) {
    const change = reverts === null ? row : { ...row, reverts }
    const own = result.get(policyId)
    if (own === undefined) result.set(policyId, [change])
    else own.push(change)
  }
  return result
}
