import { assert, layer } from "@effect/vitest"
import { BuiltInRole, maximumGrants } from "@quittance/domain/access/Grant"
import { alphabet, suffixLength } from "@quittance/domain/values/PrefixedId"
import { Effect } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { actions } from "@quittance/domain/requests/Action"

const suffix = alphabet.slice(0, suffixLength)
const desk = "/permissions/roles/CLAIMS_DESK"
const definition = { name: "Claims desk", actions: { policy: ["read", "write"], quote: ["read"] } }

const ask = ({ client, tenant }: World, path: string, body?: unknown, method = "PUT") =>
  call(path, {
    tenant,
    token: client,
    method: body === undefined ? "GET" : method,
    ...(body === undefined ? {} : { body })
  })

/** The ids of the tenant's manager and of its broker of the north. */
const idOf = ({ tenant }: World, token: string) =>
  Effect.map(call("/account", { tenant, token }), ({ body }) => String(body.id))

const faultsOf = (body: { details: { issues: ReadonlyArray<{ in: string; path: string }> } }) =>
  body.details.issues.map(({ in: part, path }) => `${part} ${path}`)

layer(TestLayer, { excludeTestServices: true })("permissions on the wire", (it) => {
  it.effect("refuse a role with a built-in name or another form, or with what is no action", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const names = [...BuiltInRole.literals, "lower", "X", "9A", "A-B", "A".repeat(41)]
      for (const name of names) {
        const { body, status } = yield* ask(world, `/permissions/roles/${name}`, definition)
        assert.deepStrictEqual([status, body.code], [400, "INVALID_REQUEST"], name)
        assert.deepStrictEqual(faultsOf(body), ["path roleId"])
      }
      const bad: ReadonlyArray<readonly [unknown, string]> = [
        [{ polici: ["read"] }, "body /actions/polici"],
        [{ policy: ["levitate"] }, "body /actions/policy/0"],
        [{ policy: ["read", "read"] }, "body /actions/policy"],
        [{ policy: "read" }, "body /actions/policy"],
        [["policy.read"], "body /actions"]
      ]
      for (const [held, fault] of bad) {
        const { body, status } = yield* ask(world, desk, { ...definition, actions: held })
        assert.strictEqual(status, 400)
        assert.deepStrictEqual(faultsOf(body), [fault])
      }
      const { body } = yield* ask(world, "/permissions/roles")
      assert.strictEqual(body.roles.length, BuiltInRole.literals.length)
    })
  )

  it.effect("refuse grants of what can't be given, or on what no check looks at", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const path = `/admin/users/${yield* idOf(world, world.north)}/permissions`
      const onTenant = { kind: "TENANT" }
      const onRecord = (recordId: string) => ({
        role: "POLICYHOLDER",
        on: { kind: "RECORD", recordId }
      })
      const bad = [
        { role: "VISITOR", on: onTenant },
        { role: "broker", on: onTenant },
        { role: "BROKER" },
        { role: "BROKER", on: { kind: "FIRM" } },
        { role: "BROKER", on: { kind: "TENANT", brokerageFirmId: "x" } },
        onRecord(`customer_test_${suffix}`),
        onRecord(`brokerage_firm_test_${suffix}`),
        onRecord(`policy_${suffix}`),
        onRecord("*")
      ]
      for (const grant of bad) {
        const { body, status } = yield* ask(world, path, { permissions: [grant] })
        assert.deepStrictEqual([status, body.code], [400, "INVALID_REQUEST"], JSON.stringify(grant))
      }
      const many = Array.from({ length: maximumGrants + 1 }, () => ({
        role: "BROKER",
        on: onTenant
      }))
      const { status } = yield* ask(world, path, { permissions: many })
      assert.strictEqual(status, 400)
      const missing = yield* ask(world, path, { permissions: [onRecord(`policy_test_${suffix}`)] })
      assert.deepStrictEqual([missing.status, missing.body.code], [422, "INVALID_REFERENCE"])
      assert.deepStrictEqual(missing.body.details, {
        field: "recordId",
        value: `policy_test_${suffix}`
      })
    })
  )

  it.effect(
    "refuse a question about no action, about another environment, or a client's without a subject",
    () =>
      Effect.gen(function* () {
        const world = yield* newTenant
        const subject = yield* idOf(world, world.north)
        for (const [query, fault] of [
          [`subject=${subject}`, "query action"],
          [`action=policy.levitate&subject=${subject}`, "query action"],
          [`action=policy.read&record=policy_${suffix}&subject=${subject}`, "query record"],
          [
            `action=policy.read&record=levitation_test_${suffix}&subject=${subject}`,
            "query record"
          ],
          ["action=policy.read&subject=some-client", "query subject"],
          ["action=policy.read", "query subject"]
        ]) {
          const { body, status } = yield* ask(world, `/permissions/explain?${query}`)
          assert.deepStrictEqual([status, body.code], [400, "INVALID_REQUEST"], query)
          assert.deepStrictEqual(faultsOf(body), [fault])
        }
        for (const kind of ["policy", "signature"]) {
          const query = `action=policy.read&record=${kind}_test_${suffix}&subject=${subject}`
          const { body, status } = yield* ask(world, `/permissions/explain?${query}`)
          assert.deepStrictEqual([status, body.code], [404, "RECORD_NOT_FOUND"])
        }
      })
  )

  it.effect("answer 409 for what is still needed", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const manager = `/admin/users/${yield* idOf(world, world.manager)}/permissions`
      const last = yield* ask(world, manager, { permissions: [] })
      assert.deepStrictEqual([last.status, last.body.code], [409, "LAST_MANAGER"])
      yield* ask(world, desk, definition)
      const north = `/admin/users/${yield* idOf(world, world.north)}/permissions`
      yield* ask(world, north, { permissions: [{ role: "CLAIMS_DESK", on: { kind: "TENANT" } }] })
      const used = yield* ask(world, desk, {}, "DELETE")
      assert.deepStrictEqual([used.status, used.body.code], [409, "ROLE_IN_USE"])
      assert.deepStrictEqual(used.body.details, { roleId: "CLAIMS_DESK", grants: 1 })
    })
  )

  it.effect("lead from a role over a grant to an explanation, and back", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { manager, north, tenant } = world
      const user = yield* idOf(world, north)
      const put = yield* call(desk, { tenant, token: manager, method: "PUT", body: definition })
      assert.deepStrictEqual(put.body, { id: "CLAIMS_DESK", ...definition, builtIn: false })

      const permissions = [{ role: "CLAIMS_DESK", on: { kind: "TENANT" } }]
      const path = `/admin/users/${user}/permissions`
      const set = yield* call(path, {
        tenant,
        token: manager,
        method: "PUT",
        body: { permissions }
      })
      assert.deepStrictEqual([set.status, set.body], [200, { permissions }])
      const seen = yield* call(path, { tenant, token: manager })
      assert.deepStrictEqual(seen.body, { permissions })
      assert.strictEqual(seen.header("etag"), set.header("etag"))
      const stale = { tenant, token: manager, method: "PUT", headers: { "if-match": '"x"' } }
      const conflict = yield* call(path, { ...stale, body: { permissions: [] } })
      assert.deepStrictEqual(
        [conflict.status, conflict.body.details.etag],
        [409, seen.header("etag")]
      )
      const own = yield* call("/account", { tenant, token: north })
      assert.deepStrictEqual(own.body.permissions, permissions)

      const explain = (action: string) =>
        call(`/permissions/explain?action=${action}`, { tenant, token: north })
      assert.deepStrictEqual((yield* explain("policy.read")).body, {
        subject: user,
        action: "policy.read",
        allowed: true,
        grants: [{ ...permissions[0], because: "It is granted on the whole tenant." }],
        reason:
          "Allowed by CLAIMS_DESK, which contains policy.read and is granted on what covers the whole tenant."
      })
      assert.deepStrictEqual((yield* explain("policy.stop")).body, {
        subject: user,
        action: "policy.stop",
        allowed: false,
        grants: [],
        reason: "None of the roles granted contains policy.stop: CLAIMS_DESK."
      })

      const none = { tenant, token: manager, method: "PUT", body: { permissions: [] } }
      assert.strictEqual((yield* call(path, none)).status, 200)
      const gone = yield* call(desk, { tenant, token: manager, method: "DELETE" })
      assert.deepStrictEqual([gone.status, gone.body], [204, undefined])
    })
  )

  it.effect("show what every built-in role contains, all actions of a manager among it", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { body } = yield* ask(world, "/permissions/roles")
      const [manager] = body.roles
      assert.deepStrictEqual([manager.id, manager.builtIn], ["TENANT_MANAGER", true])
      const all = Object.entries(manager.actions as Record<string, ReadonlyArray<string>>).flatMap(
        ([area, verbs]) => verbs.map((verb) => `${area}.${verb}`)
      )
      assert.deepStrictEqual(all.toSorted(), Object.keys(actions).toSorted())
    })
  )
})
