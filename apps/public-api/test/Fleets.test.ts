/** Fleets as CSV: a thousand vehicles at once, every fault by its line, all of them or none. */
import { assert, layer } from "@effect/vitest"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect } from "effect"
import { at, call, newTenant, TestLayer, type World } from "./Api.ts"
import { send } from "./Sales.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const product = shippedProduct("fleet-fr")
const fields = product.fields.asset
const keys = fields.map(({ key }) => key)
const example: Readonly<Record<string, unknown>> = Object.fromEntries(
  fields.map(({ example, key }) => [key, example])
)

const csv = (
  rows: ReadonlyArray<Readonly<Record<string, unknown>>>,
  { delimiter = ",", header = ["name", "startedAt", ...keys] } = {}
) =>
  [header, ...rows.map((row) => header.map((key) => row[key] ?? ""))]
    .map((cells) => cells.join(delimiter))
    .join("\r\n")

const opened = Effect.gen(function* () {
  const world = yield* newTenant
  const products = yield* ProductsRepo
  const sql = yield* TenantSql
  yield* sql
    .transaction(products.publish(product, at("2026-03-10T09:00:00Z")))
    .pipe(Effect.provideService(CurrentTenant, world.tenant))
  const policy = yield* send(world, world.manager, "/policies", {
    productId: product.productId,
    startedAt: "2026-04-01T00:00:00+02:00",
    customFields: product.fields.policy.map(({ example, key }) => ({ key, value: example }))
  })
  return { world, policyId: String(policy.body.id) }
})

const load = (
  world: World,
  policyId: string,
  body: string,
  {
    query = "",
    token = world.manager,
    type = "text/csv"
  }: { readonly query?: string; readonly token?: string; readonly type?: string } = {}
) =>
  call(`/assets/policies/${policyId}/import${query}`, {
    tenant: world.tenant,
    token,
    headers: { "content-type": type },
    body
  })

const issuesOf = ({ body }: { readonly body: any }) =>
  body.details.issues.map(({ path }: { readonly path: string }) => path)

const assetsOf = (world: World, policyId: string, page = 1) =>
  Effect.map(
    send(world, world.manager, `/assets/policies/${policyId}?count=100&page=${page}`),
    ({ body }) => body
  )

