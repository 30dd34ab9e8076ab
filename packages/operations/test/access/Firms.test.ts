import type { CreateFirm, ListFirms, PatchFirm } from "@quittance/domain/access/FirmRequests"
import { assert, layer } from "@effect/vitest"
import { maximumDepth } from "@quittance/domain/access/Firm"
import { alphabet, suffixLength } from "@quittance/domain/values/PrefixedId"
import * as PgTest from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { Firms } from "../../src/access/Firms.ts"
import { client, defineDesk, desk, onFirm, onTenant, person, TestLayer } from "../People.ts"
import * as World from "../World.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import type { Action } from "@quittance/domain/requests/Action"

const missing = `brokerage_firm_test_${alphabet.slice(0, suffixLength)}` as BrokerageFirmId

const create = (name: string, input: Partial<CreateFirm> = {}) =>
  Firms.use((firms) => firms.create({ name, firmType: "RETAIL", ...input }))
const below = (parentBrokerageFirmId: BrokerageFirmId) => ({ parentBrokerageFirmId })
const get = (id: BrokerageFirmId) => Firms.use((firms) => firms.get(id))
const update = (id: BrokerageFirmId, patch: PatchFirm) =>
  Firms.use((firms) => firms.update(id, patch))
const list = (query: ListFirms = {}, page = { count: 100, page: 1 }) =>
  Firms.use((firms) => firms.list(query, page))

/** What an attempt fails with, and the action that is lacking where it says so. */
const failure = <A, E extends { readonly _tag: string }, R>(attempt: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(attempt), (error) =>
    "action" in error ? `${error._tag} ${String(error.action)}` : error._tag
  )

const Live = Layer.provideMerge(Firms.layer, TestLayer)

