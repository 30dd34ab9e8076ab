// Writes openapi.json, the published document, from the contract:
// node --conditions=@quittance/source packages/contract/scripts/openapi.ts
import { writeFileSync } from "node:fs"
import { openApi } from "../src/api/OpenApiDocument.ts"

writeFileSync(
  new URL("../openapi.json", import.meta.url),
  `${JSON.stringify(openApi(), undefined, 2)}\n`
)
