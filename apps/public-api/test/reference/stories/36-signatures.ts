/** What proves the signature of the policy that was sold first. */
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import type { Sold } from "../Sale.ts"
import { by } from "../Stage.ts"

export const story = Effect.fnUntraced(function* (world: World, { policyId }: Sold) {
  const manager = by(world, world.manager)
  const { data } = yield* manager.get(`/signatures/policies/${policyId}`)
  yield* manager.get(`/signatures/${data[0].id}`)
  yield* manager.get(`/signatures/${data[0].id}/steps`)
  yield* manager.get(`/signatures/${data[0].id}/seal`)
  yield* by(world).get("/signatures/certificates")
})
