// Writes price-exchange.schema.json, the published schema of requests to quote providers and answers:
// node --conditions=@quittance/source packages/domain/scripts/price-exchange-schema.ts
import { writeFileSync } from "node:fs"
import { priceExchangeSchema } from "../src/products/PriceExchange.ts"

writeFileSync(
  new URL("../price-exchange.schema.json", import.meta.url),
  `${JSON.stringify(priceExchangeSchema(), undefined, 2)}\n`
)
