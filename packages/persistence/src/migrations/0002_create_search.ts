import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How texts are made comparable, and cut into the words by which records are found.
 *
 * `search_fold` takes accents, ligatures and case away; a text of plain ASCII goes the short way.
 * `search_text` is what a record is found by: each word after a space, as it stands and again split at
 * its punctuation. `search_parts` are those parts. `search_common` are the words that begin identifiers:
 * every record has them, so they are not indexed.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION search_fold(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
      CASE WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C") COLLATE "und-x-icu"
      ELSE replace(replace(replace(translate(
        lower(regexp_replace(normalize(value, NFKD), '[\\u0300-\\u036f]', '', 'g') COLLATE "und-x-icu"),
        'øłđı', 'oldi'), 'œ', 'oe'), 'æ', 'ae'), 'ß', 'ss')
      END
  `
  yield* sql`
    CREATE FUNCTION search_text(VARIADIC texts text[]) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE RETURN
      regexp_replace(' ' || search_fold(array_to_string(texts, ' ')) || ' ' || regexp_replace(
        search_fold(array_to_string(texts, ' ')) COLLATE "und-x-icu", '[^[:alnum:]]+', ' ', 'g'
      ), '\\s+', ' ', 'g')
  `
  yield* sql`
    CREATE FUNCTION search_common() RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ARRAY['policy', 'customer', 'test']
  `
  // Cut, since an index takes no text of any length: whatever begins a word begins it cut alike.
  yield* sql`
    CREATE FUNCTION search_parts(folded text) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 8 BEGIN ATOMIC
      SELECT DISTINCT left(part, 40) COLLATE "C"
      FROM regexp_split_to_table(folded COLLATE "und-x-icu", '[^[:alnum:]]+') AS part
      WHERE part <> '';
    END
  `
})
