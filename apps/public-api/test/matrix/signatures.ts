import { Effect } from "effect"
import { type AreaFixtures, dryRun, type Fixtures } from "../MatrixFixture.ts"
import { open, publishRequested, requestable } from "../Requested.ts"
import { send } from "../Sales.ts"

export const fixtures: Fixtures = {
  "signatures.request": { ...dryRun, body: {}, record: "requestablePolicyId" },
  "signatures.cancel": { ...dryRun, body: { reason: "x" }, record: "openSignatureId" }
}

/** The signature of the policy that is in force, one that is open, and a policy that waits for one. */
export const recordsOf: NonNullable<AreaFixtures["recordsOf"]> = Effect.fnUntraced(function* (
  world,
  { signedPolicyId }
) {
  const { body } = yield* send(world, world.manager, `/signatures/policies/${signedPolicyId}`)
  yield* publishRequested(world)
  const { policyId: requestablePolicyId } = yield* requestable(world, world.session)
  const { policyId: openPolicyId, signatureId } = yield* open(world, world.session)
  return {
    signatureId: String(body.data[0].id),
    openSignatureId: signatureId,
    openPolicyId,
    requestablePolicyId
  }
})
