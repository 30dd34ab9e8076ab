import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * What a read of a policy answers, as the text that is sent. The database counts the versions of each
 * head itself, so an answer of an earlier version is never used for the current one, whichever program wrote.
 *
 * No foreign key: its lock on the head would have a read wait for a writer. A head is never deleted.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION count_revision() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      NEW.revision := OLD.revision + 1;
      RETURN NEW;
    END $$
  `
  yield* sql`
    CREATE TRIGGER count_revision BEFORE UPDATE ON policy
    FOR EACH ROW EXECUTE FUNCTION count_revision()
  `
  yield* sql`
    CREATE TABLE policy_answer (
      tenant_id   text COLLATE "C" NOT NULL,
      policy_id   text COLLATE "C" NOT NULL,
      format      text COLLATE "C" NOT NULL,
      valid_from  timestamptz      NOT NULL,
      valid_to    timestamptz      NOT NULL,
      revision    bigint           NOT NULL,
      branch_type text             NOT NULL,
      etag        text             NOT NULL,
      body        text             NOT NULL,
      PRIMARY KEY (tenant_id, policy_id, format, valid_from),
      CHECK (valid_from < valid_to)
    )
  `
  yield* protect("policy_answer", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
