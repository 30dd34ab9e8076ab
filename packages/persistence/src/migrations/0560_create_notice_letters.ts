import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { protect, protectDirectory } from "../sql/TenantTable.ts"

/**
 * Letters are written of what happens from now on: users are told nothing of passwords that were changed
 * before. The consumer of account notices therefore begins at the end of each feed.
 */
const beginNow = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const heads = yield* sql<{ readonly tenantId: string; readonly position: string }>`
    SELECT tenant_id, position::text AS position FROM event_head ORDER BY tenant_id
  `
  for (const { position, tenantId } of heads) {
    yield* sql`SELECT set_config('app.tenant', ${tenantId}, true)`
    yield* sql`
      INSERT INTO event_consumer (tenant_id, name, position)
      VALUES (${tenantId}, 'account-notices', ${position}::bigint) ON CONFLICT DO NOTHING
    `
  }
  yield* sql`SELECT set_config('app.tenant', '', true)`
})

/**
 * Letters that tell users of something and let them in nowhere: that their password was changed, that a
 * webhook receives nothing. A row has identifiers alone, so the sender may look for those of all tenants at
 * once; it is removed once its letter has left, or is abandoned.
 *
 * `letter_refusal` has the users who want no letters about webhooks. A webhook remembers of which failing its
 * managers were told (`failing_told_at`).
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE notice_letter (
      tenant_id   text COLLATE "C" NOT NULL,
      id          text COLLATE "C" NOT NULL DEFAULT gen_random_uuid()::text,
      kind        text             NOT NULL CHECK (kind IN ('PASSWORD_CHANGED', 'SECOND_FACTOR_CHANGED',
                                     'WEBHOOK_FAILING', 'WEBHOOK_DISABLED')),
      user_id     text COLLATE "C" NOT NULL,
      webhook_id  text COLLATE "C" CHECK ((webhook_id IS NULL) = (kind NOT LIKE 'WEBHOOK%')),
      happened_at timestamptz      NOT NULL,
      attempts    integer          NOT NULL DEFAULT 0,
      due_at      timestamptz      NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (tenant_id, id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES app_user
    )
  `
  yield* sql`CREATE INDEX notice_letter_due ON notice_letter (tenant_id, due_at)`
  yield* sql`CREATE INDEX notice_letter_user ON notice_letter (tenant_id, user_id)`
  yield* protectDirectory("notice_letter", ["SELECT", "INSERT", "UPDATE", "DELETE"])
  yield* sql`
    CREATE TABLE letter_refusal (
      tenant_id  text COLLATE "C" NOT NULL,
      user_id    text COLLATE "C" NOT NULL,
      refused_at timestamptz      NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (tenant_id, user_id),
      FOREIGN KEY (tenant_id, user_id) REFERENCES app_user
    )
  `
  yield* protect("letter_refusal", ["SELECT", "INSERT", "DELETE"])
  yield* sql`ALTER TABLE webhook ADD COLUMN failing_told_at timestamptz`
  yield* beginNow
})
