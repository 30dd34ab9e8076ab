import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * An index of the words of policies and customers, as tables, since row level security lets no index be
 * searched by LIKE. By their words a few records are found, which are then matched as a whole. Triggers
 * keep it where `search` changes, and only there.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const [kind, columns] of [
    ["policy", "id, external_id, incremental_id, name, search"],
    ["customer", "id, name, email"]
  ] as const) {
    const [table, id] = [sql(`${kind}_word`), sql(`${kind}_id`)]
    const parts = (search: string) => sql`
      SELECT part FROM search_parts(${sql.literal(search)}) AS part WHERE part <> ALL (search_common())
    `
    yield* sql`
      CREATE TABLE ${table} (
        tenant_id  text COLLATE "C" NOT NULL,
        word       text COLLATE "C" NOT NULL,
        ${id}      text COLLATE "C" NOT NULL,
        PRIMARY KEY (tenant_id, word, ${id})
      )
    `
    yield* protect(`${kind}_word`, ["SELECT", "INSERT", "DELETE"])
    const keep = sql(`keep_${kind}_words`)
    yield* sql`
      CREATE FUNCTION ${keep}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'UPDATE' THEN
          DELETE FROM ${table} WHERE tenant_id = OLD.tenant_id AND ${id} = OLD.id
            AND word = ANY (ARRAY(${parts("OLD.search")}));
        END IF;
        INSERT INTO ${table} (tenant_id, word, ${id})
        SELECT NEW.tenant_id, part, NEW.id FROM (${parts("NEW.search")}) p;
        RETURN NULL;
      END $$
    `
    yield* sql`
      CREATE TRIGGER ${keep} AFTER INSERT ON ${sql(kind)} FOR EACH ROW
      EXECUTE FUNCTION ${keep}()
    `
    yield* sql`
      CREATE TRIGGER ${sql(`keep_${kind}_words_changed`)}
      AFTER UPDATE OF ${sql.literal(columns)} ON ${sql(kind)} FOR EACH ROW
      WHEN (OLD.search IS DISTINCT FROM NEW.search) EXECUTE FUNCTION ${keep}()
    `
  }
})
