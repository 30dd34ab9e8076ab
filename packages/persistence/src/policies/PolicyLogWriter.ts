/** How what was decided about policies goes into their logs, with one statement for each table. */
import type { Memberships, StoredBranch } from "@quittance/domain/policies/aggregate/StoredBranch"
import type { Change } from "@quittance/domain/policies/Change"
import type { Validity } from "@quittance/domain/policies/Validity"
import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { endOfTime } from "../sql/Columns.ts"
import { onPolicySql } from "./PolicyMembersSql.ts"
import type { TenantSql } from "../sql/TenantSql.ts"
import { pipelineAll } from "../sql/Pipelining.ts"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** What one command adds to a policy's versions. */
export interface Recording {
  readonly policyId: PolicyId
  /** New branches, and those whose stage, status or seq moved. */
  readonly branches: ReadonlyArray<StoredBranch>
  readonly changes: ReadonlyArray<Change>
  /** The validity rows of these branches, whole: what was there is replaced. */
  readonly validity: ReadonlyMap<BranchId, ReadonlyArray<Validity>>
  readonly memberships: Memberships | undefined
}

/** The columns of a branch, in the order in which they are written. */
export const branchColumns = `id, policy_id, branch_type, name, status, stage, effective_at,
  forked_at, forked_seq, seq, author, created_at, merged_at, invalidated_at, invalidation_reason, aside`

/** Writes recordings as part of a transaction that holds their policies. */
export const recordLog = (sql: SqlClient.SqlClient, tenantSql: TenantSql["Service"]) => {
  const { endLinks } = onPolicySql(sql)

  const writeBranches = (tenantId: string, branches: ReadonlyArray<StoredBranch>) =>
    tenantSql.write(sql`
      INSERT INTO branch (tenant_id, ${sql.literal(branchColumns)}, first_forked_at, first_forked_seq)
      SELECT ${tenantId}, id, "policyId", "branchType", name, status, stage, "effectiveAt",
        "forkedAt", "forkedSeq", seq, author, "createdAt", "mergedAt", "invalidatedAt",
        "invalidationReason", aside, "forkedAt", "forkedSeq"
      FROM jsonb_to_recordset(${PgTypes.jsonb(branches)}) AS b(
        id text, "policyId" text, "branchType" text, name text, status text, stage text,
        "effectiveAt" timestamptz, "forkedAt" timestamptz, "forkedSeq" integer, seq integer,
        author text, "createdAt" timestamptz, "mergedAt" timestamptz, "invalidatedAt" timestamptz,
        "invalidationReason" text, aside jsonb)
      ON CONFLICT (tenant_id, policy_id, id) DO UPDATE SET stage = excluded.stage,
        status = excluded.status, seq = excluded.seq, merged_at = excluded.merged_at,
        forked_at = excluded.forked_at, forked_seq = excluded.forked_seq,
        invalidated_at = excluded.invalidated_at,
        invalidation_reason = excluded.invalidation_reason, aside = excluded.aside
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
    yield* pipelineAll([
      ...(branches.length > 0 ? [writeBranches(tenantId, branches)] : []),
      ...(changes.length > 0 ? [writeChanges(tenantId, changes)] : []),
      ...(links === undefined ? [] : [tenantSql.write(links)]),
      ...(touched.length > 0 ? writeValidity(tenantId, keys, rows) : [])
    ])
  }, Effect.orDie)

  return recordAll
}
