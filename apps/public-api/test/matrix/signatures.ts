import { Effect } from "effect"
import type { AreaFixtures, Fixtures } from "../MatrixFixture.ts"
import { send } from "../Sales.ts"

export const fixtures: Fixtures = {}

/** The signature of the policy that is in force. */
export const recordsOf: NonNullable<AreaFixtures["recordsOf"]> = Effect.fnUntraced(function* (
  world,
  { signedPolicyId }
) {
  const { body } = yield* send(world, world.manager, `/signatures/policies/${signedPolicyId}`)
  return { signatureId: String(body.data[0].id) }
})
