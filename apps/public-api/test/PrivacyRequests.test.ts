/** Requests of persons over HTTP, and the clocks of their data. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { call, newTenant, TestLayer } from "./Api.ts"
import { bankAccount } from "./matrix/bank-accounts.ts"
import { recordsOf as mandatesOf } from "./matrix/mandates.ts"
import { quoted, send, signed } from "./Sales.ts"

layer(TestLayer, { excludeTestServices: true })("privacy requests", (it) => {
  it.effect("are proven before anything is done, and tell no text to the feed or the trail", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { customerId } = yield* quoted(world, world.session)
      const ask = (path: string, body: unknown = {}) =>
        call(`/privacy/requests${path}`, {
          tenant: world.tenant,
          token: world.manager,
          method: "POST",
          body
        })

      const made = yield* ask("", { kind: "ERASURE", customerIds: [customerId] })
      assert.strictEqual(made.status, 201)
      assert.isTrue(made.body.receivedAt < made.body.dueAt)
      const path = `/${made.body.id}`

      const early = yield* ask(`${path}/start`)
      assert.deepStrictEqual([early.status, early.body.code], [409, "IDENTITY_NOT_PROVEN"])
      assert.deepStrictEqual(early.body.details, { privacyRequestId: made.body.id })

      const secret = "Passport of Camille, seen by video"
      assert.strictEqual((yield* ask(`${path}/identify`, { how: secret })).status, 200)
      const begun = yield* ask(`${path}/start`)
      assert.strictEqual(begun.body.status, "IN_PROGRESS")
      assert.match(begun.body.identity.by, /^user_/u)

      const sql = yield* SuperuserSql
      const [told] = yield* sql<{ readonly count: number }>`
        SELECT (SELECT count(*) FROM event e WHERE e::text LIKE ${`%${secret}%`})::int
          + (SELECT count(*) FROM audit a WHERE a::text LIKE ${`%${secret}%`})::int AS count
      `
      assert.strictEqual(told!.count, 0)
    })
  )

  it.effect("are answered by people: no program vouches for an identity or reads the data", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { client, manager, tenant } = world
      const { customerId } = yield* quoted(world, world.session)
      const asked = { kind: "ACCESS", customerIds: [customerId] }
      const made = yield* send(world, client, "/privacy/requests", asked)
      const path = `/privacy/requests/${made.body.id}`
      const identify = { tenant, method: "POST", body: { how: "By letter" } }

      const vouched = yield* call(`${path}/identify`, { ...identify, token: client })
      yield* call(`${path}/identify`, { ...identify, token: manager })
      yield* send(world, manager, `${path}/start`, {})
      const read = yield* call(`${path}/data`, { tenant, token: client })

      for (const { body, status } of [vouched, read]) {
        assert.deepStrictEqual([status, body.code], [404, "USER_NOT_FOUND"])
      }
      assert.strictEqual((yield* call(`${path}/data`, { tenant, token: manager })).status, 200)
    })
  )

  it.effect("name customers of the tenant and a time that is over", () =>
    Effect.gen(function* () {
      const [world, other] = [yield* newTenant, yield* newTenant]
      const { customerId } = yield* quoted(world, world.session)
      const { customerId: foreign } = yield* quoted(other, other.session)
      const { manager: token, tenant } = world
      const ask = (body: unknown) =>
        call("/privacy/requests", { tenant, token, method: "POST", body })

      const unknown = yield* ask({ kind: "ACCESS", customerIds: [customerId, foreign] })
      assert.deepStrictEqual([unknown.status, unknown.body.code], [404, "CUSTOMER_NOT_FOUND"])
      const future = yield* ask({
        kind: "ACCESS",
        customerIds: [customerId],
        receivedAt: "2999-01-01T00:00:00Z"
      })
      assert.deepStrictEqual([future.status, future.body.details.field], [422, "receivedAt"])
    })
  )

  it.effect("have clocks: a prospect's runs, a contract's waits for its end", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const clocksOf = (customerId: string) =>
        Effect.map(
          call(`/privacy/customers/${customerId}/clocks`, {
            tenant: world.tenant,
            token: world.manager
          }),
          ({ body }) =>
            body.data.map((clock: Record<string, unknown>) => [
              clock["class"],
              clock["waitsFor"] ?? (clock["erasedAt"] === undefined ? "?" : "RUNS")
            ])
        )
      const prospect = yield* quoted(world, world.session)
      const insured = yield* signed(world, world.session)

      // The person has one, and so has their offer.
      assert.deepStrictEqual(yield* clocksOf(prospect.customerId), [
        ["PROSPECT", "RUNS"],
        ["PROSPECT", "RUNS"]
      ])
      const held = yield* clocksOf(insured.customerId)
      assert.deepInclude(held, ["CONTRACT", "CONTRACT_OPEN"])
      assert.notDeepInclude(held, ["PROSPECT", "RUNS"])
    })
  )

  it.effect(
    "have a clock of a mandate from the midnight of its last collection, where the tenant is",
    () =>
      Effect.gen(function* () {
        const world = yield* newTenant
        const { customerId } = yield* quoted(world, world.session)
        yield* call("/admin/bank-accounts/main", {
          tenant: world.tenant,
          token: world.manager,
          method: "PUT",
          body: bankAccount
        })
        const { activeMandateId } = yield* mandatesOf(world, { customerId })
        const sql = yield* SuperuserSql
        yield* sql`UPDATE mandate SET last_presented_on = '2026-07-01' WHERE id = ${activeMandateId}`
        const { body } = yield* call(`/privacy/customers/${customerId}/clocks`, {
          tenant: world.tenant,
          token: world.manager
        })
        const clock = body.data.find(
          ({ recordId }: { readonly recordId: string }) => recordId === activeMandateId
        )
        assert.deepInclude(clock, {
          startsAt: "2026-06-30T22:00:00.000Z",
          erasedAt: "2031-07-01T22:00:00.000Z"
        })
      })
  )
})