layer(Live)("brokerage firms", (it) => {
  it.effect("are not added without the permission on the parent, or on the tenant", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* World.make(), yield* World.make()]
      const { north, south } = world.firms
      const head = yield* person(world, [{ role: "FIRM_MANAGER", on: onFirm(north) }], north)
      const asHead = World.as(world, head)
      const asManager = World.as(world, world.manager)
      assert.deepStrictEqual(
        [
          yield* failure(asHead(create("Root"))),
          yield* failure(asHead(create("Child", below(south)))),
          yield* failure(World.as(world, world.north)(create("Child", below(north)))),
          yield* failure(World.as(world, world.auditor)(create("Root"))),
          yield* failure(asManager(create("Child", below(missing)))),
          yield* failure(asManager(create("Child", below(other.firms.north)))),
          yield* failure(World.as(world, client)(create("Child", below(missing))))
        ],
        [
          "Forbidden firm.write",
          "Forbidden firm.write",
          "Forbidden firm.write",
          "Forbidden firm.write",
          "InvalidReference",
          "InvalidReference",
          "InvalidReference"
        ]
      )
      const child = yield* asHead(create("Child", below(north)))
      assert.deepStrictEqual(yield* asHead(get(child.id)), child)
      const root = yield* asManager(create("Root", { firmType: "WHOLESALE" }))
      assert.notProperty(root, "parentBrokerageFirmId")
      assert.strictEqual((yield* World.as(world, client)(create("Other"))).firmType, "RETAIL")
    })
  )

  it.effect("are seen where they are covered, and found nowhere else", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* World.make(), yield* World.make()]
      const { north, south } = world.firms
      const child = yield* World.as(world, client)(create("Child", below(north)))
      const asNorth = World.as(world, world.north)
      assert.strictEqual(yield* failure(asNorth(get(south))), "Forbidden firm.read")
      assert.strictEqual(yield* failure(asNorth(get(other.firms.north))), "BrokerageFirmNotFound")
      assert.strictEqual(yield* failure(asNorth(get(missing))), "BrokerageFirmNotFound")
      assert.strictEqual((yield* asNorth(get(child.id))).name, "Child")

      const seen = yield* asNorth(list())
      assert.deepStrictEqual(
        seen.data.map(({ id }) => id),
        [north, child.id]
      )
      assert.strictEqual(seen.totalCount, 2)
      const stranger = yield* person(world, [])
      assert.strictEqual(yield* failure(World.as(world, stranger)(list())), "Forbidden firm.read")
      const all = yield* World.as(world, world.auditor)(list())
      assert.strictEqual(all.totalCount, 3)
    })
  )

  it.effect("are listed by parent, type and the beginnings of words, page by page", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { north } = world.firms
      const run = World.as(world, client)
      yield* run(create("Étoile du Nord", { ...below(north), firmType: "WHOLESALE" }))
      yield* run(create("100% Courtage", below(north)))
      const names = (query: ListFirms) =>
        Effect.map(run(list(query)), ({ data }) => data.map(({ name }) => name))
      assert.deepStrictEqual(yield* names({ parentBrokerageFirmId: north }), [
        "Étoile du Nord",
        "100% Courtage"
      ])
      assert.deepStrictEqual(yield* names({ firmType: "WHOLESALE" }), ["Étoile du Nord"])
      assert.deepStrictEqual(yield* names({ queryString: " NOR  etoi " }), ["Étoile du Nord"])
      assert.deepStrictEqual(yield* names({ queryString: "toile" }), [])
      assert.deepStrictEqual(yield* names({ queryString: "100%" }), ["100% Courtage"])
      assert.deepStrictEqual(yield* names({ queryString: "%" }), [])
      assert.strictEqual((yield* names({ queryString: "  " })).length, 4)

      const pages = yield* Effect.forEach([1, 2, 3, 4], (page) => run(list({}, { count: 2, page })))
      const ids = pages.flatMap(({ data }) => data.map(({ id }) => id))
      assert.strictEqual(new Set(ids).size, 4)
      assert.deepStrictEqual(
        pages.map(({ data, totalCount }) => [data.length, totalCount]),
        [
          [2, 4],
          [2, 4],
          [0, 4],
          [0, 4]
        ]
      )
    })
  )

  it.effect("keep what a patch does not name, and merge custom fields by key", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { north } = world.firms
      const run = World.as(world, world.manager)
      const fields = [
        { key: "orias", value: "07000001" },
        { key: "staff", value: 12 }
      ]
      const made = yield* run(create("Before", { ...below(north), customFields: fields }))
      const after = yield* run(
        update(made.id, {
          name: "After",
          customFields: [
            { key: "staff", value: null },
            { key: "open", value: true }
          ]
        })
      )
      assert.deepStrictEqual(after, {
        ...made,
        name: "After",
        customFields: [fields[0]!, { key: "open", value: true }]
      })
      assert.deepStrictEqual(yield* run(get(made.id)), after)
      assert.deepStrictEqual(yield* run(update(made.id, {})), after)
    })
  )

  it.effect("are not changed without the permission, and not found where they are not", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* World.make(), yield* World.make()]
      const { north, south } = world.firms
      const head = yield* person(world, [{ role: "FIRM_MANAGER", on: onFirm(north) }], north)
      const name = { name: "x" }
      const asHead = World.as(world, head)
      assert.deepStrictEqual(
        [
          yield* failure(asHead(update(south, name))),
          yield* failure(World.as(world, world.north)(update(north, name))),
          yield* failure(asHead(update(missing, name))),
          yield* failure(asHead(update(other.firms.north, name)))
        ],
        [
          "Forbidden firm.write",
          "Forbidden firm.write",
          "BrokerageFirmNotFound",
          "BrokerageFirmNotFound"
        ]
      )
      assert.strictEqual((yield* asHead(update(north, name))).name, "x")
    })
  )

  it.effect("answer a repeated key as first, write nothing in a dry run, and leave records", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { north } = world.firms
      const answer = { replayed: false }
      const idempotency = { key: "k", fingerprint: "f" }
      const keyed = World.as(world, client, { answer, idempotency })
      const first = yield* keyed(create("Once"))
      assert.deepStrictEqual(yield* keyed(create("Once")), first)
      assert.isTrue(answer.replayed)

      yield* World.as(world, client, { dryRun: true })(update(north, { name: "Never" }))
      yield* World.as(world, client, { dryRun: true })(create("Never"))
      const all = yield* World.as(world, client)(list())
      assert.sameMembers(
        all.data.map(({ name }) => name),
        ["North", "South", "Once"]
      )

      yield* World.as(world, world.manager)(update(north, { name: "New" }))
      yield* Effect.flip(World.as(world, world.north)(update(north, { name: "Old" })))
      const superuser = yield* PgTest.SuperuserSql
      const records = yield* superuser`
        SELECT action, record_id FROM audit WHERE tenant_id = ${world.tenant} ORDER BY recorded_at
      `
      assert.deepStrictEqual(records, [
        { action: "firm.create", recordId: first.id },
        { action: "firm.update", recordId: north }
      ])
    })
  )
})

