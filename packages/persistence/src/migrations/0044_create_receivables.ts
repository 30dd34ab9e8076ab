import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect } from "../sql/TenantTable.ts"

/**
 * What the accounting summary reads: one row for each payer of a policy with an unpaid invoice, with
 * all that is filtered and ordered by. It is derived from documents, policies, customers and notices
 * and kept in the transactions that change them.
 *
 * `search_fold` makes texts comparable: without accents, ligatures and case. `search_text` is what a
 * row is found by: each word after a space, as it stands and again split at its punctuation.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE FUNCTION search_fold(value text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
      replace(replace(replace(translate(
        lower(regexp_replace(normalize(value, NFKD), '[\\u0300-\\u036f]', '', 'g') COLLATE "und-x-icu"),
      'øłđı', 'oldi'), 'œ', 'oe'), 'æ', 'ae'), 'ß', 'ss')
  `
  yield* sql`
    CREATE FUNCTION search_text(VARIADIC texts text[]) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE RETURN
      regexp_replace(' ' || search_fold(array_to_string(texts, ' ')) || ' ' || regexp_replace(
        search_fold(array_to_string(texts, ' ')) COLLATE "und-x-icu", '[^[:alnum:]]+', ' ', 'g'
      ), '\\s+', ' ', 'g')
  `
  yield* sql`
    CREATE TABLE receivable (
      tenant_id                   text COLLATE "C" NOT NULL,
      policy_id                   text COLLATE "C" NOT NULL,
      customer_id                 text COLLATE "C" NOT NULL,
      product_id                  text COLLATE "C" NOT NULL,
      time_zone                   text             NOT NULL,
      brokerage_firm_id           text COLLATE "C",
      status                      text COLLATE "C" NOT NULL,
      stop_reason                 text COLLATE "C",
      customer_name               text COLLATE "C",
      policy_created_at           timestamptz      NOT NULL,
      search                      text COLLATE "C" NOT NULL,
      unpaid_count                integer          NOT NULL CHECK (unpaid_count > 0),
      oldest_issued_at            timestamptz      NOT NULL,
      unpaid_issued_at            timestamptz[]    NOT NULL,
      last_formal_notice_sent_at  timestamptz,
      PRIMARY KEY (tenant_id, policy_id, customer_id),
      FOREIGN KEY (tenant_id, policy_id) REFERENCES policy,
      FOREIGN KEY (tenant_id, customer_id) REFERENCES customer,
      CHECK (cardinality(unpaid_issued_at) = unpaid_count)
    )
  `
  yield* sql`
    CREATE INDEX receivable_oldest
    ON receivable (tenant_id, oldest_issued_at, policy_id, customer_id)
  `
  yield* sql`CREATE INDEX receivable_firm ON receivable (tenant_id, brokerage_firm_id)`
  yield* sql`CREATE INDEX receivable_customer ON receivable (tenant_id, customer_id)`
  yield* protect("receivable", ["SELECT", "INSERT", "UPDATE", "DELETE"])
})
