import { dryRun, type Fixtures } from "../MatrixFixture.ts"

export const fixtures: Fixtures = {
  "policyLifecycle.suspend": { ...dryRun, body: { reason: "GARAGED" }, record: "signedPolicyId" },
  "policyLifecycle.reactivate": { ...dryRun, body: {}, record: "suspendedPolicyId" },
  "policyLifecycle.stop": { ...dryRun, body: { reason: "SALE" } },
  "policyLifecycle.withdrawStop": { ...dryRun, record: "stoppingPolicyId" },
  "policyLifecycle.reinstate": { ...dryRun, body: { gap: "COVERED" }, record: "stoppedPolicyId" },
  "policyLifecycle.revert": { ...dryRun, body: {}, record: "signedPolicyId" }
}
