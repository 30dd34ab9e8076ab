/** The job that erases what no clock keeps: shown before, switched on by people, held up by holds. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { plant, sightings } from "./Planting.ts"
import { quoted, send, signed } from "./Sales.ts"

const move = (world: World, now: string) =>
  Effect.map(
    call("/admin/test-clock", {
      tenant: world.tenant,
      token: world.manager,
      method: "PUT",
      body: { now }
    }),
    (answer) => assert.strictEqual(answer.status, 200, answer.text)
  )

const put = (world: World, body: object, token = world.manager) =>
  call("/admin/retention", { tenant: world.tenant, token, method: "PUT", body })

const preview = (world: World, query = "") =>
  Effect.map(send(world, world.manager, `/admin/retention/preview${query}`), ({ body }) => body)

const erasures = (world: World) =>
  Effect.map(
    send(world, world.manager, "/privacy/erasures?count=100"),
    ({ body }) =>
      body.data as ReadonlyArray<{ readonly customerId: string; readonly class: string }>
  )

layer(TestLayer, { excludeTestServices: true })("the retention of data", (it) => {
  it.effect("erases those who never signed when their time ends, as it has shown before", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const prospect = yield* quoted(world, world.session)
      const customer = yield* signed(world, world.manager)
      yield* plant(prospect, "prospect")
      const own = { class: "PROSPECT", source: "Ours", archive: { amount: 0, unit: "DAY" } }
      const rules = [{ ...own, active: { amount: 40, unit: "DAY" } }]
      const off = yield* put(world, { isAutomatic: false, rules })
      assert.strictEqual(off.status, 200, off.text)
      assert.deepStrictEqual((yield* preview(world)).erasable, [])

      yield* move(world, "2026-05-01T00:00:00Z")
      const shown = yield* preview(world)
      assert.strictEqual(shown.customers, 2)
      const ids = new Set(shown.erasable.map((step: { customerId: string }) => step.customerId))
      assert.deepStrictEqual([...ids], [prospect.customerId])
      const paged = yield* preview(world, "?count=1")
      assert.property(paged, "nextAfter")
      const rest = yield* preview(world, `?count=10&after=${paged.nextAfter}`)
      assert.deepStrictEqual([...paged.erasable, ...rest.erasable], shown.erasable)
      assert.notProperty(rest, "nextAfter")
      yield* move(world, "2026-05-02T00:00:00Z")
      assert.deepStrictEqual(yield* erasures(world), [], "it is off")

      assert.strictEqual((yield* put(world, { isAutomatic: true, rules })).status, 200)
      assert.isAbove((yield* sightings("prospect")).length, 5)
      yield* move(world, "2026-05-03T00:00:00Z")
      const done = yield* erasures(world)
      assert.deepStrictEqual(
        done.map((one) => one.class).sort(),
        shown.erasable.map((one: { class: string }) => one.class).sort()
      )
      assert.deepStrictEqual(yield* sightings("prospect"), [])
      assert.deepStrictEqual((yield* preview(world)).erasable, [])
      yield* move(world, "2026-07-15T00:00:00Z")
      assert.strictEqual((yield* erasures(world)).length, done.length, "once is enough")
      const policy = yield* send(world, world.manager, `/policies/${customer.policyId}`)
      assert.strictEqual(policy.status, 200)
    })
  )

  it.effect("finds customers who come later, and waits for a hold to be lifted", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const rules = [
        {
          class: "PROSPECT",
          active: { amount: 30, unit: "DAY" },
          archive: { amount: 0, unit: "DAY" },
          source: "Ours"
        }
      ]
      yield* put(world, { isAutomatic: true, rules })
      yield* move(world, "2026-04-01T00:00:00Z")
      const later = { startedAt: "2026-06-01T00:00:00+02:00" }
      const { customerId } = yield* quoted(world, world.session, later)
      const hold = yield* send(world, world.manager, "/privacy/holds", {
        customerId,
        reason: "A dispute"
      })
      yield* move(world, "2026-05-10T00:00:00Z")
      assert.deepStrictEqual(yield* erasures(world), [])
      assert.deepInclude(yield* preview(world), { erasable: [], customers: 1, held: 1 })
      yield* call(`/privacy/holds/${hold.body.id}`, {
        tenant: world.tenant,
        token: world.manager,
        method: "DELETE"
      })
      yield* move(world, "2026-05-11T00:00:00Z")
      const done = yield* erasures(world)
      assert.isAbove(done.length, 0)
      assert.isTrue(done.every((one) => one.customerId === customerId))
    })
  )

  it.effect("is changed by people alone, and never below the floor of the law", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const fallback = yield* send(world, world.manager, "/admin/retention")
      assert.isFalse(fallback.body.isAutomatic)
      assert.strictEqual((yield* put(world, { isAutomatic: true }, world.client)).status, 404)
      const short = {
        class: "ACCOUNTING",
        active: { amount: 9, unit: "YEAR" },
        archive: { amount: 0, unit: "DAY" },
        source: "Ours"
      }
      const refused = yield* put(world, { isAutomatic: true, rules: [short] })
      assert.deepStrictEqual(
        [refused.status, refused.body.code, refused.body.details],
        [
          422,
          "INVALID_RETENTION",
          { floors: [{ class: "ACCOUNTING", atLeast: { amount: 10, unit: "YEAR" } }], repeated: [] }
        ]
      )
      const longer = { ...short, active: { amount: 12, unit: "YEAR" } }
      yield* put(world, { isAutomatic: false, rules: [longer] })
      const { body } = yield* send(world, world.manager, "/privacy/register")
      assert.deepInclude(body.retention, { ...longer, from: "the end of the accounting year" })
    })
  )
})
