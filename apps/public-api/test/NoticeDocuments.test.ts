/** The dispatch of a formal notice names the document that the service has made of it, and no other. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, newTenant, TestLayer } from "./Api.ts"
import { moveTo } from "./Certified.ts"
import { plan, publishTemplates } from "./PlannedDocuments.ts"
import { send, signed } from "./Sales.ts"

const evidence = { carrier: "La Poste", reference: "1A 234" }

/** A notice that people are to send, and its document, which was not read yet. */
const noticed = Effect.gen(function* () {
  const world = yield* newTenant
  yield* publishTemplates(world)
  const { policyId } = yield* signed(world, world.session, {
    startedAt: "2027-02-12T00:00:00+01:00"
  })
  yield* moveTo(world, "2027-03-05T12:00:00Z")
  yield* plan(world)
  const notices = `/billing/policies/${policyId}/formal-notices`
  const [notice] = (yield* send(world, world.manager, notices)).body.data
  assert.strictEqual(notice.status, "TO_SEND")
  const papers = `/documents/policies/${policyId}?kinds=FORMAL_NOTICE`
  const [paper] = (yield* send(world, world.manager, papers)).body.data
  assert.deepInclude(paper, { status: "PENDING", formalNoticeId: notice.id })
  const { invoiceIds, payerCustomerId } = notice
  const record = (documentHash?: string, query = "") =>
    call(`${notices}${query}`, {
      tenant: world.tenant,
      token: world.manager,
      method: "POST",
      body: {
        invoiceIds,
        payerCustomerId,
        sentAt: "2027-03-05T11:00:00Z",
        channel: "REGISTERED_LETTER",
        evidence: { ...evidence, ...(documentHash === undefined ? {} : { documentHash }) }
      }
    })
  const read = call(`/documents/${paper.id}/content`, {
    tenant: world.tenant,
    token: world.manager
  })
  return { noticeId: notice.id as string, record, read }
})

layer(TestLayer, { excludeTestServices: true })("the document of a formal notice", (it) => {
  it.effect("is named by its dispatch; the hash of another one is refused", () =>
    Effect.gen(function* () {
      const { noticeId, read, record } = yield* noticed
      const sha256 = (yield* read).header("etag")!.replaceAll('"', "")
      const other = yield* record("0".repeat(64))
      assert.strictEqual(other.status, 422, other.text)
      assert.strictEqual(other.body.code, "INVALID_REFERENCE")
      assert.deepInclude(other.body.details, { field: "evidence.documentHash" })
      const same = yield* record(sha256, "?dryRun=true")
      assert.strictEqual(same.body.evidence?.documentHash, sha256, same.text)
      const filled = yield* record()
      assert.deepInclude(filled.body, { id: noticeId, status: "SENT" })
      assert.deepStrictEqual(filled.body.evidence, { ...evidence, documentHash: sha256 })
    })
  )

  it.effect("is not known before it has bytes: the hash is what people say", () =>
    Effect.gen(function* () {
      const { record } = yield* noticed
      const given = "0".repeat(64)
      const recorded = yield* record(given)
      assert.strictEqual(recorded.body.evidence?.documentHash, given, recorded.text)
    })
  )
})
