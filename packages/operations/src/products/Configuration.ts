/** The public configuration of a tenant and of its products. */
import { ProductNotFound } from "@quittance/domain/products/Product"
import { type ProductConfig, publicConfig } from "@quittance/domain/products/ProductConfig"
import { TenantNotFound } from "@quittance/domain/tenants/Tenant"
import type { TenantConfig } from "@quittance/domain/tenants/TenantConfig"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Effect, Layer } from "effect"
import { sha256 } from "../values/Sha256.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class Configuration extends Context.Service<
  Configuration,
  {
    tenant: Effect.Effect<TenantConfig, TenantNotFound, CurrentTenant>
    product(
      productId: string
    ): Effect.Effect<ProductConfig, ProductNotFound | TenantNotFound, CurrentTenant>
  }
>()("@quittance/operations/Configuration") {
  static readonly layer = Layer.effect(
    Configuration,
    Effect.gen(function* () {
      const products = yield* ProductsRepo
      const tenants = yield* TenantsRepo

      const current = Effect.gen(function* () {
        const found = yield* tenants.enabled(yield* CurrentTenant)
        return found === undefined ? yield* new TenantNotFound({}) : found
      })

      const tenant = Effect.gen(function* () {
        const { id, ...config } = yield* current
        const sold = yield* products.list
        return {
          tenant: id,
          ...config,
          products: sold.map(({ name, productId, version }) => ({ productId, name, version }))
        }
      }).pipe(Effect.withSpan("Configuration.tenant"))

      const product = Effect.fn("Configuration.product")(function* (productId: string) {
        yield* current
        const document = yield* products
          .current(productId)
          .pipe(Effect.catchTag("UnknownProduct", () => new ProductNotFound({ productId })))
        return publicConfig(document, sha256)
      })

      return Configuration.of({ tenant, product })
    })
  ).pipe(Layer.provide(TenantsRepo.layer))
}
