import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The account, by its key, of a count that is apart from the account's own: that of a browser which has
 * signed in to it. So there is a most of them, they end with the password, and they are forgotten.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE sign_in_guess ADD COLUMN account bytea CHECK (length(account) = 32)`
  yield* sql`
    CREATE INDEX sign_in_guess_account ON sign_in_guess (tenant_id, account)
    WHERE account IS NOT NULL
  `
  yield* sql`
    CREATE INDEX sign_in_guess_apart ON sign_in_guess (tenant_id, tried_at)
    WHERE account IS NOT NULL
  `
})
