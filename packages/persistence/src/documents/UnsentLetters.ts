/** Letters about documents that have not left, as those who work on the policy see them. */
import { UnsentLetter } from "@quittance/domain/documents/UnsentLetter"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { withoutNulls } from "../sql/Rows.ts"
import type { TenantSql } from "../sql/TenantSql.ts"

const decode = Schema.decodeUnknownSync(UnsentLetter)

/** A page of the letters that were found, in the order in which they were written down. */
export const unsentLetters = Effect.fnUntraced(function* (
  {
    sql,
    tenantSql
  }: { readonly sql: SqlClient.SqlClient; readonly tenantSql: TenantSql["Service"] },
  found: Statement.Fragment,
  { count, page }: PageRequest
) {
  // Letters that were tried no more before reasons were kept had been tried ten times.
  const rows = yield* tenantSql.read(sql`
    SELECT customer_id, attempts,
      CASE WHEN due_at = 'infinity' THEN 'NOT_SENT' ELSE 'WAITING' END AS status,
      CASE WHEN due_at = 'infinity' THEN coalesce(not_sent, 'TRIES') END AS reason
    ${found} ORDER BY id LIMIT ${count} OFFSET ${(page - 1) * count}
  `)
  const [counted] = yield* tenantSql.read(
    sql<{ readonly total: number }>`SELECT count(*)::int AS total ${found}`
  )
  return { rows: rows.map((row) => decode(withoutNulls(row))), total: counted!.total }
})
