/** Lists of policies and customers: they show what the caller may see, and count nothing else. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { quoted, send, signed } from "./Sales.ts"

const list = ({ tenant }: World, token: string, path: string) =>
  Effect.map(call(path, { tenant, token }), ({ body, status }) => {
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body
  })

const idsOf = (page: { readonly data: ReadonlyArray<{ readonly id: string }> }) =>
  page.data.map(({ id }) => id)

// Real time: the database dates sessions by its own clock.
layer(TestLayer, { excludeTestServices: true })("lists", (it) => {
  it.effect("ID-04: show each caller their own, and count no foreign rows", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { auditor, client, manager, north, session, south, stranger, tenant } = world
      const ofNorth = yield* quoted(world, north)
      const ofSouth = yield* quoted(world, south)
      const ofSession = yield* quoted(world, session)
      const all = [ofSession, ofSouth, ofNorth]
      for (const [token, sales] of [
        [north, [ofNorth]],
        [south, [ofSouth]],
        [session, [ofSession]],
        [manager, all],
        [auditor, all]
      ] as const) {
        const policies = yield* list(world, token, "/policies")
        assert.deepStrictEqual(
          [policies.totalCount, idsOf(policies).toSorted()],
          [sales.length, sales.map(({ policyId }) => policyId).toSorted()]
        )
        const customers = yield* list(world, token, "/customers")
        assert.deepStrictEqual(
          [customers.totalCount, idsOf(customers).toSorted()],
          [sales.length, sales.map(({ customerId }) => customerId).toSorted()]
        )
      }
      const everybody = yield* list(world, client, "/customers")
      assert.strictEqual(everybody.totalCount, 3)
      for (const path of ["/policies", "/customers"]) {
        const { body, status } = yield* call(path, { tenant, token: stranger })
        assert.deepStrictEqual([status, body.code], [403, "FORBIDDEN"])
      }
      const foreign = `/customers?policyId=${ofSouth.policyId}`
      assert.strictEqual((yield* list(world, north, foreign)).totalCount, 0)
      assert.strictEqual((yield* list(world, manager, foreign)).totalCount, 1)
    })
  )

  it.effect("show each row as it is shown alone, signed or not", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { manager } = world
      yield* quoted(world, manager)
      const { customerId, policyId } = yield* signed(world, manager)
      yield* send(world, manager, `/policies/${policyId}`)
      for (const path of ["/policies", "/customers"]) {
        const page = yield* list(world, manager, path)
        assert.lengthOf(page.data, 2)
        for (const row of page.data) {
          const alone = yield* list(world, manager, `${path}/${row.id}`)
          assert.deepStrictEqual(row, alone)
        }
      }
      assert.include(idsOf(yield* list(world, manager, "/customers")), customerId)
    })
  )

  it.effect("are filtered, searched, ordered, and cut into pages without a gap", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { manager: token, tenant } = world
      const named = Effect.fnUntraced(function* (name: string, startedAt: string, more = {}) {
        const { policyId } = yield* quoted(world, token, { startedAt })
        yield* call(`/policies/${policyId}`, {
          tenant,
          token,
          method: "PATCH",
          body: { name, ...more }
        })
        return policyId
      })
      const first = yield* named("L'Été à Nîmes", "2026-04-01T00:00:00+02:00")
      const second = yield* named("Garage Léon", "2026-06-01T00:00:00+02:00", {
        externalId: "CRM-7"
      })
      const third = yield* named("Garage Müller", "2026-05-01T00:00:00+02:00")
      const found = (query: string) => Effect.map(list(world, token, `/policies?${query}`), idsOf)
      assert.deepStrictEqual(yield* found("queryString=ete%20nim"), [first])
      assert.sameMembers(yield* found("queryString=garage"), [third, second])
      assert.deepStrictEqual(yield* found("queryString=crm-7"), [second])
      assert.deepStrictEqual(yield* found("queryString=%25"), [])
      assert.deepStrictEqual(yield* found("externalId=CRM-7"), [second])
      assert.deepStrictEqual(yield* found("statuses=POLICY_SIGNED"), [])
      assert.lengthOf(yield* found("productIds=motor-fr&productIds=x&count=2"), 2)
      assert.lengthOf(yield* found("productIds=x"), 0)
      const started = "order[by]=startedAt&order[direction]=ASC"
      assert.deepStrictEqual(yield* found(started), [first, third, second])
      assert.deepStrictEqual(
        yield* found("startedAfter=2026-04-30T22:00:00Z&startedBefore=2026-05-31T22:00:00Z"),
        [third]
      )
      const pages = yield* Effect.forEach([1, 2, 3, 4], (page) =>
        found(`${started}&count=1&page=${page}`)
      )
      assert.deepStrictEqual(pages, [[first], [third], [second], []])
      const { body, status } = yield* call("/policies?order[by]=startedAt", { tenant, token })
      assert.deepStrictEqual([status, body.code], [400, "INVALID_REQUEST"])
    })
  )
})
