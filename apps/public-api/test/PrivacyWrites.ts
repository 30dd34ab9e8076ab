/** Writes on privacy requests that succeed. */
import { Effect } from "effect"
import type { World } from "./Api.ts"
import { recordsOf } from "./matrix/privacy.ts"
import { quoted } from "./Sales.ts"

export const privacyWrites = Effect.fnUntraced(function* (world: World) {
  const { customerId } = yield* quoted(world, world.session)
  const first = yield* recordsOf(world, { customerId })
  const second = yield* recordsOf(world, { customerId })
  const write = (path: string, body: unknown = {}) => ({
    token: world.client,
    method: "POST",
    path: `/privacy/requests${path}`,
    body
  })
  return {
    "privacyRequests.create": write("", { kind: "ERASURE", customerIds: [customerId] }),
    "privacyRequests.identify": {
      ...write(`/${first.privacyRequestId}/identify`, { how: "By letter" }),
      token: world.manager
    },
    "privacyRequests.start": write(`/${first.provenRequestId}/start`),
    "privacyRequests.complete": write(`/${first.startedRequestId}/complete`, {
      outcome: "DONE",
      decision: "Sent"
    }),
    "privacyRequests.extend": write(`/${second.startedRequestId}/extend`, { reason: "Much paper" }),
    "privacyRequests.refuse": write(`/${second.provenRequestId}/refuse`, { ground: "Not theirs" }),
    "privacyRequests.withdraw": write(`/${second.privacyRequestId}/withdraw`)
  }
})
