/** The lives of assets inside their policy's: they come later, and their cover ends. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, motor, newTenant, TestLayer, type World } from "./Api.ts"
import { prepared, quoted, send, signature, signed } from "./Sales.ts"

const start = "2026-03-31T22:00:00.000Z"
const later = "2026-06-14T22:00:00.000Z"
const latest = "2026-09-30T22:00:00.000Z"
const vehicle = motor.fields.asset.map(({ example, key }) => ({ key, value: example }))

const post = (world: World, path: string, body: unknown = {}) =>
  call(path, { tenant: world.tenant, token: world.manager, body })

const codeOf = ({ body, status }: { readonly status: number; readonly body: any }) =>
  status < 400 ? status : body.code

const totalAt = (world: World, policyId: string, whenAt: string) =>
  Effect.map(
    send(world, world.manager, `/policies/${policyId}?whenAt=${whenAt}`),
    ({ body }) => body.quote?.totalPremium.amountWithFeesAndTaxes
  )

const moveTo = (world: World, now: string) =>
  call("/admin/test-clock", {
    tenant: world.tenant,
    token: world.client,
    method: "PUT",
    body: { now }
  })

/** A policy in force on 10 April with an open endorsement from June on. */
const inForce = Effect.gen(function* () {
  const world = yield* newTenant
  const records = yield* signed(world, world.manager)
  yield* moveTo(world, "2026-04-10T09:00:00Z")
  const opened = yield* send(world, world.manager, `/policies/${records.policyId}/branches`, {
    branchType: "MTA",
    effectiveAt: later
  })
  return { world, ...records, branchId: String(opened.body.id) }
})

const merged = Effect.fnUntraced(function* (world: World, policyId: string, branchId: string) {
  for (const [step, body] of [
    ["quote", {}],
    ["confirm", {}],
    ["sign", signature]
  ] as const) {
    yield* send(world, world.manager, `/policies/${policyId}/${step}?branchId=${branchId}`, body)
  }
})

