/** A sale that waits until its customer has read what the law has them read before it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, motor, newTenant, TestLayer } from "./Api.ts"
import { plan, publishTemplates } from "./PlannedDocuments.ts"
import { quoted, send } from "./Sales.ts"

const gated = {
  ...motor,
  productId: "motor-gated",
  complianceGates: [
    { kind: "IPID", requiredFor: "CONFIRM" },
    { kind: "DEMANDS_AND_NEEDS", requiredFor: "CONFIRM" }
  ]
}

layer(TestLayer, { excludeTestServices: true })("a sale with gates", (it) => {
  it.effect("waits for the IPID to be read and for the needs to be stated", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { session, tenant } = world
      const published = yield* call("/admin/products/motor-gated", {
        tenant,
        token: world.manager,
        method: "PUT",
        body: gated
      })
      assert.isBelow(published.status, 300, published.text)
      yield* publishTemplates(world)
      const sale = { productId: "motor-gated" }
      const { policyId } = yield* quoted(world, session, sale)
      const { policyId: other } = yield* quoted(world, session, sale)
      yield* plan(world)
      const path = `/policies/${policyId}`
      const lacks = Effect.map(
        call(`${path}/confirm`, { tenant, token: session, method: "POST", body: {} }),
        ({ body, status }) => [
          status,
          (body.details?.gates ?? []).map((gate: Record<string, unknown>) => [
            gate["kind"],
            gate["why"],
            gate["documentId"]
          ])
        ]
      )
      const ipidOf = (id: string) =>
        Effect.map(send(world, session, `/documents/policies/${id}?kinds=IPID`), ({ body }) =>
          String(body.data[0].id)
        )
      const read = (id: string) =>
        call(`/documents/${id}/content`, { tenant, token: session, method: "GET" })
      const [ipid, ofOther] = [yield* ipidOf(policyId), yield* ipidOf(other)]
      const needs = ["DEMANDS_AND_NEEDS", "MISSING", undefined]
      assert.deepStrictEqual(yield* lacks, [409, [["IPID", "MISSING", ipid], needs]])
      // What is read of another policy, or by someone else, proves nothing here.
      yield* read(ofOther)
      yield* call(`/documents/${ipid}/content`, { tenant, token: world.manager })
      assert.deepStrictEqual(yield* lacks, [409, [["IPID", "MISSING", ipid], needs]])
      yield* read(ipid)
      assert.deepStrictEqual(yield* lacks, [409, [needs]])
      yield* send(world, session, `${path}/statements`, {
        answers: [
          { key: "wantsTheft", value: true },
          { key: "wantsDamage", value: false }
        ]
      })
      const { body } = yield* send(world, session, `${path}/compliance`)
      assert.isTrue(body.steps[0].gates.every(({ met }: { readonly met: boolean }) => met))
      assert.deepStrictEqual(yield* lacks, [200, []])
    })
  )
})
