import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What documents are about besides policies and invoices, and from when to when they are in force: each with
 * the instant at which that was recorded, so that a list can be read as it was once.
 */
const addColumns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE document
      ADD asset_id          text COLLATE "C",
      ADD formal_notice_id  text COLLATE "C",
      -- The change that it follows from, where it follows from one.
      ADD change_id         text COLLATE "C",
      -- What is not known of the policy at any later time, such as what was owed when a notice was written.
      ADD about             jsonb,
      -- A file of the product instead of a template.
      ADD source_file       text COLLATE "C" CHECK (source_file ~ '^[0-9a-f]{64}$'),
      ADD number            integer CHECK (number > 0),
      ADD in_force_at       timestamptz,
      ADD in_force_known_at timestamptz,
      ADD ended_at          timestamptz,
      ADD restored_at       timestamptz,
      ADD voided_at         timestamptz,
      ADD CHECK ((in_force_at IS NULL) = (in_force_known_at IS NULL))
  `
  // What was made before has its time of being in force, but for offers.
  yield* sql`
    UPDATE document SET in_force_at = effective_at, in_force_known_at = created_at
    WHERE invoice_id IS NOT NULL
  `
})

/** One event makes one document of a definition for each customer or asset. */
const keySubjects = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE document DROP CONSTRAINT document_tenant_id_event_id_definition_id_key
  `
  yield* sql`
    CREATE UNIQUE INDEX document_due ON document (tenant_id, event_id, definition_id, trigger,
      coalesce(customer_id, ''), coalesce(asset_id, ''))
  `
  // No two endorsements of a policy have the same number.
  yield* sql`
    CREATE INDEX document_number ON document (tenant_id, policy_id, number)
    WHERE number IS NOT NULL
  `
})

export default Effect.gen(function* () {
  yield* addColumns
  yield* keySubjects
})
