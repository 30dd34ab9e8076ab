/** A small product, a policy of it, and the use cases that are asked in a life's order. */
import type { Instant } from "@quittance/domain/values/Instant"
import type { Asset } from "@quittance/domain/assets/Asset"
import type { Policy } from "@quittance/domain/policies/Policy"
import { Assets } from "@quittance/operations/assets/Assets"
import { Branches } from "@quittance/operations/branches/Branches"
import { PolicyLifecycle } from "@quittance/operations/lifecycle/PolicyLifecycle"
import { CustomerPolicies } from "@quittance/operations/customers/CustomerPolicies"
import { Customers } from "@quittance/operations/customers/Customers"
import { Policies } from "@quittance/operations/policies/Policies"
import { PolicyHistory } from "@quittance/operations/policies/PolicyHistory"
import { Quotes } from "@quittance/operations/quotes/Quotes"
import { Sales } from "@quittance/operations/lifecycle/PolicySale"
import { TestClock } from "@quittance/operations/worker/TestClock"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Effect, Layer } from "effect"
import { product } from "./Bicycle.ts"
import { instantOf } from "./Calendar.ts"
import type { Command, Day, Life } from "./Commands.ts"
import { isOfAsset } from "./Fleet.ts"
import * as Bicycles from "./Bicycles.ts"
import * as People from "./People.ts"
import * as World from "../World.ts"
import type { AssetId, BranchId, CustomerId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

export const layer = Layer.mergeAll(
  CustomerPolicies.layer,
  PolicyHistory.layer,
  TestClock.layer,
  TenantClockRepo.layer
).pipe(Layer.provideMerge(World.layer))

export interface Scene {
  readonly world: World.World
  readonly policyId: PolicyId
  /** The branches that were opened, in that order; the sale is the first. */
  readonly branches: Array<BranchId>
  /** Who may join it. */
  readonly people: ReadonlyArray<CustomerId>
  /** What is insured on it, by the number that it has here. */
  readonly assets: Map<number, AssetId>
}

let tenants = 0

/** A tenant with a policy that holds all that a sale needs. */
export const open = Effect.fn("Scene.open")(function* ({ starts }: Life) {
  const tenant = TenantId.make(`versions-${process.pid}-${++tenants}`)
  const world = yield* World.make(tenant, instantOf(0), [product])
  yield* TenantSql.use((sql) =>
    sql.transaction(TenantClockRepo.use((clock) => clock.set(instantOf(0))))
  ).pipe(Effect.provideService(CurrentTenant, tenant))
  const run = World.as(world)
  const { id: policyId } = yield* run(
    Policies.use((x) =>
      x.create({
        productId: product.productId,
        startedAt: instantOf(starts),
        customFields: [
          { key: "memo", value: "start" },
          { key: "level", value: 500_000 }
        ]
      })
    )
  )
  const { id: other } = yield* run(Policies.use((x) => x.create({ productId: product.productId })))
  const { customerId } = yield* run(
    Customers.use((x) => x.addToPolicy({ policyId }, { role: "POLICYHOLDER", name: "Ada" }))
  )
  yield* run(Customers.use((x) => x.confirm({ customerId })))
  const fields = [{ key: "value", value: first }]
  const { assetId } = yield* run(
    Assets.use((x) => x.addToPolicy({ policyId }, { customFields: fields }))
  )
  const { data } = yield* run(Branches.use((x) => x.listByPolicy({ policyId }, firstPage)))
  const people = yield* Effect.forEach(People.people, (who) =>
    Effect.map(
      run(
        Customers.use((x) => x.addToPolicy({ policyId: other }, { role: "PAYER", name: `P${who}` }))
      ),
      (added) => added.customerId
    )
  )
  const branches = data.map(({ id }) => id)
  const scene: Scene = { world, policyId, people, branches, assets: new Map([[0, assetId]]) }
  return scene
})

/** What the first asset is worth. */
export const first = 100_000

const firstPage = { page: 1, count: 100 }

const signature = {
  signer: { firstName: "Ada", lastName: "L", email: "ada@example.test" },
  consent: { textId: "TERMS", accepted: true }
} as const

const reason = { reason: "CUSTOMER_REQUEST" }

/** What is refused, or not: a branch that is not there is not asked for. */
export type Outcome = "done" | { readonly refused: string }

/** Where a command works, and when it takes effect. */
interface At {
  readonly policyId: PolicyId
  readonly branchId?: BranchId
  readonly whenAt?: Instant
}

/** Asks for a command; a revert by the identifier of a change that was looked up. */
export const perform = Effect.fn("Scene.perform")(function* (
  scene: Scene,
  command: Command,
  today: Day
) {
  const { branches, policyId, world } = scene
  const on = "on" in command && command.on > 0 ? { branchId: branches[command.on]! } : {}
  const isDated = "day" in command && command.day !== undefined && command.does !== "open"
  const whenAt = isDated ? { whenAt: instantOf(command.day) } : {}
  const at: At = { policyId, ...on, ...whenAt }
  const result = yield* Effect.result(
    World.as(world)(
      Effect.gen(function* () {
        if (command.does === "join" || command.does === "leave") {
          return yield* People.perform(at, scene.people, command)
        }
        if (isOfAsset(command)) return yield* Bicycles.perform(at, scene.assets, command)
        yield* offerStep(scene, command, at)
        yield* contractStep(scene, command, at, today)
      })
    )
  )
  const outcome: Outcome = result._tag === "Success" ? "done" : { refused: result.failure._tag }
  return outcome
})

/** Data, and what brings an offer further; nothing for any other command. */
const offerStep = Effect.fnUntraced(function* (
  { branches, policyId }: Scene,
  command: Command,
  at: At
) {
  switch (command.does) {
    case "data": {
      const { key, value } = command
      yield* Policies.use((x) => x.update(at, { customFields: [{ key, value: value ?? null }] }))
      return
    }
    case "open": {
      const opening = { branchType: "MTA", effectiveAt: instantOf(command.day) } as const
      branches.push((yield* Branches.use((x) => x.open({ policyId }, opening))).id)
      return
    }
    case "fork":
      branches.push(
        (yield* Branches.use((x) => x.fork(branches[command.on]!, { name: "variant" }))).id
      )
      return
    case "invalidate":
      yield* Branches.use((x) => x.invalidate(branches[command.on]!, { reason: "BROKER_REQUEST" }))
      return
    case "rebase":
      yield* Branches.use((x) => x.rebase(branches[command.on]!, { resolutions: [] }))
      return
    case "quote":
      yield* Quotes.use((x) => x.quote(at, {}))
      return
    case "confirm":
      yield* Sales.use((x) => x.confirm(at))
      return
    case "reopen":
      yield* Sales.use((x) => x.reopen(at))
      return
    case "sign":
      yield* Sales.use((x) => x.sign(at, signature))
      return
    default:
  }
})

/** What happens to a contract, and time that passes; nothing for any other command. */
const contractStep = Effect.fnUntraced(function* (
  scene: Scene,
  command: Command,
  at: At,
  today: Day
) {
  switch (command.does) {
    case "suspend":
      yield* PolicyLifecycle.use((x) => x.suspend(at, reason))
      return
    case "reactivate":
      yield* PolicyLifecycle.use((x) => x.reactivate(at))
      return
    case "stop":
      yield* PolicyLifecycle.use((x) => x.stop(at, reason))
      return
    case "withdraw":
      yield* PolicyLifecycle.use((x) => x.withdrawStop(at))
      return
    case "reinstate":
      yield* PolicyLifecycle.use((x) => x.reinstate(at, { gap: command.gap }))
      return
    case "revert": {
      const changeId = (yield* changesOn(at, scene))[command.change]
      if (changeId === undefined) return yield* Effect.fail({ _tag: "ChangeNotFound" } as const)
      yield* PolicyLifecycle.use((x) => x.revert({ ...at, changeId }))
      return
    }
    case "wait":
      yield* TestClock.use((x) => x.move({ now: instantOf(today + command.days) }))
      return
    default:
  }
})

/** The changes of data that a branch has recorded itself, in their order. */
const changesOn = Effect.fnUntraced(function* (
  at: { readonly policyId: PolicyId; readonly branchId?: BranchId },
  scene: Scene
) {
  const { data } = yield* Branches.use((x) => x.listByPolicy({ policyId: at.policyId }, firstPage))
  const base = data.find(({ branchType }) => branchType === "BASE")
  const branchId = at.branchId ?? base?.id ?? data[0]!.id
  const all = yield* PolicyHistory.use((x) =>
    x.changes({ policyId: at.policyId, branchId }, firstPage)
  )
  return all.data
    .filter(
      (change) =>
        change.branchId === branchId && change.kind === "UPDATE" && isOfData(change, scene)
    )
    .map(({ id }) => id)
    .reverse()
})

const isOfData = (
  { patch }: { readonly patch: ReadonlyArray<{ readonly path: string }> },
  { assets, people }: Scene
) =>
  patch.some(
    ({ path }) =>
      path.startsWith("/customFields/") ||
      path === "/selection" ||
      people.some((customerId) => path.startsWith(`/customers/${customerId}`)) ||
      [...assets.values()].some((assetId) => path.startsWith(`/assets/${assetId}`))
  )

/** What is read of a policy: itself, and the list of its assets. */
export interface Read {
  readonly policy: Policy
  readonly assets: ReadonlyArray<Asset>
}

/** A read of a policy, or why there is none. */
export const read = Effect.fn("Scene.read")(function* (
  { branches, policyId, world }: Scene,
  asked: { readonly place: number; readonly whenAt?: Day; readonly knownAt?: Day }
) {
  const { knownAt, place, whenAt } = asked
  const view = {
    policyId,
    ...(place === 0 ? {} : { branchId: branches[place]! }),
    ...(whenAt === undefined ? {} : { whenAt: instantOf(whenAt) }),
    ...(knownAt === undefined ? {} : { knownAt: instantOf(knownAt) })
  }
  const both = Effect.gen(function* () {
    const policy = yield* Policies.use((x) => x.get(view))
    const { data } = yield* Assets.use((x) => x.listByPolicy(view, firstPage))
    return { policy, assets: data } satisfies Read
  })
  const result = yield* Effect.result(World.as(world)(both))
  return result._tag === "Success" ? result.success : result.failure._tag
})
