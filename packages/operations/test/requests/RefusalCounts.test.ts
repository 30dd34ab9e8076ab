import { assert, describe, it } from "@effect/vitest"
import { Effect, Scope } from "effect"
import { TestClock } from "effect/testing"
import {
  type CountedRefusal,
  type CountOptions,
  elsewhere,
  make,
  ownRows,
  windowSeconds
} from "../../src/requests/RefusalCounts.ts"
import { TenantId } from "@quittance/domain/requests/Tenancy"

const tenant = TenantId.make("acme")

/** A refusal of a caller, of a record of its own. */
const refusal = (who: string, turn: number): CountedRefusal => ({
  tenant,
  actor: { kind: "ANONYMOUS", id: who, requestId: `request-${turn}` },
  refusal: {
    action: "policy.read",
    recordId: `policy_${turn}`,
    detail: { route: "policies.get", lacking: "ACTION" }
  }
})

/** What counts, and the rows that it has written. */
const countingWith = Effect.fnUntraced(function* (options: CountOptions) {
  const rows: Array<CountedRefusal> = []
  const refused = yield* make((row) => Effect.sync(() => rows.push(row)), options)
  const ask = (who: string, count: number) =>
    Effect.forEach(
      Array.from({ length: count }, (_, turn) => refusal(who, turn)),
      refused
    )
  return { rows, ask }
})
const counting = countingWith({})

describe("refusals of a kind", () => {
  it.effect("are ten rows and one that says how many more there were, a minute later", () =>
    Effect.gen(function* () {
      const { ask, rows } = yield* counting
      yield* ask("visitor", 1000)
      assert.strictEqual(rows.length, ownRows)
      yield* TestClock.adjust(`${windowSeconds} seconds`)
      assert.strictEqual(rows.length, ownRows + 1)
      const { actor, refusal } = rows.at(-1)!
      assert.strictEqual(actor.id, "visitor")
      assert.deepStrictEqual(refusal, {
        action: "policy.read",
        recordId: tenant,
        detail: { route: "policies.get", lacking: "ACTION", further: `${1000 - ownRows}` }
      })
      yield* ask("visitor", 1)
      assert.strictEqual(rows.length, ownRows + 2)
    })
  )

  it.effect("are a row each where they are few, and of each actor apart", () =>
    Effect.gen(function* () {
      const { ask, rows } = yield* counting
      yield* ask("one", ownRows)
      yield* ask("other", ownRows)
      yield* TestClock.adjust(`${windowSeconds} seconds`)
      assert.strictEqual(rows.length, 2 * ownRows)
    })
  )

  it.effect("of more actors than a tenant has room for are one kind, and none is lost", () =>
    Effect.gen(function* () {
      const { ask, rows } = yield* countingWith({ own: 3, kindsOfTenant: 5 })
      for (let actor = 0; actor < 1000; actor++) yield* ask(`address-${actor}`, 4)
      // Five have three rows each, and so have all others together.
      assert.strictEqual(rows.length, 3 * 6)
      yield* TestClock.adjust(`${windowSeconds} seconds`)
      assert.strictEqual(rows.length, 4 * 6)
      const further = rows
        .slice(3 * 6)
        .map(({ actor, refusal }) => [actor.id, refusal.detail["further"]])
      const named = Array.from({ length: 5 }, (_, actor) => [`address-${actor}`, "1"])
      assert.deepStrictEqual(further, [...named, [elsewhere, `${995 * 4 - 3}`]])
      // The next minute has room again.
      yield* ask("address-999", 1)
      assert.strictEqual(rows.at(-1)!.actor.id, "address-999")
    })
  )

  it.effect("are written when the program stops, though their minute isn't over", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { ask, rows } = yield* Effect.provideService(counting, Scope.Scope, scope)
      yield* ask("visitor", ownRows + 2)
      yield* Scope.close(scope, yield* Effect.exit(Effect.void))
      assert.strictEqual(rows.at(-1)!.refusal.detail["further"], "2")
    })
  )
})
