/** Endorsements over HTTP: a signed policy changed on branches, over effective time. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { send, signature, signed } from "./Sales.ts"

const later = "2026-06-15T00:00:00.000Z"

const inForce = Effect.gen(function* () {
  const world = yield* newTenant
  const records = yield* signed(world, world.manager)
  yield* moveTo(world, "2026-04-10T09:00:00Z")
  return { world, ...records }
})

const moveTo = (world: World, now: string) =>
  call("/admin/test-clock", {
    tenant: world.tenant,
    token: world.client,
    method: "PUT",
    body: { now }
  })

/** A branch on which the yearly mileage is another one; quoted and confirmed. */
const endorsed = Effect.fnUntraced(function* (
  world: World,
  policyId: string,
  { effectiveAt, mileage }: { readonly effectiveAt?: string; readonly mileage: number }
) {
  const opened = yield* send(world, world.manager, `/policies/${policyId}/branches`, {
    branchType: "MTA",
    ...(effectiveAt === undefined ? {} : { effectiveAt })
  })
  const branchId: string = opened.body.id
  yield* patched(world, policyId, branchId, mileage)
  yield* quotedAndConfirmed(world, policyId, branchId)
  return branchId
})

const patched = (world: World, policyId: string, branchId: string, mileage: number) =>
  call(`/policies/${policyId}?branchId=${branchId}`, {
    tenant: world.tenant,
    token: world.manager,
    method: "PATCH",
    body: { customFields: [{ key: "annualMileage", value: mileage }] }
  })

const quotedAndConfirmed = Effect.fnUntraced(function* (
  world: World,
  policyId: string,
  branchId: string
) {
  const query = `?branchId=${branchId}`
  yield* send(world, world.manager, `/policies/${policyId}/quote${query}`, {})
  yield* send(world, world.manager, `/policies/${policyId}/confirm${query}`, {})
})

const mileageOf = (body: {
  readonly customFields: ReadonlyArray<{ key: string; value: unknown }>
}) => body.customFields.find(({ key }) => key === "annualMileage")?.value

const tried = (world: World, path: string, body: unknown = {}, method = "POST") =>
  call(path, { tenant: world.tenant, token: world.manager, method, body })

