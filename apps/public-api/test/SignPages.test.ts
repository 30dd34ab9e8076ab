/** The hosted page of a ceremony: a person who has the link of a signer reads, proves, signs or refuses. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { call, motor, newTenant, TestLayer, type World } from "./Api.ts"
import { plan, publishTemplates } from "./PlannedDocuments.ts"
import { codeOf, linkOf, publishRequested, requestable, requested } from "./Requested.ts"
import { send } from "./Sales.ts"
import { boxesOf, visit } from "./SignBrowser.ts"

/** Its contract is signed. */
const documented = {
  ...requested,
  productId: "motor-read",
  documents: motor.documents ?? []
}

/** A signature that waits for its signer, and its page. */
const scene = Effect.fnUntraced(function* (world: World, product: typeof requested = requested) {
  yield* publishRequested(world)
  const records = yield* requestable(world, world.session, undefined, product)
  const { body } = yield* send(world, world.manager, `/signatures/policies/${records.policyId}`, {})
  const ids = { signatureId: String(body.id), signerId: String(body.signers[0].id) }
  const page = new URL(yield* linkOf(world, ids)).pathname
  const get = Effect.map(
    send(world, world.manager, `/signatures/${ids.signatureId}`),
    (answer) => answer.body
  )
  return { ...records, ...ids, page, get }
})

