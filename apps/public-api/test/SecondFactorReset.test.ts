/** An administrator helps a user who has lost their phone. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"

/** The identifier of one of the tenant's people. */
const idOf = Effect.fnUntraced(function* ({ tenant }: World, name: string) {
  const sql = yield* SuperuserSql
  const [row] = yield* sql<{ readonly id: string }>`
    SELECT id FROM app_user WHERE tenant_id = ${tenant} AND email = ${`${name}@${tenant}.test`}
  `
  return row!.id
})

const giveApp = Effect.fnUntraced(function* ({ tenant }: World, userId: string) {
  const sql = yield* SuperuserSql
  yield* sql`
    INSERT INTO second_factor (tenant_id, id, user_id, kind, name, sealed_secret)
    VALUES (${tenant}, ${userId}, ${userId}, 'TOTP', 'Phone', 'sealed')
  `
})

const factorsOf = Effect.fnUntraced(function* ({ tenant }: World, userId: string) {
  const sql = yield* SuperuserSql
  const rows = yield* sql`
    SELECT id FROM second_factor WHERE tenant_id = ${tenant} AND user_id = ${userId}
  `
  return rows.length
})

const reset = ({ tenant }: World, token: string, userId: string) =>
  call(`/admin/users/${userId}/reset-second-factor`, { tenant, token, method: "POST", body: {} })

layer(TestLayer, { excludeTestServices: true })("the reset of a second factor", (it) => {
  it.effect("is refused to oneself, and to a caller who may do less than the person", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const manager = yield* idOf(world, "manager")
      yield* giveApp(world, manager)
      const own = yield* reset(world, world.manager, manager)
      assert.deepStrictEqual([own.status, own.body.code], [409, "OWN_ACCOUNT"])
      for (const token of [world.north, world.auditor]) {
        assert.strictEqual((yield* reset(world, token, manager)).status, 403)
      }
      assert.strictEqual(yield* factorsOf(world, manager), 1)
    })
  )

  it.effect("removes what the person had, once, and is on record", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const south = yield* idOf(world, "south")
      yield* giveApp(world, south)
      const done = yield* reset(world, world.manager, south)
      assert.deepStrictEqual([done.status, done.body.id], [200, south])
      assert.strictEqual(yield* factorsOf(world, south), 0)
      const sql = yield* SuperuserSql
      const rows = yield* sql<{ readonly removed: string }>`
        SELECT detail ->> 'removed' AS removed FROM audit
        WHERE tenant_id = ${world.tenant} AND action = 'user.factors.reset' AND record_id = ${south}
      `
      assert.deepStrictEqual(
        rows.map(({ removed }) => removed),
        ["1"]
      )
    })
  )
})
