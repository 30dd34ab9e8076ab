import { dryRun, type Fixtures } from "../MatrixFixture.ts"

export const fixtures: Fixtures = {
  "branches.open": { ...dryRun, body: { branchType: "NEW_BUSINESS" } },
  "branches.diff": { record: "endorsementId" },
  "branches.fork": { ...dryRun, body: {} },
  "branches.invalidate": {
    ...dryRun,
    body: { reason: "BROKER_REQUEST" },
    record: "endorsementId"
  },
  "branches.rebase": { ...dryRun, body: { resolutions: [] }, record: "endorsementId" },
  "branches.accept": { ...dryRun, body: {}, record: "renewalId" },
  "branches.merge": { ...dryRun, body: {}, record: "variantId" }
}