layer(TestLayer, { excludeTestServices: true })("the page of a signer", (it) => {
  it.effect("changes nothing by being looked at, and signs by its forms alone", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { get, page, policyId, signatureId, signerId } = yield* scene(world)
      const before = yield* get
      const first = yield* visit(page)
      assert.strictEqual(first.status, 200)
      assert.deepStrictEqual(yield* get, before)
      assert.strictEqual(first.header("cache-control"), "no-store")
      assert.strictEqual(first.header("referrer-policy"), "no-referrer")
      assert.notMatch(first.text, /<script|src=|href=|@import|url\(/u)
      assert.match(first.header("content-security-policy")!, /default-src 'none'/u)
      const begun = yield* visit(page, { do: "open" })
      assert.deepStrictEqual([begun.status, begun.header("location")], [303, page])
      // Nothing is signed before the address is proven.
      const early = yield* visit(page, { do: "sign", name: "Camille Durand" })
      assert.strictEqual(early.status, 422)
      yield* visit(page, { do: "otp" })
      const asked = yield* visit(page)
      assert.include(asked.text, 'autocomplete="one-time-code"')
      // Who has found the link learns no address.
      assert.include(asked.text, "c•••@example.test")
      assert.notInclude(asked.text, "camille@example.test")
      const code = yield* codeOf(world, { signatureId, signerId })
      const wrong = yield* visit(page, { do: "prove", code: code === "111111" ? "2" : "111111" })
      assert.strictEqual(wrong.status, 422)
      assert.match(wrong.text, /role="alert">[^<]*4/u)
      assert.match(wrong.text, /aria-invalid="true" aria-describedby="problem code-hint"/u)
      const spaced = `${code.slice(0, 3)} ${code.slice(3)}`
      assert.strictEqual((yield* visit(page, { do: "prove", code: spaced })).status, 303)
      const { text } = yield* visit(page)
      const boxes = boxesOf(text)
      assert.isNotEmpty(boxes)
      const unnamed = yield* visit(page, { do: "sign", name: "Camille", ...boxes })
      assert.match(unnamed.text, /<title>Erreur: /u)
      const unticked = yield* visit(page, { do: "sign", name: "Camille Durand" })
      assert.strictEqual(unticked.status, 422)
      assert.strictEqual(
        (yield* visit(page, { do: "sign", name: "camille DURAND", ...boxes })).status,
        303
      )
      assert.deepInclude(yield* get, { status: "COMPLETED" })
      const { body } = yield* send(world, world.manager, `/policies/${policyId}`)
      assert.strictEqual(body.status, "POLICY_SIGNED")
      const done = yield* visit(page)
      assert.notInclude(done.text, "<form")
      assert.include(done.text, "C’est signé")
      const again = yield* visit(page, { do: "decline", reason: "x" })
      assert.include(again.text, "C’est signé")
    })
  )

  it.effect("shows each document by the bytes that are signed, and wants each of them read", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      yield* publishTemplates(world)
      yield* call(`/admin/products/${documented.productId}`, {
        tenant: world.tenant,
        token: world.manager,
        method: "PUT",
        body: documented
      })
      const { policyId } = yield* requestable(world, world.session, undefined, documented)
      yield* plan(world)
      const path = `/signatures/policies/${policyId}`
      const pending = yield* call(path, {
        tenant: world.tenant,
        token: world.manager,
        method: "POST",
        body: {}
      })
      assert.strictEqual(pending.body.code, "SIGNED_DOCUMENTS_PENDING")
      const { body: listed } = yield* send(
        world,
        world.manager,
        `/documents/policies/${policyId}?count=100`
      )
      for (const { id } of listed.data) {
        yield* call(`/documents/${id}/content`, { tenant: world.tenant, token: world.manager })
      }
      const { body } = yield* send(world, world.manager, path, {})
      const [signed] = body.documents
      const ids = { signatureId: String(body.id), signerId: String(body.signers[0].id) }
      const page = new URL(yield* linkOf(world, ids)).pathname
      const document = `${page}/documents/${signed.documentId}`
      assert.strictEqual((yield* visit(document, {})).status, 404)
      yield* visit(page, { do: "open" })
      yield* visit(page, { do: "otp" })
      yield* visit(page, { do: "prove", code: yield* codeOf(world, ids) })
      const { text } = yield* visit(page)
      const boxes = boxesOf(text)
      assert.include(text, `action="${document}"`)
      const unread = yield* visit(page, { do: "sign", name: "Camille Durand", ...boxes })
      assert.strictEqual(unread.status, 422)
      assert.match(unread.text, /Ouvrez d’abord chaque document/u)
      const read = yield* visit(document, {})
      assert.strictEqual(read.header("content-type"), "application/pdf")
      assert.strictEqual(createHash("sha256").update(read.bytes).digest("hex"), signed.sha256)
      assert.include((yield* visit(page)).text, "ouvert ✓")
      // A document of another policy is none of this ceremony.
      const foreign = listed.data.find((one: { id: string }) => one.id !== signed.documentId)
      assert.strictEqual((yield* visit(`${page}/documents/${foreign.id}`, {})).status, 404)
      const sign = yield* visit(page, { do: "sign", name: "Camille Durand", ...boxes })
      assert.strictEqual(sign.status, 303)
      const { body: after } = yield* send(world, world.manager, `/signatures/${body.id}`)
      assert.strictEqual(after.status, "SEALING")
    })
  )

  it.effect("refuses with a reason, and says what has become of it", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { get, page } = yield* scene(world)
      yield* visit(page, { do: "open" })
      const empty = yield* visit(page, { do: "decline", reason: "" })
      assert.match(empty.text, /<details open>/u)
      yield* visit(page, { do: "decline", reason: "<b>Trop cher</b>" })
      assert.deepInclude(yield* get, { status: "DECLINED", closedReason: "<b>Trop cher</b>" })
      const { text } = yield* visit(page)
      assert.include(text, "La signature a été refusée")
      const other = yield* scene(world)
      yield* send(world, world.manager, `/signatures/${other.signatureId}/cancel`, { reason: "x" })
      assert.include((yield* visit(other.page)).text, "La demande a été retirée")
    })
  )

  it.effect("is that of one link of ours, tried sixty times a minute", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      const { page } = yield* scene(world)
      const other = yield* newTenant
      const last = page.at(-1) === "A" ? "B" : "A"
      for (const path of [
        page.slice(0, -1) + last,
        page.replace(world.tenant, other.tenant),
        page.replace(world.tenant, "no tenant"),
        `${page}.more`,
        "/sign/none"
      ]) {
        const { status, text } = yield* visit(path)
        assert.strictEqual(status, 404, path)
        assert.include(text, "This link does not work")
        assert.strictEqual((yield* visit(path, { do: "open" })).status, 404)
      }
      const nothing = yield* visit(page, { do: "merge" })
      assert.strictEqual(nothing.status, 422)
      const tried = yield* Effect.all(
        Array.from({ length: 61 }, () => visit(page)),
        { concurrency: 8 }
      )
      const limited = tried.filter(({ status }) => status === 429)
      assert.isAtLeast(limited.length, 1)
      assert.isNotNull(limited[0]!.header("retry-after"))
    })
  )
})
