import { assert, layer } from "@effect/vitest"
import type { Caller, UserId } from "@quittance/domain/requests/Caller"
import { type GivenGrant, type Grant, roles } from "@quittance/domain/access/Grant"
import { Ids } from "@quittance/persistence/sql/Ids"
import * as PgTest from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { Permissions } from "../../src/access/Permissions.ts"
import {
  client,
  defineDesk,
  desk,
  grantsOf,
  unknownUser,
  onFirm,
  onTenant,
  person,
  TestLayer
} from "../People.ts"
import * as World from "../World.ts"

const replace = (userId: UserId, grants: ReadonlyArray<GivenGrant>) =>
  Permissions.use((permissions) => permissions.replace(userId, { permissions: grants }))

layer(TestLayer)("replacing what a user may do", (it) => {
  it.effect(
    "refuses a caller without rights over the person, and knows no person of another tenant",
    () =>
      Effect.gen(function* () {
        const [world, other] = [yield* World.make(), yield* World.make()]
        const ada = yield* person(world, [], world.firms.north)
        const tags = yield* Effect.forEach(
          [
            World.as(world, world.auditor)(replace(ada.userId, [])),
            World.as(world, world.north)(replace(ada.userId, [])),
            World.as(world, world.manager)(replace(unknownUser, [])),
            World.as(other, other.manager)(replace(ada.userId, [])),
            World.as(other, client)(replace(ada.userId, []))
          ],
          (attempt) => Effect.map(Effect.flip(attempt), ({ _tag }) => _tag)
        )
        assert.deepStrictEqual(tags, [
          "Forbidden",
          "Forbidden",
          "UserNotFound",
          "UserNotFound",
          "UserNotFound"
        ])
      })
  )

  it.effect("refuses to give what the giver does not have, and names the missing action", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { north, south } = world.firms
      const head = yield* person(world, [{ role: "FIRM_MANAGER", on: onFirm(north) }], north)
      const ada = yield* person(world, [], north)
      const asHead = World.as(world, head)
      const lacking = (grant: GivenGrant) =>
        Effect.map(Effect.flip(asHead(replace(ada.userId, [grant]))), (error) => [
          error._tag,
          error._tag === "Forbidden" && error.action
        ])
      yield* defineDesk(world, ["policy.read", "permission.write"])
      assert.deepStrictEqual(yield* lacking({ role: "TENANT_MANAGER", on: onTenant }), [
        "Forbidden",
        "permission.write"
      ])
      assert.deepStrictEqual(yield* lacking({ role: "BROKER", on: onFirm(south) }), [
        "Forbidden",
        "permission.write"
      ])
      const [tag, action] = yield* lacking({ role: "AUDITOR", on: onFirm(north) })
      const beyond = [...roles.AUDITOR].find((read) => !roles.FIRM_MANAGER.has(read))
      assert.deepStrictEqual([tag, action], ["Forbidden", beyond])
      assert.deepStrictEqual(yield* grantsOf(world, ada), [])
      // Also not to himself.
      const self = yield* Effect.flip(
        asHead(replace(head.userId, [{ role: "AUDITOR", on: onFirm(north) }]))
      )
      assert.strictEqual(self._tag, "Forbidden")

      const given: ReadonlyArray<GivenGrant> = [
        { role: "BROKER", on: onFirm(north) },
        { role: desk, on: onFirm(north) },
        { role: "FIRM_MANAGER", on: onFirm(north) }
      ]
      assert.deepStrictEqual(yield* asHead(replace(ada.userId, given)), given)
    })
  )

  it.effect("asks only about what changes", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { north, south } = world.firms
      const head = yield* person(world, [{ role: "FIRM_MANAGER", on: onFirm(north) }], north)
      const elsewhere = { role: "AUDITOR", on: onFirm(south) } as const
      const here = { role: "BROKER", on: onFirm(north) } as const
      const ada = yield* person(world, [elsewhere], north)
      const asHead = World.as(world, head)
      assert.deepStrictEqual(yield* asHead(replace(ada.userId, [here, elsewhere])), [
        elsewhere,
        here
      ])
      const taken = yield* Effect.flip(asHead(replace(ada.userId, [here])))
      assert.strictEqual(taken._tag, "Forbidden")
      assert.deepStrictEqual(yield* grantsOf(world, ada), [elsewhere, here])
      assert.deepStrictEqual(yield* asHead(replace(ada.userId, [elsewhere])), [elsewhere])
    })
  )

  it.effect("refuses roles, firms and records that are not there", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* World.make(), yield* World.make()]
      const ada = yield* person(world, [])
      const ids = yield* Ids
      const foreign = yield* person(other, [])
      const bad: ReadonlyArray<readonly [GivenGrant, string, string]> = [
        [{ role: desk, on: onTenant }, "role", desk],
        [{ role: "BROKER", on: onFirm(other.firms.north) }, "brokerageFirmId", other.firms.north],
        ...[ids.next("policy"), unknownUser, foreign.userId].map((recordId) => {
          const on = { kind: "RECORD", recordId } as const
          return [{ role: "POLICYHOLDER", on }, "recordId", recordId] as const
        })
      ]
      yield* defineDesk(other, [])
      for (const caller of [world.manager, client]) {
        for (const [grant, field, value] of bad) {
          const error = yield* Effect.flip(
            World.as(world, caller)(replace(ada.userId, [{ role: "BROKER", on: onTenant }, grant]))
          )
          if (error._tag !== "InvalidReference") assert.fail(error._tag)
          assert.deepStrictEqual([error.field, error.value], [field, value])
        }
      }
      assert.deepStrictEqual(yield* grantsOf(world, ada), [])
    })
  )

  it.effect("keeps a user who may give permissions on the tenant", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const manager = world.manager as Extract<Caller, { _tag: "User" }>
      for (const caller of [manager, client]) {
        const error = yield* Effect.flip(World.as(world, caller)(replace(manager.userId, [])))
        assert.strictEqual(error._tag, "LastManager")
      }
      const ada = yield* person(world, [{ role: "TENANT_MANAGER", on: onTenant }])
      yield* World.as(world, manager)(replace(manager.userId, []))
      const error = yield* Effect.flip(World.as(world, ada)(replace(ada.userId, [])))
      assert.strictEqual(error._tag, "LastManager")
    })
  )

  it.effect("writes nothing in a dry run, and answers a repeated key as it did first", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const ada = yield* person(world, [])
      const grant = { role: "AUDITOR", on: onTenant } as const
      const tried = World.as(world, world.manager, { dryRun: true })
      assert.deepStrictEqual(yield* tried(replace(ada.userId, [grant])), [grant])
      assert.deepStrictEqual(yield* grantsOf(world, ada), [])

      const answer = { replayed: false }
      const idempotency = { key: "k", fingerprint: "f" }
      const keyed = World.as(world, world.manager, { answer, idempotency })
      yield* keyed(replace(ada.userId, [grant]))
      yield* World.as(world, world.manager)(replace(ada.userId, []))
      assert.deepStrictEqual(yield* keyed(replace(ada.userId, [grant])), [grant])
      assert.isTrue(answer.replayed)
      assert.deepStrictEqual(yield* grantsOf(world, ada), [])
    })
  )

  it.effect("refuses to replace another set than the one that was read", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const ada = yield* person(world, [])
      const read: { replayed: boolean; etag?: string } = { replayed: false }
      yield* World.as(world, world.manager, { answer: read })(
        Permissions.use((permissions) => permissions.of(ada.userId))
      )
      const ifMatch = read.etag!
      const written: { replayed: boolean; etag?: string } = { replayed: false }
      const asRead = World.as(world, world.manager, { ifMatch, answer: written })
      const auditor = { role: "AUDITOR", on: onTenant } as const
      yield* asRead(replace(ada.userId, [auditor]))
      const error = yield* Effect.flip(asRead(replace(ada.userId, [])))
      assert.deepStrictEqual(
        [error._tag, error._tag === "Conflict" && error.etag],
        ["Conflict", written.etag]
      )
      assert.deepStrictEqual(yield* grantsOf(world, ada), [auditor])
      yield* World.as(world, world.manager, { ifMatch: written.etag! })(replace(ada.userId, []))
      assert.deepStrictEqual(yield* grantsOf(world, ada), [])
    })
  )

  it.effect("leaves a record of who did it, and none of a refusal's attempt", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const ada = yield* person(world, [])
      const superuser = yield* PgTest.SuperuserSql
      const records = superuser`
        SELECT actor_id, action, outcome FROM audit
        WHERE tenant_id = ${world.tenant} AND record_id = ${ada.userId} ORDER BY recorded_at
      `
      yield* Effect.flip(World.as(world, world.auditor)(replace(ada.userId, [])))
      assert.deepStrictEqual(yield* records, [])
      yield* World.as(world, client)(replace(ada.userId, [{ role: "AUDITOR", on: onTenant }]))
      const record = { actorId: client.clientId, action: "permission.replace", outcome: "DONE" }
      assert.deepStrictEqual(yield* records, [record])
    })
  )

  it.effect("of two replacements at once, keeps the whole of one, 200 times", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { north, south } = world.firms
      const ada = yield* person(world, [])
      const run = World.as(world, world.manager)
      const first: ReadonlyArray<GivenGrant> = [
        { role: "AUDITOR", on: onTenant },
        { role: "BROKER", on: onFirm(north) }
      ]
      const second: ReadonlyArray<GivenGrant> = [
        { role: "BROKER", on: onFirm(south) },
        { role: "FIRM_MANAGER", on: onFirm(south) }
      ]
      const text = (grants: ReadonlyArray<Grant>) => JSON.stringify(grants)
      for (let round = 0; round < 200; round++) {
        yield* Effect.all([run(replace(ada.userId, first)), run(replace(ada.userId, second))], {
          concurrency: "unbounded"
        })
        const left = text(yield* grantsOf(world, ada))
        assert.include([text(first), text(second)], left)
      }
    })
  )

  it.effect("lets no two managers take the right from each other at once, 200 times", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const manager: GivenGrant = { role: "TENANT_MANAGER", on: onTenant }
      const [ada, bob] = [yield* person(world, []), yield* person(world, [])]
      const { userId } = world.manager as Extract<Caller, { _tag: "User" }>
      yield* World.as(
        world,
        client
      )(Effect.andThen(replace(ada.userId, [manager]), replace(userId, [])))
      for (let round = 0; round < 200; round++) {
        yield* World.as(
          world,
          client
        )(Effect.andThen(replace(ada.userId, [manager]), replace(bob.userId, [manager])))
        const outcomes = yield* Effect.all(
          [
            Effect.result(World.as(world, ada)(replace(bob.userId, []))),
            Effect.result(World.as(world, bob)(replace(ada.userId, [])))
          ],
          { concurrency: "unbounded" }
        )
        // The second request has lost the right, or would remove the last one.
        assert.deepStrictEqual(outcomes.map(({ _tag }) => _tag).sort(), ["Failure", "Success"])
      }
    })
  )
})
