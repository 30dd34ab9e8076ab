import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** Templates: a published version never changes, since documents are made of it again. */
const createTemplates = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE document_template (
      tenant_id    text COLLATE "C" NOT NULL REFERENCES tenant,
      template_id  text COLLATE "C" NOT NULL,
      version      text COLLATE "C" NOT NULL,
      definition   jsonb            NOT NULL,
      published_at timestamptz      NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (tenant_id, template_id, version)
    )
  `
  yield* protect("document_template", ["SELECT", "INSERT"])
})

/**
 * Documents of policies. The row is there from the moment that the document is due, its bytes (a content)
 * from when they are first asked for.
 */
const createDocuments = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE document (
      tenant_id        text COLLATE "C" NOT NULL,
      id               text COLLATE "C" NOT NULL,
      policy_id        text COLLATE "C" NOT NULL,
      branch_id        text COLLATE "C" NOT NULL,
      -- What it follows from: an event makes one document of a definition, however often it is told.
      event_id         text COLLATE "C" NOT NULL,
      definition_id    text COLLATE "C" NOT NULL,
      trigger          text             NOT NULL,
      kind             text             NOT NULL,
      title            text             NOT NULL,
      status           text             NOT NULL CHECK (status IN ('PENDING', 'READY', 'FAILED', 'VOID')),
      version          integer          NOT NULL CHECK (version > 0),
      visibility       text             NOT NULL CHECK (visibility IN ('CUSTOMER', 'INTERNAL')),
      media_type       text             NOT NULL,
      customer_id      text COLLATE "C",
      invoice_id       text COLLATE "C",
      effective_at     timestamptz      NOT NULL,
      known_at         timestamptz      NOT NULL,
      product_id       text COLLATE "C" NOT NULL,
      product_version  text COLLATE "C" NOT NULL,
      template_id      text COLLATE "C" NOT NULL,
      template_version text COLLATE "C" NOT NULL,
      renderer         text,
      content_address  text COLLATE "C",
      sha256           text COLLATE "C" CHECK (sha256 ~ '^[0-9a-f]{64}$'),
      size             bigint           CHECK (size > 0),
      pages            integer          CHECK (pages > 0),
      failure          jsonb,
      created_at       timestamptz      NOT NULL,
      ready_at         timestamptz,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, event_id, definition_id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      -- Bytes that some document has can't be destroyed.
      FOREIGN KEY (tenant_id, content_address) REFERENCES content,
      CHECK (status NOT IN ('READY', 'VOID') OR (content_address IS NOT NULL AND sha256 IS NOT NULL
        AND size IS NOT NULL AND pages IS NOT NULL AND renderer IS NOT NULL AND ready_at IS NOT NULL)),
      CHECK ((status = 'FAILED') = (failure IS NOT NULL))
    )
  `
  yield* sql`CREATE INDEX document_policy ON document (tenant_id, policy_id, created_at, id)`
  yield* sql`CREATE INDEX document_created ON document (tenant_id, created_at, id)`
  yield* sql`
    CREATE INDEX document_content ON document (tenant_id, content_address)
    WHERE content_address IS NOT NULL
  `
  yield* protect("document", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})

export default Effect.gen(function* () {
  yield* createTemplates
  yield* createDocuments
})
