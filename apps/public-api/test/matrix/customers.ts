import { dryRun, type Fixtures } from "../MatrixFixture.ts"

export const fixtures: Fixtures = {
  "customers.addToPolicy": { ...dryRun, body: { role: "POLICYHOLDER" } },
  "customers.putOnPolicy": { ...dryRun, body: { role: "PAYER" }, record: "signedCustomerId" },
  "customers.takeOffPolicy": dryRun,
  "customers.update": { ...dryRun, body: { name: "x" } },
  "customers.confirm": { ...dryRun, body: {} }
}
