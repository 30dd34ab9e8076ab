/** What lists of people and firms show, against what each of them answers when it is asked for alone. */
import { assert, layer } from "@effect/vitest"
import type { UserId } from "@quittance/domain/requests/Caller"
import type { Grant, GrantTarget, Role } from "@quittance/domain/access/Grant"
import { FirmsRepo } from "@quittance/persistence/access/FirmsRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Arbitrary, Effect, Layer, Schema } from "effect"
import { Firms } from "../../src/access/Firms.ts"
import { Users } from "../../src/access/Users.ts"
import { defineDesk, desk, person, TestLayer } from "../People.ts"
import * as World from "../World.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Live = Layer.mergeAll(Firms.layer, Users.layer).pipe(Layer.provideMerge(TestLayer))

const size = 6
const place = Arbitrary.schema(Schema.Literals([0, 1, 2, 3, 4, 5]))
const roles: ReadonlyArray<Role> = ["BROKER", "FIRM_MANAGER", "POLICYHOLDER", desk]
const drawn = Arbitrary.array(
  Arbitrary.all({
    role: Arbitrary.schema(Schema.Literals([0, 1, 2, 3])),
    kind: Arbitrary.schema(Schema.Literals(["TENANT", "FIRM", "FIRM", "FIRM", "USER", "USER"])),
    place
  }),
  { maxLength: 4 }
)
/** The place of each firm's parent; one that does not come before it means none. */
const parents = Arbitrary.array(place, { minLength: size, maxLength: size })

/** Firms in a tree, a person of each and one of none. */
const settle = Effect.fnUntraced(function* (world: World.World, parents: ReadonlyArray<number>) {
  const ids = yield* Ids
  const repo = yield* FirmsRepo
  const sql = yield* TenantSql
  const firms: Array<BrokerageFirmId> = []
  for (const parent of parents) {
    const id = ids.next("brokerage_firm")
    const firm = { id, name: "Firm", firmType: "RETAIL" } as const
    const above = firms[parent]
    yield* sql
      .transaction(
        repo.insert(above === undefined ? firm : { ...firm, parentBrokerageFirmId: above })
      )
      .pipe(Effect.orDie, Effect.provideService(CurrentTenant, world.tenant))
    firms.push(id)
  }
  const people = yield* Effect.forEach([...firms, undefined], (firm) => person(world, [], firm))
  return { firms, users: people.map(({ userId }) => userId) }
})

type Settled = Effect.Success<ReturnType<typeof settle>>

const targetOf = (kind: string, place: number, { firms, users }: Settled): GrantTarget => {
  if (kind === "TENANT") return { kind }
  return kind === "FIRM"
    ? { kind, brokerageFirmId: firms[place]! }
    : { kind: "RECORD", recordId: users[place]! }
}

/** Those of the records that are answered, one by one. */
const answered = <Id, A, E, R>(
  ids: ReadonlyArray<Id>,
  get: (id: Id) => Effect.Effect<A, E, R>
): Effect.Effect<ReadonlyArray<Id>, never, R> =>
  Effect.map(
    Effect.forEach(ids, (id) =>
      get(id).pipe(
        Effect.as([id]),
        Effect.orElseSucceed(() => [])
      )
    ),
    (found) => found.flat()
  )

/** The ids of a list, page by page, and what it counts; nothing where it is refused. */
const listed = <Id extends string, E, R>(
  page: (page: {
    readonly count: number
    readonly page: number
  }) => Effect.Effect<
    { readonly data: ReadonlyArray<{ readonly id: Id }>; readonly totalCount: number },
    E,
    R
  >
) =>
  Effect.gen(function* () {
    const count = 4
    const first = yield* page({ count, page: 1 })
    const ids = first.data.map(({ id }) => id)
    for (let next = 2; ids.length < first.totalCount; next++) {
      const { data } = yield* page({ count, page: next })
      assert.isAbove(data.length, 0, "the list ends before its count")
      ids.push(...data.map(({ id }) => id))
    }
    assert.strictEqual(ids.length, first.totalCount)
    return ids
  }).pipe(Effect.orElseSucceed((): ReadonlyArray<Id> => []))

layer(Live)("lists of people and firms", (it) => {
  it.effect.prop(
    "show just what is answered one by one, whatever trees, roles and grants there are",
    { drawn, parents },
    ({ drawn, parents }) =>
      Effect.gen(function* () {
        const world = yield* World.make(undefined, [])
        const settled = yield* settle(world, parents)
        yield* defineDesk(world, ["user.read"])
        const asker = yield* person(world, [])
        const grants = drawn.map(({ kind, place, role }): Grant => ({
          role: roles[role]!,
          on: targetOf(kind, place, settled)
        }))
        const sql = yield* TenantSql
        yield* sql
          .transaction(GrantsRepo.use((repo) => repo.giveAll(asker.userId, grants)))
          .pipe(Effect.provideService(CurrentTenant, world.tenant))

        const run = World.as(world, asker)
        const { firms, users } = yield* Effect.all({ firms: Firms, users: Users })
        const allFirms = [...settled.firms, world.firms.north, world.firms.south]
        const people = [world.manager, world.north, world.south, world.auditor, asker].flatMap(
          (caller) => (caller._tag === "User" ? [caller.userId] : [])
        )
        const allUsers: ReadonlyArray<UserId> = [...settled.users, ...people]
        const one = yield* run(
          Effect.all({
            firms: answered(allFirms, firms.get),
            users: answered(allUsers, users.get)
          })
        )
        const many = yield* run(
          Effect.all({
            firms: listed((page) => firms.list({}, page)),
            users: listed((page) => users.list({}, page))
          })
        )
        assert.sameMembers([...many.firms], [...one.firms])
        assert.sameMembers([...many.users], [...one.users])
      }),
    { arbitrary: { runs: 200 } }
  )
})
