/** The files of the policy that was sold first. */
import { SuperuserSql } from "@quittance/testing/PgTest"
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
  const link = yield* manager.post(`/documents/${data[0].id}/links`, {
    expiresIn: 86_400,
    customerId
  })
  yield* manager.get(`/documents/${data[0].id}/links`)
  yield* manager.remove(`/documents/links/${link.id}`)
  yield* manager.get(`/documents/${data[0].id}/deliveries`)
  yield* letterTooMany(data[0].id, customerId)
  yield* manager.get(`/documents/${data[0].id}/letters`)
  yield* visitor.get(`/documents/${data[0].id}/content`)
  yield* visitor.post(`/documents/${data[0].id}/acknowledge`, {})
  yield* manager.get(`/documents/${data[0].id}/data`)
  yield* tryAgain(world, sold)
  const asked = { kind: "OTHER", customerId, note: "Both sides of the driving licence" }
  const request = yield* manager.post(`/documents/policies/${policyId}/requests`, asked)
  yield* visitor.get(`/documents/policies/${policyId}/requests`)
  const licence = { name: "licence.txt", bytes: "B, since 2011-06-30" }
  const { body, headers } = form({ kind: "UPLOAD", requestId: request.id }, licence)
  yield* manager.post(`/documents/policies/${policyId}/uploads`, body, headers["content-type"])
  yield* letterTried(request.id)
  yield* manager.get(`/documents/requests/${request.id}/letters`)
  yield* manager.post(`/documents/requests/${request.id}/cancel`, {})
  yield* manager.get(`/documents?policyId=${policyId}&kinds=INVOICE&count=2`)
})

/** A letter to an address that has had all of its day. */
const letterTooMany = (documentId: string, customerId: string) =>
  SuperuserSql.use(
    (sql) => sql`
      INSERT INTO document_letter (tenant_id, id, document_id, customer_id, due_at, attempts, not_sent)
      SELECT tenant_id, ${"document_link_test_letter"}, id, ${customerId}, 'infinity', 1, 'LIMIT'
      FROM document WHERE id = ${documentId}`
  )

/** A letter that asks for a document and that no mail server has taken. */
const letterTried = (requestId: string) =>
  SuperuserSql.use(
    (sql) => sql`
      UPDATE document_request_letter SET due_at = 'infinity', attempts = 10, not_sent = 'TRIES'
      WHERE request_id = ${requestId}`
  )

/** A document that could not be made is tried again; another one says something wrong. */
const tryAgain = Effect.fnUntraced(function* (world: World, { policyId }: Sold) {
  const manager = by(world, world.manager)
  const { data } = yield* manager.get(`/documents/policies/${policyId}?kinds=SCHEDULE`)
  const [{ id }] = data
  const sql = yield* SuperuserSql
  yield* sql`
    UPDATE document SET status = 'FAILED', failure = '{"reason":"CRASHED","paths":[]}'
    WHERE id = ${id}
  `
  yield* manager.post(`/documents/${id}/retry`, {})
  yield* manager.post(`/documents/${id}/void`, { reason: "It names the account before." })
  yield* manager.post(`/documents/policies/${policyId}`, { definitionId: "CERTIFICATE" })
})
