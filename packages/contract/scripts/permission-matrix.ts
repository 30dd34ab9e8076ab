// Writes docs/permission-matrix.md from the contract:
// node --conditions=@quittance/source packages/contract/scripts/permission-matrix.ts
import { writeFileSync } from "node:fs"
import { EdgeApi } from "../src/api/EdgeApi.ts"
import { openRoutesOf, routesOf } from "../src/api/PermissionMatrix.ts"
import { page } from "../src/api/PermissionMatrixPage.ts"
import { PublicApi } from "../src/api/PublicApi.ts"

writeFileSync(
  new URL("../../../docs/permission-matrix.md", import.meta.url),
  page(routesOf(PublicApi), openRoutesOf(EdgeApi))
)
