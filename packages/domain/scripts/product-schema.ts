// Writes product.schema.json, the published schema of product documents:
// node --conditions=@quittance/source packages/domain/scripts/product-schema.ts
import { writeFileSync } from "node:fs"
import { productSchema } from "../src/products/ProductSchema.ts"

writeFileSync(
  new URL("../product.schema.json", import.meta.url),
  `${JSON.stringify(productSchema(), undefined, 2)}\n`
)
