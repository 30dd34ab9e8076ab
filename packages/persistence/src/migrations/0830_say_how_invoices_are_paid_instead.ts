import { Effect } from "effect"
import { allow } from "../sql/TenantTable.ts"

/** An invoice whose debit was cancelled says that it is to be transferred instead. */
export default Effect.gen(function* () {
  yield* allow("invoice", ["UPDATE (collection)"])
})
