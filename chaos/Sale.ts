/** Policies of many kinds, sold through the use cases that sell real ones. */
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import type { InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import type { Payment } from "@quittance/domain/payments/Payment"
import type { BillingAssignment } from "@quittance/domain/policies/Policy"
import type { Product } from "@quittance/domain/products/Product"
import { Assets } from "@quittance/operations/assets/Assets"
import { Customers } from "@quittance/operations/customers/Customers"
import { Policies } from "@quittance/operations/policies/Policies"
import { Quotes } from "@quittance/operations/quotes/Quotes"
import { Sales } from "@quittance/operations/lifecycle/PolicySale"
import { fieldExamples } from "@quittance/testing/ShippedProducts"
import { Effect } from "effect"
import type { Draw } from "./Draw.ts"
import { answered } from "./Answered.ts"
import * as World from "./World.ts"
import type { CustomerId, HoldId, PolicyId } from "@quittance/domain/values/Ids"

const hour = 3_600_000

/** One of the ways in which a product may be invoiced. */
const invoicingOf = (draw: Draw, { invoicing }: Product): InvoicingConfig => {
  const firstPayment = draw.one(invoicing.firstPayments)
  return {
    frequency: draw.one(invoicing.frequencies),
    timing: draw.one(invoicing.timings),
    firstPayment,
    ...(firstPayment.startsWith("EARLY")
      ? { earlyPayment: { amount: 20 + draw.below(60), unit: "DAY" } as const }
      : {})
  }
}

/** Who pays for what of a product that lets several pay; now and then one for everything. */
export const assignment = (
  draw: Draw,
  { billingAssignmentConfigs: [config], fees, perils, specials, taxes }: Product,
  customers: ReadonlyArray<CustomerId>
): BillingAssignment | undefined => {
  if (config === undefined || customers.length < 2) return undefined
  const components = [...perils, ...specials, ...fees, ...taxes]
  const share = draw.one([0, 20, 50])
  return {
    configId: config.id,
    defaultPayerId: draw.one(customers),
    componentOverrides: components
      .filter(() => draw.percent(share))
      .map(({ id }) => ({ componentId: id, payerCustomerId: draw.one(customers) }))
  }
}

const signer = { firstName: "Camille", lastName: "Martin", email: "camille@example.test" }

export const signatureOf = ({ consents }: Product) => {
  const textId = consents.find(({ requiredFor }) => requiredFor === "SIGN")?.textId ?? "NONE"
  return { signer, consent: { textId, accepted: true } as const }
}

export interface Sold {
  readonly world: World.World
  readonly product: Product
  readonly policyId: PolicyId
  /** Each may have to pay for something. */
  readonly customers: ReadonlyArray<CustomerId>
  /** What was paid by now, and the bank has not returned. */
  readonly payments: Array<Pick<Payment, "id" | "paidAt">>
  readonly holds: Array<HoldId>
}

/** Sells a policy that begins within forty days of an instant, at any hour; `name` is that of the sale. */
export const sell = Effect.fnUntraced(function* (
  world: World.World,
  draw: Draw,
  now: Instant,
  name: string
) {
  let step = 0
  const run = <A, E, R>(useCase: Effect.Effect<A, E, R>) =>
    answered(World.as(world, `${name}-${++step}`)(useCase))
  const product = draw.one(world.products)
  const startedAt = fromEpochMillis(
    Math.ceil(toEpochMillis(now) / hour) * hour + draw.below(40 * 24) * hour
  )
  const { id: policyId } = yield* run(
    Policies.use((policies) =>
      policies.create({
        productId: product.productId,
        startedAt,
        invoicingConfig: invoicingOf(draw, product),
        customFields: fieldExamples(product.fields.policy)
      })
    )
  )
  const holders = draw.percent(product.billingAssignmentConfigs.length > 0 ? 50 : 25)
    ? (["POLICYHOLDER", "PAYER"] as const)
    : (["POLICYHOLDER"] as const)
  const customers: Array<CustomerId> = []
  for (const role of holders) {
    const { customerId } = yield* run(
      Customers.use((all) =>
        all.addToPolicy(
          { policyId },
          {
            role,
            name: `${role} ${draw.below(1000)}`,
            customFields: fieldExamples(product.fields.customer, role)
          }
        )
      )
    )
    customers.push(customerId)
  }
  for (let asset = 0; asset < product.assets.min; asset++) {
    yield* run(
      Assets.use((assets) =>
        assets.addToPolicy({ policyId }, { customFields: fieldExamples(product.fields.asset) })
      )
    )
  }
  const billingAssignment = draw.percent(40) ? assignment(draw, product, customers) : undefined
  if (billingAssignment !== undefined) {
    yield* run(Policies.use((policies) => policies.update({ policyId }, { billingAssignment })))
  }
  yield* run(Quotes.use((quotes) => quotes.quote({ policyId }, {})))
  for (const customerId of customers) {
    yield* run(Customers.use((all) => all.confirm({ customerId })))
  }
  yield* run(Sales.use((sales) => sales.confirm({ policyId })))
  yield* run(Sales.use((sales) => sales.sign({ policyId }, signatureOf(product))))
  const sold: Sold = {
    world,
    product,
    policyId,
    customers,
    payments: [],
    holds: []
  }
  return sold
})
