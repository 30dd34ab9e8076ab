/** Who was given which document: by their own read, by hand; what is no proof, and that none is changed. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { form } from "./Forms.ts"
import { plan, publishTemplates } from "./PlannedDocuments.ts"
import { quoted, send } from "./Sales.ts"
import { idOf } from "./SignedIn.ts"

const post = (world: World, token: string, path: string, body: unknown = {}) =>
  call(path, { tenant: world.tenant, token, method: "POST", body })

/** A quote that was not read yet. */
const scene = Effect.gen(function* () {
  const world = yield* newTenant
  yield* publishTemplates(world)
  const { customerId, policyId } = yield* quoted(world, world.session)
  yield* plan(world)
  const { body } = yield* send(world, world.manager, `/documents/policies/${policyId}?kinds=QUOTE`)
  const document = `/documents/${body.data[0].id}`
  const read = (token: string) => call(`${document}/content`, { tenant: world.tenant, token })
  const deliveries = Effect.map(
    send(world, world.manager, `${document}/deliveries`),
    ({ body: page }) => page.data as ReadonlyArray<Record<string, unknown>>
  )
  return { world, customerId, policyId, document, read, deliveries }
})

layer(TestLayer, { excludeTestServices: true })("deliveries", (it) => {
  it.effect("are kept when customers read a document for the first time, and only then", () =>
    Effect.gen(function* () {
      const { customerId, deliveries, document, read, world } = yield* scene
      yield* read(world.manager)
      yield* read(world.client)
      assert.strictEqual((yield* read(world.stranger)).status, 403)
      assert.deepStrictEqual(yield* deliveries, [])
      const seen = yield* read(world.session)
      yield* Effect.all([read(world.session), read(world.session)], { concurrency: 2 })
      const [opened, ...further] = yield* deliveries
      assert.deepStrictEqual(further, [])
      assert.deepInclude(opened, { customerId, channel: "SCREEN", level: "OPENED" })
      assert.strictEqual(`"${String(opened!["sha256"])}"`, seen.header("etag"))
      assert.strictEqual((opened!["actor"] as { readonly kind: string }).kind, "ANONYMOUS")
      const sql = yield* SuperuserSql
      const told = yield* sql<{ readonly payload: object }>`
        SELECT payload FROM event WHERE kind = 'document.opened'
          AND subject = ${document.slice("/documents/".length)}
      `
      assert.lengthOf(told, 1)
      assert.deepInclude(told[0]!.payload, { customerId, kind: "QUOTE" })
    })
  )

  it.effect("are no matter of a read that has not answered the whole file", () =>
    Effect.gen(function* () {
      const { deliveries, document, read, world } = yield* scene
      const path = `${document}/content`
      const asked = { tenant: world.tenant, token: world.session }
      const answered = yield* Effect.forEach(
        [
          { method: "HEAD" },
          { headers: { "if-none-match": "*" } },
          { headers: { range: "bytes=99999999-" } },
          { headers: { range: "bytes=0-0" } }
        ],
        (request) => Effect.map(call(path, { ...asked, ...request }), ({ status }) => status)
      )
      assert.deepStrictEqual(answered, [200, 304, 416, 206])
      assert.deepStrictEqual(yield* deliveries, [])
      yield* read(world.session)
      assert.lengthOf(yield* deliveries, 1)
    })
  )

  it.effect("are not made for customers by staff who may read their documents alone", () =>
    Effect.gen(function* () {
      const { deliveries, document, read, world } = yield* scene
      const { manager, south, tenant } = world
      const put = (path: string, body: unknown) =>
        call(path, { tenant, token: manager, method: "PUT", body })
      const role = { name: "Claims desk", actions: { policy: ["read"], document: ["read"] } }
      assert.strictEqual((yield* put("/permissions/roles/CLAIMS_DESK", role)).status, 200)
      const permissions = [{ role: "CLAIMS_DESK", on: { kind: "TENANT" } }]
      yield* put(`/admin/users/${yield* idOf(tenant, "south")}/permissions`, { permissions })
      assert.strictEqual((yield* read(south)).status, 200)
      assert.strictEqual((yield* post(world, south, `${document}/acknowledge`)).status, 403)
      assert.deepStrictEqual(yield* deliveries, [])
    })
  )

  it.effect("are recorded by hand, for customers of the policy and not for times before", () =>
    Effect.gen(function* () {
      const { customerId, deliveries, document, policyId, world } = yield* scene
      const path = `${document}/deliveries`
      const byHand = (body: object, token = world.manager) => post(world, token, path, body)
      const { customerId: other } = yield* quoted(world, world.session)
      const paper = { customerId, channel: "PAPER" }
      assert.strictEqual((yield* byHand(paper, world.session)).status, 403)
      assert.strictEqual((yield* byHand({ ...paper, channel: "PIGEON" })).status, 400)
      const ofOther = yield* byHand({ ...paper, customerId: other })
      assert.strictEqual(ofOther.status, 422, ofOther.text)
      assert.strictEqual(ofOther.body.code, "INVALID_REFERENCE")
      const early = yield* byHand({ ...paper, at: "2020-01-01T00:00:00Z" })
      assert.strictEqual(early.body.code, "INVALID_EFFECTIVE_DATE", early.text)
      assert.strictEqual((yield* byHand({ ...paper, at: "2199-01-01T00:00:00Z" })).status, 422)
      assert.deepStrictEqual(yield* deliveries, [])
      const given = yield* byHand(paper)
      assert.strictEqual(given.status, 201, given.text)
      assert.deepInclude(given.body, { ...paper, level: "DELIVERED" })
      // It can be posted twice.
      assert.strictEqual((yield* byHand(paper)).status, 201)
      assert.lengthOf(yield* deliveries, 2)
      const upload = form({ kind: "UPLOAD" }, { bytes: "a text" })
      const { body } = yield* call(`/documents/policies/${policyId}/uploads`, {
        tenant: world.tenant,
        token: world.session,
        method: "POST",
        ...upload
      })
      const unread = yield* post(world, world.manager, `/documents/${body.id}/deliveries`, paper)
      assert.strictEqual(unread.body.code, "DOCUMENT_NOT_READY")
    })
  )

  it.effect(
    "say that a link was sent, where one was made for the customer; it proves nothing",
    () =>
      Effect.gen(function* () {
        const { customerId, deliveries, document, world } = yield* scene
        const link = { customerId, channel: "LINK" }
        const byHand = (body: object = link, token = world.manager) =>
          post(world, token, `${document}/deliveries`, body)
        const early = yield* byHand()
        assert.strictEqual(early.status, 422, early.text)
        assert.deepInclude(early.body.details, { field: "customerId" })
        // One that proves the opening of no customer was sent to none.
        yield* post(world, world.manager, `${document}/links`, {})
        assert.strictEqual((yield* byHand()).status, 422)
        yield* post(world, world.manager, `${document}/links`, { customerId })
        assert.strictEqual((yield* byHand(link, world.session)).status, 403)
        assert.deepStrictEqual(yield* deliveries, [])
        const sent = yield* byHand()
        assert.strictEqual(sent.status, 201, sent.text)
        assert.deepInclude(sent.body, { ...link, level: "SENT" })
        // It can be sent twice.
        assert.strictEqual((yield* byHand()).status, 201)
        const listed = yield* deliveries
        assert.deepStrictEqual(
          listed.map(({ level }) => level),
          ["SENT", "SENT"]
        )
        const sql = yield* SuperuserSql
        const proofs = yield* sql`
        SELECT FROM document_delivery WHERE document_id = ${document.slice("/documents/".length)}`
        assert.lengthOf(proofs, 0)
      })
  )

  it.effect("are acknowledged by customers themselves, while the document still holds", () =>
    Effect.gen(function* () {
      const { customerId, deliveries, document, policyId, world } = yield* scene
      const acknowledge = (token: string) => post(world, token, `${document}/acknowledge`)
      assert.strictEqual((yield* acknowledge(world.manager)).status, 403)
      assert.strictEqual((yield* acknowledge(world.stranger)).status, 403)
      assert.deepStrictEqual(yield* deliveries, [])
      const first = yield* acknowledge(world.session)
      assert.strictEqual(first.status, 200, first.text)
      assert.strictEqual((yield* acknowledge(world.session)).status, 200)
      const [proof, ...further] = yield* deliveries
      assert.deepStrictEqual(further, [])
      assert.deepInclude(proof, { customerId, level: "ACKNOWLEDGED" })
      yield* send(world, world.session, `/policies/${policyId}/quote`, {})
      yield* plan(world)
      const late = yield* acknowledge(world.session)
      assert.strictEqual(late.status, 409)
      assert.deepInclude(late.body.details, { status: "VOID" })
    })
  )

  it.effect("leave nothing in a dry run, which makes no document either", () =>
    Effect.gen(function* () {
      const { customerId, deliveries, document, read, world } = yield* scene
      const sql = yield* SuperuserSql
      const id = document.slice("/documents/".length)
      const row = sql`SELECT * FROM document WHERE id = ${id}`
      const contents = sql`SELECT count(*) FROM content WHERE tenant_id = ${world.tenant}`
      const tried = Effect.all([
        post(world, world.manager, `${document}/deliveries?dryRun=true`, {
          customerId,
          channel: "PAPER"
        }),
        post(world, world.session, `${document}/acknowledge?dryRun=true`)
      ])
      const before = [yield* row, yield* contents]
      for (const answer of yield* tried) {
        assert.strictEqual(answer.body.code, "DOCUMENT_NOT_READY", answer.text)
        assert.deepInclude(answer.body.details, { status: "PENDING" })
      }
      assert.deepStrictEqual([yield* row, yield* contents], before)
      yield* sql`UPDATE document SET status = 'FAILED',
        failure = '{"reason": "TEMPLATE_MISSING", "paths": []}' WHERE id = ${id}`
      const failed = yield* row
      for (const answer of yield* tried) assert.strictEqual(answer.status, 409, answer.text)
      assert.deepStrictEqual(yield* row, failed)
      yield* read(world.manager)
      const given = (yield* tried).map(({ status }) => status)
      assert.deepStrictEqual(given, [201, 200])
      assert.deepStrictEqual(yield* deliveries, [])
    })
  )

  it.effect("can't be changed or deleted by the programs", () =>
    Effect.gen(function* () {
      const sql = yield* SuperuserSql
      for (const table of ["document_delivery", "document_sending"]) {
        const rights = yield* sql<{ readonly right: string }>`
          SELECT privilege_type AS right FROM information_schema.role_table_grants
          WHERE table_name = ${table} AND grantee = 'quittance_runtime'
        `
        assert.deepStrictEqual(rights.map(({ right }) => right).sort(), ["INSERT", "SELECT"], table)
      }
    })
  )
})
