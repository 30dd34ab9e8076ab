/** How PostgreSQL finds due letters among very many that have failed. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { OutgoingMailRepo } from "../../src/access/OutgoingMailRepo.ts"
import { TenantsRepo } from "../../src/tenants/TenantsRepo.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { inTenant } from "../People.ts"
import { Recording, Statements } from "../Statements.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Live = OutgoingMailRepo.layer.pipe(
  Layer.provide(Recording),
  Layer.provideMerge(Statements.layer),
  Layer.provideMerge(TenantsRepo.layer),
  Layer.provideMerge(PgTest.layer)
)

const failed = 20_000
const due = 5

const letters = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  const tenantId = yield* CurrentTenant
  // Digits that no identifier has, as letters.
  const id = sql.literal(`'invitation_test_' || translate(lpad(n::text, 21, '0'), '0125', 'ABCD')`)
  yield* sql`
    INSERT INTO invitation (tenant_id, id, purpose, email, token_hash, invited_by, expires_at)
    SELECT ${tenantId}, ${id}, 'INVITATION', n || '@x.test', sha256(n::text::bytea), 'user_x',
      now() + interval '1 day'
    FROM generate_series(1, ${failed + due}::int) n
  `
  yield* sql`
    INSERT INTO letter (tenant_id, invitation_id, due_at)
    SELECT ${tenantId}, ${id},
      CASE WHEN n <= ${failed}::int THEN 'infinity' ELSE clock_timestamp() END
    FROM generate_series(1, ${failed + due}::int) n
  `
  yield* sql`ANALYZE letter`
})

layer(Live, { excludeTestServices: true })("letters that are due", (it) => {
  it.effect("are found by their index, however many have failed", () =>
    inTenant(
      Effect.gen(function* () {
        yield* letters
        const repo = yield* OutgoingMailRepo
        assert.lengthOf(yield* repo.due(100), due)
        const sql = yield* SqlClient.SqlClient
        const [statement] = yield* Statements
        const plan = JSON.stringify(yield* sql`EXPLAIN (FORMAT JSON) ${statement!}`)
        assert.include(plan, `"Index Name":"letter_due"`)
        assert.notMatch(plan, /"Node Type":"Seq Scan"[^{}]*"Relation Name":"letter"/u)
      })
    )
  )
})
