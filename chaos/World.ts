/** Tenants whose time is the database's, with people who sell and collect: what workers serve. */
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { type Caller, CurrentCaller, type UserId } from "@quittance/domain/requests/Caller"
import type { Instant } from "@quittance/domain/values/Instant"
import type { Product } from "@quittance/domain/products/Product"
import { Assets } from "@quittance/operations/assets/Assets"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { Billing } from "@quittance/operations/billing/Billing"
import { Branches } from "@quittance/operations/branches/Branches"
import { ManualCharges } from "@quittance/operations/billing/ManualCharges"
import { PolicyLifecycle } from "@quittance/operations/lifecycle/PolicyLifecycle"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { Customers } from "@quittance/operations/customers/Customers"
import { Dunning } from "@quittance/operations/dunning/Dunning"
import { Invitations } from "@quittance/operations/access/Invitations"
import { Moratoriums } from "@quittance/operations/dunning/Moratoriums"
import { PaymentReturns } from "@quittance/operations/payments/PaymentReturns"
import { Payments } from "@quittance/operations/payments/Payments"
import { Policies } from "@quittance/operations/policies/Policies"
import { Quotes } from "@quittance/operations/quotes/Quotes"
import { InvoiceAdjustments } from "@quittance/operations/billing/InvoiceAdjustments"
import { Reconciliation } from "@quittance/operations/reconciliation/Reconciliation"
import { Refunds } from "@quittance/operations/payments/Refunds"
import { Sales } from "@quittance/operations/lifecycle/PolicySale"
import { DunningRepo } from "@quittance/persistence/dunning/DunningRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { RateLimitStore } from "@quittance/persistence/requests/RateLimitStore"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect, Layer, Redacted } from "effect"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import * as Wiring from "@quittance/operations/Wiring"

export const keyEncryptionKey = Buffer.alloc(32, 7)

/** The use cases of a world, on whatever connection they are given. */
export const layer = Layer.mergeAll(
  Assets.layer,
  Billing.layer,
  Branches.layer,
  ManualCharges.layer,
  PolicyLifecycle.layer,
  Customers.layer,
  Dunning.layer,
  Invitations.layer,
  DunningRepo.layer,
  Moratoriums.layer,
  GrantsRepo.layer,
  PaymentReturns.layer,
  Payments.layer,
  Policies.layer,
  Quotes.layer,
  InvoiceAdjustments.layer,
  Reconciliation.layer,
  Refunds.layer,
  Sales.layer,
  TenantsRepo.layer,
  UsersRepo.layer
).pipe(
  Layer.provideMerge(Wiring.layer),
  Layer.provideMerge(ProductsRepo.layer),
  Layer.provide([KeyEncryption.layerOf(keyEncryptionKey), OutgoingCalls.layer]),
  Layer.provideMerge([Ids.layer, RateLimitStore.layerPostgres]),
  Layer.provideMerge(TenantSql.layer)
)

export type Services = Layer.Success<typeof layer>

/** What a formal notice costs who gets it, in minor units; nothing by the products that are shipped. */
const noticeCosts: Readonly<Record<string, number>> = {
  "motor-fr": 950,
  "liability-fr": 1200,
  "bicycle-be": 1500
}

export const productOf = (name: string): Product => {
  const product = shippedProduct(`${name}`)
  const feesRebilled = noticeCosts[name] ?? product.dunning.feesRebilled
  return { ...product, dunning: { ...product.dunning, feesRebilled } }
}

export interface World {
  readonly tenant: TenantId
  readonly manager: Caller
  readonly products: ReadonlyArray<Product>
}

/** A tenant that sells the products from an instant on, and whose formal notices go out at once. */
export const make = Effect.fnUntraced(function* (
  tenant: TenantId,
  now: Instant,
  products: ReadonlyArray<Product>
) {
  const id = (yield* Ids).next("user")
  const ready = Effect.gen(function* () {
    yield* TenantsRepo.use((tenants) => tenants.insert(sandboxTenant(tenant)))
    for (const product of products) {
      yield* ProductsRepo.use((repo) => repo.publish(product, now))
    }
    const user = { id, email: "manager@example.test", firstName: "Claire", lastName: "Martin" }
    yield* UsersRepo.use((users) => users.insert(user, Redacted.make("$argon2id$none")))
    yield* GrantsRepo.use((grants) =>
      grants.give(id, { role: "TENANT_MANAGER", on: { kind: "TENANT" } })
    )
    yield* DunningRepo.use((dunning) => dunning.setDispatch("SIMULATED_POST"))
  })
  yield* TenantSql.use((sql) => sql.transaction(ready)).pipe(
    Effect.provideService(CurrentTenant, tenant)
  )
  const world: World = { tenant, manager: { _tag: "User", userId: id as UserId }, products }
  return world
})

/** Does something in the manager's name; with a key it may be repeated until it is answered. */
export const as =
  ({ manager, tenant }: World, key?: string) =>
  <A, E, R>(useCase: Effect.Effect<A, E, R>) =>
    useCase.pipe(
      Effect.provideService(CurrentRequest, {
        id: "chaos",
        dryRun: false,
        address: "127.0.0.1",
        userAgent: "chaos",
        answer: { replayed: false },
        ...(key === undefined ? {} : { idempotency: { key, fingerprint: key } })
      }),
      Effect.provideService(CurrentCaller, manager),
      Effect.provideService(CurrentTenant, tenant)
    )
