/** Signed policies for tests of billing, made through the use cases that make real ones. */
import type { CreatePolicy } from "@quittance/domain/policies/PolicyRequests"
import type { Caller } from "@quittance/domain/requests/Caller"
import type { Instant } from "@quittance/domain/values/Instant"
import type { Product } from "@quittance/domain/products/Product"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { DueRepo } from "@quittance/persistence/policies/DueRepo"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { ReceivablesRepo } from "@quittance/persistence/accounting/ReceivablesRepo"
import { Effect, Layer } from "effect"
import { AccountingSummary } from "../src/accounting/AccountingSummary.ts"
import { Assets } from "../src/assets/Assets.ts"
import { Billing } from "../src/billing/Billing.ts"
import { Branches } from "../src/branches/Branches.ts"
import { PolicyLifecycle as ContractsOf } from "../src/lifecycle/PolicyLifecycle.ts"
import { Customers } from "../src/customers/Customers.ts"
import { DueSteps } from "../src/worker/DueSteps.ts"
import { Payments } from "../src/payments/Payments.ts"
import { Policies } from "../src/policies/Policies.ts"
import { Sales } from "../src/lifecycle/PolicySale.ts"
import { Quotes } from "../src/quotes/Quotes.ts"
import { TestClock } from "../src/worker/TestClock.ts"
import * as World from "./World.ts"
import type { BranchId, CustomerId, PolicyId } from "@quittance/domain/values/Ids"

/** The use cases of sold policies and their billing. */
export const layerUseCases = Layer.mergeAll(
  AccountingSummary.layer,
  Assets.layer,
  Billing.layer,
  Customers.layer,
  InvoicesRepo.layer,
  DueRepo.layer,
  DueSteps.layer,
  EntriesRepo.layer,
  Payments.layer,
  Policies.layer,
  Branches.layer,
  ContractsOf.layer,
  Sales.layer,
  Quotes.layer,
  ReceivablesRepo.layer,
  TestClock.layer
)

export const layer = Layer.provideMerge(layerUseCases, World.layer)

export interface Signing {
  readonly caller?: Caller
  readonly product?: Product
  readonly startedAt?: Instant
  readonly customer?: { readonly name?: string; readonly email?: string }
  readonly policy?: Omit<CreatePolicy, "productId">
}

export interface Contract {
  readonly policyId: PolicyId
  readonly customerId: CustomerId
  /** What the whole first term costs. */
  readonly premium: number
}

/** A policy on a product, filled with the product's examples, up to its confirmation. */
export const confirmed = Effect.fnUntraced(function* (
  world: World.World,
  { caller = world.manager, customer, policy, product = World.motor, startedAt }: Signing = {}
) {
  const policies = yield* Policies
  const customers = yield* Customers
  const assets = yield* Assets
  const quotes = yield* Quotes
  const run = World.as(world, caller)
  const { id: policyId } = yield* run(
    policies.create({
      productId: product.productId,
      startedAt: startedAt ?? World.at("2026-04-01T00:00:00+02:00"),
      customFields: World.examples(product.fields.policy),
      ...policy
    })
  )
  const { customerId } = yield* run(
    customers.addToPolicy(
      { policyId },
      {
        role: "POLICYHOLDER",
        name: "Camille Martin",
        customFields: World.examples(product.fields.customer, "POLICYHOLDER"),
        ...customer
      }
    )
  )
  for (let asset = 0; asset < product.assets.min; asset++) {
    yield* run(
      assets.addToPolicy({ policyId }, { customFields: World.examples(product.fields.asset) })
    )
  }
  const { quote } = yield* run(quotes.quote({ policyId }, {}))
  yield* run(customers.confirm({ customerId }))
  yield* run(Sales.use((sales) => sales.confirm({ policyId })))
  const contract: Contract = {
    policyId,
    customerId,
    premium: quote.totalPremium.amountWithFeesAndTaxes
  }
  return contract
})

export const sign = Effect.fnUntraced(function* (
  world: World.World,
  { policyId }: Contract,
  { caller = world.manager, product = World.motor }: Signing = {}
) {
  const textId = product.consents.find(({ requiredFor }) => requiredFor === "SIGN")?.textId
  const signer = { firstName: "Camille", lastName: "Martin", email: "camille@example.test" }
  return yield* World.as(
    world,
    caller
  )(
    Sales.use((sales) =>
      sales.sign({ policyId }, { signer, consent: { textId: textId ?? "NONE", accepted: true } })
    )
  )
})

export const signed = Effect.fnUntraced(function* (world: World.World, signing: Signing = {}) {
  const contract = yield* confirmed(world, signing)
  yield* sign(world, contract, signing)
  return contract
})

/** Quotes, confirms and signs what was changed on a branch. */
export const endorse = Effect.fnUntraced(function* (
  world: World.World,
  at: { readonly policyId: PolicyId; readonly branchId: BranchId }
) {
  const run = World.as(world, world.manager)
  yield* run(Quotes.use((quotes) => quotes.quote(at, {})))
  yield* run(Sales.use((sales) => sales.confirm(at)))
  const signer = { firstName: "Camille", lastName: "Martin", email: "camille@example.test" }
  const consent = { textId: "SUBSCRIPTION_TERMS", accepted: true } as const
  yield* run(Sales.use((sales) => sales.sign(at, { signer, consent })))
})

/** Moves the world's clock. */
export const moveTo = (world: World.World, instant: string) =>
  World.as(world, world.manager)(TestClock.use((clock) => clock.move({ now: World.at(instant) })))

/** What the world's clock says. */
export const now = (world: World.World) =>
  World.as(world, world.manager)(TestClock.use((clock) => clock.read))

/** Every invoice of a policy, the oldest first. */
export const invoices = (world: World.World, { policyId }: Pick<Contract, "policyId">) =>
  World.as(
    world,
    world.manager
  )(Billing.use((billing) => billing.invoices(policyId, { count: 100, page: 1 }))).pipe(
    Effect.map(({ data }) => [...data].reverse())
  )
