/** Lives of policies drawn at random, in which anything that is done to them is tried at any time. */
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import { Effect } from "effect"
import { Assets } from "../src/assets/Assets.ts"
import { Billing } from "../src/billing/Billing.ts"
import { Branches } from "../src/branches/Branches.ts"
import { PolicyLifecycle as ContractsOf } from "../src/lifecycle/PolicyLifecycle.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { Customers } from "../src/customers/Customers.ts"
import { Payments } from "../src/payments/Payments.ts"
import { Policies } from "../src/policies/Policies.ts"
import { PolicyHistory } from "../src/policies/PolicyHistory.ts"
import { Quotes } from "../src/quotes/Quotes.ts"
import { Sales } from "../src/lifecycle/PolicySale.ts"
import { TestClock } from "../src/worker/TestClock.ts"
import * as World from "./World.ts"
import {
  type BranchId,
  type CustomerId,
  InvoiceId,
  type PolicyId
} from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** The same draws at each run: a failure can be looked at again (mulberry32). */
export const drawing = (seed: number) => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number) => Math.floor(next() * count)
  return { below, one: <A>(items: ReadonlyArray<A>): A => items[below(items.length)]! }
}
export type Draw = ReturnType<typeof drawing>

const hour = 3_600_000
const day = 24 * hour

export const later = (instant: Instant, millis: number): Instant =>
  fromEpochMillis(toEpochMillis(instant) + millis)

/** An instant around another: a moment, an hour, days or terms before or after. */
export const near = (draw: Draw, instant: Instant): Instant =>
  later(instant, draw.one([-1, 1]) * draw.one([0, 1, hour, 3 * day, 40 * day, 400 * day]))

/** Where a life has got to, and who lives it. */
interface Life {
  readonly world: World.World
  readonly policyId: PolicyId
  /** An endorsement that is worked on, if any. */
  readonly branchId: BranchId | undefined
  readonly customerId: CustomerId
  readonly now: Instant
  readonly draw: Draw
}

const firstPage = { count: 100, page: 1 }

const endorsement = Effect.fnUntraced(function* (policyId: PolicyId) {
  const branches = yield* Branches
  const { data } = yield* branches.listByPolicy({ policyId }, firstPage)
  return data.find(({ branchType, status }) => branchType === "MTA" && status === "OPEN")?.id
})

const signature = {
  signer: { firstName: "Camille", lastName: "Martin", email: "camille@example.test" },
  consent: { textId: "SUBSCRIPTION_TERMS", accepted: true }
} as const

type Services =
  | Assets
  | Billing
  | Branches
  | ContractsOf
  | CurrentCaller
  | CurrentRequest
  | CurrentTenant
  | Customers
  | Payments
  | Policies
  | PolicyHistory
  | Quotes
  | Sales
  | TestClock

type Attempt = (life: Life) => Effect.Effect<unknown, unknown, Services>

/** Data, by default at once and on the branch that the policy is read on. */
const data: ReadonlyArray<Attempt> = [
  (life) => Policies.use((policies) => policies.update(at(life), { name: textOf(life) })),
  (life) => Policies.use((policies) => policies.update(at(life), { externalId: textOf(life) })),
  (life) => Policies.use((policies) => policies.update(at(life), { startedAt: instantOf(life) })),
  (life) => Customers.use((customers) => customers.addToPolicy(at(life), { role: "DRIVER" })),
  (life) =>
    Customers.use((customers) =>
      customers.update({ customerId: life.customerId, whenAt: at(life).whenAt }, { role: "PAYER" })
    ),
  ({ customerId, draw }) =>
    Customers.use((customers) => customers.update({ customerId }, { name: `N ${draw.below(9)}` })),
  (life) =>
    Assets.use((assets) => assets.addToPolicy(at(life), { name: textOf(life), customFields: [] })),
  (life) =>
    Effect.gen(function* () {
      const assets = yield* Assets
      const { branchId, policyId } = life
      const { data } = yield* assets.listByPolicy({ policyId, branchId }, firstPage)
      if (data.length === 0) return
      const { id: assetId } = life.draw.one(data)
      const { whenAt } = at(life)
      yield* life.draw.one([
        assets.update({ assetId, branchId, whenAt }, { name: textOf(life) }),
        assets.stop({ assetId, branchId, whenAt })
      ])
    })
]

