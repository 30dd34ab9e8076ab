import type { Fixtures } from "../MatrixFixture.ts"
import { risk } from "../Sales.ts"

export const fixtures: Fixtures = {
  "quotes.preview": { body: risk }
}
