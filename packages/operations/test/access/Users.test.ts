import type { CreateUser, ListUsers, PatchUser } from "@quittance/domain/access/UserRequests"
import { assert, layer } from "@effect/vitest"
import type { Caller, UserId } from "@quittance/domain/requests/Caller"
import type { Grant } from "@quittance/domain/access/Grant"
import { alphabet, suffixLength } from "@quittance/domain/values/PrefixedId"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import * as PgTest from "@quittance/testing/PgTest"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Users } from "../../src/access/Users.ts"
import { client, onFirm, onTenant, person, TestLayer, unknownUser } from "../People.ts"
import * as World from "../World.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const missing = `brokerage_firm_test_${alphabet.slice(0, suffixLength)}` as BrokerageFirmId

const create = (input: Partial<CreateUser> = {}) =>
  Users.use((users) =>
    users.create({
      email: `${randomUUID()}@example.test`,
      firstName: "Nora",
      lastName: "Lambert",
      ...input
    })
  )
const inFirm = (brokerageFirmId: BrokerageFirmId) => ({ brokerageFirmId })
const get = (id: UserId) => Users.use((users) => users.get(id))
const update = (id: UserId, patch: PatchUser) => Users.use((users) => users.update(id, patch))
const disable = (id: UserId) => Users.use((users) => users.disable(id))
const enable = (id: UserId) => Users.use((users) => users.enable(id))
const list = (query: ListUsers = {}, page = { count: 100, page: 1 }) =>
  Users.use((users) => users.list(query, page))

const failure = <A, E extends { readonly _tag: string }, R>(attempt: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(attempt), (error) =>
    "action" in error ? `${error._tag} ${String(error.action)}` : error._tag
  )
const refused = "Forbidden user.write"
const idOf = (caller: Caller) => (caller as Extract<Caller, { _tag: "User" }>).userId

/** Gives a user a password, as accepting an invitation does. */
const activate = ({ tenant }: World.World, id: UserId) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tenantSql = yield* TenantSql
    yield* tenantSql.transaction(
      tenantSql.write(sql`
        UPDATE app_user SET password_hash = '$argon2id$some', status = 'ACTIVE'
        WHERE tenant_id = ${tenant} AND id = ${id}
      `)
    )
  }).pipe(Effect.provideService(CurrentTenant, tenant))

const manages = (...firms: ReadonlyArray<BrokerageFirmId>): ReadonlyArray<Grant> =>
  firms.map((firm) => ({ role: "FIRM_MANAGER", on: onFirm(firm) }))

const Live = Layer.provideMerge(Users.layer, TestLayer)

