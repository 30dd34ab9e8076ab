/** A stopped policy that is taken up again: what was agreed for later takes effect, and is billed. */
import { assert, layer } from "@effect/vitest"
import { pricedSegments } from "@quittance/domain/policies/PricedTimeline"
import { PolicyLogRepo } from "@quittance/persistence/policies/PolicyLogRepo"
import { QuotesRepo } from "@quittance/persistence/policies/QuotesRepo"
import { Effect, Layer } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { sha256 } from "../../src/values/Sha256.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(PolicyLogRepo.layer, QuotesRepo.layer).pipe(
  Layer.provideMerge(PolicyLifecycle.layer)
)

const monthly = { frequency: "MONTHLY", timing: "IN_ADVANCE", firstPayment: "NONE" } as const

/** Policies that are alike, from 1 April 2026, on the tenth at noon. */
const scene = Effect.fnUntraced(function* (count = 1) {
  const world = yield* World.make()
  const signing = { policy: { invoicingConfig: monthly } }
  const lifecycle = []
  for (let index = 0; index < count; index++) {
    lifecycle.push(yield* PolicyLifecycle.signed(world, signing))
  }
  yield* PolicyLifecycle.moveTo(world, "2026-04-10T12:00:00Z")
  return { world, run: World.as(world, world.manager), lifecycle }
})
type Scene = Effect.Success<ReturnType<typeof scene>>

/** Another mileage from an instant on, signed. */
const endorse = Effect.fnUntraced(function* (
  { run, world }: Scene,
  policyId: PolicyId,
  effectiveAt: string,
  value: number
) {
  const opening = { branchType: "MTA", effectiveAt: World.at(effectiveAt) } as const
  const { id } = yield* run(Branches.use((branches) => branches.open({ policyId }, opening)))
  const at = { policyId, branchId: id }
  yield* mileage(world, at, value)
  yield* PolicyLifecycle.endorse(world, at)
})

const mileage = (
  world: World.World,
  at: { readonly policyId: PolicyId; readonly branchId: BranchId },
  value: number
) =>
  World.as(
    world,
    world.manager
  )(
    Policies.use((policies) =>
      policies.update(at, { customFields: [{ key: "annualMileage", value }] })
    )
  )

const stop = ({ run }: Scene, policyId: PolicyId, whenAt: string) =>
  run(ContractSteps.use((s) => s.stop({ policyId, whenAt: World.at(whenAt) }, { reason: "SALE" })))

const reinstate = ({ run }: Scene, policyId: PolicyId, gap: "COVERED" | "NOT_COVERED") =>
  run(ContractSteps.use((s) => s.reinstate({ policyId }, { gap })))

const read = ({ run }: Scene, policyId: PolicyId, whenAt?: string) =>
  run(
    Policies.use((policies) =>
      policies.get({ policyId, ...(whenAt === undefined ? {} : { whenAt: World.at(whenAt) }) })
    )
  )

/** What is billed of each month in all, by its first day. */
const billed = Effect.fnUntraced(function* ({ world }: Scene, contract: PolicyLifecycle.Contract) {
  const invoices = yield* PolicyLifecycle.invoices(world, contract)
  const sums: Record<string, number> = {}
  for (const { lines } of invoices) {
    for (const { amount, slice } of lines) {
      const month = slice.start.slice(0, 7)
      sums[month] = (sums[month] ?? 0) + amount.amountWithFeesAndTaxes
    }
  }
  return sums
})

/** Each priced interval in force, also behind a stop, has one quote, of exactly its state. */
const assertQuoted = Effect.fnUntraced(function* ({ world }: Scene, policyId: PolicyId) {
  const log = yield* PolicyLogRepo
  const quotes = yield* QuotesRepo
  const inTenant = Effect.provideService(CurrentTenant, world.tenant)
  const changes = yield* inTenant(log.changes(policyId))
  const branches = yield* inTenant(log.branches(policyId))
  const base = { branchId: branches.find(({ branchType }) => branchType === "BASE")!.id }
  for (const { priced, quoteIds } of pricedSegments(changes, base, () => World.motor)) {
    assert.strictEqual(quoteIds.length, 1)
    const row = yield* inTenant(quotes.find(quoteIds[0]!))
    assert.strictEqual(row?.pricedHash, sha256(priced))
  }
})

