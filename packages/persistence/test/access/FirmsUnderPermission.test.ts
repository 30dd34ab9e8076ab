/** Firms and users are fetched with the permission on them: on themselves and from above, nowhere else. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { FirmsRepo } from "../../src/access/FirmsRepo.ts"
import { UsersRepo } from "../../src/access/UsersRepo.ts"
import { addFirm, addUser, as, give, inTenant, inTransaction, TestLayer } from "../People.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"

const outcome = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(
    Effect.as("granted"),
    Effect.catch((error) => Effect.succeed(error._tag))
  )

/** Two trees of firms: `north` with `harbour` and below it `quay`, and `south`. */
const trees = Effect.gen(function* () {
  const north = yield* addFirm("North")
  const harbour = yield* addFirm("Harbour", north)
  return { north, harbour, quay: yield* addFirm("Quay", harbour), south: yield* addFirm("South") }
})

const onFirm = (brokerageFirmId: BrokerageFirmId) =>
  ({ role: "FIRM_MANAGER", on: { kind: "FIRM", brokerageFirmId } }) as const

layer(TestLayer, { excludeTestServices: true })("a grant on a firm", (it) => {
  it.effect("holds on the firm and on those below it, and on no other", () =>
    inTenant(
      Effect.gen(function* () {
        const { harbour, north, quay, south } = yield* trees
        const repo = yield* FirmsRepo
        const user = yield* addUser("ada@x.test")
        yield* give(user, onFirm(harbour))
        const asked = [north, harbour, quay, south]
        for (const lock of [false, true]) {
          const outcomes = yield* Effect.forEach(asked, (firm) =>
            outcome(inTransaction(repo.authorize("firm.write", firm, { lock })))
          ).pipe(as(user))
          assert.deepStrictEqual(outcomes, ["Forbidden", "granted", "granted", "Forbidden"])
        }
      })
    )
  )

  it.effect("holds on the people of these firms, and on no others", () =>
    inTenant(
      Effect.gen(function* () {
        const { harbour, north, quay, south } = yield* trees
        const repo = yield* UsersRepo
        const manager = yield* addUser("ada@x.test")
        yield* give(manager, onFirm(harbour))
        const people = yield* Effect.forEach([north, harbour, quay, south, undefined], (firm) =>
          Effect.gen(function* () {
            const id = yield* addUser(`${firm ?? "none"}@x.test`)
            const user = (yield* repo.find(id))!
            const moved = firm === undefined ? user : { ...user, brokerageFirmId: firm }
            yield* inTransaction(repo.update(moved))
            return id
          })
        )
        const outcomes = yield* Effect.forEach(people, (id) =>
          outcome(repo.authorize("user.write", id))
        ).pipe(as(manager))
        assert.deepStrictEqual(outcomes, [
          "Forbidden",
          "granted",
          "granted",
          "Forbidden",
          "Forbidden"
        ])
      })
    )
  )
})
