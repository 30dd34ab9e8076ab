import { Effect } from "effect"
import type { World } from "../Api.ts"
import { dryRun, type Fixtures } from "../MatrixFixture.ts"
import { send } from "../Sales.ts"

export const fixtures: Fixtures = {
  "privacyRequests.create": {
    ...dryRun,
    bodyOf: (_caller, { customerId }) => ({ kind: "ACCESS", customerIds: [customerId] })
  },
  "privacyRequests.identify": { ...dryRun, body: { how: "By letter" } },
  "privacyRequests.extend": { ...dryRun, body: { reason: "Much paper" } },
  "privacyRequests.start": { ...dryRun, body: {}, record: "provenRequestId" },
  "privacyRequests.data": { record: "startedRequestId" },
  "privacyRequests.complete": {
    ...dryRun,
    body: { outcome: "DONE", decision: "Sent" },
    record: "startedRequestId"
  },
  "privacyRequests.refuse": { ...dryRun, body: { ground: "Asked last week" } },
  "privacyRequests.withdraw": { ...dryRun, body: {} }
}

/** Requests of a customer that were just received, proven, and begun. */
export const recordsOf = Effect.fnUntraced(function* (
  world: World,
  { customerId }: { readonly customerId: string }
) {
  const ask = (path: string, body: unknown) =>
    Effect.map(send(world, world.manager, `/privacy/requests${path}`, body), (answer) =>
      String(answer.body.id)
    )
  const received = ask("", { kind: "ACCESS", customerIds: [customerId] })
  const proven = Effect.flatMap(received, (id) => ask(`/${id}/identify`, { how: "By letter" }))
  return {
    privacyRequestId: yield* received,
    provenRequestId: yield* proven,
    startedRequestId: yield* Effect.flatMap(proven, (id) => ask(`/${id}/start`, {}))
  }
})