layer(TestLayer, { excludeTestServices: true })("an endorsement", (it) => {
  it.effect("changes the price from its day on, and nothing before it", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* inForce
      const branchId = yield* endorsed(world, policyId, { effectiveAt: later, mileage: 30_000 })
      const diff = yield* send(world, world.manager, `/branches/${branchId}/diff`)
      assert.deepStrictEqual(
        diff.body.changes.map(({ branch, from, path }: Record<string, unknown>) => [
          path,
          from,
          branch
        ]),
        [["/customFields/annualMileage", later, 30_000]]
      )
      assert.isTrue(
        diff.body.price.some(({ difference }: { difference: number }) => difference > 0)
      )

      yield* send(
        world,
        world.manager,
        `/policies/${policyId}/sign?branchId=${branchId}`,
        signature
      )
      const read = (query: string) => send(world, world.manager, `/policies/${policyId}${query}`)
      const [now, then] = [yield* read(""), yield* read(`?whenAt=${later}`)]
      assert.strictEqual(mileageOf(then.body), 30_000)
      assert.notStrictEqual(mileageOf(now.body), 30_000)
      assert.isAbove(
        then.body.quote.totalPremium.amountWithFeesAndTaxes,
        now.body.quote.totalPremium.amountWithFeesAndTaxes
      )
      assert.strictEqual(now.body.branchType, "BASE")

      const { body } = yield* send(world, world.manager, `/policies/${policyId}/timeline`)
      const last = body.segments.at(-1)
      assert.strictEqual(last.from, later)
      assert.strictEqual(last.status, "POLICY_STARTED")
      assert.strictEqual(last.quote.id, then.body.quote.id)
      const merged = yield* send(world, world.manager, `/branches/${branchId}`)
      assert.strictEqual(merged.body.status, "MERGED")
    })
  )

  it.effect("that contradicts another one has to be rebased, with a decision", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* inForce
      const one = yield* endorsed(world, policyId, { effectiveAt: later, mileage: 30_000 })
      const two = yield* endorsed(world, policyId, { effectiveAt: later, mileage: 5_000 })
      const sign = `/policies/${policyId}/sign?branchId=`
      yield* send(world, world.manager, `${sign}${one}`, signature)
      const refused = yield* tried(world, `${sign}${two}`, signature)
      assert.strictEqual(refused.body.code, "BRANCH_CONFLICT")
      const [conflict] = refused.body.details.conflicts
      assert.deepInclude(conflict, { ours: 5_000, theirs: 30_000, from: later })

      const rebase = `/branches/${two}/rebase`
      assert.strictEqual(
        (yield* tried(world, rebase, { resolutions: [] })).body.code,
        "BRANCH_CONFLICT"
      )
      const { from, path } = conflict
      const rebased = yield* send(world, world.manager, rebase, {
        resolutions: [{ path, from, take: "ours" }]
      })
      // Its price is what it was, so what was confirmed still is.
      assert.strictEqual(rebased.body.stage, "CONFIRMED")
      yield* send(world, world.manager, `${sign}${two}`, signature)
      const then = yield* send(world, world.manager, `/policies/${policyId}?whenAt=${later}`)
      assert.strictEqual(mileageOf(then.body), 5_000)
    })
  )

  it.effect("beside another one of the same time is quoted again before it is merged", () =>
    Effect.gen(function* () {
      const { assetId, policyId, world } = yield* inForce
      const one = yield* endorsed(world, policyId, { mileage: 30_000 })
      const opened = yield* send(world, world.manager, `/policies/${policyId}/branches`, {
        branchType: "MTA"
      })
      const two: string = opened.body.id
      const patch = { customFields: [{ key: "parking", value: "STREET" }] }
      const asset = yield* tried(world, `/assets/${assetId}?branchId=${two}`, patch, "PATCH")
      assert.strictEqual(asset.status, 200)
      yield* quotedAndConfirmed(world, policyId, two)
      const sign = `/policies/${policyId}/sign?branchId=`
      yield* send(world, world.manager, `${sign}${one}`, signature)
      assert.strictEqual(
        (yield* tried(world, `${sign}${two}`, signature)).body.code,
        "QUOTE_OUTDATED"
      )
      yield* send(world, world.manager, `/branches/${two}/rebase`, { resolutions: [] })
      yield* quotedAndConfirmed(world, policyId, two)
      yield* send(world, world.manager, `${sign}${two}`, signature)
      const { body } = yield* send(world, world.manager, `/policies/${policyId}`)
      assert.strictEqual(mileageOf(body), 30_000)
    })
  )

  it.effect("is reverted on a branch, which restores the price", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* inForce
      const before = yield* send(world, world.manager, `/policies/${policyId}`)
      const one = yield* endorsed(world, policyId, { mileage: 30_000 })
      yield* send(world, world.manager, `/policies/${policyId}/sign?branchId=${one}`, signature)
      const { body } = yield* send(world, world.manager, `/policies/${policyId}/changes?count=100`)
      const update = body.data.find(
        ({ branchId, kind }: Record<string, string>) => kind === "UPDATE" && branchId !== one
      )
      const revert = `/policies/${policyId}/changes/${update.id}/revert`
      assert.strictEqual((yield* tried(world, revert)).body.code, "BRANCH_REQUIRED")
      const opened = yield* send(world, world.manager, `/policies/${policyId}/branches`, {
        branchType: "MTA",
        effectiveAt: update.effectiveAt
      })
      const query = `?branchId=${opened.body.id}`
      yield* send(world, world.manager, `${revert}${query}`, {})
      yield* quotedAndConfirmed(world, policyId, opened.body.id)
      yield* send(world, world.manager, `/policies/${policyId}/sign${query}`, signature)
      const after = yield* send(world, world.manager, `/policies/${policyId}`)
      assert.deepStrictEqual(after.body.customFields, before.body.customFields)
      assert.deepStrictEqual(after.body.quote, before.body.quote)
    })
  )
})

