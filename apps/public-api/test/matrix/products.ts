import { dryRun, type Fixtures } from "../MatrixFixture.ts"
import { motor } from "../Api.ts"

export const fixtures: Fixtures = {
  "products.publish": { ...dryRun, body: motor, record: "sharedProductId" }
}

export const missing = {
  productId: "no-such-product",
  // Publishing makes what its path names, and its body names it too.
  sharedProductId: motor.productId
}
