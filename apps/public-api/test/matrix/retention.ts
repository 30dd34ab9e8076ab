import { dryRun, type Fixtures } from "../MatrixFixture.ts"

export const fixtures: Fixtures = {
  "retention.put": { ...dryRun, body: { isAutomatic: false } }
}