layer(Live)("users", (it) => {
  it.effect("are not added without the permission on the firm, or on the tenant", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* World.make(), yield* World.make()]
      const { north, south } = world.firms
      const head = yield* person(world, manages(north), north)
      const asHead = World.as(world, head)
      const asManager = World.as(world, world.manager)
      assert.deepStrictEqual(
        [
          yield* failure(asHead(create())),
          yield* failure(asHead(create(inFirm(south)))),
          yield* failure(World.as(world, world.north)(create(inFirm(north)))),
          yield* failure(World.as(world, world.auditor)(create())),
          yield* failure(asManager(create(inFirm(missing)))),
          yield* failure(asManager(create(inFirm(other.firms.north)))),
          yield* failure(World.as(world, client)(create(inFirm(missing))))
        ],
        [
          refused,
          refused,
          refused,
          refused,
          "InvalidReference",
          "InvalidReference",
          "InvalidReference"
        ]
      )
      const nora = yield* asHead(create({ ...inFirm(north), brokerRole: "Motor" }))
      assert.deepInclude(nora, { status: "INVITED", brokerRole: "Motor", brokerageFirmId: north })
      assert.deepStrictEqual(yield* asHead(get(nora.id)), nora)
      assert.strictEqual((yield* World.as(world, client)(create())).status, "INVITED")
    })
  )

  it.effect("have an address that no one else of the tenant has, in whatever case", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* World.make(), yield* World.make()]
      const email = "Nora.Lambert@Example.test"
      const nora = yield* World.as(world, client)(create({ email }))
      assert.strictEqual(nora.email, "nora.lambert@example.test")
      const idempotency = { key: "k", fingerprint: "f" }
      const keyed = World.as(world, client, { idempotency })
      for (const run of [World.as(world, client), keyed, keyed]) {
        const error = yield* Effect.flip(run(create({ email: email.toUpperCase() })))
        assert.deepStrictEqual(
          [error._tag, error._tag === "EmailTaken" && error.email],
          ["EmailTaken", nora.email]
        )
      }
      assert.strictEqual((yield* World.as(other, client)(create({ email }))).email, nora.email)
    })
  )

  it.effect("are added once by one of two at once, 200 times", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, client)
      for (let round = 0; round < 200; round++) {
        const input = { email: `nora-${round}@example.test` }
        const outcomes = yield* Effect.all(
          [Effect.result(run(create(input))), Effect.result(run(create(input)))],
          { concurrency: "unbounded" }
        )
        const tags = outcomes.map((one) => (Result.isSuccess(one) ? "made" : one.failure._tag))
        assert.sameMembers(tags, ["made", "EmailTaken"])
      }
    })
  )

  it.effect("are seen where they are covered, and found nowhere else", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* World.make(), yield* World.make()]
      const { north } = world.firms
      const asNorth = World.as(world, world.north)
      const colleague = yield* World.as(world, client)(create(inFirm(north)))
      assert.strictEqual(yield* failure(asNorth(get(idOf(world.south)))), "Forbidden user.read")
      assert.strictEqual(yield* failure(asNorth(get(unknownUser))), "UserNotFound")
      assert.strictEqual(yield* failure(asNorth(get(idOf(other.north)))), "UserNotFound")
      assert.strictEqual((yield* asNorth(get(colleague.id))).id, colleague.id)

      const seen = yield* asNorth(list())
      assert.sameMembers(
        seen.data.map(({ id }) => id),
        [colleague.id, idOf(world.north)]
      )
      assert.strictEqual(seen.totalCount, 2)
      assert.strictEqual((yield* World.as(world, world.auditor)(list())).totalCount, 5)
      const stranger = yield* person(world, [])
      assert.strictEqual(yield* failure(World.as(world, stranger)(list())), "Forbidden user.read")
      // A grant on a user himself covers just him.
      const on = { kind: "RECORD", recordId: idOf(world.south) } as const
      const keeper = yield* person(world, [{ role: "AUDITOR", on }])
      const kept = yield* World.as(world, keeper)(list())
      assert.deepStrictEqual(
        kept.data.map(({ id }) => id),
        [idOf(world.south)]
      )
    })
  )

  it.effect("are listed by firm, status and the beginnings of words, page by page", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { north, south } = world.firms
      const run = World.as(world, client)
      const zoe = yield* run(
        create({ email: "zoe@x.test", firstName: "Zoé", lastName: "Le Cœur", ...inFirm(south) })
      )
      yield* run(disable(zoe.id))
      yield* run(create({ email: "amelie@x.test", firstName: "Amélie", lastName: "Dupont-Coty" }))
      const emails = (query: ListUsers) =>
        Effect.map(run(list(query)), ({ data }) => data.map(({ email }) => email))
      assert.deepStrictEqual(yield* emails({ brokerageFirmId: north }), ["north@example.test"])
      assert.deepStrictEqual(yield* emails({ statuses: ["DISABLED", "INVITED"] }), [
        "amelie@x.test",
        "zoe@x.test"
      ])
      assert.deepStrictEqual(yield* emails({ statuses: ["DISABLED"], brokerageFirmId: north }), [])
      assert.deepStrictEqual(yield* emails({ queryString: "COTY ame" }), ["amelie@x.test"])
      assert.deepStrictEqual(yield* emails({ queryString: "zoe coeur" }), ["zoe@x.test"])
      assert.deepStrictEqual(yield* emails({ queryString: "oe" }), [])
      assert.deepStrictEqual(yield* emails({ queryString: "_" }), [])
      const pages = yield* Effect.forEach([1, 2, 3, 4], (page) => run(list({}, { count: 2, page })))
      assert.deepStrictEqual(
        pages.flatMap(({ data }) => data.map(({ email }) => email)),
        [
          "amelie@x.test",
          "auditor@example.test",
          "manager@example.test",
          "north@example.test",
          "south@example.test",
          "zoe@x.test"
        ]
      )
      assert.isTrue(pages.every(({ totalCount }) => totalCount === 6))
    })
  )

  it.effect("keep what a patch does not name; firms are left and joined with permission only", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { north, south } = world.firms
      const made = yield* World.as(world, client)(create({ ...inFirm(north), brokerRole: "Motor" }))
      const attempt = Effect.fnUntraced(function* (
        grants: ReadonlyArray<Grant>,
        brokerageFirmId: BrokerageFirmId | null
      ) {
        const mover = yield* person(world, grants)
        return yield* failure(World.as(world, mover)(update(made.id, { brokerageFirmId })))
      })
      const onUser = { kind: "RECORD", recordId: made.id } as const
      assert.deepStrictEqual(
        [
          yield* attempt([{ role: "BROKER", on: onFirm(north) }], south),
          yield* attempt(manages(north), south),
          yield* attempt(manages(south), south),
          yield* attempt(manages(north), null),
          yield* attempt([{ role: "FIRM_MANAGER", on: onUser }, ...manages(south)], south),
          yield* attempt([{ role: "TENANT_MANAGER", on: onTenant }], missing)
        ],
        [refused, refused, refused, refused, refused, "InvalidReference"]
      )
      const mover = yield* person(world, manages(north, south))
      const asMover = World.as(world, mover)
      const moved = yield* asMover(update(made.id, { lastName: "Martin", brokerageFirmId: south }))
      assert.deepStrictEqual(moved, { ...made, lastName: "Martin", brokerageFirmId: south })
      assert.strictEqual(
        yield* failure(asMover(update(made.id, { brokerageFirmId: null }))),
        refused
      )
      const asManager = World.as(world, world.manager)
      const alone = yield* asManager(update(made.id, { brokerRole: null, brokerageFirmId: null }))
      assert.notProperty(alone, "brokerageFirmId")
      assert.notProperty(alone, "brokerRole")
      assert.deepStrictEqual(yield* asManager(get(made.id)), alone)
      assert.strictEqual(yield* failure(asMover(update(made.id, { firstName: "x" }))), refused)
    })
  )
})

