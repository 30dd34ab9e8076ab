import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** What customers are asked to bring. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE document_request (
      tenant_id    text COLLATE "C" NOT NULL,
      id           text COLLATE "C" NOT NULL,
      policy_id    text COLLATE "C" NOT NULL,
      -- Of one that the product asks for: where it arose.
      branch_id    text COLLATE "C",
      customer_id  text COLLATE "C" NOT NULL,
      kind         text COLLATE "C" NOT NULL,
      label        text             NOT NULL,
      note         text,
      due_on       date,
      status       text             NOT NULL DEFAULT 'OPEN'
        CHECK (status IN ('OPEN', 'RECEIVED', 'FULFILLED', 'CANCELLED')),
      document_id  text COLLATE "C",
      -- Absent where the product asks.
      author_kind  text,
      author_id    text COLLATE "C",
      -- Files that came for it and were rejected.
      refusals     integer          NOT NULL DEFAULT 0,
      created_at   timestamptz      NOT NULL,
      received_at  timestamptz,
      fulfilled_at timestamptz,
      cancelled_at timestamptz,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      FOREIGN KEY (tenant_id, policy_id, branch_id) REFERENCES branch,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer,
      FOREIGN KEY (tenant_id, document_id) REFERENCES document,
      CHECK ((author_kind IS NULL) = (author_id IS NULL)),
      CHECK ((author_kind IS NULL) = (branch_id IS NOT NULL)),
      CHECK (status <> 'OPEN' OR document_id IS NULL),
      CHECK (status NOT IN ('RECEIVED', 'FULFILLED') OR document_id IS NOT NULL),
      CHECK ((document_id IS NULL) = (received_at IS NULL)),
      CHECK ((status = 'FULFILLED') = (fulfilled_at IS NOT NULL)),
      CHECK ((status = 'CANCELLED') = (cancelled_at IS NOT NULL))
    )
  `
  yield* sql`
    CREATE INDEX document_request_policy ON document_request (tenant_id, policy_id, created_at)
  `
  yield* sql`CREATE INDEX document_request_customer ON document_request (tenant_id, customer_id)`
  // A file is for one request.
  yield* sql`
    CREATE UNIQUE INDEX document_request_document ON document_request (tenant_id, document_id)
    WHERE document_id IS NOT NULL
  `
  // A product asks a customer once for what it needs, however often an offer is made anew.
  yield* sql`
    CREATE UNIQUE INDEX document_request_product
    ON document_request (tenant_id, policy_id, customer_id, kind)
    WHERE author_kind IS NULL AND status <> 'CANCELLED'
  `
  yield* protect("document_request", ["SELECT", "INSERT", "UPDATE"])
})
