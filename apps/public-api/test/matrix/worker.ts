import { type Fixtures, today } from "../MatrixFixture.ts"

export const fixtures: Fixtures = {
  "testClocks.move": { body: { now: today } }
}
