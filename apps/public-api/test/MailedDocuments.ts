/** Policies of a product that has its IPID and its quote delivered by e-mail. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert } from "@effect/vitest"
import { DocumentLetters } from "@quittance/operations/documents/links/DocumentLetters"
import * as Renderer from "@quittance/renderer/Renderer"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import * as Post from "../../../packages/operations/test/Post.ts"
import { call, motor, newTenant } from "./Api.ts"
import { publishTemplates } from "./PlannedDocuments.ts"
import { quoted, send } from "./Sales.ts"

export const Letters = DocumentLetters.layer.pipe(
  Layer.provide([Post.transport, Renderer.layer]),
  Layer.provide(NodeServices.layer)
)

/** The IPID and the quote are sent; the sale waits until both are opened. */
const mailed = {
  ...motor,
  productId: "motor-mailed",
  complianceGates: [{ kind: "IPID", requiredFor: "CONFIRM" }],
  documents: motor.documents!.map((definition) =>
    definition.id === "QUOTE"
      ? { ...definition, deliver: "EMAIL", gate: { step: "CONFIRM", proof: "OPENED" } }
      : definition.id === "IPID"
        ? { ...definition, deliver: "EMAIL" }
        : definition
  )
}

/** What one dispatcher does at a time. */
export const round = DocumentLetters.use((letters) => letters.round)

export const linkOf = ({ text }: { readonly text: string }) =>
  new URL(/http:\/\/localhost:8080\/documents\/links\/\S+/u.exec(text)![0]).pathname

export const scene = Effect.gen(function* () {
  // Those of the tests before.
  while (yield* round);
  Post.sent.length = 0
  const world = yield* newTenant
  yield* publishTemplates(world)
  const published = yield* call("/admin/products/motor-mailed", {
    tenant: world.tenant,
    token: world.manager,
    method: "PUT",
    body: mailed
  })
  assert.isBelow(published.status, 300, published.text)
  const { customerId, policyId } = yield* quoted(world, world.session, {
    productId: "motor-mailed"
  })
  const of = (kind: string) =>
    Effect.map(
      send(world, world.manager, `/documents/policies/${policyId}?kinds=${kind}`),
      ({ body }) => body.data[0] as { readonly id: string; readonly status: string }
    )
  const deliveries = (id: string) =>
    Effect.map(
      send(world, world.manager, `/documents/${id}/deliveries`),
      ({ body }) => body.data as ReadonlyArray<Record<string, unknown>>
    )
  /** The gates that a confirmation lacks. */
  const lacks = Effect.map(
    call(`/policies/${policyId}/confirm`, {
      tenant: world.tenant,
      token: world.session,
      method: "POST",
      body: {}
    }),
    ({ body, status }) => [
      status,
      ...(body.details?.gates ?? []).map(
        ({ kind, why }: { readonly kind: string; readonly why: string }) => `${kind} ${why}`
      )
    ]
  )
  const waiting = SuperuserSql.use(
    (sql) => sql<{ readonly due: string }>`
      SELECT due_at::text AS due FROM document_letter WHERE tenant_id = ${world.tenant}`
  )
  /** As if the pauses of all letters had gone by. */
  const pass = SuperuserSql.use(
    (sql) => sql`
      UPDATE document_letter SET due_at = clock_timestamp()
      WHERE tenant_id = ${world.tenant} AND due_at < 'infinity'`
  )
  return { world, customerId, policyId, of, deliveries, lacks, waiting, pass }
})
