/**
 * What people do to policies while workers die: payments, returned debits, endorsements, stops, sales.
 * Each is asked for with an idempotency key, as a client does it that got no answer: again and again until there is one.
 */
import { BranchId } from "@quittance/domain/Branch"
import type { CurrentCaller } from "@quittance/domain/Caller"
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/Instant"
import { InvoiceId } from "@quittance/domain/Invoice"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { Billing } from "@quittance/operations/Billing"
import { Invitations } from "@quittance/operations/Invitations"
import { Branches } from "@quittance/operations/Branches"
import { Contracts } from "@quittance/operations/Contracts"
import type { CurrentRequest } from "@quittance/operations/CurrentRequest"
import { PaymentReturns } from "@quittance/operations/PaymentReturns"
import { Payments } from "@quittance/operations/Payments"
import { Policies } from "@quittance/operations/Policies"
import { Quotes } from "@quittance/operations/Quotes"
import { Sales } from "@quittance/operations/Sales"
import { Effect, Result } from "effect"
import { answered } from "./Answered.ts"
import type { Draw } from "./Draw.ts"
import { sell, signatureOf, type Sold } from "./Sale.ts"
import * as World from "./World.ts"

interface Occasion {
  readonly sold: Sold
  readonly draw: Draw
  readonly now: Instant
  /** Names the deed; each of its requests has a key that begins with it. */
  readonly name: string
}

const day = 86_400_000

const later = (instant: Instant, millis: number): Instant =>
  fromEpochMillis(toEpochMillis(instant) + millis)

const run =
  ({ name, sold: { world } }: Occasion, step: string) =>
  <A, E, R>(useCase: Effect.Effect<A, E, R>) =>
    answered(World.as(world, `${name}-${step}`)(useCase))

/** Pays the oldest unpaid invoice: whole, in part, or more than it asks for. */
const pay = Effect.fnUntraced(function* (occasion: Occasion) {
  const { draw, name, sold } = occasion
  const invoices = yield* run(
    occasion,
    "read"
  )(Billing.use((billing) => billing.invoices(sold.policyId, { count: 100, page: 1 })))
  const unpaid = invoices.data.findLast(
    ({ amountDue, type }) => type === "INVOICE" && amountDue > 0
  )
  if (unpaid === undefined) return
  const { amountDue } = unpaid
  const share = draw.below(10)
  const amount =
    share < 6 ? amountDue : share < 8 ? 1 + draw.below(amountDue) : amountDue + draw.below(20_000)
  const payment = { amount, method: "BANK_TRANSFER", reference: name } as const
  const { id } = yield* run(
    occasion,
    "pay"
  )(Payments.use((payments) => payments.record(InvoiceId.make(unpaid.id), payment)))
  sold.payments.push(id)
})

/** The bank takes one of the payments back. */
const takeBack = Effect.fnUntraced(function* (occasion: Occasion) {
  const { draw, sold } = occasion
  const [paymentId] = sold.payments.splice(draw.below(sold.payments.length || 1), 1)
  if (paymentId === undefined) return
  yield* run(
    occasion,
    "return"
  )(PaymentReturns.use((returns) => returns.record(paymentId, { reasonCode: "AC04" })))
})

/** Endorses the policy from a day on that lies up to a month before or after now. */
const endorse = Effect.fnUntraced(function* (occasion: Occasion) {
  const { draw, now, sold } = occasion
  const { policyId, product } = sold
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
      contracts: Contracts["Service"],
      occasion: Occasion
    ) => Effect.Effect<A, E, CurrentCaller | CurrentRequest | CurrentTenant>
  ) =>
  (occasion: Occasion) =>
    run(occasion, step)(Contracts.use((contracts) => ask(contracts, occasion)))

const stop = contract("stop", (contracts, occasion) => {
  const { draw, sold } = occasion
  const reasons = sold.product.stopReasons.filter(({ id }) => !byItself.has(id))
  return contracts.stop(soon(occasion), { reason: draw.one(reasons).id })
})

const withdraw = contract("withdraw", (contracts, { sold: { policyId } }) =>
  contracts.withdrawStop({ policyId })
)

const reinstate = contract("reinstate", (contracts, { draw, sold: { policyId } }) =>
  contracts.reinstate({ policyId }, draw.one(["COVERED", "NOT_COVERED"]))
)

const suspend = contract("suspend", (contracts, occasion) =>
  contracts.suspend(soon(occasion), { reason: "STORED" })
)

const reactivate = contract("reactivate", (contracts, occasion) =>
  contracts.reactivate(soon(occasion))
)

/** Has a letter written to somebody. */
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

/** Of a thousand. */
const chances: ReadonlyArray<readonly [number, (occasion: Occasion) => Asked]> = [
  [560, pay],
  [60, takeBack],
  [160, endorse],
  [40, stop],
  [10, withdraw],
  [30, reinstate],
  [40, suspend],
  [30, reactivate],
  [20, invite],
  [50, ({ draw, name, now, sold }) => sell(sold.world, draw, now, name)]
]

/** What is done to a policy, or beside it; what the product or its state refuses is left undone. */
export const deed = Effect.fn("Deeds.deed")(function* (occasion: Occasion) {
  let chance = occasion.draw.below(1000)
  for (const [weight, ask] of chances) {
    chance -= weight
    if (chance < 0) return yield* Effect.map(Effect.result(ask(occasion)), Result.isSuccess)
  }
  return false
})
