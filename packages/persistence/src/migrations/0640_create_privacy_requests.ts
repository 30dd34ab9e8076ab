import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** What people ask about their data, with the end of the last day for an answer. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE privacy_request (
      tenant_id    text COLLATE "C" NOT NULL REFERENCES tenant,
      id           text COLLATE "C" NOT NULL,
      kind         text             NOT NULL,
      customer_ids text[]           NOT NULL CHECK (cardinality(customer_ids) > 0),
      status       text             NOT NULL,
      received_at  timestamptz      NOT NULL,
      due_at       timestamptz      NOT NULL CHECK (due_at > received_at),
      extension    jsonb,
      identity     jsonb,
      decision     jsonb,
      closed_at    timestamptz,
      PRIMARY KEY (tenant_id, id),
      -- Nothing is done about a person before it is clear that they ask.
      CHECK (status NOT IN ('IDENTIFIED', 'IN_PROGRESS', 'DONE', 'PARTLY_DONE') OR identity IS NOT NULL),
      CHECK ((status IN ('DONE', 'PARTLY_DONE', 'REFUSED', 'WITHDRAWN')) = (closed_at IS NOT NULL)),
      CHECK (status NOT IN ('DONE', 'PARTLY_DONE', 'REFUSED') OR decision IS NOT NULL)
    )
  `
  yield* sql`CREATE INDEX privacy_request_received ON privacy_request (tenant_id, received_at, id)`
  yield* protect("privacy_request", ["SELECT", "INSERT", "UPDATE"])
})
