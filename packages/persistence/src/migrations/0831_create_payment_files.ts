import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/** Files of debits, each made once, and what became of the debits in them. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE payment_file (
      tenant_id       text COLLATE "C" NOT NULL,
      id              text COLLATE "C" NOT NULL,
      bank_account_id text COLLATE "C" NOT NULL,
      kind            text             NOT NULL CHECK (kind = 'COLLECTION'),
      scheme          text             NOT NULL,
      submit_on       date             NOT NULL,
      -- From 1: files of one account, scheme and day; the key refuses a second of the same number.
      run             integer          NOT NULL CHECK (run > 0),
      message         text             NOT NULL,
      message_id      text COLLATE "C" NOT NULL,
      currency        text             NOT NULL,
      status          text             NOT NULL CHECK (status IN ('OPEN', 'FILLED', 'SEALED',
        'DELIVERED', 'CANCELLED')),
      count           integer          NOT NULL DEFAULT 0,
      sum             bigint           NOT NULL DEFAULT 0,
      groups          jsonb            NOT NULL DEFAULT '[]',
      faults          jsonb            NOT NULL DEFAULT '[]',
      sha256          text COLLATE "C" CHECK (sha256 ~ '^[0-9a-f]{64}$'),
      content_address text COLLATE "C",
      opened_at       timestamptz      NOT NULL,
      sealed_at       timestamptz,
      delivered_at    timestamptz,
      cancelled_at    timestamptz,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, message_id),
      UNIQUE (tenant_id, bank_account_id, kind, scheme, submit_on, run),
      FOREIGN KEY (tenant_id, bank_account_id) REFERENCES bank_account,
      FOREIGN KEY (tenant_id, content_address) REFERENCES content,
      CHECK ((sealed_at IS NULL) = (content_address IS NULL)),
      CHECK (status NOT IN ('SEALED', 'DELIVERED') OR sealed_at IS NOT NULL),
      CHECK ((status = 'DELIVERED') = (delivered_at IS NOT NULL))
    )
  `
  // One that is being filled, at most: all workers fill the same.
  yield* sql`
    CREATE UNIQUE INDEX payment_file_open ON payment_file (tenant_id, bank_account_id, kind, scheme)
    WHERE status = 'OPEN'
  `
  yield* sql`CREATE INDEX payment_file_day ON payment_file (tenant_id, submit_on, id)`
  yield* protect("payment_file", ["SELECT", "INSERT", "UPDATE"])
  yield* sql`
    ALTER TABLE debit
      ADD COLUMN payment_file_id text COLLATE "C",
      ADD COLUMN sequence text,
      ADD COLUMN payment_id text COLLATE "C",
      ADD COLUMN flag text,
      ADD COLUMN reason_code text,
      ADD COLUMN failed_on date,
      ADD COLUMN replaces text COLLATE "C",
      ADD FOREIGN KEY (tenant_id, payment_file_id) REFERENCES payment_file,
      ADD FOREIGN KEY (tenant_id, payment_id) REFERENCES payment,
      ADD FOREIGN KEY (tenant_id, replaces) REFERENCES debit,
      ADD UNIQUE (tenant_id, replaces),
      ADD CHECK (status IN ('PLANNED', 'CANCELLED') OR payment_file_id IS NOT NULL),
      ADD CHECK (status NOT IN ('SETTLED', 'RETURNED') OR payment_id IS NOT NULL)
  `
  yield* sql`CREATE INDEX debit_file ON debit (tenant_id, payment_file_id, status, collect_on, id)`
})
