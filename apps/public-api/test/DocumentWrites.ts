/** Writes on documents that succeed. */
import { Effect } from "effect"
import type { World } from "./Api.ts"
import { form } from "./Forms.ts"
import { plan, publishTemplates } from "./PlannedDocuments.ts"
import { quoted, send } from "./Sales.ts"

export const documentWrites = Effect.fnUntraced(function* (world: World) {
  yield* publishTemplates(world)
  const { customerId, policyId } = yield* quoted(world, world.session)
  yield* plan(world)
  const list = `/documents/policies/${policyId}`
  const { body } = yield* send(world, world.manager, list)
  const document = `/documents/${body.data[0].id}`
  const write = (token: string, path: string, sent: unknown = {}) => ({
    token,
    method: "POST",
    path,
    body: sent
  })
  return {
    "documents.upload": {
      ...write(world.manager, `${list}/uploads`),
      ...form({ kind: "UPLOAD" }, { bytes: "a text" })
    },
    "documents.recordDelivery": write(world.manager, `${document}/deliveries`, {
      customerId,
      channel: "PAPER"
    }),
    "documents.acknowledge": write(world.session, `${document}/acknowledge`)
  }
})