layer(TestLayer, { excludeTestServices: true })("a contract", (it) => {
  it.effect("is stopped on a day to come, and the stop can be withdrawn until then", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* inForce
      const stop = `/policies/${policyId}/stop`
      const reason = { reason: "SALE" }
      assert.strictEqual(
        (yield* tried(world, stop, { reason: "X" })).body.code,
        "INVALID_STOP_REASON"
      )
      assert.strictEqual(
        (yield* tried(world, stop, undefined, "DELETE")).body.code,
        "INVALID_TRANSITION"
      )
      const branchId = yield* endorsed(world, policyId, { effectiveAt: later, mileage: 30_000 })
      const when = "2026-06-01T00:00:00.000Z"
      const planned = yield* send(world, world.manager, `${stop}?whenAt=${when}`, reason)
      assert.deepInclude(planned.body, { status: "POLICY_STARTED", endedAt: when })
      assert.strictEqual(planned.body.stop.reason, "SALE")
      const given = yield* send(world, world.manager, `/branches/${branchId}`)
      assert.strictEqual(given.body.invalidation.reason, "POLICY_STOPPED")

      const withdrawn = yield* tried(world, stop, undefined, "DELETE")
      assert.strictEqual(withdrawn.body.status, "POLICY_STARTED")
      assert.notProperty(withdrawn.body, "stop")
      yield* send(world, world.manager, `${stop}?whenAt=${when}`, reason)
      yield* moveTo(world, "2026-06-02T00:00:00Z")
      const { body } = yield* send(world, world.manager, `/policies/${policyId}`)
      assert.deepInclude(body, { status: "POLICY_STOPPED", stoppedAt: when })
      const list = yield* send(world, world.manager, "/policies?statuses=POLICY_STOPPED")
      assert.strictEqual(list.body.totalItems ?? list.body.data.length, 1)
    })
  )

  it.effect(
    "is suspended and reactivated, also as of an earlier day, as long as its steps are valid",
    () =>
      Effect.gen(function* () {
        const { policyId, world } = yield* inForce
        const step = (name: string, body: unknown = {}, whenAt = "") =>
          tried(world, `/policies/${policyId}/${name}${whenAt}`, body)
        assert.strictEqual((yield* step("reactivate")).body.code, "INVALID_TRANSITION")
        const past = "?whenAt=2026-04-05T00:00:00Z"
        const coverageGaps = yield* step("suspend", { reason: "GARAGED" }, past)
        assert.strictEqual(coverageGaps.body.status, "POLICY_SUSPENDED")
        const again = yield* step("suspend", { reason: "GARAGED" }, "?whenAt=2026-04-03T00:00:00Z")
        assert.strictEqual(again.body.code, "INVALID_TRANSITION")
        const goesOn = yield* step("reactivate")
        assert.strictEqual(goesOn.body.status, "POLICY_STARTED")
        assert.isString(goesOn.body.reactivatedAt)
        const between = yield* send(
          world,
          world.manager,
          `/policies/${policyId}?whenAt=2026-04-06T00:00:00Z`
        )
        assert.strictEqual(between.body.status, "POLICY_SUSPENDED")
      })
  )

  it.effect("without a signature is invalidated as a whole, and takes no command any more", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { body } = yield* send(world, world.session, "/policies", { productId: "motor-fr" })
      const path = `/policies/${body.id}`
      const stopped = yield* send(world, world.session, `${path}/stop`, {
        reason: "CUSTOMER_REQUEST"
      })
      assert.strictEqual(stopped.body.status, "POLICY_STOPPED")
      const refused = yield* call(path, {
        tenant: world.tenant,
        token: world.session,
        method: "PATCH",
        body: { name: "x" }
      })
      assert.strictEqual(refused.body.code, "INVALID_TRANSITION")
    })
  )
})
