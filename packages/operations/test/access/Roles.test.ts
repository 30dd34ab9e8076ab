import { assert, layer } from "@effect/vitest"
import type { Authority } from "@quittance/domain/access/Authority"
import { type GivenGrant, roles as builtIn } from "@quittance/domain/access/Grant"
import { byArea, toActions } from "@quittance/domain/access/Role"
import { Currency } from "@quittance/domain/values/Amount"
import { Permissions } from "../../src/access/Permissions.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { Policies } from "../../src/policies/Policies.ts"
import { Roles } from "../../src/access/Roles.ts"
import { client, desk, onFirm, onTenant, person, TestLayer } from "../People.ts"
import * as World from "../World.ts"
import { Action } from "@quittance/domain/requests/Action"

const put = (actions: ReadonlyArray<Action>, name = "Claims desk", authority?: Authority) =>
  Roles.use((roles) =>
    roles.put(desk, {
      name,
      actions: byArea(actions),
      ...(authority === undefined ? {} : { authority })
    })
  )
const remove = Roles.use((roles) => roles.remove(desk))
const list = Roles.use((roles) => roles.list)

/** How an attempt fails. */
const tagOf = <A, E extends { readonly _tag: string }, R>(attempt: Effect.Effect<A, E, R>) =>
  Effect.match(attempt, { onFailure: ({ _tag }) => _tag, onSuccess: () => "Success" })

