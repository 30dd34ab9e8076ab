/** The main job over HTTP: what a visitor, a broker and a back office see of one policy. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { prepared, send, signed } from "./Sales.ts"

const moveClock = (world: World, now: string) =>
  call("/admin/test-clock", {
    tenant: world.tenant,
    token: world.client,
    method: "PUT",
    body: { now }
  })

// Real time: the database dates sessions by its own clock.
layer(TestLayer, { excludeTestServices: true })("the main job", (it) => {
  it.effect("leads a visitor from nothing to invoices that sum to the premium", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { customerId, policyId, premium } = yield* signed(world, world.session)
      const before = yield* send(world, world.session, `/policies/${policyId}`)
      assert.strictEqual(before.body.status, "POLICY_SIGNED")
      const moved = yield* moveClock(world, "2027-03-15T12:00:00Z")
      assert.strictEqual(moved.status, 200)
      const after = yield* send(world, world.session, `/policies/${policyId}`)
      assert.strictEqual(after.body.status, "POLICY_STARTED")
      const invoices = yield* send(
        world,
        world.session,
        `/billing/policies/${policyId}/invoices?count=100`
      )
      assert.strictEqual(invoices.body.totalCount, 12)
      const total = invoices.body.data.reduce(
        (sum: number, { amountDue }: { amountDue: number }) => sum + amountDue,
        0
      )
      assert.strictEqual(total, premium.amountWithFeesAndTaxes)
      const refused = yield* call("/accounting-summary", {
        tenant: world.tenant,
        token: world.session
      })
      assert.strictEqual(refused.status, 403)
      const oldest = invoices.body.data.at(-1)
      const paid = yield* send(world, world.client, `/payments/invoices/${oldest.id}`, {
        amount: oldest.amountDue,
        method: "BANK_TRANSFER",
        reference: "first"
      })
      assert.strictEqual(paid.status, 201)
      const summary = yield* send(world, world.client, "/accounting-summary?queryString=dùr%20CAM")
      assert.strictEqual(summary.body.totalCount, 1)
      const entry = summary.body.data[0]
      assert.strictEqual(entry.numberOfUnpaidInvoices, 11)
      assert.strictEqual(entry.customer.id, customerId)
      assert.strictEqual(entry.policy.id, policyId)
      const foreign = yield* newTenant
      const none = yield* send(foreign, foreign.client, "/accounting-summary")
      assert.strictEqual(none.body.totalCount, 0)
    })
  )

  it.effect("shows a broker the policies of its own firm alone", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { policyId } = yield* signed(world, world.north)
      const { tenant } = world
      for (const [token, status] of [
        [world.north, 200],
        [world.manager, 200],
        [world.auditor, 200],
        [world.south, 403],
        [world.session, 403]
      ] as const) {
        assert.strictEqual((yield* call(`/policies/${policyId}`, { tenant, token })).status, status)
      }
      yield* moveClock(world, "2026-05-02T12:00:00Z")
      const north = yield* send(world, world.north, "/accounting-summary")
      const south = yield* send(world, world.south, "/accounting-summary")
      assert.deepStrictEqual([north.body.totalCount, south.body.totalCount], [1, 0])
    })
  )

  it.effect("repeats an answer for its key and says so", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const key = { "idempotency-key": "one" }
      const body = { productId: "motor-fr" }
      const first = yield* send(world, world.manager, "/policies", body, key)
      const again = yield* send(world, world.manager, "/policies", body, key)
      const byQuery = yield* send(world, world.manager, "/policies?idempotencyKey=two", body)
      assert.strictEqual(first.status, 201)
      assert.strictEqual(again.status, 201)
      assert.deepStrictEqual(again.body, first.body)
      assert.deepStrictEqual([first.header("etag"), again.header("etag")], ['"1"', '"1"'])
      assert.isUndefined(first.header("idempotency-replayed"))
      assert.strictEqual(again.header("idempotency-replayed"), "true")
      assert.notStrictEqual(byQuery.body.id, first.body.id)
      const { tenant } = world
      const other = yield* call("/policies", {
        tenant,
        token: world.manager,
        headers: key,
        body: { ...body, name: "another" }
      })
      assert.deepStrictEqual([other.status, other.body.code], [409, "IDEMPOTENCY_KEY_REUSED"])
    })
  )

  it.effect("guards a write by the etag of a read, and dry-runs it", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { tenant } = world
      const token = world.manager
      const { policyId } = yield* prepared(world, token)
      const path = `/policies/${policyId}`
      const etag = (yield* send(world, token, path)).header("etag")!
      const patch = (name: string, query = "", headers = {}) =>
        call(`${path}${query}`, { tenant, token, method: "PATCH", body: { name }, headers })
      const dry = yield* patch("dry", "?dryRun=true", { "if-match": etag })
      assert.deepStrictEqual([dry.body.name, dry.header("dry-run")], ["dry", "true"])
      const won = yield* patch("won", "", { "if-match": etag })
      const lost = yield* patch("lost", "", { "if-match": etag })
      assert.deepStrictEqual([won.status, lost.status, lost.body.code], [200, 409, "CONFLICT"])
      assert.strictEqual(lost.body.details.etag, won.header("etag"))
      assert.strictEqual((yield* send(world, token, path)).body.name, "won")
      const old = yield* send(world, token, `${path}?whenAt=2026-03-10T09:00:00Z`)
      assert.isUndefined(old.header("etag"))
    })
  )

  it.effect("does not heed an etag, a key or a dry run where the route takes none", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { policyId } = yield* prepared(world, world.manager)
      const headers = { "idempotency-key": "one", "if-match": '"999"' }
      const given = { tenant: world.tenant, token: world.manager, headers }
      const read = yield* call(`/policies/${policyId}?dryRun=true`, given)
      assert.deepStrictEqual([read.status, read.header("dry-run")], [200, undefined])
      assert.isDefined(read.header("etag"))
      const body = { productId: "motor-fr" }
      const created = yield* call("/policies", { ...given, body })
      assert.deepStrictEqual([created.status, created.header("etag")], [201, '"1"'])
    })
  )

  it.effect("never moves a test clock back, and keeps it from those who have no scope", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const back = yield* moveClock(world, "2026-03-10T08:59:59Z")
      assert.deepStrictEqual([back.status, back.body.code], [422, "INVALID_EFFECTIVE_DATE"])
      const impossible = yield* moveClock(world, "2026-02-31T00:00:00Z")
      assert.deepStrictEqual([impossible.status, impossible.body.code], [400, "INVALID_REQUEST"])
      const token = yield* world.withoutScopes("platform/admin")
      const { status } = yield* call("/admin/test-clock", { tenant: world.tenant, token })
      assert.strictEqual(status, 403)
    })
  )
})
