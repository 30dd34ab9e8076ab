import { assert, layer } from "@effect/vitest"
import type { Caller } from "@quittance/domain/requests/Caller"
import type { Grant } from "@quittance/domain/access/Grant"
import type { SubjectId } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import * as PgTest from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { Permissions } from "../../src/access/Permissions.ts"
import { Policies } from "../../src/policies/Policies.ts"
import {
  client,
  defineDesk,
  desk,
  onFirm,
  onTenant,
  person,
  TestLayer,
  unknownUser
} from "../People.ts"
import * as World from "../World.ts"

layer(TestLayer)("explaining what a user may do", (it) => {
  const explain = (question: Parameters<Permissions["Service"]["explain"]>[0]) =>
    Permissions.use((permissions) => permissions.explain(question))

  it.effect("answers everybody about himself, others only who may see their grants", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* World.make(), yield* World.make()]
      const { north, south } = world.firms
      const ada = yield* person(world, [{ role: "BROKER", on: onFirm(north) }], north)
      const head = yield* person(world, [{ role: "FIRM_MANAGER", on: onFirm(north) }], north)
      const apart = yield* person(world, [{ role: "FIRM_MANAGER", on: onFirm(south) }], south)
      const about = explain({ action: "policy.read", subject: ada.userId })
      const self = yield* World.as(world, ada)(explain({ action: "policy.read" }))
      assert.deepStrictEqual([self.subject, self.allowed], [ada.userId, false])
      for (const caller of [ada, head, world.manager, world.auditor, client]) {
        assert.deepStrictEqual(yield* World.as(world, caller)(about), self)
      }
      const tags = yield* Effect.forEach(
        [
          World.as(world, apart)(about),
          World.as(other, other.manager)(about),
          World.as(world, world.manager)(explain({ action: "policy.read", subject: unknownUser })),
          World.as(world, client)(explain({ action: "policy.read" })),
          World.as(world, ada)(explain({ action: "user.read", record: unknownUser }))
        ],
        (asked) => Effect.map(Effect.flip(asked), ({ _tag }) => _tag)
      )
      assert.deepStrictEqual(tags, [
        "Forbidden",
        "UserNotFound",
        "UserNotFound",
        "InvalidRequest",
        "RecordNotFound"
      ])
    })
  )

  it.effect("answers about a session to callers who may see all grants", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const ids = yield* Ids
      const superuser = yield* PgTest.SuperuserSql
      const session = ids.next("anonymous_session")
      yield* superuser`
        INSERT INTO anonymous_session (tenant_id, id, expires_at)
        VALUES (${world.tenant}, ${session}, now() + interval '1 hour')
      `
      const about = explain({ action: "quote.preview", subject: session })
      assert.isTrue((yield* World.as(world, world.auditor)(about)).allowed)
      assert.strictEqual(
        (yield* Effect.flip(World.as(world, world.north)(about)))._tag,
        "Forbidden"
      )
      const missing = explain({
        action: "quote.preview",
        subject: ids.next("anonymous_session")
      })
      for (const caller of [world.manager, client]) {
        const error = yield* Effect.flip(World.as(world, caller)(missing))
        assert.strictEqual(error._tag, "RecordNotFound")
      }
    })
  )

  it.effect("adds that no token of the subject counts any more", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const superuser = yield* PgTest.SuperuserSql
      const ada = yield* person(world, [{ role: "AUDITOR", on: onTenant }])
      yield* superuser`
        UPDATE app_user SET status = 'DISABLED', disabled_at = now() WHERE id = ${ada.userId}
      `
      const session = (yield* Ids).next("anonymous_session")
      yield* superuser`
        INSERT INTO anonymous_session (tenant_id, id, expires_at, revoked_at)
        VALUES (${world.tenant}, ${session}, now() + interval '1 hour', now())
      `
      const reasonOf = (subject: SubjectId) =>
        World.as(
          world,
          world.manager
        )(explain({ action: "quote.preview", subject })).pipe(Effect.map(({ reason }) => reason))
      assert.match(yield* reasonOf(ada.userId), / But the user is DISABLED: no token counts\.$/u)
      assert.match(yield* reasonOf(session), / But the session has ended: its token is dead\.$/u)
    })
  )

  it.effect("says what the use cases do, for every caller and action", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { north, south } = world.firms
      yield* defineDesk(world, ["policy.read"])
      const create = (caller: Caller) =>
        World.as(
          world,
          caller
        )(Policies.use((policies) => policies.create({ productId: World.motor.productId })))
      const ofNorth = yield* create(world.north)
      const ofSouth = yield* create(world.south)
      const grants: ReadonlyArray<Grant> = [
        { role: desk, on: onTenant },
        { role: desk, on: onFirm(north) },
        { role: "BROKER", on: onFirm(south) },
        { role: "AUDITOR", on: onFirm(north) },
        { role: "POLICYHOLDER", on: { kind: "RECORD", recordId: ofNorth.id } },
        { role: desk, on: { kind: "RECORD", recordId: ofSouth.id } }
      ]
      const callers = [
        yield* person(world, []),
        ...(yield* Effect.forEach(grants, (grant) => person(world, [grant])))
      ]
      const seen = new Set<string>()
      for (const caller of callers) {
        for (const { id: policyId } of [ofNorth, ofSouth]) {
          const run = World.as(world, caller)
          const isDone = Effect.match({ onFailure: () => false, onSuccess: () => true })
          const policies = yield* Policies
          const read = yield* run(isDone(policies.get({ policyId })))
          const written = yield* run(isDone(policies.update({ policyId }, { name: "x" })))
          const told = [
            yield* run(explain({ action: "policy.read", record: policyId })),
            yield* run(explain({ action: "policy.write", record: policyId }))
          ]
          assert.deepStrictEqual(
            told.map(({ allowed }) => allowed),
            [read, written]
          )
          seen.add(`${read} ${written}`)
        }
      }
      assert.deepStrictEqual([...seen].sort(), ["false false", "true false", "true true"])
    })
  )
})
