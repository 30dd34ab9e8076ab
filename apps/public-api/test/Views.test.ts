/** Views over HTTP: a fleet, its people and its bills on a branch, on another day, and as they were known. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { send, signed } from "./Sales.ts"

const later = "2026-06-15T00:00:00.000Z"

/** A contract in force, and an endorsement of it with a further driver and vehicle. */
const endorsed = Effect.gen(function* () {
  const world = yield* newTenant
  const { customerId, policyId } = yield* signed(world, world.manager)
  const moveTo = (now: string) =>
    call("/admin/test-clock", {
      tenant: world.tenant,
      token: world.client,
      method: "PUT",
      body: { now }
    })
  const as = (path: string, body?: unknown) =>
    body === undefined
      ? call(path, { tenant: world.tenant, token: world.manager })
      : send(world, world.manager, path, body)
  yield* moveTo("2026-04-10T09:00:00Z")
  const opened = yield* as(`/policies/${policyId}/branches?whenAt=${later}`, { branchType: "MTA" })
  const branchId = String(opened.body.id)
  const on = `?branchId=${branchId}`
  const driver = yield* as(`/customers/policies/${policyId}${on}`, { role: "DRIVER", name: "Alex" })
  const own = yield* as(`/assets/policies/${policyId}`)
  const { customFields } = own.body.data[0]
  const asset = yield* as(`/assets/policies/${policyId}${on}`, { customFields, name: "second" })
  assert.strictEqual(asset.status, 201, JSON.stringify(asset.body))
  yield* moveTo("2026-04-20T09:00:00Z")
  return {
    world,
    as,
    policyId,
    customerId,
    branchId,
    driverId: String(driver.body.customerId),
    assetId: String(asset.body.assetId)
  }
})

const client = (world: World) => (path: string) =>
  call(path, { tenant: world.tenant, token: world.client })

