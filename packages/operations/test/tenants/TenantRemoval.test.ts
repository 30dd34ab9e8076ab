/** A removed tenant leaves nothing, and no other tenant loses anything. */
import { assert, layer } from "@effect/vitest"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import * as TenantRemoval from "@quittance/persistence/tenants/TenantRemoval"
import * as PgTest from "@quittance/testing/PgTest"
import * as Sql from "@quittance/persistence/sql/Sql"
import { Effect } from "effect"
import { Sandbox } from "../../src/provisioning/Sandbox.ts"
import { AuthorizationServerKeys } from "../../src/tokens/SigningKeys.ts"
import { TestLayer } from "../Authorization.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const seeded = Effect.gen(function* () {
  const tenant = sandboxTenant()
  yield* Sandbox.use((sandbox) => sandbox.seedTenant(tenant, Effect.void))
  yield* AuthorizationServerKeys.use((keys) => keys.ensure).pipe(
    Effect.provideService(CurrentTenant, tenant.id)
  )
  return tenant.id
})

/** Rows of each tenant in each table that has any, seen by whom no row is hidden from. */
const rows = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  const tables = yield* sql<{ readonly name: string }>`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'tenant_id' ORDER BY 1
  `
  const found: Record<string, number> = {}
  for (const { name } of tables) {
    const counted = yield* sql<{ readonly tenantId: string; readonly count: number }>`
      SELECT tenant_id, count(*)::int AS count FROM ${sql(name)} GROUP BY tenant_id
    `
    for (const { count, tenantId } of counted) found[`${name} of ${tenantId}`] = count
  }
  return found
})

layer(TestLayer, { excludeTestServices: true })("a tenant that is removed", (it) => {
  it.effect("leaves no row in any table, and takes none of another's", () =>
    Effect.gen(function* () {
      const kept = yield* seeded
      const before = yield* rows
      const gone = yield* seeded
      const both = yield* rows
      const own = Object.keys(both).filter((key) => key.endsWith(` of ${gone}`))
      assert.isAbove(own.length, 5)
      const removed = yield* TenantRemoval.remove(gone).pipe(Effect.provide(Sql.layerOwner))
      assert.strictEqual(
        removed,
        own.reduce((sum, key) => sum + both[key]!, 0)
      )
      assert.deepStrictEqual(yield* rows, before)
      assert.isTrue(Object.keys(before).some((key) => key.endsWith(` of ${kept}`)))
      assert.strictEqual(yield* TenantRemoval.remove(gone).pipe(Effect.provide(Sql.layerOwner)), 0)
    })
  )
})
