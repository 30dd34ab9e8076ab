/** Writes on documents that succeed. */
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import type { World } from "./Api.ts"
import { pay, yearly } from "./Certified.ts"
import { form } from "./Forms.ts"
import { plan, publishTemplates } from "./PlannedDocuments.ts"
import { quoted, send } from "./Sales.ts"

export const documentWrites = Effect.fnUntraced(function* (world: World) {
  yield* publishTemplates(world)
  const { customerId, policyId } = yield* quoted(world, world.session, later)
  const { policyId: running } = yield* yearly(world)
  yield* pay(world, running)
  yield* plan(world)
  const list = `/documents/policies/${policyId}`
  const { body } = yield* send(world, world.manager, list)
  const [document, toRetry] = body.data.map(({ id }: { readonly id: string }) => `/documents/${id}`)
  yield* SuperuserSql.use(
    (sql) => sql`
      UPDATE document SET status = 'FAILED', failure = '{"reason":"CRASHED","paths":[]}'
      WHERE id = ${toRetry.slice("/documents/".length)}
    `
  )
  const made = yield* send(world, world.manager, `${document}/links`, {})
  const asked = { kind: "OTHER", note: "Both sides of the licence", customerId }
  const open = yield* send(world, world.manager, `${list}/requests`, asked)
  const write = (token: string, path: string, sent: unknown = {}) => ({
    token,
    method: "POST",
    path,
    body: sent
  })
  return {
    "documents.request": write(world.manager, `/documents/policies/${running}`, {
      definitionId: "CERTIFICATE"
    }),
    "documents.upload": {
      ...write(world.manager, `${list}/uploads`),
      ...form({ kind: "UPLOAD" }, { bytes: "a text" })
    },
    "documentRequests.open": write(world.manager, `${list}/requests`, asked),
    "documentRequests.cancel": write(world.manager, `/documents/requests/${open.body.id}/cancel`),
    "documents.recordDelivery": write(world.manager, `${document}/deliveries`, {
      customerId,
      channel: "PAPER"
    }),
    "documents.acknowledge": write(world.session, `${document}/acknowledge`),
    "documents.makeLink": write(world.manager, `${document}/links`, { once: true }),
    "documents.revokeLink": {
      token: world.manager,
      method: "DELETE",
      path: `/documents/links/${made.body.id}`
    },
    "documents.retry": write(world.manager, `${toRetry}/retry`),
    "documents.void": write(world.manager, `${document}/void`, { reason: "It is wrong." })
  }
})

/** Not before the test's last day. */
const later = { startedAt: "2026-06-01T00:00:00+02:00" }