layer(TestLayer)("a reinstatement", (it) => {
  for (const gap of ["COVERED", "NOT_COVERED"] as const) {
    it.effect(`keeps what was agreed for later (${gap})`, () =>
      Effect.gen(function* () {
        const at = yield* scene()
        const { policyId } = at.lifecycle[0]!
        const whenAt = World.at("2026-04-20T00:00:00Z")
        yield* at.run(Policies.use((x) => x.update({ policyId, whenAt }, { name: "agreed" })))
        yield* stop(at, policyId, "2026-04-10T12:00:00Z")
        yield* PolicyLifecycle.moveTo(at.world, "2026-04-15T09:00:00Z")
        yield* reinstate(at, policyId, gap)
        assert.notStrictEqual((yield* read(at, policyId)).name, "agreed")
        assert.strictEqual((yield* read(at, policyId, "2026-04-21T00:00:00Z")).name, "agreed")
        yield* PolicyLifecycle.moveTo(at.world, "2026-04-21T09:00:00Z")
        assert.strictEqual((yield* read(at, policyId)).name, "agreed")
      })
    )
  }

  it.effect("shows what took effect in the gap, in which the policy stays stopped", () =>
    Effect.gen(function* () {
      const at = yield* scene()
      const { policyId } = at.lifecycle[0]!
      const whenAt = World.at("2026-04-12T00:00:00Z")
      yield* at.run(Policies.use((x) => x.update({ policyId, whenAt }, { name: "agreed" })))
      yield* stop(at, policyId, "2026-04-10T12:00:00Z")
      yield* PolicyLifecycle.moveTo(at.world, "2026-04-15T09:00:00Z")
      assert.notStrictEqual((yield* read(at, policyId)).name, "agreed")
      yield* reinstate(at, policyId, "NOT_COVERED")
      const { name, status } = yield* read(at, policyId)
      assert.deepStrictEqual([name, status], ["agreed", "POLICY_STARTED"])
      const inGap = yield* read(at, policyId, "2026-04-13T00:00:00Z")
      assert.deepStrictEqual([inGap.name, inGap.status], ["agreed", "POLICY_STOPPED"])
    })
  )

  it.effect("bills what was agreed for later exactly, as if there had been no stop", () =>
    Effect.gen(function* () {
      const at = yield* scene(3)
      for (const { policyId } of at.lifecycle) {
        yield* endorse(at, policyId, "2026-06-15T00:00:00+02:00", 30_000)
      }
      const [twin, covered, uncovered] = at.lifecycle
      yield* PolicyLifecycle.moveTo(at.world, "2026-06-01T12:00:00Z")
      for (const { policyId } of [covered!, uncovered!]) {
        yield* stop(at, policyId, "2026-06-01T00:00:00+02:00")
      }
      yield* PolicyLifecycle.moveTo(at.world, "2026-06-20T12:00:00Z")
      yield* reinstate(at, covered!.policyId, "COVERED")
      yield* PolicyLifecycle.moveTo(at.world, "2026-07-01T00:00:00+02:00")
      yield* reinstate(at, uncovered!.policyId, "NOT_COVERED")
      yield* PolicyLifecycle.moveTo(at.world, "2027-03-30T12:00:00Z")
      const expected = yield* billed(at, twin!)
      assert.notStrictEqual(expected["2026-05"], expected["2026-07"])
      assert.deepStrictEqual(yield* billed(at, covered!), expected)
      const { "2026-06": june, ...rest } = yield* billed(at, uncovered!)
      const { "2026-06": _june, ...others } = expected
      assert.strictEqual(june ?? 0, 0)
      assert.deepStrictEqual(rest, others)
    })
  )

  it.effect("finds a price for what it shows, whatever was merged while the stop stood", () =>
    Effect.gen(function* () {
      const at = yield* scene(2)
      const [one, other] = at.lifecycle.map(({ policyId }) => policyId)
      for (const policyId of [one!, other!]) {
        yield* endorse(at, policyId, "2026-07-15T00:00:00+02:00", 30_000)
        yield* stop(at, policyId, "2026-07-01T00:00:00+02:00")
        const opening = {
          branchType: "MTA",
          effectiveAt: World.at("2026-05-01T00:00:00Z")
        } as const
        const { id } = yield* at.run(Branches.use((x) => x.open({ policyId }, opening)))
        const on = { policyId, branchId: id }
        const customFields = [{ key: "bonusMalus", value: 60 }]
        yield* at.run(Policies.use((policies) => policies.update(on, { customFields })))
        yield* PolicyLifecycle.endorse(at.world, on)
        yield* assertQuoted(at, policyId)
      }
      yield* at.run(ContractSteps.use((steps) => steps.withdrawStop({ policyId: one! })))
      yield* PolicyLifecycle.moveTo(at.world, "2026-07-10T12:00:00Z")
      yield* reinstate(at, other!, "COVERED")
      yield* PolicyLifecycle.moveTo(at.world, "2027-03-30T12:00:00Z")
      yield* assertQuoted(at, other!)
      const [withdrawn, reinstated] = at.lifecycle
      assert.deepStrictEqual(yield* billed(at, reinstated!), yield* billed(at, withdrawn!))
    })
  )

  it.effect("is told to be possible only where the product has it, and for as long", () =>
    Effect.gen(function* () {
      const { reinstatement: _reinstatement, ...final } = World.motor
      for (const [product, allowed] of [
        [World.motor, ["reinstate"]],
        [final, []]
      ] as const) {
        const world = yield* World.make(undefined, [product])
        const { policyId } = yield* PolicyLifecycle.signed(world, { product })
        yield* PolicyLifecycle.moveTo(world, "2026-04-10T12:00:00Z")
        const run = World.as(world, world.manager)
        yield* run(ContractSteps.use((s) => s.stop({ policyId }, { reason: "SALE" })))
        const refused = Effect.map(
          run(
            Effect.all([
              Effect.flip(ContractSteps.use((steps) => steps.reactivate({ policyId }))),
              Effect.flip(Policies.use((policies) => policies.update({ policyId }, { name: "x" })))
            ])
          ),
          (failures) =>
            failures.map((failure) =>
              failure._tag === "InvalidTransition" ? failure.allowed : failure
            )
        )
        assert.deepStrictEqual(yield* refused, [allowed, allowed])
        yield* PolicyLifecycle.moveTo(world, "2026-07-11T12:00:00Z")
        assert.deepStrictEqual(yield* refused, [[], []])
      }
    })
  )

  it.effect("takes effect while the product still has it, however early it is asked for", () =>
    Effect.gen(function* () {
      const at = yield* scene()
      const { policyId } = at.lifecycle[0]!
      yield* stop(at, policyId, "2026-04-10T12:00:00Z")
      const whenAt = World.at("2026-12-01T00:00:00+01:00")
      const refused = yield* at.run(
        Effect.flip(
          ContractSteps.use((s) => s.reinstate({ policyId, whenAt }, { gap: "NOT_COVERED" }))
        )
      )
      const { withinDays } = World.motor.reinstatement!
      assert.deepInclude(refused, { _tag: "InvalidEffectiveDate", field: "whenAt" })
      assert.deepInclude(refused, {
        latest: World.at(new Date(Date.UTC(2026, 3, 10 + withinDays, 22)).toISOString())
      })
    })
  )

  for (const [what, gap, stoppedAt] of [
    ["its term has ended meanwhile", "NOT_COVERED", "2027-03-15T00:00:00+01:00"],
    ["it has ended with its term", "COVERED", "2027-04-01T00:00:00+02:00"]
  ] as const) {
    it.effect(`is refused to a policy where ${what}`, () =>
      Effect.gen(function* () {
        const at = yield* scene()
        const { policyId } = at.lifecycle[0]!
        yield* PolicyLifecycle.moveTo(at.world, "2027-03-10T12:00:00Z")
        yield* stop(at, policyId, stoppedAt)
        yield* PolicyLifecycle.moveTo(at.world, "2027-04-10T12:00:00Z")
        const refused = yield* Effect.flip(reinstate(at, policyId, gap))
        assert.deepInclude(refused, {
          _tag: "InvalidEffectiveDate",
          latest: World.at("2027-04-01T00:00:00+02:00")
        })
      })
    )
  }

  it.effect("is possible without a gap where the term has ended since, and renews it", () =>
    Effect.gen(function* () {
      const at = yield* scene()
      const { policyId } = at.lifecycle[0]!
      yield* PolicyLifecycle.moveTo(at.world, "2027-03-10T12:00:00Z")
      yield* stop(at, policyId, "2027-03-15T00:00:00+01:00")
      yield* PolicyLifecycle.moveTo(at.world, "2027-04-10T12:00:00Z")
      const { endedAt } = yield* reinstate(at, policyId, "COVERED")
      assert.strictEqual(endedAt, World.at("2028-04-01T00:00:00+02:00"))
    })
  )

  for (const [gap, when, stopOn] of [
    ["COVERED", "before it began", "2027-03-10T12:00:00Z"],
    ["NOT_COVERED", "before it began", "2027-03-10T12:00:00Z"],
    ["NOT_COVERED", "in it, for before it", "2027-04-12T12:00:00Z"]
  ] as const) {
    it.effect(
      `goes on in the term that was agreed and began in the gap (${gap}, stopped ${when})`,
      () =>
        Effect.gen(function* () {
          const { invoicing } = World.motor
          const product = { ...World.motor, invoicing: { ...invoicing, issueLeadDays: 30 } }
          const world = yield* World.make(undefined, [product])
          const signing = { product, policy: { invoicingConfig: monthly } }
          const contract = yield* PolicyLifecycle.signed(world, signing)
          const { policyId } = contract
          const at = { world, run: World.as(world, world.manager), lifecycle: [contract] }
          yield* PolicyLifecycle.moveTo(world, stopOn)
          yield* stop(at, policyId, "2027-03-15T00:00:00+01:00")
          yield* PolicyLifecycle.moveTo(world, "2027-04-16T00:00:00+02:00")
          const { endedAt, status } = yield* reinstate(at, policyId, gap)
          assert.deepStrictEqual(
            [status, endedAt],
            ["POLICY_STARTED", World.at("2028-04-01T00:00:00+02:00")]
          )
          yield* PolicyLifecycle.moveTo(world, "2027-06-15T12:00:00Z")
          const sums = yield* billed(at, contract)
          const [march, april, may] = ["2027-03", "2027-04", "2027-05"].map((month) => sums[month]!)
          const isCharged = gap === "COVERED"
          assert.strictEqual(march! > may! / 2, isCharged)
          assert.strictEqual(april! > may!, isCharged)
        })
    )
  }

  it.effect("brings back the stop that was announced for later, with its announcement", () =>
    Effect.gen(function* () {
      const at = yield* scene()
      const { policyId } = at.lifecycle[0]!
      yield* stop(at, policyId, "2026-08-01T00:00:00+02:00")
      yield* stop(at, policyId, "2026-04-10T12:00:00Z")
      const { endedAt, status, stop: announced } = yield* reinstate(at, policyId, "COVERED")
      assert.deepStrictEqual(
        [status, announced?.reason, endedAt],
        ["POLICY_STARTED", "SALE", World.at("2026-08-01T00:00:00+02:00")]
      )
      yield* PolicyLifecycle.moveTo(at.world, "2026-08-02T09:00:00Z")
      assert.strictEqual((yield* read(at, policyId)).status, "POLICY_STOPPED")
    })
  )

  it.effect("reverts the future steps that do not fit a running contract", () =>
    Effect.gen(function* () {
      const at = yield* scene()
      const { policyId } = at.lifecycle[0]!
      const whenAt = World.at("2026-05-01T00:00:00Z")
      yield* at.run(ContractSteps.use((s) => s.suspend({ policyId }, { reason: "OTHER" })))
      yield* at.run(ContractSteps.use((s) => s.reactivate({ policyId, whenAt })))
      yield* stop(at, policyId, "2026-04-10T12:00:00Z")
      assert.strictEqual((yield* reinstate(at, policyId, "COVERED")).status, "POLICY_STARTED")
      yield* PolicyLifecycle.moveTo(at.world, "2026-05-02T09:00:00Z")
      const suspended = yield* at.run(
        ContractSteps.use((s) => s.suspend({ policyId }, { reason: "OTHER" }))
      )
      assert.strictEqual(suspended.status, "POLICY_SUSPENDED")
    })
  )
})
