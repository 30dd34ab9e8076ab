import { Effect } from "effect"
import { type AreaFixtures, dryRun } from "../MatrixFixture.ts"
import { send, signed } from "../Sales.ts"
import { input, publish, withdrawable } from "../Withdrawable.ts"

export const fixtures: AreaFixtures["fixtures"] = {
  "withdrawals.request": { ...dryRun, body: input, record: "withdrawablePolicyId" },
  "withdrawals.confirm": { ...dryRun, body: {} }
}

/** A contract that can be withdrawn from, and a withdrawal that is not confirmed. */
export const recordsOf: AreaFixtures["recordsOf"] = Effect.fnUntraced(function* (world) {
  const { session } = world
  yield* publish(world)
  const { policyId } = yield* signed(world, session, {
    productId: withdrawable.productId,
    startedAt: "2026-06-01T00:00:00+02:00"
  })
  const { body } = yield* send(world, session, `/policies/${policyId}/withdrawals`, input)
  return { withdrawalId: String(body.id), withdrawablePolicyId: policyId }
})
