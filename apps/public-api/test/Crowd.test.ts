/** What one caller may ask of a program at a time, and in a window. */
import { assert, layer } from "@effect/vitest"
import { alphabet, suffixLength } from "@quittance/domain/values/PrefixedId"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { ConfigProvider, Effect, Layer } from "effect"
import { Api, call, newTenant, Services } from "./Api.ts"
import { prepared } from "./Sales.ts"

const settings = {
  VISITOR_OPENS: "3",
  VISITOR_PRICES: "2",
  VISITOR_REFUSALS: "12",
  VISITOR_REQUESTS: "4",
  RECORD_WRITES: "1"
}

const TestLayer = Layer.provideMerge(Api.layer, Services).pipe(
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))
)

const times = <A, E, R>(count: number, effect: Effect.Effect<A, E, R>) =>
  Effect.all(
    Array.from({ length: count }, () => effect),
    { concurrency: "unbounded" }
  )

layer(TestLayer, { excludeTestServices: true })("one caller", (it) => {
  it.effect("is asked to come back when too many writes of a record wait, and nothing is 500", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { session, tenant } = world
      const { policyId } = yield* prepared(world, session)
      const write = call(`/policies/${policyId}`, {
        tenant,
        token: session,
        method: "PATCH",
        body: { name: "Again" }
      })
      const answers = yield* times(60, write)
      const statuses = new Set(answers.map(({ status }) => status))
      assert.deepStrictEqual([...statuses].sort(), [200, 503])
      const refused = answers.find(({ status }) => status === 503)!
      assert.strictEqual(refused.body.code, "BUSY")
      assert.strictEqual(refused.header("retry-after"), "1")
      assert.strictEqual((yield* write).status, 200)
    })
  )

  it.effect("may open and price so much in a window, and is told when the next one begins", () =>
    Effect.gen(function* () {
      const { session, stranger, tenant } = yield* newTenant
      const open = (token: string) =>
        call("/policies", {
          tenant,
          token,
          method: "POST",
          body: { productId: "motor-fr", customFields: [] }
        })
      const answers = yield* Effect.replicateEffect(open(session), 5)
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [201, 201, 201, 429, 429]
      )
      const { body, header } = answers.at(-1)!
      assert.strictEqual(body.code, "RATE_LIMITED")
      assert.strictEqual(header("ratelimit-limit"), "3")
      assert.strictEqual(header("ratelimit-remaining"), "0")
      assert.isAbove(Number(header("retry-after")), 0)
      assert.strictEqual((yield* open(stranger)).status, 201)
    })
  )

  it.effect("that tries identifiers is told to wait, unless they ask again for what is gone", () =>
    Effect.gen(function* () {
      const { manager, session, stranger, tenant } = yield* newTenant
      const statusOf = (token: string, sign: string) =>
        Effect.map(
          call(`/policies/policy_test_${sign.repeat(suffixLength)}`, { tenant, token }),
          ({ status }) => status
        )
      const again = yield* Effect.replicateEffect(statusOf(session, "A"), 40)
      assert.deepStrictEqual([...new Set(again)], [404])
      const trying = (token: string) =>
        Effect.forEach([...alphabet].slice(0, 40), (sign) => statusOf(token, sign))
      const tried = yield* trying(stranger)
      assert.strictEqual(tried.filter((status) => status === 404).length, 12)
      assert.strictEqual(tried.at(-1), 429)
      // Who has an account is known by it.
      assert.deepStrictEqual([...new Set(yield* trying(manager))], [404])
    })
  )

  it.effect("that was refused so often is told to wait, and leaves no further row", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { session, stranger, tenant } = world
      const { policyId } = yield* prepared(world, session)
      const read = call(`/policies/${policyId}`, { tenant, token: stranger })
      const answers = yield* Effect.replicateEffect(read, 30)
      const statuses = answers.map(({ status }) => status)
      assert.strictEqual(statuses.filter((status) => status === 403).length, 12)
      assert.strictEqual(statuses.at(-1), 429)
      const sql = yield* SuperuserSql
      const [rows] = yield* sql<{ readonly count: number }>`
        SELECT count(*)::int FROM audit WHERE tenant_id = ${tenant} AND outcome = 'REFUSED'
      `
      assert.strictEqual(rows!.count, 10)
    })
  )
})
