/** The files of the policy that was sold first. */
import { Effect } from "effect"
import type { World } from "../../Api.ts"
import { form } from "../../Forms.ts"
import { plan, publishTemplates } from "../../PlannedDocuments.ts"
import type { Sold } from "../Sale.ts"
import { by } from "../Stage.ts"

export const story = Effect.fnUntraced(function* (world: World, sold: Sold) {
  const { customerId, policyId, visitor } = sold
  const manager = by(world, world.manager)
  yield* publishTemplates(world)
  yield* plan(world)
  const { data } = yield* manager.get(`/documents/policies/${policyId}?kinds=CONTRACT`)
  yield* manager.get(`/documents/${data[0].id}/content`)
  yield* manager.get(`/documents/${data[0].id}`)
  yield* manager.post(`/documents/${data[0].id}/deliveries`, { customerId, channel: "PAPER" })
  yield* manager.get(`/documents/${data[0].id}/deliveries`)
  yield* visitor.get(`/documents/${data[0].id}/content`)
  yield* visitor.post(`/documents/${data[0].id}/acknowledge`, {})
  const licence = { name: "licence.txt", bytes: "B, since 2011-06-30" }
  const { body, headers } = form({ kind: "UPLOAD", title: "Driving licence" }, licence)
  yield* manager.post(`/documents/policies/${policyId}/uploads`, body, headers["content-type"])
  yield* manager.get(`/documents?policyId=${policyId}&kinds=INVOICE&count=2`)
})
