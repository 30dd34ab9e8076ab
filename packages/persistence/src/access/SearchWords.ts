/** Finding rows by words that people type. */
import type { Coverage } from "@quittance/auth/Grants"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/**
 * Whether each of the words begins a word of the text, whatever their accents and case. The text is
 * one that `search_text` has made, or is folded in the same way.
 */
export const matchesWords = (
  sql: SqlClient.SqlClient,
  text: Statement.Fragment,
  words: string
): Statement.Fragment => sql`
  ${text} LIKE ALL (ARRAY(
    SELECT '% ' || regexp_replace(word, '([\\\\%_])', '\\\\\\1', 'g') || '%'
    FROM regexp_split_to_table(btrim(search_fold(${words})), '\\s+') AS word))
`

/** What is indexed by its words. */
export type WordKind = "policy" | "customer"

/**
 * Of how many records rows are looked up one by one rather than reading all that a coverage lets see: a
 * look-up takes several times as long, and who sees what few firms and records cover has few to read.
 */
const mostRead = { Tenant: 10_000, Records: 1_000 } as const

/** How many parts of what was typed are looked at: the longest ones, which are the rarest as a rule. */
const mostParts = 4

/**
 * The way to the few records that words may match, for whom `matchesWords` would have to read all. No
 * index serves LIKE under row level security; the tables of words are one that serves `>=` and `<`.
 */
export const wordIndex = (sql: SqlClient.SqlClient, { read }: TenantSql["Service"]) => {
  const begun = (tenantId: string, kind: WordKind, part: Statement.Fragment) => sql`
    ${sql(`${kind}_word`)} WHERE tenant_id = ${tenantId}
      -- No word has the last of all characters in it.
      AND word >= ${part} AND word < ${part} || chr(1114111)
  `

  /**
   * The part of the words, between punctuation, that begins words of the fewest records. None if nothing
   * was typed, or each begins words of too many records to be read one by one.
   */
  const rarest = Effect.fn("SearchWords.rarest")(function* (
    kinds: ReadonlyArray<WordKind>,
    words: string | undefined,
    coverage: Coverage
  ) {
    if (words === undefined) return undefined
    const most = mostRead[coverage._tag]
    const tenantId = yield* CurrentTenant
    const counts = kinds.map(
      (kind) => sql`
        (SELECT count(*) FROM (
          SELECT FROM ${begun(tenantId, kind, sql`part`)} LIMIT ${most + 1}) counted)`
    )
    const [row] = yield* read(sql<{ readonly part: string }>`
      SELECT part FROM (
        SELECT part, ${sql.join(" + ", false)(counts)} AS records FROM (
          SELECT part FROM search_parts(search_fold(${words})) AS part
          WHERE NOT EXISTS (SELECT FROM unnest(search_common()) common WHERE starts_with(common, part))
          ORDER BY length(part) DESC, part LIMIT ${mostParts}
        ) longest
        -- Counted once, and not again for each use of the number.
        OFFSET 0
      ) parts WHERE records <= ${most} ORDER BY records LIMIT 1
    `)
    return row?.part
  })

  /**
   * What `each` selects of every record with a word that the part begins; `w.id` is its identifier there.
   * `OFFSET 0` keeps the planner from reading all records instead, however many it expects.
   */
  const ofRecordsWith = (
    tenantId: string,
    kind: WordKind,
    part: string,
    each: Statement.Fragment
  ) => sql`
    SELECT x.* FROM (
      SELECT DISTINCT ${sql(`${kind}_id`)} AS id FROM ${begun(tenantId, kind, sql`${part}`)}
    ) w CROSS JOIN LATERAL (${each} OFFSET 0) x
  `

  return { ofRecordsWith, rarest }
}
