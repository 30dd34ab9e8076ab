import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The mailbox that a letter is counted for, until it has left, so that one whose customer has another address since is
 * counted anew. Letters that ask for documents stay where they do not leave, and say why. `document_letter.counted` is
 * in use no longer.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE document_letter ADD COLUMN counted_for bytea CHECK (length(counted_for) = 32)
  `
  yield* sql`
    ALTER TABLE document_request_letter
      ADD COLUMN counted_for bytea CHECK (length(counted_for) = 32),
      ADD COLUMN not_sent text CHECK (not_sent IN ('LIMIT', 'NO_ADDRESS', 'ADDRESS', 'TRIES'))
  `
})
