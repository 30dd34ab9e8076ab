import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect, protectDirectory } from "../sql/TenantTable.ts"

/** Files of banks by their bytes: the same ones are taken once. */
const createFiles = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE bank_file (
      tenant_id       text COLLATE "C" NOT NULL,
      bank_account_id text COLLATE "C" NOT NULL,
      sha256          text COLLATE "C" NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
      content_address text COLLATE "C" NOT NULL,
      kind            text             NOT NULL,
      received_at     timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, bank_account_id, sha256),
      FOREIGN KEY (tenant_id, bank_account_id) REFERENCES bank_account,
      FOREIGN KEY (tenant_id, content_address) REFERENCES content
    )
  `
  yield* protect("bank_file", ["SELECT", "INSERT"])
})

const createStatements = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE bank_statement (
      tenant_id       text COLLATE "C" NOT NULL,
      id              text COLLATE "C" NOT NULL,
      bank_account_id text COLLATE "C" NOT NULL,
      sha256          text COLLATE "C" NOT NULL,
      position        integer          NOT NULL,
      message         text             NOT NULL,
      statement_id    text COLLATE "C" NOT NULL,
      sequence        bigint,
      status          text             NOT NULL CHECK (status IN ('BOOKED', 'HELD', 'TOLD')),
      reasons         text[]           NOT NULL,
      currency        text             NOT NULL,
      opening         bigint,
      closing         bigint,
      closing_on      date,
      entries         integer          NOT NULL,
      sum             bigint           NOT NULL,
      new_entries     integer          NOT NULL,
      received_at     timestamptz      NOT NULL,
      accepted        jsonb,
      -- In which order the account's statements were judged.
      ordinal         integer          NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, bank_account_id, sha256, position),
      FOREIGN KEY (tenant_id, bank_account_id, sha256) REFERENCES bank_file,
      CHECK (status <> 'BOOKED' OR closing IS NOT NULL)
    )
  `
  yield* sql`
    CREATE INDEX bank_statement_received ON bank_statement (tenant_id, received_at, id)
  `
  yield* sql`
    CREATE INDEX bank_statement_last ON bank_statement (tenant_id, bank_account_id, closing_on, sequence)
    WHERE status = 'BOOKED'
  `
  yield* protect("bank_statement", ["SELECT", "INSERT", "UPDATE"])
})

/**
 * Payments on statements: a row for each that an entry stands for. What an entry is among all that banks ever
 * sent is its likeness, and the number among equal ones. No account of anyone else is kept, only its print.
 */
