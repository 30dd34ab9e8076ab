import { assert, layer } from "@effect/vitest"
import { BuiltInRole, CustomRoleId, type Grant } from "@quittance/domain/access/Grant"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { GrantsRepo } from "../../src/access/GrantsRepo.ts"
import { ManagersRepo } from "../../src/access/ManagersRepo.ts"
import { RolesRepo } from "../../src/access/RolesRepo.ts"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { UsersRepo } from "../../src/access/UsersRepo.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { addUser, as, give, inTenant, inTransaction, TestLayer } from "../People.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

const Live = Layer.provideMerge(Layer.merge(RolesRepo.layer, ManagersRepo.layer), TestLayer)

const desk = CustomRoleId.make("CLAIMS_DESK")
const onTenant = { kind: "TENANT" } as const
const define = (id: CustomRoleId, actions: ReadonlyArray<Action>) =>
  inTransaction(RolesRepo.use((roles) => roles.put({ id, name: "A desk", actions })))
const remove = (id: CustomRoleId) => inTransaction(RolesRepo.use((roles) => roles.remove(id)))
const grantsOf = (id: Parameters<GrantsRepo["Service"]["of"]>[0]) =>
  GrantsRepo.use((grants) => grants.of(id))
const set = (id: Parameters<GrantsRepo["Service"]["of"]>[0], grants: ReadonlyArray<Grant>) =>
  inTransaction(GrantsRepo.use((repo) => repo.set(id, grants)))

layer(Live, { excludeTestServices: true })("a role of the tenant's own", (it) => {
  it.effect("can't have the name of a built-in one, also past the schema", () =>
    inTenant(
      Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const sql = yield* SqlClient.SqlClient
        const tenantSql = yield* TenantSql
        for (const id of [...BuiltInRole.literals, "lower", "X", "9A", "A".repeat(41)]) {
          const write = tenantSql.write(sql`
            INSERT INTO role (tenant_id, id, name, actions) VALUES (${tenantId}, ${id}, 'x', '{}')
          `)
          const exit = yield* Effect.exit(inTransaction(write))
          assert.strictEqual(exit._tag, "Failure", id)
        }
      })
    )
  )

  it.effect(
    "is granted only while it is there, and every built-in one but a visitor's always",
    () =>
      inTenant(
        Effect.gen(function* () {
          const tenantId = yield* CurrentTenant
          const ada = yield* addUser("ada@x.test")
          const sql = yield* SqlClient.SqlClient
          const tenantSql = yield* TenantSql
          const insert = (role: string) =>
            inTransaction(
              tenantSql.write(sql`
              INSERT INTO permission_grant (tenant_id, subject_id, role, kind)
              VALUES (${tenantId}, ${ada}, ${role}, 'TENANT')
            `)
            ).pipe(Effect.exit)
          for (const role of BuiltInRole.literals) {
            const expected = role === "VISITOR" ? "Failure" : "Success"
            assert.strictEqual((yield* insert(role))._tag, expected, role)
          }
          assert.strictEqual((yield* insert(desk))._tag, "Failure")
          yield* define(desk, [])
          assert.strictEqual((yield* insert(desk))._tag, "Success")
        })
      )
  )

  it.effect("is left out where it is gone by the time it is given", () =>
    inTenant(
      Effect.gen(function* () {
        const ada = yield* addUser("ada@x.test")
        yield* set(ada, [
          { role: desk, on: onTenant },
          { role: "AUDITOR", on: onTenant }
        ])
        assert.deepStrictEqual(yield* grantsOf(ada), [{ role: "AUDITOR", on: onTenant }])
      })
    )
  )

  it.effect("stays while a user has it", () =>
    inTenant(
      Effect.gen(function* () {
        const [ada, bob] = [yield* addUser("ada@x.test"), yield* addUser("bob@x.test")]
        yield* define(desk, ["policy.read"])
        yield* give(ada, { role: desk, on: onTenant })
        yield* give(bob, { role: desk, on: { kind: "RECORD", recordId: "policy_1" } })
        const error = yield* Effect.flip(remove(desk))
        assert.deepStrictEqual([error._tag, error.roleId, error.grants], ["RoleInUse", desk, 2])
        yield* set(ada, [])
        yield* set(bob, [])
        yield* remove(desk)
        assert.isUndefined(yield* RolesRepo.use((roles) => roles.find(desk)))
      })
    )
  )

  it.effect("belongs to its tenant alone", () =>
    Effect.gen(function* () {
      yield* inTenant(define(desk, ["policy.read"]))
      yield* inTenant(
        Effect.gen(function* () {
          const ada = yield* addUser("ada@x.test")
          yield* set(ada, [{ role: desk, on: onTenant }])
          assert.deepStrictEqual(yield* grantsOf(ada), [])
          assert.deepStrictEqual(yield* RolesRepo.use((roles) => roles.list), [])
        })
      )
    })
  )

  it.effect("counts at once, wherever it is asked for", () =>
    inTenant(
      Effect.gen(function* () {
        const ada = yield* addUser("ada@x.test")
        yield* define(desk, [])
        yield* give(ada, { role: desk, on: onTenant })
        const answers = Effect.gen(function* () {
          const grants = yield* GrantsRepo
          const users = yield* UsersRepo
          const ok = Effect.match({ onFailure: () => false, onSuccess: () => true })
          return [
            yield* ok(users.authorize("user.write", ada)),
            yield* ok(grants.require("user.write", { firms: [], records: [] })),
            yield* ok(grants.coverage("user.write"))
          ]
        }).pipe(as(ada))
        assert.deepStrictEqual(yield* answers, [false, false, false])
        yield* define(desk, ["user.read", "user.write"])
        assert.deepStrictEqual(yield* answers, [true, true, true])
        yield* define(desk, ["user.read"])
        assert.deepStrictEqual(yield* answers, [false, false, false])
      })
    )
  )

  it.effect("outlives an action that this release no longer knows", () =>
    inTenant(
      Effect.gen(function* () {
        const ada = yield* addUser("ada@x.test")
        yield* define(desk, ["policy.read"])
        yield* give(ada, { role: desk, on: onTenant })
        const superuser = yield* PgTest.SuperuserSql
        yield* superuser`
          UPDATE role SET actions = '{policy.read,policy.levitate}'
          WHERE tenant_id = ${yield* CurrentTenant}
        `
        const [role] = yield* RolesRepo.use((roles) => roles.list)
        assert.deepStrictEqual(role?.actions, ["policy.read"])
        const [held] = yield* GrantsRepo.use((grants) => grants.heldBy(ada))
        assert.deepStrictEqual([...held!.actions], ["policy.read"])
      })
    )
  )

  it.effect("is either granted or deleted, whichever of the two comes first, 200 times", () =>
    inTenant(
      Effect.gen(function* () {
        const ada = yield* addUser("ada@x.test")
        for (let round = 0; round < 200; round++) {
          yield* define(desk, [])
          const [given, removed] = yield* Effect.all(
            [Effect.exit(set(ada, [{ role: desk, on: onTenant }])), Effect.result(remove(desk))],
            { concurrency: "unbounded" }
          )
          assert.strictEqual(given._tag, "Success")
          const isGranted = (yield* grantsOf(ada)).length === 1
          assert.strictEqual(removed._tag, isGranted ? "Failure" : "Success")
          yield* set(ada, [])
        }
      })
    )
  )
})

