import { dryRun, type Fixtures } from "../MatrixFixture.ts"
import { fleet } from "../Sales.ts"

export const fixtures: Fixtures = {
  "assets.addToPolicy": { ...dryRun, body: { customFields: [] } },
  "assets.importCsv": {
    ...dryRun,
    body: fleet,
    headers: { "content-type": "text/csv" }
  },
  "assets.remove": dryRun,
  "assets.stop": { ...dryRun, body: {} },
  "assets.update": { ...dryRun, body: { name: "x" } }
}
