/** How the function `erase` takes paths out of JSON values. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * `erased_json` removes what is at a path, `*` being any key or element, or puts a text there. `erased_patch`
 * does the same to the entries of a change: one at the path or below it goes, and of one above it the value
 * is cut. So the fold of the log stays the same as the states that were cut.
 */
export const createJsonFunctions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE OR REPLACE FUNCTION erased_json(value jsonb, path text[], token text)
    RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, public AS $$
    DECLARE
      head text := path[1];
      is_last boolean := cardinality(path) = 1;
    BEGIN
      IF jsonb_typeof(value) = 'object' THEN
        RETURN coalesce((
          SELECT jsonb_object_agg(e.key, CASE WHEN head NOT IN ('*', e.key) THEN e.value
            WHEN is_last THEN to_jsonb(token) ELSE erased_json(e.value, path[2:], token) END)
          FROM jsonb_each(value) e
          WHERE NOT is_last OR token IS NOT NULL OR head NOT IN ('*', e.key)
        ), '{}');
      ELSIF jsonb_typeof(value) = 'array' AND head = '*' THEN
        RETURN coalesce((
          SELECT jsonb_agg(CASE WHEN is_last THEN to_jsonb(token)
            ELSE erased_json(e.value, path[2:], token) END ORDER BY e.n)
          FROM jsonb_array_elements(value) WITH ORDINALITY e (value, n)
          WHERE NOT is_last OR token IS NOT NULL
        ), '[]');
      END IF;
      RETURN value;
    END $$
  `
  yield* sql`
    CREATE OR REPLACE FUNCTION erased_patch(patch jsonb, path text[])
    RETURNS jsonb LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, public AS $$
    DECLARE
      result jsonb := '[]';
      entry jsonb;
      keys text[];
      shared int;
    BEGIN
      FOR entry IN SELECT e.value FROM jsonb_array_elements(patch) WITH ORDINALITY e (value, n) ORDER BY e.n
      LOOP
        keys := string_to_array(substr(entry->>'path', 2), '/');
        shared := least(cardinality(keys), cardinality(path));
        IF EXISTS (
          SELECT FROM generate_series(1, shared) i WHERE path[i] NOT IN ('*', keys[i])
        ) THEN
          result := result || jsonb_build_array(entry);
        ELSIF cardinality(keys) < cardinality(path) THEN
          IF entry ? 'value' THEN
            entry := jsonb_set(entry, '{value}', erased_json(entry->'value', path[shared + 1:], NULL));
          END IF;
          result := result || jsonb_build_array(entry);
        END IF;
      END LOOP;
      RETURN result;
    END $$
  `
})
