import { dryRun, type Fixtures } from "../MatrixFixture.ts"
import { signature } from "../Sales.ts"

export const fixtures: Fixtures = {
  "policies.create": { ...dryRun, body: { productId: "motor-fr" } },
  "policies.update": { ...dryRun, body: { name: "x" } },
  "policies.calculateQuote": { body: {} },
  "policies.quote": { ...dryRun, body: {} },
  "policies.confirm": { ...dryRun, body: {} },
  "policies.reopen": { ...dryRun, body: {}, record: "confirmedPolicyId" },
  "policies.sign": { ...dryRun, body: signature, record: "confirmedPolicyId" }
}
