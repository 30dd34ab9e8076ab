/** The versions of a policy: its branches, their changes, and the validity rows they make. */
import type { Fork, StoredBranch } from "@quittance/domain/policies/aggregate/StoredBranch"
import { BranchStatus, InvalidationReason, Stage } from "@quittance/domain/policies/Branch"
import { Change, origin } from "@quittance/domain/policies/Change"
import { Instant } from "@quittance/domain/values/Instant"
import type { PolicyHead } from "@quittance/domain/policies/PolicyHead"
import type { Validity } from "@quittance/domain/policies/Validity"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { endOfTime, InstantColumn, lastInstant, toDate } from "../sql/Columns.ts"
import { branchColumns, recordLog, type Recording } from "./PolicyLogWriter.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { type AssetId, BranchId, ChangeId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { BranchType } from "@quittance/domain/products/ProductTerms"

const BranchRow = Schema.Struct({
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
  invalidationReason: Schema.NullOr(InvalidationReason),
  /** Why the worker leaves an offer to people, since when, and up to which change of the base branch. */
  aside: Schema.NullOr(
    Schema.Struct({
      reason: Schema.String,
      at: Instant,
      seq: Schema.Int,
      /** A user has asked for another try. */
      again: Schema.optionalKey(Schema.Boolean)
    })
  )
})

const ForkRow = Schema.Struct({ id: BranchId, seq: Schema.Int, at: InstantColumn })
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

export class PolicyLogRepo extends Context.Service<
  PolicyLogRepo,
  {
    branches(policyId: PolicyId): Effect.Effect<ReadonlyArray<StoredBranch>, never, CurrentTenant>
    /** The branches of several policies, each policy's in the order of their opening. */
    branchesOf(
      policyIds: ReadonlyArray<PolicyId>
    ): Effect.Effect<ReadonlyArray<StoredBranch>, never, CurrentTenant>
    branch(branchId: BranchId): Effect.Effect<StoredBranch | undefined, never, CurrentTenant>
    /** Where the branches of policies have forked first, whatever a rebase has made of it since. */
    firstForks(
      policyIds: ReadonlyArray<PolicyId>
    ): Effect.Effect<ReadonlyMap<BranchId, Fork>, never, CurrentTenant>
    changes(policyId: PolicyId): Effect.Effect<ReadonlyArray<Change>, never, CurrentTenant>
    /** The changes of several policies, each policy's in their order. */
    changesOf(
      policyIds: ReadonlyArray<PolicyId>
    ): Effect.Effect<ReadonlyMap<PolicyId, ReadonlyArray<Change>>, never, CurrentTenant>
    /**
     * The changes of several policies on what can still move: their open branches and the one that
     * they are read on. What was merged is on the base branch as well.
     */
    standingChangesOf(
      heads: ReadonlyArray<Pick<PolicyHead, "defaultBranchId" | "id">>
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
    /** Stores when assets were last changed; one that was changed later keeps its instant. */
    touchAssets(ids: ReadonlyArray<AssetId>, at: Instant): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/PolicyLogRepo") {
  static readonly layer = Layer.effect(
    PolicyLogRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const changeColumns = sql`policy_id, id, seq, branch_id, kind, effective_at, recorded_at,
        author, patch, reverts`

      const branchesOf = Effect.fn("PolicyLogRepo.branchesOf")(function* (
        policyIds: ReadonlyArray<PolicyId>
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${sql.literal(branchColumns)} FROM branch
          WHERE tenant_id = ${tenantId} AND policy_id = ANY(${[...policyIds]})
          ORDER BY policy_id, created_at, id
        `)
        return yield* decodeBranches(rows)
      }, Effect.orDie)

      const touchAssets = Effect.fn("PolicyLogRepo.touchAssets")(function* (
        ids: ReadonlyArray<AssetId>,
        at: Instant
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE asset SET last_modified_at = ${toDate(at)}
          WHERE tenant_id = ${tenantId} AND id = ANY(${[...ids]})
            AND last_modified_at < ${toDate(at)}
        `)
      }, Effect.orDie)

      const branch = Effect.fn("PolicyLogRepo.branch")(function* (branchId: BranchId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${sql.literal(branchColumns)} FROM branch WHERE tenant_id = ${tenantId} AND id = ${branchId}
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
            SELECT ${changeColumns} FROM policy_change
            WHERE tenant_id = ${tenantId} AND policy_id = i.id
            OFFSET 0) c
          ORDER BY c.policy_id, c.seq
        `)
        return byPolicy(yield* decodeChanges(rows))
      }, Effect.orDie)

      const standingChangesOf = Effect.fn("PolicyLogRepo.standingChangesOf")(function* (
        heads: ReadonlyArray<Pick<PolicyHead, "defaultBranchId" | "id">>
      ) {
        if (heads.length === 0) return new Map()
        const tenantId = yield* CurrentTenant
        const ids = heads.map(({ id }) => id)
        const standing = heads.map(({ defaultBranchId }) => defaultBranchId)
        const rows = yield* tenantSql.read(sql`
          SELECT c.* FROM unnest(${ids}::text[], ${standing}::text[]) AS i(id, branch_id)
          CROSS JOIN LATERAL (
            SELECT ${changeColumns} FROM policy_change
            WHERE tenant_id = ${tenantId} AND policy_id = i.id
              AND branch_id = ANY (i.branch_id || ARRAY(
                SELECT b.id FROM branch b
                WHERE b.tenant_id = ${tenantId} AND b.policy_id = i.id AND b.status = 'OPEN'))
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

      const recordAll = recordLog(sql, tenantSql)

      return PolicyLogRepo.of({
        touchAssets,
        branches: (policyId) => branchesOf([policyId]),
        branchesOf,
        branch,
        firstForks,
        changes: (policyId) =>
          Effect.map(changesOf([policyId]), (changes) => changes.get(policyId) ?? []),
        changesOf,
        standingChangesOf,
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