layer(TestLayer, { excludeTestServices: true })("an asset", (it) => {
  it.effect("of a signed policy is stopped on a branch, once, from its day on", () =>
    Effect.gen(function* () {
      const { assetId, branchId, policyId, world } = yield* inForce
      const onTrunk = yield* post(world, `/assets/${assetId}/stop?whenAt=${later}`)
      assert.strictEqual(codeOf(onTrunk), "BRANCH_REQUIRED")
      const path = `/assets/${assetId}/stop?branchId=${branchId}`
      // Another vehicle takes its place: the product insures exactly one.
      const added = yield* post(world, `/assets/policies/${policyId}?branchId=${branchId}`, {
        customFields: vehicle
      })
      assert.strictEqual(codeOf(added), 201)
      const tooMany = yield* post(world, `/policies/${policyId}/quote?branchId=${branchId}`)
      assert.strictEqual(codeOf(tooMany), "INVALID_CUSTOM_FIELD")
      const stopped = yield* post(world, path)
      assert.deepInclude(stopped.body, { stoppedAt: later })
      assert.strictEqual(codeOf(yield* post(world, path)), "ASSET_ALREADY_STOPPED")
      yield* merged(world, policyId, branchId)

      const { body } = yield* send(world, world.manager, `/assets/${assetId}`)
      assert.deepInclude(body, { status: "ASSET_STARTED", stoppedAt: later })
      const again = yield* post(world, `/assets/${assetId}/stop`)
      assert.strictEqual(codeOf(again), "ASSET_ALREADY_STOPPED")
      const timeline = yield* send(world, world.manager, `/policies/${policyId}/timeline`)
      assert.strictEqual(timeline.body.segments.at(-1).from, later)
      yield* moveTo(world, "2026-06-20T09:00:00Z")
      const then = yield* send(world, world.manager, `/assets/${assetId}`)
      assert.strictEqual(then.body.status, "ASSET_STOPPED")
    })
  )

  it.effect("is changed where it is, and nowhere else", () =>
    Effect.gen(function* () {
      const { branchId, policyId, world } = yield* inForce
      const added = yield* send(
        world,
        world.manager,
        `/assets/policies/${policyId}?branchId=${branchId}`,
        {
          customFields: vehicle
        }
      )
      const path = `/assets/${added.body.assetId}`
      const other = yield* post(world, `/policies/${policyId}/branches`, {
        branchType: "MTA",
        effectiveAt: later
      })
      const patched = (query: string) =>
        call(`${path}${query}`, {
          tenant: world.tenant,
          token: world.manager,
          method: "PATCH",
          body: { name: "Second" }
        })
      const elsewhere = ["", `?branchId=${other.body.id}`]
      for (const query of elsewhere) {
        assert.strictEqual(codeOf(yield* patched(query)), "ASSET_NOT_FOUND")
      }
      const there = yield* patched(`?branchId=${branchId}`)
      assert.deepInclude(there.body, { name: "Second", type: "VEHICLE" })
    })
  )

  it.effect("lives inside its policy's life", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { assetId, policyId } = yield* prepared(world, world.manager)
      const path = `/assets/policies/${policyId}`
      const before = yield* post(world, path, {
        customFields: vehicle,
        startedAt: "2026-03-30T00:00:00Z"
      })
      assert.strictEqual(codeOf(before), "INVALID_EFFECTIVE_DATE")
      assert.deepStrictEqual(before.body.details, { field: "startedAt", earliest: start })
      const early = yield* post(world, `/assets/${assetId}/stop?whenAt=2026-03-20T00:00:00Z`)
      assert.deepStrictEqual(early.body.details, { field: "whenAt", earliest: start })
      const two = yield* post(world, `${path}?whenAt=${latest}`, {
        customFields: vehicle,
        startedAt: later
      })
      assert.strictEqual(codeOf(two), "INVALID_EFFECTIVE_DATE")
      const stopped = yield* signed(world, world.manager)
      yield* post(world, `/policies/${stopped.policyId}/stop?whenAt=${later}`, { reason: "SALE" })
      const after = yield* post(world, `/assets/${stopped.assetId}/stop?whenAt=${latest}`)
      assert.deepStrictEqual(after.body.details, { field: "whenAt", latest: later })
      const other = yield* newTenant
      const foreign = yield* post(other, `/assets/${assetId}/stop`)
      assert.strictEqual(codeOf(foreign), "ASSET_NOT_FOUND")
      const uncovered = yield* call(`/assets/${assetId}/stop`, {
        tenant: world.tenant,
        token: world.stranger,
        body: {}
      })
      assert.strictEqual(codeOf(uncovered), "FORBIDDEN")
    })
  )

  it.effect("that comes later has a price of its own from then on", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { assetId, policyId } = yield* quoted(world, world.manager)
      // One vehicle follows the other: the first stops where the second starts.
      yield* send(world, world.manager, `/assets/${assetId}/stop?whenAt=${later}`, {})
      const dearer = vehicle.map((field) =>
        field.key === "value" ? { ...field, value: 4_000_000 } : field
      )
      const added = yield* send(world, world.manager, `/assets/policies/${policyId}`, {
        customFields: dearer,
        startedAt: later
      })
      yield* send(world, world.manager, `/policies/${policyId}/quote`, {})
      const first = yield* totalAt(world, policyId, start)
      assert.isAbove(yield* totalAt(world, policyId, later), first)
      yield* send(world, world.manager, `/policies/${policyId}/confirm`, {})
      yield* send(world, world.manager, `/policies/${policyId}/sign`, signature)
      const { body } = yield* send(world, world.manager, `/policies/${policyId}/timeline`)
      assert.include(
        body.segments.map(({ from }: { from: string }) => from),
        later
      )
      const asset = yield* send(world, world.manager, `/assets/${added.body.assetId}`)
      assert.deepInclude(asset.body, { startedAt: later, status: "ASSET_CONFIRMED" })
    })
  )

  it.effect("goes on when its stop is reverted", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { assetId, policyId } = yield* quoted(world, world.manager)
      const before = yield* totalAt(world, policyId, latest)
      yield* send(world, world.manager, `/assets/${assetId}/stop?whenAt=${later}`, {})
      const none = yield* post(world, `/policies/${policyId}/quote`)
      assert.strictEqual(codeOf(none), "INVALID_CUSTOM_FIELD")
      const { body } = yield* send(world, world.manager, `/policies/${policyId}/changes`)
      const { id } = body.data.find(({ patch }: { patch: ReadonlyArray<{ path: string }> }) =>
        patch.some(({ path }) => path.endsWith("/stoppedAt"))
      )
      yield* send(world, world.manager, `/policies/${policyId}/changes/${id}/revert`, {})
      yield* send(world, world.manager, `/policies/${policyId}/quote`, {})
      assert.strictEqual(yield* totalAt(world, policyId, latest), before)
      const asset = yield* send(world, world.manager, `/assets/${assetId}`)
      assert.notProperty(asset.body, "stoppedAt")
    })
  )
})
