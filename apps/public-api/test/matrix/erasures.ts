import { Effect } from "effect"
import type { World } from "../Api.ts"
import { type AreaFixtures, dryRun } from "../MatrixFixture.ts"
import { send } from "../Sales.ts"

export const fixtures: AreaFixtures["fixtures"] = {
  "erasures.carryOut": {
    ...dryRun,
    body: { ground: "GDPR art. 17(1)(a)" },
    record: "erasureRequestId",
    // The hold below keeps the data.
    instead: { status: 409, code: "RETENTION_HOLD" }
  },
  "erasures.placeHold": {
    ...dryRun,
    bodyOf: (_caller, { customerId }) => ({ customerId, reason: "A dispute" })
  },
  "erasures.liftHold": { ...dryRun }
}

/** A request for erasure that has begun. */
export const erasureRequestOf = Effect.fnUntraced(function* (world: World, customerId: string) {
  const ask = (path: string, body: unknown) =>
    Effect.map(send(world, world.manager, `/privacy/requests${path}`, body), (answer) =>
      String(answer.body.id)
    )
  const id = yield* ask("", { kind: "ERASURE", customerIds: [customerId] })
  yield* ask(`/${id}/identify`, { how: "By letter" })
  return yield* ask(`/${id}/start`, {})
})

/** A hold that can be lifted, and a request that it keeps from being carried out. */
export const recordsOf: AreaFixtures["recordsOf"] = Effect.fnUntraced(function* (
  world,
  { customerId }
) {
  const hold = yield* send(world, world.manager, "/privacy/holds", {
    customerId,
    reason: "A dispute"
  })
  return {
    erasureRequestId: yield* erasureRequestOf(world, customerId),
    retentionHoldId: String(hold.body.id)
  }
})