const createEntries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE bank_entry (
      tenant_id       text COLLATE "C" NOT NULL,
      id              text COLLATE "C" NOT NULL,
      bank_account_id text COLLATE "C" NOT NULL,
      statement_id    text COLLATE "C" NOT NULL,
      likeness        text COLLATE "C" NOT NULL,
      nth             integer          NOT NULL CHECK (nth > 0),
      part            integer          NOT NULL CHECK (part >= 0),
      booked_on       date             NOT NULL,
      value_on        date,
      amount          bigint           NOT NULL,
      charge          bigint           NOT NULL CHECK (charge >= 0),
      currency        text             NOT NULL,
      status          text             NOT NULL CHECK (status IN ('MATCHING', 'UNMATCHED', 'MATCHED',
        'IGNORED', 'TOLD')),
      rule            text,
      record_id       text COLLATE "C",
      flag            text,
      allocated       bigint           NOT NULL DEFAULT 0,
      party_name      text,
      party_last4     text,
      party_print     bytea,
      end_to_end_id   text COLLATE "C",
      bank_reference  text,
      family          text,
      sub_family      text,
      return_reason   text,
      came_back       boolean          NOT NULL,
      clues           jsonb            NOT NULL,
      "references"    text[]           NOT NULL,
      texts           text[]           NOT NULL,
      ignored         jsonb,
      recorded_at     timestamptz      NOT NULL,
      PRIMARY KEY (tenant_id, id),
      UNIQUE (tenant_id, bank_account_id, likeness, nth, part),
      FOREIGN KEY (tenant_id, statement_id) REFERENCES bank_statement,
      CHECK (abs(allocated) <= abs(amount) AND allocated * amount >= 0)
    )
  `
  yield* sql`CREATE INDEX bank_entry_booked ON bank_entry (tenant_id, booked_on, id)`
  yield* sql`
    CREATE INDEX bank_entry_open ON bank_entry (tenant_id, status, booked_on, id)
    WHERE status IN ('MATCHING', 'UNMATCHED')
  `
  yield* protect("bank_entry", [
    "SELECT",
    "INSERT",
    // What the bank said is never changed, only what it is taken for.
    "UPDATE (status, rule, record_id, flag, allocated, ignored)"
  ])
})

/** What follows from entries: those of which a rule has found what they are, and their payments. */
const createMatches = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE bank_entry_match (
      tenant_id     text COLLATE "C" NOT NULL,
      bank_entry_id text COLLATE "C" NOT NULL,
      PRIMARY KEY (tenant_id, bank_entry_id),
      FOREIGN KEY (tenant_id, bank_entry_id) REFERENCES bank_entry
    )
  `
  yield* protectDirectory("bank_entry_match", ["SELECT", "INSERT", "DELETE"])
  yield* sql`
    CREATE TABLE bank_entry_payment (
      tenant_id     text COLLATE "C" NOT NULL,
      bank_entry_id text COLLATE "C" NOT NULL,
      payment_id    text COLLATE "C" NOT NULL,
      amount        bigint           NOT NULL CHECK (amount > 0),
      -- Whether the allocation has made the payment, and not found one that people had recorded.
      is_made       boolean          NOT NULL,
      undone_at     timestamptz,
      PRIMARY KEY (tenant_id, bank_entry_id, payment_id),
      FOREIGN KEY (tenant_id, bank_entry_id) REFERENCES bank_entry,
      FOREIGN KEY (tenant_id, payment_id) REFERENCES payment
    )
  `
  yield* sql`
    CREATE UNIQUE INDEX bank_entry_payment_once ON bank_entry_payment (tenant_id, payment_id)
    WHERE undone_at IS NULL
  `
  yield* protect("bank_entry_payment", ["SELECT", "INSERT", "UPDATE (undone_at)"])
})

/**
 * The treasury's journal, of the same shape as the books of policies. `cash_record` says under which record
 * the cash of a payment, refund or return is awaited from a bank, where that is not the payment itself.
 */
const createJournal = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE treasury_entry (
      tenant_id       text COLLATE "C"   NOT NULL,
      id              text COLLATE "C"   NOT NULL,
      bank_account_id text COLLATE "C"   NOT NULL,
      kind            text               NOT NULL,
      bank_entry_id   text COLLATE "C",
      record_id       text COLLATE "C",
      booked_on       date               NOT NULL,
      recorded_at     timestamptz        NOT NULL,
      currency        text               NOT NULL,
      accounts        text[] COLLATE "C" NOT NULL,
      amounts         bigint[]           NOT NULL,
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, bank_account_id) REFERENCES bank_account,
      CHECK (cardinality(accounts) >= 2 AND cardinality(accounts) = cardinality(amounts)),
      CHECK (is_balanced(amounts)),
      -- Cash is always of a record: so what is awaited is told record by record.
      CHECK (NOT 'cash' = ANY (accounts) OR record_id IS NOT NULL)
    )
  `
  yield* sql`
    CREATE INDEX treasury_entry_booked
    ON treasury_entry (tenant_id, bank_account_id, booked_on, id)
  `
  yield* sql`
    CREATE INDEX treasury_entry_record ON treasury_entry (tenant_id, record_id)
    WHERE record_id IS NOT NULL
  `
  yield* protect("treasury_entry", ["SELECT", "INSERT"])
  yield* sql`
    CREATE TABLE cash_record (
      tenant_id       text COLLATE "C" NOT NULL,
      source_id       text COLLATE "C" NOT NULL,
      record_id       text COLLATE "C" NOT NULL,
      bank_account_id text COLLATE "C" NOT NULL,
      PRIMARY KEY (tenant_id, source_id),
      FOREIGN KEY (tenant_id, bank_account_id) REFERENCES bank_account
    )
  `
  yield* protect("cash_record", ["SELECT", "INSERT"])
})

/** Statements of banks, their entries, and what each is in the books. */
export default Effect.gen(function* () {
  yield* createFiles
  yield* createStatements
  yield* createEntries
  yield* createMatches
  yield* createJournal
})
