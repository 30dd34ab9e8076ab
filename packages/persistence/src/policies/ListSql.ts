/** The parts of statements that lists of policies and of their customers have in common. */
import type { Coverage } from "@quittance/auth/Grants"
import type { Direction, PageRequest } from "@quittance/domain/values/Page"
import { Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { onPolicySql } from "./PolicyMembersSql.ts"

/** The identifiers of one page in a total order, and how many there are on all of them. */
export interface Listed<Id> {
  readonly ids: ReadonlyArray<Id>
  readonly total: number
}

/** Reads a page of identifiers. */
export const decodeListed = <Id extends Schema.ConstraintDecoder<string>>(id: Id) =>
  Schema.decodeUnknownEffect(Schema.Struct({ ids: Schema.Array(id), total: Schema.Int }))
export const listSql = (sql: SqlClient.SqlClient) => {
  const { coveredBy } = onPolicySql(sql)

  /**
   * A page of the listed rows, `id` and `at`, and their number, of one snapshot. Where they are few
   * for sure they are read first and as a whole, so that no page is filled by going through the
   * rows of others; of all rows of a tenant a page is read by the index of its order.
   */
  const paged = (
    listed: Statement.Fragment,
    areFew: boolean,
    direction: Direction,
    { count, page }: PageRequest
  ) => {
    const way = direction === "ASC" ? sql`ASC` : sql`DESC`
    return sql`
      WITH listed AS ${areFew ? sql`MATERIALIZED` : sql`NOT MATERIALIZED`} (${listed})
      SELECT (SELECT count(*)::int FROM listed) AS total, ARRAY(
        SELECT id FROM listed ORDER BY at ${way}, id ${way}
        LIMIT ${count} OFFSET ${(page - 1) * count}) AS ids
    `
  }

  /** The given columns of the covered policies that fit. */
  const policiesIn = (
    tenantId: string,
    coverage: Coverage,
    columns: Statement.Fragment,
    fits: ReadonlyArray<Statement.Fragment> = []
  ) =>
    sql.join(
      " UNION ",
      false
    )(
      coveredBy(coverage).map(
        (covered) => sql`
          SELECT ${columns} FROM policy p
          WHERE ${sql.and([sql`p.tenant_id = ${tenantId}`, covered, ...fits])}`
      )
    )

  return { paged, policiesIn }
}