layer(TestLayer)("the roles of a tenant", (it) => {
  it.effect("are shown to callers who see grants, the built-in ones first", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      assert.strictEqual((yield* Effect.flip(World.as(world, world.north)(list)))._tag, "Forbidden")
      yield* World.as(world, world.manager)(put(["quote.read", "policy.write", "policy.read"]))
      for (const caller of [world.auditor, world.manager, client]) {
        const roles = yield* World.as(world, caller)(list)
        assert.deepStrictEqual(
          roles.slice(0, -1).map(({ actions, builtIn, id }) => [id, builtIn, toActions(actions)]),
          Object.entries(builtIn).map(([id, held]) => [id, true, toActions(byArea(held))])
        )
        assert.deepStrictEqual(roles.at(-1), {
          id: desk,
          name: "Claims desk",
          actions: { policy: ["read", "write"], quote: ["read"] },
          builtIn: false
        })
      }
    })
  )

  it.effect("change for everybody who has them, from the next request on", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const asManager = World.as(world, world.manager)
      const { id: policyId } = yield* World.as(
        world,
        world.north
      )(Policies.use((policies) => policies.create({ productId: World.motor.productId })))
      yield* asManager(put([]))
      const ada = yield* person(world, [{ role: desk, on: onFirm(world.firms.north) }])
      const bob = yield* person(world, [{ role: desk, on: onFirm(world.firms.south) }])
      const read = Policies.use((policies) => policies.get({ policyId })).pipe(
        Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: ({ id }) => id })
      )
      const both = Effect.all([World.as(world, ada)(read), World.as(world, bob)(read)])
      assert.deepStrictEqual(yield* both, ["Forbidden", "Forbidden"])
      yield* asManager(put(["policy.read"]))
      assert.deepStrictEqual(yield* both, [policyId, "Forbidden"])
      yield* asManager(put(["policy.write"]))
      assert.deepStrictEqual(yield* both, ["Forbidden", "Forbidden"])
    })
  )

  it.effect("gain and lose no action that their editor does not have on the tenant", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      yield* World.as(world, world.manager)(put(["permission.write", "policy.read", "quote.read"]))
      // He may define roles, read policies and quotes, and nothing else.
      const giver = yield* person(world, [{ role: desk, on: onTenant }])
      const ofFirm = yield* person(world, [{ role: "FIRM_MANAGER", on: onFirm(world.firms.north) }])
      const tags = [
        yield* World.as(
          world,
          giver
        )(tagOf(put(["permission.write", "policy.read", "policy.write"]))),
        yield* World.as(
          world,
          ofFirm
        )(tagOf(put(["permission.write", "policy.read", "quote.read"]))),
        yield* World.as(world, world.auditor)(tagOf(put(["policy.read"]))),
        yield* World.as(world, ofFirm)(tagOf(remove)),
        yield* World.as(world, world.auditor)(tagOf(remove))
      ]
      assert.deepStrictEqual(new Set(tags), new Set(["Forbidden"]))
      yield* World.as(world, world.manager)(put(["permission.write", "policy.read", "user.write"]))
      const role = yield* World.as(world, giver)(put(["permission.write", "user.write"]))
      assert.deepStrictEqual(role.actions, { user: ["write"], permission: ["write"] })
    })
  )

  it.effect("get and lend no authority that their editor does not have on the tenant", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const asManager = World.as(world, world.manager)
      const limited = (limit: number): Authority => ({
        claimPayment: { [Currency.make("EUR")]: limit }
      })
      const editing: ReadonlyArray<Action> = ["permission.write", "policy.read"]
      const role = yield* asManager(put(editing, "Claims desk", limited(1000)))
      assert.deepStrictEqual(role.authority, limited(1000))
      const giver = yield* person(world, [{ role: desk, on: onTenant }])
      const asGiver = World.as(world, giver)
      const error = yield* Effect.flip(asGiver(put(editing, "More", limited(1001))))
      assert.deepInclude(error, {
        _tag: "AuthorityExceeded",
        authority: "claimPayment",
        limit: 1000,
        needed: 1001
      })
      yield* asGiver(put(editing, "Less", limited(999)))
      // Now this is all that they have themselves.
      assert.strictEqual(
        yield* asGiver(tagOf(put(editing, "Back", limited(1000)))),
        "AuthorityExceeded"
      )

      const other = yield* person(world, [])
      const give = (grant: GivenGrant) =>
        Permissions.use((permissions) =>
          permissions.replace(other.userId, { permissions: [grant] })
        )
      yield* asGiver(give({ role: desk, on: onTenant }))
      yield* asManager(put([...Action.literals], "All actions", limited(5)))
      assert.strictEqual(
        yield* asGiver(tagOf(give({ role: "TENANT_MANAGER", on: onTenant }))),
        "AuthorityExceeded"
      )
      yield* asManager(put(editing))
      assert.isUndefined((yield* asManager(list)).at(-1)?.authority)
    })
  )

  it.effect("keep a user who may give permissions on the tenant", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const superuser = yield* PgTest.SuperuserSql
      yield* World.as(world, world.manager)(put(["permission.write"]))
      yield* superuser`
        UPDATE permission_grant SET role = ${desk}
        WHERE tenant_id = ${world.tenant} AND role = 'TENANT_MANAGER'
      `
      for (const caller of [world.manager, client]) {
        const error = yield* Effect.flip(World.as(world, caller)(put([])))
        assert.strictEqual(error._tag, "LastManager")
      }
    })
  )

  it.effect("are deleted once no user has them, and answer a repetition as they did first", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const missing = yield* Effect.flip(run(remove))
      assert.strictEqual(missing._tag, "RoleNotFound")
      yield* run(put(["policy.read"]))
      const ada = yield* person(world, [{ role: desk, on: onTenant }])
      const used = yield* Effect.flip(run(remove))
      assert.deepStrictEqual(
        [used._tag, used._tag === "RoleInUse" && used.grants],
        ["RoleInUse", 1]
      )
      const superuser = yield* PgTest.SuperuserSql
      yield* superuser`DELETE FROM permission_grant WHERE subject_id = ${ada.userId}`

      yield* World.as(world, world.manager, { dryRun: true })(remove)
      const answer = { replayed: false }
      const idempotency = { key: "k", fingerprint: "f" }
      const keyed = World.as(world, world.manager, { answer, idempotency })
      yield* keyed(remove)
      yield* keyed(remove)
      assert.isTrue(answer.replayed)
      assert.strictEqual((yield* Effect.flip(run(remove)))._tag, "RoleNotFound")
    })
  )

  it.effect("leave a record of every change", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      yield* run(put(["policy.read"]))
      yield* run(put(["policy.read"], "Another name"))
      yield* run(remove)
      const superuser = yield* PgTest.SuperuserSql
      const records = yield* superuser<{
        readonly action: string
        readonly detail: { readonly before?: string; readonly after?: string }
      }>`
        SELECT action, detail FROM audit WHERE tenant_id = ${world.tenant} AND record_id = ${desk}
        ORDER BY recorded_at
      `
      const [first, second, third] = records.map(({ detail }) => detail)
      assert.deepStrictEqual(
        records.map(({ action }) => action),
        ["role.put", "role.put", "role.remove"]
      )
      assert.isUndefined(first?.before)
      assert.strictEqual(first?.after, second?.before)
      assert.notStrictEqual(second?.before, second?.after)
      assert.strictEqual(second?.after, third?.before)
      assert.isUndefined(third?.after)
    })
  )
})