layer(TestLayer, { excludeTestServices: true })("a view", (it) => {
  it.effect("wants a policy, has no search, and no future", () =>
    Effect.gen(function* () {
      const { as, policyId } = yield* endorsed
      const pathsOf = (path: string) =>
        Effect.map(as(path), ({ body, status }) => [
          status,
          body.details.issues.map((issue: { readonly path: string }) => issue.path)
        ])
      assert.deepStrictEqual(yield* pathsOf(`/customers?whenAt=${later}`), [400, ["policyId"]])
      assert.deepStrictEqual(
        yield* pathsOf(`/customers?policyId=${policyId}&whenAt=${later}&queryString=x`),
        [400, ["queryString"]]
      )
      const future = yield* as(`/assets/policies/${policyId}?knownAt=${later}`)
      assert.strictEqual(future.body.code, "INVALID_EFFECTIVE_DATE")
    })
  )

  it.effect("of a branch has the vehicles and people that are only there", () =>
    Effect.gen(function* () {
      const { as, assetId, branchId, driverId, policyId } = yield* endorsed
      const on = `branchId=${branchId}`
      const trunk = yield* as(`/assets/policies/${policyId}`)
      const fleet = yield* as(`/assets/policies/${policyId}?${on}`)
      assert.deepStrictEqual([trunk.body.totalCount, fleet.body.totalCount], [1, 2])
      assert.strictEqual(fleet.body.data[1].id, assetId)
      assert.strictEqual((yield* as(`/assets/${assetId}`)).body.code, "ASSET_NOT_FOUND")
      assert.strictEqual((yield* as(`/assets/${assetId}?${on}`)).body.name, "second")
      const branch = yield* as(`/branches/${branchId}`)
      assert.strictEqual(branch.header("etag"), fleet.header("etag"))
      assert.notStrictEqual(branch.header("etag"), trunk.header("etag"))
      const people = yield* as(`/customers?policyId=${policyId}&${on}`)
      assert.sameMembers(
        people.body.data.map(({ role }: { readonly role: string }) => role),
        ["POLICYHOLDER", "DRIVER"]
      )
      const driver = yield* as(`/customers/${driverId}?policyId=${policyId}&${on}`)
      assert.strictEqual(driver.body.role, "DRIVER")
    })
  )

  it.effect("of an instant has what was there then, and of what was known nothing since", () =>
    Effect.gen(function* () {
      const { as, assetId, branchId, driverId, policyId } = yield* endorsed
      const on = `branchId=${branchId}`
      const fleet = (query: string) =>
        Effect.map(as(`/assets/policies/${policyId}?${query}`), ({ body }) => body.totalCount)
      assert.strictEqual(yield* fleet(`${on}&whenAt=${later}`), 2)
      assert.strictEqual(yield* fleet(`${on}&whenAt=2026-06-14T00:00:00Z`), 1)
      const early = yield* as(`/assets/${assetId}?${on}&whenAt=2026-06-14T00:00:00Z`)
      assert.strictEqual(early.body.code, "ASSET_NOT_FOUND")
      const before = "knownAt=2026-04-09T00:00:00Z"
      assert.strictEqual((yield* fleet(`${on}&${before}`)) as unknown, undefined)
      assert.strictEqual(yield* fleet(before), 1)
      const driver = yield* as(`/customers/${driverId}?policyId=${policyId}&${on}&${before}`)
      assert.include(["BRANCH_NOT_FOUND", "CUSTOMER_NOT_FOUND"], driver.body.code)
      const branches = yield* as(`/policies/${policyId}/branches?${before}`)
      assert.isFalse(branches.body.data.some(({ id }: { readonly id: string }) => id === branchId))
      assert.strictEqual((yield* as(`/branches/${branchId}?${before}`)).status, 404)
    })
  )

  it.effect("knows a customer by the name that he had", () =>
    Effect.gen(function* () {
      const { as, customerId, policyId, world } = yield* endorsed
      const { body } = yield* as(`/customers/${customerId}`)
      yield* call(`/customers/${customerId}`, {
        tenant: world.tenant,
        token: world.manager,
        method: "PATCH",
        body: { name: "Another Name" }
      })
      const knownAt = "knownAt=2026-04-19T00:00:00Z"
      const once = yield* as(`/customers/${customerId}?${knownAt}`)
      assert.deepStrictEqual(once.body, body)
      const listed = yield* as(`/customers?policyId=${policyId}&${knownAt}`)
      assert.deepInclude(listed.body.data, body)
      assert.strictEqual((yield* as(`/customers/${customerId}`)).body.name, "Another Name")
    })
  )

  it.effect("of a branch is billed as if it were in force", () =>
    Effect.gen(function* () {
      const { as, branchId, policyId } = yield* endorsed
      const instalments = (query: string) =>
        Effect.map(
          as(`/billing/policies/${policyId}/schedule${query}`),
          ({ body }) => body.instalments.length as number
        )
      const present = yield* instalments("")
      assert.isAbove(present, 2)
      // It has no price yet.
      assert.strictEqual(yield* instalments(`?branchId=${branchId}`), 0)
      // What was issued since was still to come; what is issued by then no longer is.
      assert.isAbove(yield* instalments("?whenAt=2026-03-15T00:00:00Z"), present)
      assert.isBelow(yield* instalments("?whenAt=2026-12-31T00:00:00Z"), present)
    })
  )

  it.effect("is allowed to a client where it lists people, and nowhere else", () =>
    Effect.gen(function* () {
      const { branchId, policyId, world } = yield* endorsed
      const read = client(world)
      const people = yield* read(`/customers?policyId=${policyId}&branchId=${branchId}`)
      assert.strictEqual(people.body.totalCount, 2, JSON.stringify(people.body))
      const fleet = yield* read(`/assets/policies/${policyId}?branchId=${branchId}`)
      assert.strictEqual(fleet.body.code, "USER_NOT_FOUND")
    })
  )
})
