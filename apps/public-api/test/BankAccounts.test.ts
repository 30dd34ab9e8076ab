/** The tenant's bank accounts over HTTP. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { bankAccount } from "./matrix/bank-accounts.ts"

const put = (world: World, name: string, body: unknown) =>
  call(`/admin/bank-accounts/${name}`, {
    tenant: world.tenant,
    token: world.manager,
    method: "PUT",
    body
  })

const other = "FR7699999000010000000010106"

layer(TestLayer, { excludeTestServices: true })("bank accounts", (it) => {
  it.effect("refuse what could not be used, and repeat no number", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const wrong = { ...bankAccount, iban: "FR7699999000010000000000116" }
      const unsound = yield* put(world, "main", wrong)
      assert.strictEqual(unsound.status, 400)
      assert.deepStrictEqual(
        unsound.body.details.issues.map(({ path }: { readonly path: string }) => path),
        ["/iban"]
      )
      assert.notInclude(unsound.text, wrong.iban)

      // The check digits of the IBAN fit, those of the French account number do not.
      const national = yield* put(world, "main", {
        ...bankAccount,
        iban: "FR3999999000010000000000199"
      })
      assert.strictEqual(national.status, 422)
      assert.strictEqual(national.body.details.value, "…0199")

      for (const [change, field] of [
        [{ products: ["no-such-product"] }, "products"],
        [{ holder: { ...bankAccount.holder, name: "株式会社" } }, "holder.name"]
      ] as const) {
        const refused = yield* put(world, "main", { ...bankAccount, ...change })
        assert.deepStrictEqual([refused.status, refused.body.details.field], [422, field])
      }
      const read = yield* call("/admin/bank-accounts/main", {
        tenant: world.tenant,
        token: world.manager
      })
      assert.deepStrictEqual([read.status, read.body.code], [404, "BANK_ACCOUNT_NOT_FOUND"])
    })
  )

  it.effect("have defaults, keep their number and their currency, and are never rivals", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const made = yield* put(world, "main", bankAccount)
      assert.strictEqual(made.status, 200)
      assert.deepInclude(made.body, {
        name: "main",
        iban: bankAccount.iban,
        currency: "EUR",
        channel: "NONE",
        statement: { authority: "CAMT_053" }
      })
      assert.deepInclude(made.body.profile, { leadDays: 2, cutOff: "15:00", sequence: "RCUR_ONLY" })

      const changed = yield* put(world, "main", { ...bankAccount, profile: { leadDays: 5 } })
      assert.strictEqual(changed.body.profile.leadDays, 5)
      assert.strictEqual(changed.body.id, made.body.id)
      for (const [body, field] of [
        [{ ...bankAccount, iban: other }, "iban"],
        [{ ...bankAccount, currency: "GBP" }, "currency"]
      ] as const) {
        const refused = yield* put(world, "main", body)
        assert.deepStrictEqual([refused.status, refused.body.details.field], [422, field])
      }

      const twice = yield* put(world, "second", bankAccount)
      assert.deepStrictEqual([twice.status, twice.body.details.field], [422, "iban"])
      const rival = yield* put(world, "second", { ...bankAccount, iban: other })
      assert.deepStrictEqual(
        [rival.status, rival.body.details],
        [422, { field: "products", value: "main", expected: rival.body.details.expected }]
      )
      const motor = yield* put(world, "second", {
        ...bankAccount,
        iban: other,
        products: ["motor-fr"]
      })
      assert.strictEqual(motor.status, 200)

      const listed = yield* call("/admin/bank-accounts?count=1&page=2", {
        tenant: world.tenant,
        token: world.manager
      })
      assert.deepStrictEqual(
        listed.body.data.map(({ name }: { readonly name: string }) => name),
        ["second"]
      )
    })
  )

  it.effect("are nowhere stored in clear, nor equal for two tenants", () =>
    Effect.gen(function* () {
      const worlds = [yield* newTenant, yield* newTenant]
      for (const world of worlds) yield* put(world, "main", bankAccount)
      const sql = yield* SuperuserSql
      const rows = yield* sql<{ readonly print: string; readonly text: string }>`
        SELECT encode(iban_print, 'hex') AS print, b::text AS text FROM bank_account b
        WHERE tenant_id = ANY (${worlds.map(({ tenant }) => tenant)})
      `
      assert.strictEqual(new Set(rows.map(({ print }) => print)).size, 2)
      for (const { text } of rows) assert.notInclude(text, bankAccount.iban)
      const [found] = yield* sql<{ readonly count: number }>`
        SELECT (SELECT count(*) FROM audit a WHERE a::text LIKE ${`%${bankAccount.iban}%`})::int
          + (SELECT count(*) FROM event e WHERE e::text LIKE ${`%${bankAccount.iban}%`})::int
          + (SELECT count(*) FROM idempotency i WHERE i::text LIKE ${`%${bankAccount.iban}%`})::int
          AS count
      `
      assert.strictEqual(found!.count, 0)
    })
  )
})
