/** The versions of a policy: its branches, their changes, and the validity rows they make. */
import { BranchId, BranchStatus, BranchType, Stage } from "@quittance/domain/Branch"
import { Change } from "@quittance/domain/Change"
import type { Instant } from "@quittance/domain/Instant"
import { PolicyId } from "@quittance/domain/Policy"
import { CurrentTenant } from "@quittance/domain/Tenant"
import type { Validity } from "@quittance/domain/Validity"
import { PgTypes } from "@effect/sql-pg"
import { Array, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "./Columns.ts"
import { TenantSql } from "./TenantSql.ts"

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
  mergedAt: Schema.NullOr(InstantColumn)
})
export type BranchRow = typeof BranchRow.Type

const ChangeRow = Schema.Struct({
  ...Change.fields,
  effectiveAt: InstantColumn,
  recordedAt: InstantColumn
})
const decodeBranches = Schema.decodeUnknownEffect(Schema.Array(BranchRow))
const decodeChanges = Schema.decodeUnknownEffect(Schema.Array(ChangeRow))

/** What one command adds to a policy's versions. */
export interface Recording {
  readonly policyId: PolicyId
  /** New branches, and those whose stage, status or seq moved. */
  readonly branches: ReadonlyArray<BranchRow>
  readonly changes: ReadonlyArray<Change>
  /** The validity rows of these branches, whole: what was there is replaced. */
  readonly validity: ReadonlyMap<BranchId, ReadonlyArray<Validity>>
}

export class PolicyLogRepo extends Context.Service<
  PolicyLogRepo,
  {
    branches(policyId: PolicyId): Effect.Effect<ReadonlyArray<BranchRow>, never, CurrentTenant>
    branch(branchId: BranchId): Effect.Effect<BranchRow | undefined, never, CurrentTenant>
    changes(policyId: PolicyId): Effect.Effect<ReadonlyArray<Change>, never, CurrentTenant>
    /** The validity rows of a branch in force at an instant; without one, its latest. */
    validityAt(
      policyId: PolicyId,
      branchId: BranchId,
      whenAt: Instant | undefined
    ): Effect.Effect<ReadonlyArray<Validity>, never, CurrentTenant>
    record(recording: Recording): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/PolicyLogRepo") {
  static readonly layer = Layer.effect(
    PolicyLogRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const branchColumns = sql`id, policy_id, branch_type, name, status, stage, effective_at,
        forked_at, forked_seq, seq, author, created_at, merged_at`

      const branches = Effect.fn("PolicyLogRepo.branches")(function* (policyId: PolicyId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${branchColumns} FROM branch
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId} ORDER BY created_at, id
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

      const changes = Effect.fn("PolicyLogRepo.changes")(function* (policyId: PolicyId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT id, seq, branch_id, kind, effective_at, recorded_at, author, patch
          FROM policy_change WHERE tenant_id = ${tenantId} AND policy_id = ${policyId} ORDER BY seq
        `)
        return yield* decodeChanges(rows)
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

      const record = Effect.fn("PolicyLogRepo.record")(function* (recording: Recording) {
        const tenantId = yield* CurrentTenant
        const key = { tenantId, policyId: recording.policyId }
        for (const row of recording.branches) {
          const columns = { ...key, ...row, ...branchDates(row) }
          yield* tenantSql.write(sql`
            INSERT INTO branch ${sql.insert(columns)}
            ON CONFLICT (tenant_id, policy_id, id) DO UPDATE SET stage = excluded.stage,
              status = excluded.status, seq = excluded.seq, merged_at = excluded.merged_at
          `)
        }
        if (Array.isReadonlyArrayNonEmpty(recording.changes)) {
          const rows = Array.map(recording.changes, (change) => ({
            ...key,
            ...change,
            effectiveAt: toDate(change.effectiveAt),
            recordedAt: toDate(change.recordedAt),
            patch: PgTypes.jsonb(change.patch)
          }))
          yield* tenantSql.write(sql`INSERT INTO policy_change ${sql.insert(rows)}`)
        }
        for (const [branchId, validity] of recording.validity) {
          yield* tenantSql.write(sql`
            DELETE FROM validity WHERE tenant_id = ${tenantId}
              AND policy_id = ${recording.policyId} AND branch_id = ${branchId}
          `)
          if (!Array.isReadonlyArrayNonEmpty(validity)) continue
          const rows = Array.map(validity, (row) => ({
            ...key,
            branchId,
            entityId: row.entityId,
            entityKind: row.entityKind,
            validFrom: toDate(row.from),
            validTo: toDate(row.to ?? endOfTime),
            state: PgTypes.jsonb(row.state)
          }))
          yield* tenantSql.write(sql`INSERT INTO validity ${sql.insert(rows)}`)
        }
      }, Effect.orDie)

      return PolicyLogRepo.of({ branches, branch, changes, validityAt, record })
    })
  )
}

// Both literals have the canonical form; a row that nothing ends is read at any instant before.
const endOfTime = "9999-12-31T23:59:59.999Z" as Instant
const lastInstant = "9999-12-31T23:59:59.998Z" as Instant

const branchDates = (row: BranchRow) => ({
  effectiveAt: row.effectiveAt === null ? null : toDate(row.effectiveAt),
  forkedAt: toDate(row.forkedAt),
  createdAt: toDate(row.createdAt),
  mergedAt: row.mergedAt === null ? null : toDate(row.mergedAt)
})
