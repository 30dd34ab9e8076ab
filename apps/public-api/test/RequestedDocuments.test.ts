/** A sale that waits for what its customers have to bring: asked by itself, brought, then sold. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { fieldExamples, shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect } from "effect"
import { call, motor, newTenant, TestLayer } from "./Api.ts"
import { form } from "./Forms.ts"
import { plan, publishTemplates } from "./PlannedDocuments.ts"
import { quoted, send, signature } from "./Sales.ts"
import { eicar, scan } from "./Scanning.ts"

const asked = (kind: string, requiredFor: string, more: Record<string, unknown> = {}) => ({
  kind,
  label: kind,
  from: "POLICYHOLDER",
  requiredFor,
  ...more
})

const product = {
  ...motor,
  productId: "motor-asking",
  requestedDocuments: [
    asked("DRIVING_LICENCE", "CONFIRM"),
    asked("VEHICLE_PAPERS", "SIGN", { when: { path: "policy.tier.id", in: [motor.defaultTier] } }),
    asked("INFORMATION_STATEMENT", "START"),
    asked("COMPANY_EXTRACT", "SIGN", { when: { path: "policy.tier.id", in: ["NONE"] } })
  ]
}

const publish = Effect.fnUntraced(function* (body: object) {
  const world = yield* newTenant
  const answer = yield* call("/admin/products/motor-asking", {
    tenant: world.tenant,
    token: world.manager,
    method: "PUT",
    body
  })
  return { world, ...answer }
})

const scene = Effect.gen(function* () {
  const { status, text, world } = yield* publish(product)
  assert.isBelow(status, 300, text)
  yield* publishTemplates(world)
  const { customerId, policyId } = yield* quoted(world, world.session, {
    productId: "motor-asking"
  })
  const step = (name: string, body: unknown = {}) =>
    Effect.map(
      call(`/policies/${policyId}/${name}`, {
        tenant: world.tenant,
        token: world.session,
        method: "POST",
        body
      }),
      ({ body: answer, status: code }) => [
        code,
        (answer.details?.gates ?? []).map((gate: Record<string, unknown>) => [
          gate["kind"],
          gate["requestedKind"],
          gate["why"],
          gate["documentRequestId"] !== undefined
        ])
      ]
    )
  const requests = Effect.map(
    send(world, world.session, `/documents/policies/${policyId}/requests`),
    ({ body }): ReadonlyArray<{ readonly id: string; kind: string; status: string }> => body.data
  )
  const bring = Effect.fnUntraced(function* (kind: string, bytes = "a text") {
    const requestId = (yield* requests).find(
      (one) => one.kind === kind && one.status === "OPEN"
    )!.id
    const { body, headers } = form({ kind: "UPLOAD", requestId }, { bytes })
    const added = yield* call(`/documents/policies/${policyId}/uploads`, {
      tenant: world.tenant,
      token: world.session,
      method: "POST",
      body,
      headers
    })
    assert.strictEqual(added.status, 201, added.text)
    yield* scan()
  })
  return { world, customerId, policyId, step, requests, bring }
})

const liability = shippedProduct("liability-fr")

/** The shipped liability insurance of a firm with so many claims: what its signature lacks. */
const soldWith = Effect.fnUntraced(function* (claims: number) {
  const world = yield* newTenant
  const by = { tenant: world.tenant, token: world.manager, method: "PUT", body: liability }
  const published = yield* call("/admin/products/liability-fr", by)
  assert.isBelow(published.status, 300, published.text)
  const customFields = fieldExamples(liability.fields.policy).map((field) =>
    field.key === "claims" ? { key: "claims", value: claims } : field
  )
  const policy = yield* send(world, world.session, "/policies", {
    productId: "liability-fr",
    startedAt: "2026-04-01T00:00:00+02:00",
    customFields
  })
  const path = `/policies/${policy.body.id}`
  const customer = yield* send(world, world.session, `/customers${path}`, {
    role: "POLICYHOLDER",
    name: "Atelier Numérique",
    email: "camille@example.test",
    customFields: fieldExamples(liability.fields.customer, "POLICYHOLDER")
  })
  yield* send(world, world.session, `${path}/quote`, {})
  yield* send(world, world.session, `/customers/${customer.body.customerId}/confirm`, {})
  yield* send(world, world.session, `${path}/confirm`, {})
  yield* plan(world)
  const { body } = yield* send(world, world.session, `/documents${path}/requests`)
  const signing = yield* call(`${path}/sign`, {
    tenant: world.tenant,
    token: world.session,
    method: "POST",
    body: signature
  })
  return { signing, requests: body.data as ReadonlyArray<{ readonly label: string }> }
})

/** Letters that ask for documents and wait to be sent. */
const lettersOf = (tenant: string) =>
  SuperuserSql.use((sql) =>
    Effect.map(
      sql`SELECT FROM document_request_letter WHERE tenant_id = ${tenant}`,
      (rows) => rows.length
    )
  )