layer(Live)("disabling users", (it) => {
  it.effect("is for callers who may change them, and never for oneself", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* World.make(), yield* World.make()]
      const { north } = world.firms
      const head = yield* person(world, manages(north), north)
      const asHead = World.as(world, head)
      for (const change of [disable, enable]) {
        assert.deepStrictEqual(
          [
            yield* failure(asHead(change(idOf(world.south)))),
            yield* failure(World.as(world, world.auditor)(change(idOf(world.south)))),
            yield* failure(asHead(change(idOf(other.north)))),
            yield* failure(asHead(change(unknownUser)))
          ],
          [refused, refused, "UserNotFound", "UserNotFound"]
        )
      }
      assert.strictEqual(yield* failure(asHead(disable(head.userId))), "OwnAccount")
      assert.strictEqual((yield* asHead(disable(idOf(world.north)))).status, "DISABLED")
    })
  )

  it.effect(
    "PE-09 PE-19: takes no more than the caller who disables has, nor does enabling give it",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make()
        const { north, south } = world.firms
        const head = yield* person(world, manages(north), north)
        const asHead = World.as(world, head)
        const more: ReadonlyArray<ReadonlyArray<Grant>> = [
          [{ role: "TENANT_MANAGER", on: onTenant }],
          [{ role: "AUDITOR", on: onTenant }],
          manages(north, south),
          [{ role: "TENANT_MANAGER", on: onFirm(north) }]
        ]
        for (const grants of more) {
          const { userId } = yield* person(world, grants, north)
          assert.match(yield* failure(asHead(disable(userId))), /^Forbidden /u)
          yield* World.as(world, world.manager)(disable(userId))
          assert.match(yield* failure(asHead(enable(userId))), /^Forbidden /u)
          const user = yield* World.as(world, world.manager)(get(userId))
          assert.strictEqual(user.status, "DISABLED")
        }
        const equal = yield* person(world, manages(north), north)
        assert.strictEqual((yield* asHead(disable(equal.userId))).status, "DISABLED")
        assert.strictEqual((yield* asHead(enable(equal.userId))).status, "ACTIVE")
      })
  )

  it.effect("is undone by enabling: who had a password is active, who had none is invited", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const made = yield* run(create())
      assert.strictEqual((yield* run(disable(made.id))).status, "DISABLED")
      assert.strictEqual((yield* run(enable(made.id))).status, "INVITED")
      yield* activate(world, made.id)
      assert.strictEqual((yield* run(enable(made.id))).status, "ACTIVE")
      assert.strictEqual((yield* run(disable(made.id))).status, "DISABLED")
      assert.strictEqual((yield* run(disable(made.id))).status, "DISABLED")
      assert.strictEqual((yield* run(enable(made.id))).status, "ACTIVE")
      const superuser = yield* PgTest.SuperuserSql
      const actions = yield* superuser`
        SELECT action FROM audit WHERE tenant_id = ${world.tenant} AND record_id = ${made.id}
        ORDER BY recorded_at
      `
      // Nothing happened where nothing changed.
      assert.deepStrictEqual(
        actions.map(({ action }) => action),
        ["user.create", "user.disable", "user.enable", "user.disable", "user.enable"]
      )
    })
  )

  it.effect("leaves a user who may give permissions on the tenant", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const manager = idOf(world.manager)
      assert.strictEqual(yield* failure(World.as(world, client)(disable(manager))), "LastManager")
      assert.strictEqual((yield* World.as(world, client)(get(manager))).status, "ACTIVE")
      const tried = World.as(world, client, { dryRun: true })
      yield* tried(disable(idOf(world.north)))
      assert.strictEqual((yield* World.as(world, client)(get(idOf(world.north)))).status, "ACTIVE")
    })
  )

  it.effect("of two managers who disable each other at once disables one, 200 times", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const manager = { role: "TENANT_MANAGER", on: onTenant } as const
      const [ada, bob] = [yield* person(world, [manager]), yield* person(world, [manager])]
      yield* World.as(world, ada)(disable(idOf(world.manager)))
      for (let round = 0; round < 200; round++) {
        const outcomes = yield* Effect.all(
          [
            Effect.result(World.as(world, ada)(disable(bob.userId))),
            Effect.result(World.as(world, bob)(disable(ada.userId)))
          ],
          { concurrency: "unbounded" }
        )
        const tags = outcomes.map((one) =>
          Result.isSuccess(one) ? one.success.status : one.failure._tag
        )
        assert.sameMembers(tags, ["DISABLED", "LastManager"])
        yield* World.as(world, client)(Effect.andThen(enable(ada.userId), enable(bob.userId)))
      }
    })
  )
})
