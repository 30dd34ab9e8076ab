/** Writes on signatures that succeed. */
import { Effect } from "effect"
import type { World } from "./Api.ts"
import { open, publishRequested, requestable } from "./Requested.ts"

export const signatureWrites = Effect.fnUntraced(function* (world: World) {
  yield* publishRequested(world)
  // Other writes move the clock before these are tried.
  const startedAt = "2026-08-01T00:00:00+02:00"
  const { policyId } = yield* requestable(world, world.session, startedAt)
  const { signatureId } = yield* open(world, world.session, startedAt)
  const post = (path: string, body: unknown) => ({
    token: world.manager,
    method: "POST",
    path: `/signatures${path}`,
    body
  })
  return {
    "signatures.request": post(`/policies/${policyId}`, {}),
    "signatures.cancel": post(`/${signatureId}/cancel`, { reason: "x" })
  }
})