/** A sale, or an endorsement, goes a step further. */
const sale: ReadonlyArray<Attempt> = [
  (life) => Quotes.use((quotes) => quotes.quote(at(life), {})),
  ({ customerId }) => Customers.use((customers) => customers.confirm({ customerId })),
  (life) => Sales.use((sales) => sales.confirm(at(life))),
  (life) => Sales.use((sales) => sales.reopen(at(life))),
  (life) => Sales.use((sales) => sales.sign({ ...at(life), whenAt: undefined }, signature)),
  ({ branchId, draw }) =>
    Effect.gen(function* () {
      if (branchId === undefined) return
      const branches = yield* Branches
      const take = draw.one(["ours", "theirs"] as const)
      const rebased = yield* Effect.result(branches.rebase(branchId, { resolutions: [] }))
      const isConflict = rebased._tag === "Failure" && rebased.failure._tag === "BranchConflict"
      if (!isConflict) return
      const { conflicts } = rebased.failure
      yield* branches.rebase(branchId, {
        resolutions: conflicts.map(({ from, path }) => ({ from, path, take }))
      })
    }),
  (life) =>
    Branches.use((branches) =>
      branches.open(
        { policyId: life.policyId },
        { branchType: "MTA", effectiveAt: instantOf(life) }
      )
    )
]

/** Other branches are forked, rebased on the base branch and invalidated. */
const branching: ReadonlyArray<Attempt> = [
  ({ branchId, draw, policyId }) =>
    Effect.gen(function* () {
      const branches = yield* Branches
      const { data } = yield* branches.listByPolicy({ policyId }, firstPage)
      const id = branchId ?? draw.one(data).id
      const take = draw.one(["ours", "theirs"] as const)
      yield* draw.one([
        branches.fork(id, { name: "variant" }),
        branches.rebase(id, { resolutions: [] }),
        Effect.catchTag(
          branches.rebase(id, { resolutions: [] }),
          "BranchConflict",
          ({ conflicts }) =>
            branches.rebase(id, {
              resolutions: conflicts.map(({ from, path }) => ({ path, from, take }))
            })
        ),
        branches.invalidate(id, { reason: "BROKER_REQUEST" })
      ])
    }),
  (life) => Branches.use((branches) => branches.open(life, { branchType: "MTA" })),
  (life) =>
    Policies.use((policies) => policies.update({ policyId: life.policyId }, { name: textOf(life) }))
]

const contract: ReadonlyArray<Attempt> = [
  (life) => ContractsOf.use((lifecycle) => lifecycle.suspend(at(life), reason)),
  (life) => ContractsOf.use((lifecycle) => lifecycle.reactivate(at(life))),
  (life) => ContractsOf.use((lifecycle) => lifecycle.stop(at(life), reason)),
  (life) => ContractsOf.use((lifecycle) => lifecycle.withdrawStop(at(life))),
  (life) => ContractsOf.use((lifecycle) => lifecycle.reinstate(at(life), { gap: "COVERED" })),
  ({ branchId, draw, policyId }) =>
    Effect.gen(function* () {
      const { data } = yield* PolicyHistory.use((history) =>
        history.changes({ policyId }, firstPage)
      )
      const changeId = draw.one(data).id
      yield* ContractsOf.use((lifecycle) => lifecycle.revert({ policyId, branchId, changeId }))
    }),
  ({ policyId }) =>
    Effect.gen(function* () {
      const { data } = yield* Billing.use((billing) => billing.invoices(policyId, firstPage))
      const unpaid = data.find(({ amountDue, type }) => type === "INVOICE" && amountDue > 0)
      if (unpaid === undefined) return
      const payment = { amount: unpaid.amountDue, method: "BANK_TRANSFER", reference: "r" } as const
      yield* Payments.use((payments) => payments.record(InvoiceId.make(unpaid.id), payment))
    })
]

const reason = { reason: "CUSTOMER_REQUEST" }

const time: ReadonlyArray<Attempt> = [
  ({ draw, now }) =>
    TestClock.use((clock) =>
      clock.move({ now: later(now, draw.one([1, hour, 9 * hour, 20 * day, 100 * day, 400 * day])) })
    )
]

const textOf = ({ draw }: Life) => `text ${draw.below(1000)}`
const instantOf = ({ draw, now }: Life) => near(draw, now)

const at = ({ branchId, draw, now, policyId }: Life) => ({
  policyId,
  branchId,
  whenAt: draw.below(3) === 0 ? near(draw, now) : undefined
})

/** Tries one thing; what is refused changes nothing, and is as good as any other. */
export const step = Effect.fnUntraced(function* (life: Omit<Life, "branchId">) {
  const { draw, world } = life
  const as = World.as(world, world.manager)
  const branchId = draw.below(2) === 0 ? undefined : yield* as(endorsement(life.policyId))
  const attempt = draw.one(draw.one([data, sale, sale, branching, contract, time]))
  return yield* as(Effect.result(attempt({ ...life, branchId })))
})
