/** Payment methods of customers over HTTP. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { account } from "./matrix/payment-methods.ts"
import { prepared } from "./Sales.ts"

const number = "FR7699999000010000000010106"

const scene = Effect.gen(function* () {
  const world = yield* newTenant
  return { world, ...(yield* prepared(world, world.session)) }
})

const ask = ({ tenant, session }: World, method: string, path: string, body?: unknown) =>
  call(path, { tenant, token: session, method, ...(body === undefined ? {} : { body }) })

const add = (world: World, customerId: string, more: object = {}) =>
  ask(world, "POST", `/payment-methods/customers/${customerId}`, { ...account, ...more })

const disable = (world: World, id: string) =>
  ask(world, "POST", `/payment-methods/${id}/disable`, {})

const prefer = (world: World, customerId: string, id: string | null) =>
  ask(world, "PATCH", `/customers/${customerId}`, { preferredPaymentMethodId: id })

const preferredBy = (world: World, customerId: string) =>
  Effect.map(
    ask(world, "GET", `/customers/${customerId}`),
    ({ body }) => body.preferredPaymentMethodId
  )

layer(TestLayer, { excludeTestServices: true })("payment methods", (it) => {
  it.effect("refuse what a bank would refuse, and repeat no number", () =>
    Effect.gen(function* () {
      const { customerId, world } = yield* scene
      const wrong = "FR7699999000010000000010107"
      const unsound = yield* add(world, customerId, { iban: wrong })
      assert.strictEqual(unsound.status, 400)
      assert.deepStrictEqual(
        unsound.body.details.issues.map(({ path }: { readonly path: string }) => path),
        ["/iban"]
      )
      assert.notInclude(unsound.text, wrong)
      for (const [change, reason] of [
        // The check digits of the IBAN fit, those of the French account number do not.
        [{ iban: "FR3999999000010000000000199" }, "IBAN"],
        [{ holderName: "株式会社" }, "HOLDER_NAME"],
        [{ iban: "CH9300762011623852957" }, "ADDRESS_NEEDED"]
      ] as const) {
        const { body, status } = yield* add(world, customerId, change)
        assert.deepStrictEqual([status, body.details], [422, { reason }])
      }
      const listed = yield* ask(world, "GET", `/payment-methods/customers/${customerId}`)
      assert.strictEqual(listed.body.totalCount, 0)
    })
  )

  it.effect("are shown without their numbers, which are shown to people on record", () =>
    Effect.gen(function* () {
      const { customerId, world } = yield* scene
      const holderAddress = { town: "Genève", country: "CH" }
      const more = { holderAddress, bic: "AGRIFRPP" }
      const made = yield* add(world, customerId, more)
      assert.strictEqual(made.status, 201)
      const { createdAt, id, ...shown } = made.body
      assert.deepStrictEqual(shown, {
        customerId,
        type: "BANK_ACCOUNT",
        status: "ACTIVE",
        holderName: "Camille Martin",
        ...more,
        country: "FR",
        last4: "0106"
      })
      assert.deepStrictEqual((yield* ask(world, "GET", `/payment-methods/${id}`)).body, {
        createdAt,
        id,
        ...shown
      })

      const revealed = yield* call(`/payment-methods/${id}/account`, {
        tenant: world.tenant,
        token: world.manager
      })
      assert.deepStrictEqual(revealed.body, { iban: number })
      const sql = yield* SuperuserSql
      const actions = yield* sql<{ readonly action: string; readonly actorKind: string }>`
        SELECT action, actor_kind FROM audit WHERE record_id = ${id} ORDER BY action
      `
      assert.deepStrictEqual(actions, [
        { action: "paymentMethod.add", actorKind: "ANONYMOUS" },
        { action: "paymentMethod.reveal", actorKind: "USER" }
      ])
      const [found] = yield* sql<{ readonly count: number }>`
        SELECT (SELECT count(*) FROM audit a WHERE a::text LIKE ${`%${number}%`})::int
          + (SELECT count(*) FROM event e WHERE e::text LIKE ${`%${number}%`})::int
          + (SELECT count(*) FROM idempotency i WHERE i::text LIKE ${`%${number}%`})::int
          + (SELECT count(*) FROM payment_method m WHERE m::text LIKE ${`%${number}%`})::int
          AS count
      `
      assert.strictEqual(found!.count, 0)
    })
  )

  it.effect("are preferred while they are active and the customer's own", () =>
    Effect.gen(function* () {
      const { customerId, world } = yield* scene
      const other = yield* prepared(world, world.session)
      const { id } = (yield* add(world, customerId)).body
      const theirs = yield* add(world, other.customerId)
      const foreign = yield* prefer(world, customerId, theirs.body.id)
      assert.deepStrictEqual([foreign.status, foreign.body.code], [422, "INVALID_PAYMENT_METHOD"])

      assert.strictEqual((yield* prefer(world, customerId, id)).body.preferredPaymentMethodId, id)
      // Another member changed leaves it as it is.
      yield* ask(world, "PATCH", `/customers/${customerId}`, { name: "C. Martin" })
      assert.strictEqual(yield* preferredBy(world, customerId), id)
      assert.notProperty((yield* prefer(world, customerId, null)).body, "preferredPaymentMethodId")
      yield* prefer(world, customerId, id)

      const disabled = yield* disable(world, id)
      assert.strictEqual(disabled.body.status, "DISABLED")
      assert.deepStrictEqual((yield* disable(world, id)).body, disabled.body)
      assert.isUndefined(yield* preferredBy(world, customerId))
      const late = yield* prefer(world, customerId, id)
      assert.deepStrictEqual([late.status, late.body.details], [422, { reason: "NOT_THEIRS" }])
    })
  )

  it.effect("are at most 20 of a customer, also where many are added at once", () =>
    Effect.gen(function* () {
      const { customerId, world } = yield* scene
      const answers = yield* Effect.all(
        Array.from({ length: 25 }, () => add(world, customerId)),
        { concurrency: 8 }
      )
      const refused = answers.filter(({ status }) => status !== 201)
      assert.deepStrictEqual(
        refused.map(({ body, status }) => [status, body.details.reason]),
        Array.from({ length: 5 }, () => [422, "TOO_MANY"])
      )
      const made = answers.find(({ status }) => status === 201)!
      yield* disable(world, made.body.id)
      assert.strictEqual((yield* add(world, customerId)).status, 201)
    })
  )

  it.effect("are never preferred and disabled at once", () =>
    Effect.gen(function* () {
      const { customerId, world } = yield* scene
      for (let round = 0; round < 40; round++) {
        const { id } = (yield* add(world, customerId)).body
        const both = [prefer(world, customerId, id), disable(world, id)]
        const [preferred] = yield* Effect.all(round % 2 === 0 ? both : both.toReversed(), {
          concurrency: "unbounded"
        }).pipe(Effect.map((answers) => (round % 2 === 0 ? answers : answers.toReversed())))
        assert.include([200, 422], preferred!.status)
        assert.isUndefined(yield* preferredBy(world, customerId))
      }
    })
  )
})
