/** What lists are asked for: faults of the query, and queries that find no records of others. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { prepared, send } from "./Sales.ts"

const lists = ["/policies", "/customers", "/accounting-summary"] as const

const asked = Effect.fnUntraced(function* (world: World, path: string, query: string) {
  const { body, status } = yield* call(`${path}?${query}`, {
    tenant: world.tenant,
    token: world.manager
  })
  return { body, status }
})

/** Identifiers of a kind that are none. */
const misspelled = (id: string) => [
  id.slice(0, -1),
  `${id}3`,
  `${id.slice(0, -1)}0`,
  `${id.slice(0, -1)}O`,
  id.toUpperCase(),
  id.replace(/^[a-z_]+_test_/u, "event_test_"),
  id.replace("_test_", "_"),
  `${id}%00`,
  `${id}%2e`,
  "",
  "*"
]

// Real time: the database dates sessions by its own clock.
layer(TestLayer, { excludeTestServices: true })("the query of a list", (it) => {
  it.effect("ID-08 names no record by what is no identifier", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { policyId } = yield* prepared(world, world.north)
      const { body } = yield* send(world, world.north, `/policies/${policyId}`)
      for (const [path, parameter, right] of [
        ["/policies", "brokerageFirmId", body.brokerageFirm],
        ["/accounting-summary", "brokerageFirmId", body.brokerageFirm],
        ["/customers", "policyId", policyId]
      ] as const) {
        assert.strictEqual((yield* asked(world, path, `${parameter}=${right}`)).status, 200)
        for (const id of misspelled(right)) {
          const { body, status } = yield* asked(world, path, `${parameter}=${id}`)
          assert.deepStrictEqual([status, body.code], [400, "INVALID_REQUEST"], `${path} ${id}`)
          const [issue, ...others] = body.details.issues
          assert.deepInclude(issue, { in: "query", path: parameter })
          assert.deepStrictEqual(others, [])
        }
      }
    })
  )

  it.effect("is refused with all its faults", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      for (const [path, query] of [
        ["/policies", "statuses=SOLD"],
        ["/policies", "createdAfter=2026-02-31T00:00:00Z"],
        ["/policies", "createdBefore=yesterday"],
        ["/policies", "startedAfter=2026"],
        ["/policies", "order[by]=createdAt"],
        ["/policies", "order[direction]=ASC"],
        ["/policies", "order[by]=id&order[direction]=ASC"],
        ["/policies", "order[by]=createdAt&order[direction]=UP"],
        ["/policies", `queryString=${"x".repeat(201)}`],
        ["/policies", `externalId=${"x".repeat(201)}`],
        ["/customers", "statuses=POLICY_CREATED"],
        ...lists.flatMap((path) =>
          ["count=0", "count=101", "count=1.5", "count=", "page=0", "page=-1", "page=1e99"].map(
            (query) => [path, query] as const
          )
        )
      ] as const) {
        const { body, status } = yield* asked(world, path, query)
        assert.deepStrictEqual([status, body.code], [400, "INVALID_REQUEST"], `${path}?${query}`)
      }
      const { body } = yield* asked(
        world,
        "/policies",
        "count=0&page=0&statuses=SOLD&createdAfter=x"
      )
      assert.sameMembers(
        body.details.issues.map((issue: { readonly path: string }) => issue.path.split("/")[0]),
        ["count", "page", "statuses", "createdAfter"]
      )
    })
  )

  it.effect("finds by odd texts what has them, which is nothing, and never fails of them", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      yield* prepared(world, world.manager)
      const texts = ["%25", "_", "%5C", "%27%3B--", "%F0%9F%92%A5", "%EF%B7%BA", "%FF"]
      for (const text of texts) {
        for (const [path, parameter] of [
          ["/policies", "queryString"],
          ["/policies", "externalId"],
          ["/policies", "productIds"],
          ["/customers", "queryString"],
          ["/accounting-summary", "queryString"],
          ["/accounting-summary", "productIds"]
        ] as const) {
          const { body, status } = yield* asked(world, path, `${parameter}=${text}`)
          assert.deepStrictEqual(
            [status, body.totalCount],
            [200, 0],
            `${path} ${parameter} ${text}`
          )
        }
      }
      // No text of the tenant has a NUL, and the edge lets none in.
      for (const path of lists) {
        const { body, status } = yield* asked(world, path, "queryString=a%00b")
        assert.deepStrictEqual([status, body.code], [400, "INVALID_REQUEST"])
      }
      const last = `page=${Math.floor(Number.MAX_SAFE_INTEGER / 100)}&count=100`
      for (const path of lists) {
        const { body, status } = yield* asked(world, path, last)
        assert.deepStrictEqual([status, body.data], [200, []])
        assert.deepStrictEqual(body.pageInfo, { first: false, last: true })
      }
    })
  )

  it.effect("finds nothing of another tenant, whatever of it is named", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const other = yield* newTenant
      const { customerId, policyId } = yield* prepared(other, other.north, { externalId: "X-1" })
      const { body: policy } = yield* send(other, other.north, `/policies/${policyId}`)
      for (const [path, query] of [
        ["/policies", ""],
        ["/policies", "externalId=X-1"],
        ["/policies", `queryString=${policyId}`],
        ["/policies", `brokerageFirmId=${policy.brokerageFirm}`],
        ["/customers", ""],
        ["/customers", `policyId=${policyId}`],
        ["/customers", `queryString=${customerId}`]
      ] as const) {
        const { body, status } = yield* asked(world, path, query)
        assert.deepStrictEqual([status, body.totalCount, body.data], [200, 0, []], query)
        assert.strictEqual((yield* asked(other, path, query)).body.totalCount, 1, query)
      }
    })
  )

  it.effect("ID-03 shows a session its policies, and no other session's by any filter", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const own = yield* prepared(world, world.session)
      const foreign = yield* prepared(world, world.stranger)
      const seen = (path: string) =>
        Effect.map(send(world, world.session, path), ({ body }) => [
          body.totalCount,
          ...body.data.map(({ id }: { readonly id: string }) => id)
        ])
      assert.deepStrictEqual(yield* seen("/policies"), [1, own.policyId])
      assert.deepStrictEqual(yield* seen("/customers"), [1, own.customerId])
      assert.deepStrictEqual(yield* seen(`/policies?queryString=${foreign.policyId}`), [0])
      assert.deepStrictEqual(yield* seen(`/customers?queryString=${foreign.customerId}`), [0])
      assert.deepStrictEqual(yield* seen(`/customers?policyId=${foreign.policyId}`), [0])
      const accounts = yield* call("/accounting-summary", {
        tenant: world.tenant,
        token: world.session
      })
      assert.deepStrictEqual([accounts.status, accounts.body.code], [403, "FORBIDDEN"])
    })
  )
})