layer(Live, { excludeTestServices: true })("the managers of a tenant", (it) => {
  const manager: Grant = { role: "TENANT_MANAGER", on: onTenant }
  const keeping = <A, E, R>(change: Effect.Effect<A, E, R>) =>
    inTransaction(ManagersRepo.use((managers) => managers.keeping(change)))
  const clear = (id: Parameters<GrantsRepo["Service"]["of"]>[0]) =>
    keeping(GrantsRepo.use((grants) => grants.set(id, [])))
  const disable = (id: string) =>
    keeping(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenantSql = yield* TenantSql
        yield* Effect.orDie(
          tenantSql.write(sql`
            UPDATE app_user SET status = 'DISABLED', disabled_at = now()
            WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
          `)
        )
      })
    )

  it.effect("can't lose the last of them, by grants, by a role or by disabling a user", () =>
    inTenant(
      Effect.gen(function* () {
        const ada = yield* addUser("ada@x.test")
        const bob = yield* addUser("bob@x.test")
        yield* define(desk, ["permission.write"])
        yield* give(ada, { role: desk, on: onTenant })
        // Neither a firm's or a record's manager nor a disabled user counts.
        yield* give(bob, { role: "TENANT_MANAGER", on: { kind: "RECORD", recordId: ada } })
        const lost = [
          yield* Effect.flip(clear(ada)),
          yield* Effect.flip(
            keeping(RolesRepo.use((r) => r.put({ id: desk, name: "x", actions: [] })))
          ),
          yield* Effect.flip(disable(ada))
        ]
        assert.deepStrictEqual(
          lost.map(({ _tag }) => _tag),
          ["LastManager", "LastManager", "LastManager"]
        )
        assert.deepStrictEqual(yield* grantsOf(ada), [{ role: desk, on: onTenant }])

        yield* give(bob, manager)
        yield* disable(ada)
        assert.strictEqual((yield* Effect.flip(clear(bob)))._tag, "LastManager")
        yield* clear(ada)
      })
    )
  )

  it.effect("may be none at all where there never was one", () =>
    inTenant(
      Effect.gen(function* () {
        const ada = yield* addUser("ada@x.test")
        yield* give(ada, { role: "AUDITOR", on: onTenant })
        yield* clear(ada)
        assert.deepStrictEqual(yield* grantsOf(ada), [])
      })
    )
  )

  it.effect("don't both vanish when two take the right from each other at once, 200 times", () =>
    inTenant(
      Effect.gen(function* () {
        const [ada, bob] = [yield* addUser("ada@x.test"), yield* addUser("bob@x.test")]
        for (let round = 0; round < 200; round++) {
          yield* set(ada, [manager])
          yield* set(bob, [manager])
          const outcomes = yield* Effect.all([clear(ada), clear(bob)].map(Effect.result), {
            concurrency: "unbounded"
          })
          const tags = outcomes.map(({ _tag }) => _tag).sort()
          assert.deepStrictEqual(tags, ["Failure", "Success"])
          const left = [...(yield* grantsOf(ada)), ...(yield* grantsOf(bob))]
          assert.deepStrictEqual(left, [manager])
        }
      })
    )
  )
})
