/** Publishing products over HTTP: what is refused, that versions never change, and who sees them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, motor, newTenant, TestLayer } from "./Api.ts"

const path = `/admin/products/${motor.productId}`

const publishing = Effect.fnUntraced(function* () {
  const world = yield* newTenant
  const { client: token, tenant } = world
  const put = (body: unknown, headers = {}, query = "") =>
    call(`${path}${query}`, { tenant, token, method: "PUT", body, headers })
  const get = (rest = "") => call(`${path}${rest}`, { tenant, token })
  return { ...world, put, get }
})

// Real time: the database dates sessions by its own clock.
layer(TestLayer, { excludeTestServices: true })("the products of a tenant", (it) => {
  it.effect("keeps the currency of a product: balances in one pay for nothing in another", () =>
    Effect.gen(function* () {
      const { put } = yield* publishing()
      assert.strictEqual((yield* put({ ...motor, version: "C.1" })).status, 201)
      const other = yield* put({ ...motor, version: "C.2", currency: "CHF" })
      assert.deepStrictEqual([other.status, other.body.code], [422, "INVALID_PRODUCT"])
      assert.include(JSON.stringify(other.body.details), "/currency")
      assert.strictEqual((yield* put({ ...motor, version: "C.2" })).status, 201)
    })
  )

  it.effect("tells every fault of a document at its pointer, and publishes nothing", () =>
    Effect.gen(function* () {
      const { get, put } = yield* publishing()
      const shapeless = yield* put({ ...motor, fancy: 1, tiers: "none", validFrom: "2026-02-31" })
      assert.deepStrictEqual([shapeless.status, shapeless.body.code], [422, "INVALID_PRODUCT"])
      const pointers = ({ body }: typeof shapeless) =>
        body.details.faults.map((fault: { pointer: string }) => fault.pointer).toSorted()
      assert.deepStrictEqual(pointers(shapeless), ["/fancy", "/tiers", "/validFrom"])
      const broken = {
        ...motor,
        version: "2027.1",
        defaultTier: "NO_SUCH",
        rating: {
          ...motor.rating,
          inputs: [
            ...motor.rating.inputs,
            {
              id: "broken",
              label: "b",
              of: "POLICY",
              as: "EXPRESSION",
              expression: "1 +",
              type: "INTEGER"
            }
          ]
        }
      }
      assert.deepStrictEqual(pointers(yield* put(broken)), [
        "/defaultTier",
        "/rating/inputs/12/expression"
      ])
      assert.deepStrictEqual(pointers(yield* put({ ...motor, productId: "other-fr" })), [
        "/productId"
      ])
      assert.strictEqual((yield* get("/versions")).body.totalCount, 1)
    })
  )

  it.effect("never changes a version, and takes the same document as often as it comes", () =>
    Effect.gen(function* () {
      const { get, put } = yield* publishing()
      const again = yield* put(motor)
      assert.strictEqual(again.status, 201)
      const changed = yield* put({ ...motor, name: "Another" })
      assert.deepStrictEqual(
        [changed.status, changed.body.details.faults[0].pointer],
        [422, "/version"]
      )
      assert.strictEqual((yield* get()).body.name, motor.name)
      assert.strictEqual((yield* get("/versions")).body.totalCount, 1)
    })
  )

  it.effect("sells the newest version, and keeps the others", () =>
    Effect.gen(function* () {
      const { get, put } = yield* publishing()
      const next = { ...motor, version: "2027.1", name: "Next year" }
      assert.strictEqual((yield* put(next, {}, "?dryRun=true")).status, 201)
      assert.strictEqual((yield* get("/versions")).body.totalCount, 1)
      const published = yield* put(next)
      assert.deepInclude(published.body, { productId: motor.productId, version: "2027.1" })
      const { body } = yield* get("/versions?count=1")
      assert.deepStrictEqual(
        [body.totalCount, body.data[0].version, body.pageInfo],
        [2, "2027.1", { first: true, last: false }]
      )
      assert.strictEqual((yield* get()).body.name, "Next year")
      assert.deepStrictEqual((yield* get(`?version=${motor.version}`)).body, motor)
      assert.strictEqual((yield* get("?version=1999.1")).body.code, "PRODUCT_NOT_FOUND")
    })
  )

  it.effect("publishes once, of any number that publish at once", () =>
    Effect.gen(function* () {
      const { get, put } = yield* publishing()
      const versions = Array.from({ length: 8 }, (_, index) => `2030.${index % 4}`)
      const answers = yield* Effect.forEach(
        versions,
        (version, index) => put({ ...motor, version, name: `Name ${index}` }),
        // As many large bodies of one tenant as may wait at once.
        { concurrency: 8 }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [
        ...Array(4).fill(201),
        ...Array(4).fill(422)
      ])
      assert.strictEqual((yield* get("/versions")).body.totalCount, 5)
    })
  )

  it.effect("gives the answer of a key again, a refusal too", () =>
    Effect.gen(function* () {
      const { put } = yield* publishing()
      const faulty = { ...motor, defaultTier: "NO_SUCH" }
      const key = { "idempotency-key": "once" }
      const first = yield* put(faulty, key)
      const second = yield* put(faulty, key)
      assert.strictEqual(first.status, 422)
      assert.deepStrictEqual([second.status, second.body], [422, first.body])
      assert.strictEqual(second.header("idempotency-replayed"), "true")
    })
  )
})
