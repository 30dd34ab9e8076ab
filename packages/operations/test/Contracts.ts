/** Signed policies for tests of billing, made through the use cases that make real ones. */
import type { CustomerId } from "@quittance/domain/Customer"
import type { Caller } from "@quittance/domain/Caller"
import type { BranchId } from "@quittance/domain/Branch"
import type { Instant } from "@quittance/domain/Instant"
import type { PolicyId } from "@quittance/domain/Policy"
import type { Product } from "@quittance/domain/Product"
import { DocumentsRepo } from "@quittance/persistence/DocumentsRepo"
import { DueRepo } from "@quittance/persistence/DueRepo"
import { EntriesRepo } from "@quittance/persistence/EntriesRepo"
import { ReceivablesRepo } from "@quittance/persistence/ReceivablesRepo"
import { Effect, Layer } from "effect"
import { AccountingSummary } from "../src/AccountingSummary.ts"
import { Assets } from "../src/Assets.ts"
import { Billing } from "../src/Billing.ts"
import { Branches } from "../src/Branches.ts"
import { Contracts as ContractsOf } from "../src/Contracts.ts"
import { Customers } from "../src/Customers.ts"
import { DueSteps } from "../src/DueSteps.ts"
import { Payments } from "../src/Payments.ts"
import { Policies } from "../src/Policies.ts"
import { Sales } from "../src/Sales.ts"
import type { CreatePolicy } from "../src/PolicyCreation.ts"
import { Quotes } from "../src/Quotes.ts"
import { TestClock } from "../src/TestClock.ts"
import * as World from "./World.ts"

/** The use cases of sold policies and their billing. */
export const layerUseCases = Layer.mergeAll(
  AccountingSummary.layer,
  Assets.layer,
  Billing.layer,
  Customers.layer,
  DocumentsRepo.layer,
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
  World.as(world, world.manager)(TestClock.use((clock) => clock.move(World.at(instant))))

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
