/** Writes on documents that succeed. */
import { Effect } from "effect"
import type { World } from "./Api.ts"
import { form } from "./Forms.ts"
import { quoted } from "./Sales.ts"

export const documentWrites = Effect.fnUntraced(function* (world: World) {
  const { policyId } = yield* quoted(world, world.session)
  return {
    "documents.upload": {
      token: world.manager,
      method: "POST",
      path: `/documents/policies/${policyId}/uploads`,
      ...form({ kind: "UPLOAD" }, { bytes: "a text" })
    }
  }
})
