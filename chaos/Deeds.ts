/**
 * What people do to policies while workers die: money, endorsements, stops, sales.
 * Each is asked for with an idempotency key, as a client does it that got no answer: again and again until there is one.
 */
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { Invitations } from "@quittance/operations/access/Invitations"
import { Branches } from "@quittance/operations/branches/Branches"
import { PolicyLifecycle } from "@quittance/operations/lifecycle/PolicyLifecycle"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { Policies } from "@quittance/operations/policies/Policies"
import { Quotes } from "@quittance/operations/quotes/Quotes"
import { Sales } from "@quittance/operations/lifecycle/PolicySale"
import { Effect, Result } from "effect"
import { hold, lift, moratorium } from "./HoldDeeds.ts"
import { charge, credit, writeOff, pay, payOut, returnPayment } from "./MoneyDeeds.ts"
import { day, later, type Occasion, run } from "./Occasion.ts"
import { assignment, sell, signatureOf } from "./Sale.ts"
import type * as World from "./World.ts"
import { BranchId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Endorses the policy, or who pays for it, from a day on that lies up to a month before or after now. */
const endorse = Effect.fnUntraced(function* (occasion: Occasion) {
  const { draw, now, sold } = occasion
  const { customers, policyId, product } = sold
  const field = product.productId === "motor-fr" ? "annualMileage" : undefined
  const effectiveAt = later(now, (draw.below(60) - 30) * day)
  const branch = yield* run(
    occasion,
    "open"
  )(Branches.use((branches) => branches.open({ policyId }, { branchType: "MTA", effectiveAt })))
  const on = { policyId, branchId: BranchId.make(branch.id) }
  if (field !== undefined) {
    const customFields = [{ key: field, value: 5000 + draw.below(40) * 1000 }]
    yield* run(
      occasion,
      "update"
    )(Policies.use((policies) => policies.update(on, { customFields })))
  }
  if (draw.percent(40)) {
    const billingAssignment = draw.percent(15) ? null : assignment(draw, product, customers)
    if (billingAssignment !== undefined) {
      yield* run(
        occasion,
        "assign"
      )(Policies.use((policies) => policies.update(on, { billingAssignment })))
    }
  }
  const tierId = draw.one(product.tiers).id
  yield* run(occasion, "quote")(Quotes.use((quotes) => quotes.quote(on, { tierId })))
  yield* run(occasion, "confirm")(Sales.use((sales) => sales.confirm(on)))
  yield* run(occasion, "sign")(Sales.use((sales) => sales.sign(on, signatureOf(product))))
})

/** The policy, at once or up to a month later. */
const soon = ({ draw, now, sold }: Occasion) => ({
  policyId: sold.policyId,
  ...(draw.percent(50) ? {} : { whenAt: later(now, draw.below(30) * day) })
})

/** What only the worker gives as a reason. */
const byItself = new Set(["NON_PAYMENT", "NOT_TAKEN_UP", "EXPIRED", "RENEWAL_REFUSED"])

/** A step of the contract itself. */
const contract =
  <A, E>(
    step: string,
    ask: (
      lifecycle: PolicyLifecycle["Service"],
      occasion: Occasion
    ) => Effect.Effect<A, E, CurrentCaller | CurrentRequest | CurrentTenant>
  ) =>
  (occasion: Occasion) =>
    run(occasion, step)(PolicyLifecycle.use((lifecycle) => ask(lifecycle, occasion)))

const stop = contract("stop", (lifecycle, occasion) => {
  const { draw, sold } = occasion
  const reasons = sold.product.stopReasons.filter(({ id }) => !byItself.has(id))
  return lifecycle.stop(soon(occasion), { reason: draw.one(reasons).id })
})

const withdraw = contract("withdraw", (lifecycle, { sold: { policyId } }) =>
  lifecycle.withdrawStop({ policyId })
)

const reinstate = contract("reinstate", (lifecycle, { draw, sold: { policyId } }) =>
  lifecycle.reinstate({ policyId }, { gap: draw.one(["COVERED", "NOT_COVERED"]) })
)

const suspend = contract("suspend", (lifecycle, occasion) =>
  lifecycle.suspend(soon(occasion), { reason: "STORED" })
)

const reactivate = contract("reactivate", (lifecycle, occasion) =>
  lifecycle.reactivate(soon(occasion))
)

/** Has a mail sent to a person. */
const invite = (occasion: Occasion) =>
  run(
    occasion,
    "invite"
  )(
    Invitations.use((invitations) =>
      invitations.create({
        email: `${occasion.name}@example.test`,
        permissions: [{ role: "BROKER", on: { kind: "TENANT" } }]
      })
    )
  )

type Asked = Effect.Effect<unknown, unknown, World.Services>

/** How often each is done, beside the others. */
const chances: ReadonlyArray<readonly [number, (occasion: Occasion) => Asked]> = [
  [560, pay],
  [60, returnPayment],
  [40, writeOff],
  [60, payOut],
  [30, charge],
  [30, credit],
  [30, hold],
  [20, lift],
  [5, moratorium],
  [160, endorse],
  [40, stop],
  [10, withdraw],
  [30, reinstate],
  [40, suspend],
  [30, reactivate],
  [20, invite],
  [50, ({ draw, name, now, sold }) => sell(sold.world, draw, now, name)]
]

const allChances = chances.reduce((sum, [weight]) => sum + weight, 0)

/** What is done to a policy, or beside it; what the product or its state refuses is left undone. */
export const deed = Effect.fn("Deeds.deed")(function* (occasion: Occasion) {
  let chance = occasion.draw.below(allChances)
  for (const [weight, ask] of chances) {
    chance -= weight
    if (chance < 0) return yield* Effect.map(Effect.result(ask(occasion)), Result.isSuccess)
  }
  return false
})
