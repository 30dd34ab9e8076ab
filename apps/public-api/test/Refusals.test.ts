/** What a refusal leaves in the audit trail; that every route's do is tested with the matrix. */
import { assert, layer } from "@effect/vitest"
import { alphabet, suffixLength } from "@quittance/domain/values/PrefixedId"
import { runtimeRole } from "@quittance/persistence/sql/Roles"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { prepared } from "./Sales.ts"

/** Everything about the refusals of a request that a test can know beforehand. */
const refusalsOf = Effect.fnUntraced(function* (tenant: string, requestId: string) {
  const sql = yield* SuperuserSql
  return yield* sql<Readonly<Record<string, unknown>>>`
    SELECT actor_kind, actor_id, action, record_id, detail FROM audit
    WHERE tenant_id = ${tenant} AND request_id = ${requestId} AND outcome = 'REFUSED'
  `
})

interface Asked {
  readonly token: string
  readonly path: string
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls a route and reads what that left behind. */
const ask = Effect.fnUntraced(function* ({ tenant }: World, { headers, path, ...asked }: Asked) {
  const id = randomUUID()
  const sent = { ...headers, "x-request-id": id }
  const { body, status } = yield* call(path, { tenant, ...asked, headers: sent })
  return { status, code: body?.code, refusals: yield* refusalsOf(tenant, id) }
})

const idOf = ({ tenant }: World, token: string) =>
  Effect.map(call("/account", { tenant, token }), ({ body }) => String(body.id))

layer(TestLayer, { excludeTestServices: true })("a refusal", (it) => {
  it.effect("is on record where a client's token lacks the scope", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const token = yield* world.withoutScopes("platform/permissions")
      const path = "/permissions/roles/CLAIMS_DESK"
      // The scope comes before the request is looked at.
      const { refusals, status } = yield* ask(world, { token, path, method: "PUT", body: "{" })
      assert.strictEqual(status, 403)
      assert.deepStrictEqual(refusals, [
        {
          actorKind: "CLIENT",
          actorId: `${world.tenant}-integration`,
          action: "permission.write",
          recordId: "CLAIMS_DESK",
          detail: {
            route: "permissions.putRole",
            lacking: "SCOPE",
            scope: "platform/permissions"
          }
        }
      ])
    })
  )

  it.effect("is on record where the route does not serve that kind of caller", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { refusals, status } = yield* ask(world, { token: world.session, path: "/admin/users" })
      assert.strictEqual(status, 403)
      assert.deepStrictEqual(refusals, [
        {
          actorKind: "ANONYMOUS",
          actorId: yield* idOf(world, world.session),
          action: "user.read",
          recordId: world.tenant,
          detail: { route: "users.list", lacking: "CALLER" }
        }
      ])
    })
  )

  it.effect(
    "is on record where nothing is granted on the record, though what was asked for is undone",
    () =>
      Effect.gen(function* () {
        const world = yield* newTenant
        const { policyId } = yield* prepared(world, world.session)
        const path = `/policies/${policyId}`
        const expected = {
          actorKind: "ANONYMOUS",
          actorId: yield* idOf(world, world.stranger),
          recordId: policyId
        }
        const read = yield* ask(world, { token: world.stranger, path })
        assert.strictEqual(read.status, 403)
        assert.deepStrictEqual(read.refusals, [
          {
            ...expected,
            action: "policy.read",
            detail: { route: "policies.get", lacking: "ACTION" }
          }
        ])
        // Once for each time that it is asked for, with the same key too.
        const headers = { "idempotency-key": randomUUID() }
        for (const name of ["once", "again"]) {
          const write = {
            token: world.stranger,
            path,
            method: "PATCH",
            body: { name: "x" },
            headers
          }
          const { refusals, status } = yield* ask(world, write)
          assert.strictEqual(status, 403, name)
          assert.deepStrictEqual(refusals, [
            {
              ...expected,
              action: "policy.write",
              detail: { route: "policies.update", lacking: "ACTION" }
            }
          ])
        }
      })
  )

  it.effect("names the action that the giver lacks", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const north = yield* idOf(world, world.north)
      const whom = yield* idOf(world, world.south)
      const path = `/admin/users/${north}/permissions`
      const role = {
        name: "Gives what he has",
        actions: { permission: ["read", "write"], user: ["read"] }
      }
      const made = yield* ask(world, {
        token: world.client,
        path: "/permissions/roles/GIVER",
        method: "PUT",
        body: role
      })
      assert.isBelow(made.status, 300)
      const on = { kind: "TENANT" }
      const given = { permissions: [{ role: "GIVER", on }] }
      const put = yield* ask(world, { token: world.manager, path, method: "PUT", body: given })
      assert.strictEqual(put.status, 200)
      const { refusals, status } = yield* ask(world, {
        token: world.north,
        path: `/admin/users/${whom}/permissions`,
        method: "PUT",
        body: { permissions: [{ role: "TENANT_MANAGER", on }] }
      })
      assert.strictEqual(status, 403)
      const [refusal, ...others] = refusals
      assert.deepStrictEqual(others, [])
      const { action, ...rest } = refusal!
      assert.deepStrictEqual(rest, {
        actorKind: "USER",
        actorId: north,
        recordId: whom,
        detail: { route: "permissions.replace", lacking: "ACTION" }
      })
      assert.notInclude(["permission.read", "permission.write", "user.read"], action)
    })
  )

  it.effect("is on record for the tenant where the path names what can be no record", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const token = yield* world.withoutScopes("platform/permissions")
      for (const name of ["%00", "a%20b", "%F0%9F%98%80", "x".repeat(101), "..%2f", "%E2%80%AE"]) {
        const path = `/permissions/roles/${name}`
        const { refusals, status } = yield* ask(world, { token, path, method: "DELETE" })
        assert.strictEqual(status, 403, name)
        assert.deepStrictEqual(
          refusals.map(({ recordId }) => recordId),
          [world.tenant],
          name
        )
      }
    })
  )

  it.effect("is what only a 403 leaves", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { policyId } = yield* prepared(world, world.session)
      const missing = policyId.replace(/[^_]+$/u, alphabet.slice(0, suffixLength))
      const asked: ReadonlyArray<readonly [number, Asked]> = [
        [200, { token: world.session, path: `/policies/${policyId}` }],
        [400, { token: world.session, path: `/policies/${policyId}?branchId=x` }],
        [401, { token: "none", path: `/policies/${policyId}` }],
        [404, { token: world.session, path: `/policies/${missing}` }],
        [404, { token: world.client, path: `/policies/${policyId}` }]
      ]
      for (const [expected, request] of asked) {
        const { refusals, status } = yield* ask(world, request)
        assert.strictEqual(status, expected)
        assert.deepStrictEqual(refusals, [])
      }
    })
  )
})

layer(TestLayer, { excludeTestServices: true })("a refusal that can't be put on record", (it) => {
  it.effect("is answered all the same", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const sql = yield* SuperuserSql
      yield* sql`REVOKE INSERT ON audit FROM ${sql(runtimeRole)}`
      const { code, refusals, status } = yield* ask(world, {
        token: world.session,
        path: "/admin/users"
      })
      assert.deepStrictEqual([status, code], [403, "FORBIDDEN"])
      assert.deepStrictEqual(refusals, [])
    })
  )
})
