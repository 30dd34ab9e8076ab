import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protectDirectory } from "../sql/TenantTable.ts"

/** What every document that is made of a template has, and no other. */
const ofTemplates = [
  "branch_id",
  "event_id",
  "definition_id",
  "trigger",
  "effective_at",
  "known_at",
  "product_id",
  "product_version",
  "template_id",
  "template_version"
]

/** Documents that people add, and that no template has: judged before they may be read. */
const takeUploads = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const optional = ofTemplates.map((column) => `ALTER ${column} DROP NOT NULL`).join(", ")
  yield* sql`ALTER TABLE document ${sql.literal(optional)}`
  const checks = yield* sql<{ readonly name: string }>`
    SELECT conname AS name FROM pg_constraint
    WHERE conrelid = 'document'::regclass AND contype = 'c'
      AND pg_get_constraintdef(oid) LIKE '%status%'
  `
  for (const { name } of checks) yield* sql`ALTER TABLE document DROP CONSTRAINT ${sql(name)}`
  yield* sql`
    ALTER TABLE document
      ADD origin text NOT NULL DEFAULT 'GENERATED'
        CHECK (origin IN ('GENERATED', 'STATIC', 'UPLOADED', 'SEALED', 'EVIDENCE')),
      ADD author_kind text,
      ADD author_id text COLLATE "C",
      ADD CONSTRAINT document_status CHECK (status IN ('PENDING', 'QUARANTINED', 'READY', 'FAILED',
        'REJECTED', 'VOID', 'ERASED')),
      ADD CONSTRAINT document_bytes CHECK (status NOT IN ('READY', 'QUARANTINED')
        OR (content_address IS NOT NULL AND sha256 IS NOT NULL AND size IS NOT NULL)),
      ADD CONSTRAINT document_ready CHECK (status <> 'READY' OR ready_at IS NOT NULL),
      ADD CONSTRAINT document_gone CHECK (status NOT IN ('REJECTED', 'ERASED')
        OR content_address IS NULL),
      ADD CONSTRAINT document_failure CHECK ((status IN ('FAILED', 'REJECTED')) = (failure IS NOT NULL)),
      ADD CONSTRAINT document_generated CHECK (origin <> 'GENERATED' OR (${sql.literal(
        ofTemplates.map((column) => `${column} IS NOT NULL`).join(" AND ")
      )})),
      ADD CONSTRAINT document_uploaded CHECK (origin <> 'UPLOADED'
        OR (author_kind IS NOT NULL AND author_id IS NOT NULL AND sha256 IS NOT NULL))
  `
})

/** Uploads that wait for the scanner. The dispatcher sees of which tenants there are some. */
const createScans = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE document_scan (
      tenant_id   text COLLATE "C" NOT NULL,
      document_id text COLLATE "C" NOT NULL,
      tries       integer          NOT NULL DEFAULT 0,
      try_at      timestamptz      NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (tenant_id, document_id),
      FOREIGN KEY (tenant_id, document_id) REFERENCES document
    )
  `
  yield* protectDirectory("document_scan", ["SELECT", "INSERT", "UPDATE", "DELETE"])
  // So it sees of which tenants bytes are to be removed.
  yield* sql`CREATE POLICY directory ON content_removal FOR SELECT USING (true)`
})

export default Effect.gen(function* () {
  yield* takeUploads
  yield* createScans
})