layer(Live)("moving a brokerage firm", (it) => {
  it.effect("needs the permission where it was and where it comes", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { north, south } = world.firms
      const child = yield* World.as(world, client)(create("Child", below(north)))
      const grants = (...firms: ReadonlyArray<BrokerageFirmId>) =>
        firms.map((firm) => ({ role: "FIRM_MANAGER", on: onFirm(firm) }) as const)
      const attempt = Effect.fnUntraced(function* (
        held: ReadonlyArray<BrokerageFirmId>,
        parent: BrokerageFirmId | null
      ) {
        const mover = yield* person(world, grants(...held))
        const move = update(child.id, { parentBrokerageFirmId: parent })
        return yield* failure(World.as(world, mover)(move))
      })
      assert.deepStrictEqual(
        [
          yield* attempt([child.id], south),
          yield* attempt([child.id, south], south),
          yield* attempt([north], south),
          yield* attempt([north], null),
          yield* attempt([north, south], null)
        ],
        [
          "Forbidden firm.write",
          "Forbidden firm.write",
          "Forbidden firm.write",
          "Forbidden firm.write",
          "Forbidden firm.write"
        ]
      )
      const [mover] = [yield* person(world, grants(north, south))]
      const asMover = World.as(world, mover)
      const moved = yield* asMover(update(child.id, { parentBrokerageFirmId: south }))
      assert.strictEqual(moved.parentBrokerageFirmId, south)
      // Who is where it already stands moves nothing, and needs nothing more.
      const owner = yield* person(world, grants(child.id))
      yield* World.as(world, owner)(update(child.id, { parentBrokerageFirmId: south }))
      const asManager = World.as(world, world.manager)
      const root = yield* asManager(update(child.id, { parentBrokerageFirmId: null }))
      assert.notProperty(root, "parentBrokerageFirmId")
      assert.deepStrictEqual(yield* asManager(get(child.id)), root)
    })
  )

  it.effect("takes permissions along, so it gives nothing that the mover may not give", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { north, south } = world.firms
      const run = World.as(world, client)
      const child = yield* run(create("Child", below(north)))
      const role = (actions: ReadonlyArray<Action>) => defineDesk(world, actions)
      yield* role(["firm.write", "policy.read", "policy.write"])
      const mover = yield* person(world, [{ role: desk, on: onTenant }])
      const move = (parent: BrokerageFirmId) =>
        World.as(world, mover)(update(child.id, { parentBrokerageFirmId: parent }))
      // The broker of the south would sell for the child, and the broker of the north no longer.
      assert.strictEqual(yield* failure(move(south)), "Forbidden permission.write")
      yield* role(["firm.write", "permission.write"])
      assert.strictEqual(yield* failure(move(south)), "Forbidden policy.create")
      assert.strictEqual((yield* run(list(below(north)))).totalCount, 1)

      const asSouth = World.as(world, world.south)
      assert.strictEqual(yield* failure(asSouth(get(child.id))), "Forbidden firm.read")
      yield* World.as(world, world.manager)(update(child.id, { parentBrokerageFirmId: south }))
      assert.strictEqual((yield* asSouth(get(child.id))).name, "Child")
      assert.strictEqual(
        yield* failure(World.as(world, world.north)(get(child.id))),
        "Forbidden firm.read"
      )
    })
  )

  it.effect("where no user has a role above, needs no more than the permission on firms", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, client)
      const [one, two] = [yield* run(create("One")), yield* run(create("Two"))]
      yield* defineDesk(world, ["firm.write"])
      const mover = yield* person(world, [{ role: desk, on: onTenant }])
      const moved = yield* World.as(world, mover)(update(one.id, { parentBrokerageFirmId: two.id }))
      assert.strictEqual(moved.parentBrokerageFirmId, two.id)
    })
  )

  it.effect("refuses a place that is not there, itself, and what is below it", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* World.make(), yield* World.make()]
      const run = World.as(world, world.manager)
      const top = yield* run(create("Top"))
      const middle = yield* run(create("Middle", below(top.id)))
      const bottom = yield* run(create("Bottom", below(middle.id)))
      for (const parent of [missing, other.firms.north, top.id, middle.id, bottom.id]) {
        const error = yield* Effect.flip(run(update(top.id, { parentBrokerageFirmId: parent })))
        if (error._tag !== "InvalidReference") assert.fail(error._tag)
        assert.deepStrictEqual([error.field, error.value], ["parentBrokerageFirmId", parent])
      }
    })
  )

  it.effect(`stacks no more than ${maximumDepth} firms, however they come there`, () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const chain = Effect.fnUntraced(function* (length: number) {
        const ids = [(yield* run(create("Link"))).id]
        while (ids.length < length) ids.push((yield* run(create("Link", below(ids.at(-1)!)))).id)
        return ids
      })
      const tall = yield* chain(maximumDepth)
      assert.strictEqual(
        yield* failure(run(create("Link", below(tall.at(-1)!)))),
        "FirmTreeTooDeep"
      )
      const [short] = yield* chain(3)
      const moveTo = (parent: BrokerageFirmId) =>
        run(update(short!, { parentBrokerageFirmId: parent }))
      assert.strictEqual(yield* failure(moveTo(tall[maximumDepth - 3]!)), "FirmTreeTooDeep")
      yield* moveTo(tall[maximumDepth - 4]!)
    })
  )
})
