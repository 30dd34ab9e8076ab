/** What a person is shown of their data: all of it, and nothing of others. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { quoted, send } from "./Sales.ts"

const taken = Effect.fnUntraced(function* (
  world: World,
  customerIds: ReadonlyArray<string>,
  kind = "ACCESS"
) {
  const { manager, tenant } = world
  const made = yield* send(world, manager, "/privacy/requests", { kind, customerIds })
  const path = `/privacy/requests/${made.body.id}`
  const data = call(`${path}/data`, { tenant, token: manager })
  const early = yield* data
  yield* send(world, manager, `${path}/identify`, { how: "By letter" })
  const waiting = yield* data
  yield* send(world, manager, `${path}/start`, {})
  return { early, waiting, answer: yield* data, requestId: String(made.body.id) }
})

const renamed = (world: World, customerId: string, name: string) =>
  call(`/customers/${customerId}`, {
    tenant: world.tenant,
    token: world.manager,
    method: "PATCH",
    body: { name }
  })

layer(TestLayer, { excludeTestServices: true })("the data of a person", (it) => {
  it.effect("leave once it is proven that they ask, and it is on record", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { customerId } = yield* quoted(world, world.session)
      const { answer, early, requestId, waiting } = yield* taken(world, [customerId])

      assert.deepStrictEqual([early.status, early.body.code], [409, "IDENTITY_NOT_PROVEN"])
      assert.deepStrictEqual([waiting.status, waiting.body.code], [409, "INVALID_TRANSITION"])
      assert.strictEqual(answer.status, 200)
      const sql = yield* SuperuserSql
      const rows = yield* sql`
        SELECT id FROM audit WHERE record_id = ${requestId} AND action = 'privacyRequest.export'
      `
      assert.lengthOf(rows, 1)
      const erasure = yield* taken(world, [customerId], "ERASURE")
      assert.strictEqual(erasure.answer.status, 409)
    })
  )

  it.effect("are complete, hold nothing secret, and nothing of others", () =>
    Effect.gen(function* () {
      const [world, foreign] = [yield* newTenant, yield* newTenant]
      const mine = yield* quoted(world, world.session)
      const theirs = yield* quoted(world, world.session)
      const elsewhere = yield* quoted(foreign, foreign.session)
      assert.strictEqual((yield* renamed(world, mine.customerId, "Planted Mine")).status, 200)
      assert.strictEqual((yield* renamed(world, theirs.customerId, "Planted Theirs")).status, 200)
      yield* renamed(foreign, elsewhere.customerId, "Planted Elsewhere")

      const { answer } = yield* taken(world, [mine.customerId])
      const tables = answer.body.sections.map(({ table }: { readonly table: string }) => table)

      assert.includeMembers(tables, [
        "customer",
        "customer_version",
        "customer_policy",
        "policy",
        "policy_change",
        "validity",
        "quote"
      ])
      assert.include(answer.text, "Planted Mine")
      assert.include(answer.text, mine.policyId)
      for (const strange of [
        theirs.customerId,
        theirs.policyId,
        "Planted Theirs",
        "Planted Elsewhere"
      ]) {
        assert.notInclude(answer.text, strange)
      }
      for (const secret of [
        "tenant_id",
        "tenantId",
        "token_hash",
        "sealed_",
        "sealed",
        "iban_print"
      ]) {
        assert.notInclude(answer.text, `"${secret}`)
      }
    })
  )

  it.effect("leave out the rows of a policy that another person is on, and count them", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const mine = yield* quoted(world, world.session)
      const theirs = yield* quoted(world, world.session)
      const sql = yield* SuperuserSql
      yield* sql`
        INSERT INTO customer_policy (tenant_id, customer_id, policy_id, linked_at)
        SELECT tenant_id, ${theirs.customerId}, policy_id, linked_at FROM customer_policy
        WHERE customer_id = ${mine.customerId}
      `
      const { answer } = yield* taken(world, [mine.customerId])
      const changes = answer.body.sections.find(
        ({ table }: { readonly table: string }) => table === "policy_change"
      )
      assert.deepStrictEqual(changes.rows, [])
      assert.isAbove(changes.leftOut, 0)

      // Both together are shown all of it.
      const both = yield* taken(world, [mine.customerId, theirs.customerId])
      assert.isTrue(
        both.answer.body.sections.every(
          ({ leftOut }: { readonly leftOut: number }) => leftOut === 0
        )
      )
    })
  )
})