layer(TestLayer, { excludeTestServices: true })("a fleet", (it) => {
  it.effect("tells every fault by its line and column, and adds nothing", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* opened
      const rows = [
        example,
        { ...example, power: "lots", value: "-1" },
        { ...example, category: "SPACESHIP", startedAt: "tomorrow" },
        { ...example, startedAt: "2026-03-01T00:00:00Z" },
        { ...example, power: "" },
        { ...example, startedAt: "2099-01-01T00:00:00Z" }
      ]
      const answer = yield* load(world, policyId, csv(rows))
      assert.strictEqual(answer.status, 400)
      assert.strictEqual(answer.body.code, "INVALID_REQUEST")
      assert.sameMembers(issuesOf(answer), [
        "/3/power",
        "/3/value",
        "/4/category",
        "/4/startedAt",
        "/5/startedAt",
        "/6/power",
        "/7/startedAt"
      ])
      const distant = yield* load(world, policyId, csv([example, ...rows.slice(-1)]))
      assert.deepStrictEqual(issuesOf(distant), ["/3/startedAt"])
      const columns = yield* load(
        world,
        policyId,
        csv([example], { header: ["name", "name", "wheels/x", ...keys.slice(0, -1)] })
      )
      assert.sameMembers(issuesOf(columns), ["/1/name", "/1/wheels~1x", `/1/${keys.at(-1)}`])
      for (const [body, path] of [
        ["", ""],
        [csv([]), ""],
        [`${csv([example])}\r\nx,"y`, "/3"],
        [`${csv([example])}\r\nonly`, "/3"],
        [`a"b,c\r\nx"y,z`, "/1 /2"],
        [`${csv([example])}\r\nx"y\r\nonly\r\n"a"b\r\n"open`, "/3 /4 /5"]
      ] as const) {
        assert.deepStrictEqual(
          issuesOf(yield* load(world, policyId, body)),
          path.split(" "),
          body.slice(-9)
        )
      }
      const many = yield* load(
        world,
        policyId,
        csv(Array.from({ length: 1200 }, () => ({ ...example, power: "x" })))
      )
      assert.strictEqual(issuesOf(many).length, 1000)
      assert.strictEqual((yield* assetsOf(world, policyId)).total ?? 0, 0)
    })
  )

  it.effect("is read as spreadsheets write it, and a formula is a text", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* opened
      const row = { ...example, name: '"=HYPERLINK(""x""); one\nof two"', make: "Citroën" }
      const dry = yield* load(world, policyId, csv([row]), { query: "?dryRun=true" })
      assert.strictEqual(dry.status, 201)
      assert.strictEqual(dry.body.assetIds.length, 1)
      const body = `\uFEFF${csv([row], { delimiter: ";" })}\r\n\r\n`
      const loaded = yield* load(world, policyId, body, { type: "text/csv; charset=utf-8" })
      assert.strictEqual(loaded.status, 201)
      const { data } = yield* assetsOf(world, policyId)
      assert.deepStrictEqual(
        data.map(({ id, name }: { id: string; name: string }) => [id, name]),
        [[loaded.body.assetIds[0], '=HYPERLINK("x"); one\nof two']]
      )
      const make = data[0].customFields.find(({ key }: { key: string }) => key === "make")
      assert.strictEqual(make.value, "Citroën")
    })
  )

  it.effect("is loaded by who may write on the policy, as CSV and as nothing else", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* opened
      const body = csv([example])
      const stranger = yield* load(world, policyId, body, { token: world.stranger })
      assert.strictEqual(stranger.body.code, "FORBIDDEN")
      const other = yield* newTenant
      assert.strictEqual((yield* load(other, policyId, body)).body.code, "POLICY_NOT_FOUND")
      const json = yield* load(world, policyId, "{}", { type: "application/json" })
      assert.strictEqual(json.status, 415)
      assert.deepStrictEqual(json.body.details, { accepted: ["text/csv"] })
      const large = yield* load(world, policyId, "x".repeat(1_048_577))
      assert.strictEqual(large.status, 413)
    })
  )

  it.effect("of a thousand is one change, priced at once, in the order of its lines", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* opened
      const rows = Array.from({ length: 1000 }, (_, index) => ({ ...example, name: `V${index}` }))
      const loaded = yield* load(world, policyId, csv(rows))
      assert.strictEqual(loaded.status, 201)
      const { assetIds } = loaded.body
      assert.strictEqual(new Set(assetIds).size, 1000)
      const { data } = yield* assetsOf(world, policyId, 10)
      assert.deepStrictEqual(
        data.map(({ id, name }: { id: string; name: string }) => [id, name]),
        assetIds.slice(900).map((id: string, index: number) => [id, `V${900 + index}`])
      )
      const policy = yield* send(world, world.manager, `/policies/${policyId}`)
      assert.deepStrictEqual(policy.body.assets, assetIds)
      const changes = yield* send(world, world.manager, `/policies/${policyId}/changes`)
      const [created, imported, ...others] = changes.body.data
      assert.deepStrictEqual(others, [])
      assert.strictEqual([created, imported].filter(({ patch }) => patch.length === 1000).length, 1)
      const customer = product.fields.customer
        .filter(({ roles }) => roles === undefined || roles.includes("POLICYHOLDER"))
        .map(({ example, key }) => ({ key, value: example }))
      const path = `/customers/policies/${policyId}`
      yield* send(world, world.manager, path, { role: "POLICYHOLDER", customFields: customer })
      const quoted = yield* send(world, world.manager, `/policies/${policyId}/quote`, {})
      assert.isAbove(quoted.body.quote.totalPremium.amountWithFeesAndTaxes, 0)
    })
  )
})
