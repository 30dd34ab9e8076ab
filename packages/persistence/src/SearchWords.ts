/** Finding rows by words that people type. */
import type { SqlClient, Statement } from "effect/sql"

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