const lacks = (kind: string, isAsked = true) => ["REQUESTED_DOCUMENT", kind, "MISSING", isAsked]

const kindsOf = (rows: ReadonlyArray<{ readonly kind: string; readonly status: string }>) =>
  rows.map(({ kind, status }) => `${kind} ${status}`).toSorted()

layer(TestLayer, { excludeTestServices: true })("what customers have to bring", (it) => {
  it.effect("is named in a product without faults", () =>
    Effect.gen(function* () {
      const { body, status } = yield* publish({
        ...product,
        requestedDocuments: [
          asked("OTHER", "SIGN"),
          asked("LICENCE", "SIGN", { from: "OWNER" }),
          asked("PAPERS", "SIGN", { when: { path: "policy.colour", in: ["red"] } })
        ]
      })
      assert.strictEqual(status, 422)
      assert.includeMembers(
        body.details.faults.map(({ pointer }: { readonly pointer: string }) => pointer),
        ["/requestedDocuments/0/kind", "/requestedDocuments/1/from"]
      )
      const unknown = yield* publish({
        ...product,
        requestedDocuments: [
          asked("PAPERS", "SIGN", { when: { path: "policy.colour", in: ["red"] } })
        ]
      })
      assert.deepStrictEqual(
        unknown.body.details.faults.map(({ pointer }: { readonly pointer: string }) => pointer),
        ["/requestedDocuments/0/when/path"]
      )
    })
  )

  it.effect("stops each step until it was brought and found clean", () =>
    Effect.gen(function* () {
      const { bring, customerId, policyId, requests, step, world } = yield* scene
      // Even before any dispatcher has asked for it.
      assert.deepStrictEqual(yield* step("confirm"), [409, [lacks("DRIVING_LICENCE", false)]])
      yield* plan(world)
      assert.deepStrictEqual(kindsOf(yield* requests), ["DRIVING_LICENCE OPEN"])
      // Of an offer no letter leaves: who has made it is there.
      assert.strictEqual(yield* lettersOf(world.tenant), 0)
      assert.deepStrictEqual(yield* step("confirm"), [409, [lacks("DRIVING_LICENCE")]])
      yield* bring("DRIVING_LICENCE", eicar)
      assert.deepStrictEqual(yield* step("confirm"), [409, [lacks("DRIVING_LICENCE")]])
      yield* bring("DRIVING_LICENCE")
      const path = `/policies/${policyId}/compliance`
      const { body } = yield* send(world, world.session, path)
      const [{ gates }] = body.steps
      const licence = gates.find(
        ({ requestedKind }: { readonly requestedKind?: string }) =>
          requestedKind === "DRIVING_LICENCE"
      )
      assert.deepInclude(licence, { kind: "REQUESTED_DOCUMENT", met: true, customerId })
      assert.isString(licence.metAt)
      assert.deepStrictEqual(yield* step("confirm"), [200, []])
      yield* plan(world)
      assert.deepStrictEqual(kindsOf(yield* requests), [
        "DRIVING_LICENCE FULFILLED",
        "INFORMATION_STATEMENT OPEN",
        "VEHICLE_PAPERS OPEN"
      ])
      // Two that are asked for now; the licence was malware at first, and was asked for once more.
      assert.strictEqual(yield* lettersOf(world.tenant), 3)
      const both = [lacks("VEHICLE_PAPERS"), lacks("INFORMATION_STATEMENT")]
      assert.deepStrictEqual(yield* step("sign", signature), [409, both])
      yield* bring("VEHICLE_PAPERS")
      yield* bring("INFORMATION_STATEMENT")
      assert.deepStrictEqual(yield* step("sign", signature), [200, []])
    })
  )

  it.effect("is asked for once, however often the offer is made anew", () =>
    Effect.gen(function* () {
      const { bring, policyId, requests, step, world } = yield* scene
      yield* plan(world)
      yield* send(world, world.session, `/policies/${policyId}/quote`, {})
      yield* plan(world)
      assert.deepStrictEqual(kindsOf(yield* requests), ["DRIVING_LICENCE OPEN"])
      yield* bring("DRIVING_LICENCE")
      yield* step("confirm")
      yield* plan(world)
      yield* send(world, world.session, `/policies/${policyId}/reopen`, {})
      yield* send(world, world.session, `/policies/${policyId}/quote`, {})
      yield* step("confirm")
      yield* plan(world)
      assert.lengthOf(yield* requests, 3)
    })
  )

  it.effect(
    "is of the shipped liability insurance a statement of claims, of who has had some",
    () =>
      Effect.gen(function* () {
        const clean = yield* soldWith(0)
        assert.deepStrictEqual([clean.signing.status, clean.requests], [200, []])
        const { requests, signing } = yield* soldWith(2)
        assert.strictEqual(signing.status, 409, signing.text)
        assert.strictEqual(signing.body.details.gates[0].requestedKind, "CLAIMS_STATEMENT")
        assert.strictEqual(requests[0]?.label, "Relevé de sinistralité de votre assureur précédent")
      })
  )
})
