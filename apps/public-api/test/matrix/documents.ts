import { Effect } from "effect"
import { type AreaFixtures, dryRun, type Fixtures } from "../MatrixFixture.ts"
import { form } from "../Forms.ts"
import { plan, publishTemplates } from "../PlannedDocuments.ts"
import { send } from "../Sales.ts"

/** The quote of the policy that is on offer. */
export const recordsOf: AreaFixtures["recordsOf"] = Effect.fnUntraced(function* (
  world,
  { customerId, policyId }
) {
  yield* publishTemplates(world)
  yield* plan(world)
  const { body } = yield* send(world, world.manager, `/documents/policies/${policyId}`)
  const documentId = String(body.data[0].id)
  const made = yield* send(world, world.manager, `/documents/${documentId}/links`, {})
  const asked = yield* send(world, world.manager, `/documents/policies/${policyId}/requests`, {
    kind: "OTHER",
    note: "Both sides of the licence",
    customerId
  })
  return {
    documentId,
    documentLinkId: String(made.body.id),
    documentRequestId: String(asked.body.id)
  }
})

export const fixtures: Fixtures = {
  "documents.upload": form({ kind: "UPLOAD" }, { bytes: "a text" }),
  "documents.request": {
    ...dryRun,
    body: { definitionId: "CERTIFICATE" },
    instead: { status: 409, code: "CERTIFICATE_NOT_AVAILABLE" }
  },
  "documents.retry": {
    ...dryRun,
    body: {},
    instead: { status: 409, code: "INVALID_TRANSITION" }
  },
  "documentRequests.open": {
    ...dryRun,
    bodyOf: (_caller, { customerId }) => ({ kind: "OTHER", note: "The licence", customerId })
  },
  "documentRequests.cancel": { ...dryRun, body: {} },
  "documents.makeLink": { ...dryRun, body: {} },
  "documents.revokeLink": dryRun,
  "documents.void": { ...dryRun, body: { reason: "It names the wrong driver." } },
  "documents.recordDelivery": {
    ...dryRun,
    bodyOf: (_caller, { customerId }) => ({ customerId, channel: "PAPER" })
  },
  // Staff have a role on the tenant; they can't say for a customer that the customer has it.
  "documents.acknowledge": {
    ...dryRun,
    body: {},
    instead: (caller) =>
      caller === "USER" || caller === "USER_OF_LONG_AGO"
        ? { status: 403, code: "FORBIDDEN" }
        : undefined
  }
}
