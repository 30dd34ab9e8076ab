/** The versions of its product that a policy is of. */
import type { Foldable } from "@quittance/domain/policies/Change"
import type { PolicyHead } from "@quittance/domain/policies/PolicyHead"
import type { ProductOf } from "@quittance/domain/policies/PricedMoments"
import type { Product } from "@quittance/domain/products/Product"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { Effect } from "effect"

/** Every version of its product that a policy has been moved to, by the state that names it. */
export const productsOf = Effect.fnUntraced(function* (
  products: ProductsRepo["Service"],
  head: PolicyHead,
  changes: ReadonlyArray<Foldable>
): Effect.fn.Return<ProductOf, never, CurrentTenant> {
  const moved = changes.flatMap(({ patch }) =>
    patch.flatMap((entry) =>
      entry.path === "/productVersion" && "value" in entry ? [String(entry.value)] : []
    )
  )
  const versions = new Map<string, Product>()
  for (const version of new Set([head.productVersion, ...moved])) {
    versions.set(version, yield* products.version(head.productId, version))
  }
  // Every version that a state can name was found in its changes.
  return ({ productVersion }) => versions.get(productVersion ?? head.productVersion)!
})
