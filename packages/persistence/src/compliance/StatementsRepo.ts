/** Statements of demands and needs, each with the deviations that were confirmed. */
import {
  type Deviation,
  type StatementId,
  StoredStatement
} from "@quittance/domain/compliance/Statement"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PageRequest } from "@quittance/domain/values/Page"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const Confirmed = Schema.Struct({
  statementId: Schema.String,
  ruleId: Schema.String,
  confirmedBy: Schema.String,
  confirmedAt: InstantColumn
})
const decodeConfirmed = Schema.decodeUnknownEffect(Schema.Array(Confirmed))
const decode = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ ...StoredStatement.fields, createdAt: InstantColumn }))
)
const encode = Schema.encodeSync(StoredStatement)

/** That a customer wants a cover that a rule finds not to fit. */
export interface ConfirmedDeviation {
  readonly statementId: StatementId
  readonly ruleId: string
  readonly confirmedBy: string
  readonly confirmedAt: Instant
}

export class StatementsRepo extends Context.Service<
  StatementsRepo,
  {
    find(
      policyId: PolicyId,
      id: StatementId
    ): Effect.Effect<StoredStatement | undefined, never, CurrentTenant>
    /** The one of a branch that counts. */
    latest(
      policyId: PolicyId,
      branchId: BranchId
    ): Effect.Effect<StoredStatement | undefined, never, CurrentTenant>
    /** Those of a policy, the latest first. */
    list(
      policyId: PolicyId,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<StoredStatement>; readonly total: number },
      never,
      CurrentTenant
    >
    /** Adds a statement; the policy is locked. */
    insert(statement: StoredStatement): Effect.Effect<void, never, CurrentTenant>
    /** Adds a confirmation, once for each rule of a statement. */
    confirm(deviation: ConfirmedDeviation): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/StatementsRepo") {
  static readonly layer = Layer.effect(
    StatementsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = sql`id, policy_id, branch_id, change_seq, questionnaire_version, answers, needs,
        advice, deviations, author, created_at, digest`

      /** The statements of rows, each with its confirmations. */
      const withConfirmations = Effect.fnUntraced(function* (rows: ReadonlyArray<object>) {
        const statements = yield* decode(rows)
        const ids = statements.flatMap(({ deviations, id }) => (deviations.length > 0 ? [id] : []))
        if (ids.length === 0) return statements
        const confirmed = yield* decodeConfirmed(
          yield* tenantSql.read(sql`
            SELECT statement_id, rule_id, confirmed_by, confirmed_at FROM confirmed_deviation
            WHERE tenant_id = ${yield* CurrentTenant} AND statement_id = ANY (${ids})
          `)
        )
        return statements.map((statement): StoredStatement => ({
          ...statement,
          deviations: statement.deviations.map((deviation): Deviation => {
            const found = confirmed.find(
              ({ ruleId, statementId }) =>
                statementId === statement.id && ruleId === deviation.ruleId
            )
            if (found === undefined) return deviation
            const { confirmedAt, confirmedBy } = found
            return { ...deviation, confirmedBy, confirmedAt }
          })
        }))
      })

      const find = Effect.fn("StatementsRepo.find")(function* (
        policyId: PolicyId,
        id: StatementId
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM statement
          WHERE tenant_id = ${tenantId} AND id = ${id} AND policy_id = ${policyId}
        `)
        return (yield* withConfirmations(rows))[0]
      }, Effect.orDie)

      const latest = Effect.fn("StatementsRepo.latest")(function* (
        policyId: PolicyId,
        branchId: BranchId
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM statement
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId} AND branch_id = ${branchId}
          ORDER BY seq DESC LIMIT 1
        `)
        return (yield* withConfirmations(rows))[0]
      }, Effect.orDie)

      const list = Effect.fn("StatementsRepo.list")(function* (
        policyId: PolicyId,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM statement
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
          ORDER BY seq DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM statement
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
        `)
        return { rows: yield* withConfirmations(rows), total: counted!.total }
      }, Effect.orDie)

      const insert = Effect.fn("StatementsRepo.insert")(function* (statement: StoredStatement) {
        const tenantId = yield* CurrentTenant
        const { advice, answers, deviations, needs } = encode(statement)
        yield* tenantSql.write(sql`
          INSERT INTO statement (tenant_id, id, policy_id, branch_id, seq, change_seq,
            questionnaire_version, answers, needs, advice, deviations, author, created_at, digest)
          SELECT ${tenantId}, ${statement.id}, ${statement.policyId}, ${statement.branchId},
            coalesce(max(seq), 0) + 1, ${statement.changeSeq}, ${statement.questionnaireVersion},
            ${PgTypes.jsonb(answers)}, ${PgTypes.jsonb(needs)}, ${PgTypes.jsonb(advice)},
            ${PgTypes.jsonb(deviations)}, ${statement.author}, ${toDate(statement.createdAt)},
            ${statement.digest}
          FROM statement WHERE tenant_id = ${tenantId} AND policy_id = ${statement.policyId}
        `)
      }, Effect.orDie)

      const confirm = Effect.fn("StatementsRepo.confirm")(function* (
        deviation: ConfirmedDeviation
      ) {
        const row = {
          tenantId: yield* CurrentTenant,
          ...deviation,
          confirmedAt: toDate(deviation.confirmedAt)
        }
        yield* tenantSql.write(
          sql`INSERT INTO confirmed_deviation ${sql.insert(row)} ON CONFLICT DO NOTHING`
        )
      }, Effect.orDie)

      return StatementsRepo.of({ find, latest, list, insert, confirm })
    })
  )
}
