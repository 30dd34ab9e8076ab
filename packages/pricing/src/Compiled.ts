import { InvalidProduct, type Product } from "@quittance/domain/products/Product"
import { faults } from "./Publishable.ts"

/**
 * Compiles each product version once. The result is kept as long as the product object itself, so the cache
 * of versions decides how many there are.
 *
 * @throws InvalidProduct for a document that publishing would have refused
 */
export const compiledOnce = <A>(make: (product: Product) => A): ((product: Product) => A) => {
  const compiled = new WeakMap<Product, A>()
  return (product) => {
    const present = compiled.get(product)
    if (present !== undefined) return present
    const found = faults(product)
    if (found.length > 0) throw new InvalidProduct({ faults: found })
    const made = make(product)
    compiled.set(product, made)
    return made
  }
}
