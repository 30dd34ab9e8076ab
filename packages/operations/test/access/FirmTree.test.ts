/** The paths of firms against a tree that is kept the plain way, one move after another and at once. */
import { assert, layer } from "@effect/vitest"
import { FirmsRepo } from "@quittance/persistence/access/FirmsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Arbitrary, Effect, Layer, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Firms } from "../../src/access/Firms.ts"
import { client, TestLayer } from "../People.ts"
import * as World from "../World.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Live = Layer.provideMerge(Firms.layer, TestLayer)

const size = 7
const places = Array.from({ length: size }, (_, place) => place)
const place = Arbitrary.schema(Schema.Literals(places))
/** Which firm moves, and where: below one of the firms, or below none. */
const moves = Arbitrary.array(
  Arbitrary.all({ firm: place, parent: Arbitrary.schema(Schema.Literals([...places, -1])) }),
  { minLength: 1, maxLength: 12 }
)

/** So many firms, each below the one that is named for it, if it came before. */
const plant = Effect.fnUntraced(function* (
  { tenant }: World.World,
  parents: ReadonlyArray<number> = []
) {
  const ids = yield* Ids
  const firms = yield* FirmsRepo
  const sql = yield* TenantSql
  const planted: Array<BrokerageFirmId> = []
  const insert = Effect.gen(function* () {
    for (const index of places) {
      const id = ids.next("brokerage_firm")
      const parent = planted[parents[index] ?? -1]
      const firm = { id, name: `Firm ${index}`, firmType: "RETAIL" } as const
      yield* firms.insert(parent === undefined ? firm : { ...firm, parentBrokerageFirmId: parent })
      planted.push(id)
    }
  })
  yield* sql.transaction(insert).pipe(Effect.orDie, Effect.provideService(CurrentTenant, tenant))
  return planted
})

const move = (
  world: World.World,
  id: BrokerageFirmId,
  parentBrokerageFirmId: BrokerageFirmId | null
) => World.as(world, client)(Firms.use((firms) => firms.update(id, { parentBrokerageFirmId })))

/** Every firm's parent and path, as they are stored. */
const stored = ({ tenant }: World.World, ids: ReadonlyArray<BrokerageFirmId>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tenantSql = yield* TenantSql
    const rows = yield* tenantSql.read(sql<{
      readonly id: BrokerageFirmId
      readonly parentBrokerageFirmId: BrokerageFirmId | null
      readonly path: ReadonlyArray<BrokerageFirmId>
    }>`
      SELECT id, parent_brokerage_firm_id, path FROM brokerage_firm
      WHERE tenant_id = ${tenant} AND id = ANY (${[...ids]})
    `)
    return new Map(rows.map((row) => [row.id, row]))
  }).pipe(Effect.provideService(CurrentTenant, tenant))

/** Climbs from a firm by the parents alone. */
const climb = (
  parents: ReadonlyMap<BrokerageFirmId, BrokerageFirmId | null>,
  id: BrokerageFirmId
): ReadonlyArray<BrokerageFirmId> => {
  const path: Array<BrokerageFirmId> = []
  for (let at: BrokerageFirmId | null = id; at !== null; at = parents.get(at) ?? null) {
    assert.notInclude(path, at, "a firm stands below itself")
    path.push(at)
  }
  return path
}

/** Each stored path is the way up along the stored parents. */
const assertSound = Effect.fnUntraced(function* (
  world: World.World,
  ids: ReadonlyArray<BrokerageFirmId>
) {
  const rows = yield* stored(world, ids)
  const parents = new Map([...rows].map(([id, row]) => [id, row.parentBrokerageFirmId]))
  for (const [id, { path }] of rows) assert.deepStrictEqual(path, climb(parents, id))
})

layer(Live)("the tree of firms", (it) => {
  it.effect.prop(
    "is after any moves what a plain tree is, and refuses just what would close a circle",
    { moves, parents: Arbitrary.array(place, { minLength: size, maxLength: size }) },
    ({ moves, parents }) =>
      Effect.gen(function* () {
        const world = yield* World.make(undefined, [])
        const ids = yield* plant(world, parents)
        const rows = yield* stored(world, ids)
        const plain = new Map([...rows].map(([id, row]) => [id, row.parentBrokerageFirmId]))
        for (const step of moves) {
          const [id, parent] = [ids[step.firm]!, ids[step.parent] ?? null]
          const closesCircle = parent !== null && climb(plain, parent).includes(id)
          const outcome = yield* Effect.result(move(world, id, parent))
          assert.strictEqual(
            Result.isFailure(outcome) ? outcome.failure._tag : "moved",
            closesCircle ? "InvalidReference" : "moved"
          )
          if (!closesCircle) plain.set(id, parent)
        }
        for (const [id, { parentBrokerageFirmId, path }] of yield* stored(world, ids)) {
          assert.strictEqual(parentBrokerageFirmId, plain.get(id))
          assert.deepStrictEqual(path, climb(plain, id))
        }
      }),
    { arbitrary: { runs: 200 } }
  )

  it.effect("stays a tree when two firms move below each other at once, 200 times", () =>
    Effect.gen(function* () {
      const world = yield* World.make(undefined, [])
      // 1 below 0, and 3 below 2: each moves with something below it.
      const ids = yield* plant(world, [-1, 0, -1, 2])
      const [one, , two] = ids as [BrokerageFirmId, BrokerageFirmId, BrokerageFirmId]
      const [below1, below2] = [ids[1]!, ids[3]!]
      for (let round = 0; round < 200; round++) {
        const outcomes = yield* Effect.all(
          [Effect.result(move(world, one, below2)), Effect.result(move(world, two, below1))],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(outcomes.filter(Result.isSuccess).length, 1)
        yield* assertSound(world, ids)
        yield* move(world, one, null)
        yield* move(world, two, null)
      }
    })
  )

  it.effect("takes along what is added below while it moves, 200 times", () =>
    Effect.gen(function* () {
      const world = yield* World.make(undefined, [])
      const ids = yield* plant(world, [-1, 0])
      const add = Firms.use((firms) =>
        firms.create({ name: "New", firmType: "RETAIL", parentBrokerageFirmId: ids[1]! })
      )
      for (let round = 0; round < 200; round++) {
        const [added] = yield* Effect.all(
          [World.as(world, client)(add), move(world, ids[0]!, round % 2 === 0 ? ids[2]! : null)],
          { concurrency: "unbounded" }
        )
        yield* assertSound(world, [...ids, added.id])
      }
    })
  )
})
