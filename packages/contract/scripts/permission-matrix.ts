// Writes docs/permission-matrix.md from the contract:
// node --conditions=@quittance/source packages/contract/scripts/permission-matrix.ts
import { writeFileSync } from "node:fs"
import { EdgeApi } from "../src/EdgeApi.ts"
import { openRoutesOf, routesOf } from "../src/PermissionMatrix.ts"
import { page } from "../src/PermissionMatrixPage.ts"
import { PublicApi } from "../src/PublicApi.ts"

writeFileSync(
  new URL("../../../docs/permission-matrix.md", import.meta.url),
  page(routesOf(PublicApi), openRoutesOf(EdgeApi))
)
