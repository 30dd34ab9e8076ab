/** The steps of a contract on a base branch: whatever is merged there, its own table allows them. */
import { assert, layer } from "@effect/vitest"
import { contractFault } from "@quittance/domain/policies/LifecycleCommands"
import { PolicyLogRepo } from "@quittance/persistence/policies/PolicyLogRepo"
import { Effect, Layer } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { PolicyLifecycle as ContractsOf } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { Quotes } from "../../src/quotes/Quotes.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import { drawing, step } from "../PolicyHistories.ts"
import * as World from "../World.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(PolicyLogRepo.layer, PolicyHistory.layer).pipe(
  Layer.provideMerge(PolicyLifecycle.layer)
)

const logOf = Effect.fnUntraced(function* (world: World.World, policyId: PolicyId) {
  const log = yield* PolicyLogRepo
  const inTenant = Effect.provideService(CurrentTenant, world.tenant)
  const branches = yield* inTenant(log.branches(policyId))
  const base = branches.find(({ branchType }) => branchType === "BASE")
  return { changes: yield* inTenant(log.changes(policyId)), base }
})

const faultOf = Effect.fnUntraced(function* (world: World.World, policyId: PolicyId) {
  const { changes, base } = yield* logOf(world, policyId)
  return base === undefined ? undefined : contractFault(changes, { branchId: base.id })
})

/** An endorsement that takes a suspension back, which the base branch has ended since. */
const contradicting = Effect.gen(function* () {
  const world = yield* World.make()
  const { policyId } = yield* PolicyLifecycle.signed(world)
  const run = World.as(world, world.manager)
  yield* PolicyLifecycle.moveTo(world, "2026-04-10T09:00:00Z")
  yield* run(ContractsOf.use((steps) => steps.suspend({ policyId }, { reason: "OTHER" })))
  const { id: branchId } = yield* run(
    Branches.use((branches) => branches.open({ policyId }, { branchType: "MTA" }))
  )
  const at = { policyId, branchId }
  const { changes } = yield* logOf(world, policyId)
  const suspension = changes.find(({ kind }) => kind === "SUSPEND")!
  yield* run(ContractsOf.use((steps) => steps.revert({ ...at, changeId: suspension.id })))
  yield* PolicyLifecycle.moveTo(world, "2026-04-12T09:00:00Z")
  yield* run(ContractsOf.use((steps) => steps.reactivate({ policyId })))
  return { world, run, at, policyId }
})

const signing = (at: { readonly policyId: PolicyId }) =>
  Sales.use((sales) =>
    sales.sign(at, {
      signer: { firstName: "Camille", lastName: "Martin", email: "camille@example.test" },
      consent: { textId: "SUBSCRIPTION_TERMS", accepted: true }
    })
  )

layer(TestLayer)("the steps of a contract", (it) => {
  it.effect("tell which later step is in the way of an earlier one, which its revert lets in", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId } = yield* PolicyLifecycle.signed(world)
      const run = World.as(world, world.manager)
      const step = (kind: "suspend" | "reactivate", whenAt: string) => {
        const at = { policyId, whenAt: World.at(whenAt) }
        return run(
          ContractsOf.use((steps) =>
            kind === "suspend" ? steps.suspend(at, { reason: "OTHER" }) : steps.reactivate(at)
          )
        )
      }
      yield* PolicyLifecycle.moveTo(world, "2026-05-30T09:00:00Z")
      const later = ["2026-05-10T00:00:00Z", "2026-05-20T00:00:00Z"] as const
      yield* step("suspend", later[0])
      yield* step("reactivate", later[1])
      const refused = yield* Effect.flip(step("suspend", "2026-04-10T00:00:00Z"))
      assert.deepInclude(refused, {
        _tag: "InvalidTransition",
        status: "POLICY_SUSPENDED",
        command: "suspend",
        effectiveAt: World.at(later[0])
      })
      const { changes } = yield* logOf(world, policyId)
      for (const kind of ["REACTIVATE", "SUSPEND"]) {
        const { id: changeId } = changes.find((change) => change.kind === kind)!
        yield* run(ContractsOf.use((steps) => steps.revert({ policyId, changeId })))
      }
      for (const [from, to] of [["2026-04-10T00:00:00Z", "2026-04-20T00:00:00Z"], later] as const) {
        yield* step("suspend", from)
        yield* step("reactivate", to)
      }
      assert.isUndefined(yield* faultOf(world, policyId))
    })
  )

  it.effect("are in conflict where a branch reverts what the base branch has built on since", () =>
    Effect.gen(function* () {
      const { at, policyId, run, world } = yield* contradicting
      yield* run(Quotes.use((quotes) => quotes.quote(at, {})))
      yield* run(Sales.use((sales) => sales.confirm(at)))
      const refused = yield* run(Effect.flip(signing(at)))
      assert.strictEqual(refused._tag, "BranchConflict")
      assert.isUndefined(yield* faultOf(world, policyId))
      const unresolved = yield* run(
        Effect.flip(Branches.use((branches) => branches.rebase(at.branchId, { resolutions: [] })))
      )
      assert.strictEqual(unresolved._tag, "BranchConflict")
    })
  )

  for (const take of ["ours", "theirs"] as const) {
    it.effect(`go on from what is decided, here \`${take}\``, () =>
      Effect.gen(function* () {
        const { at, policyId, run, world } = yield* contradicting
        const conflict = { path: "/contract", from: World.at("2026-04-12T09:00:00Z"), take }
        yield* run(
          Branches.use((branches) => branches.rebase(at.branchId, { resolutions: [conflict] }))
        )
        yield* PolicyLifecycle.endorse(world, at)
        assert.isUndefined(yield* faultOf(world, policyId))
        const whenAt = World.at("2026-04-11T09:00:00Z")
        const { status } = yield* run(
          Policies.use((policies) => policies.get({ policyId, whenAt }))
        )
        assert.strictEqual(status, take === "ours" ? "POLICY_STARTED" : "POLICY_SUSPENDED")
        yield* run(ContractsOf.use((steps) => steps.suspend({ policyId }, { reason: "OTHER" })))
      })
    )
  }

  it.effect("are allowed by its table in every history that commands have made", () =>
    Effect.gen(function* () {
      for (let seed = 1; seed <= 6; seed++) {
        const draw = drawing(seed)
        const world = yield* World.make()
        const { customerId, policyId } = yield* PolicyLifecycle.signed(world)
        for (let index = 0; index < 40; index++) {
          const { now } = yield* PolicyLifecycle.now(world)
          yield* step({ world, policyId, customerId, now, draw })
        }
        assert.isUndefined(yield* faultOf(world, policyId), `seed ${seed}`)
      }
    })
  )
})
