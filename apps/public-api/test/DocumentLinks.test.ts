/** Links of documents over HTTP: a person who has one opens its document, and each way in which one ends. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { Api, call, newTenant, TestLayer, type World } from "./Api.ts"
import { moveTo } from "./Certified.ts"
import { plan, publishTemplates } from "./PlannedDocuments.ts"
import { quoted, send } from "./Sales.ts"

const post = (world: World, token: string, path: string, body: unknown = {}) =>
  call(path, { tenant: world.tenant, token, method: "POST", body })

const scene = Effect.gen(function* () {
  const world = yield* newTenant
  yield* publishTemplates(world)
  const { customerId, policyId } = yield* quoted(world, world.session)
  yield* plan(world)
  const { body } = yield* send(world, world.manager, `/documents/policies/${policyId}?kinds=QUOTE`)
  const id = String(body.data[0].id)
  const path = `/documents/${id}`
  const make = (body: unknown = {}, token = world.manager) =>
    Effect.map(post(world, token, `${path}/links`, body), (answer) => ({
      ...answer,
      link: answer.body.url === undefined ? "" : new URL(answer.body.url).pathname
    }))
  const deliveries = Effect.map(
    call(`${path}/deliveries`, { tenant: world.tenant, token: world.manager }),
    ({ body }) => body.data
  )
  return { world, id, path, customerId, make, deliveries }
})

/** As a browser: without a token, a tenant or a body. */
const get = Effect.fnUntraced(function* (
  path: string,
  headers: Readonly<Record<string, string>> = {}
) {
  const { fetch } = yield* Api
  const response = yield* fetch(new Request(`http://localhost:8080${path}`, { headers }))
  return { response, text: yield* Effect.promise(() => response.text()) }
})
const open = (path: string) => call(path, { method: "POST" })
const codeOf = (path: string) => Effect.map(open(path), ({ body, status }) => [status, body?.code])

const openings = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SuperuserSql
  return yield* sql<{ readonly actorId: string; readonly detail: { readonly linkId: string } }>`
    SELECT actor_id, detail FROM audit
    WHERE record_id = ${id} AND action = 'document.openLink' ORDER BY id
  `
})

layer(TestLayer, { excludeTestServices: true })("links of documents", (it) => {
  it.effect("show a page that changes nothing, and open the document on its button", () =>
    Effect.gen(function* () {
      const { customerId, deliveries, id, make, path, world } = yield* scene
      const { body, link, status, text } = yield* make({ customerId })
      assert.strictEqual(status, 201, text)
      assert.deepInclude(body, { documentId: id, once: false, customerId })
      const page = yield* get(link)
      assert.strictEqual(page.response.status, 200)
      assert.include(page.text, `<form method="post" action="${link}">`)
      assert.notInclude(page.text, "<script")
      assert.strictEqual(page.response.headers.get("cache-control"), "no-store")
      assert.deepStrictEqual(yield* openings(id), [])
      assert.deepStrictEqual(yield* deliveries, [])
      const { bytes, header, status: opened } = yield* open(link)
      assert.strictEqual(opened, 200)
      assert.strictEqual(header("content-type"), "application/pdf")
      assert.match(header("content-disposition")!, /^attachment/u)
      const read = yield* call(`${path}/content`, { tenant: world.tenant, token: world.manager })
      assert.isTrue(bytes.equals(read.bytes))
      yield* open(link)
      const [proof, ...others] = yield* deliveries
      assert.deepStrictEqual(others, [])
      assert.deepInclude(proof, { customerId, channel: "LINK", level: "OPENED" })
      assert.deepStrictEqual(proof.actor, { kind: "ANONYMOUS", id: body.id })
      assert.deepStrictEqual(
        (yield* openings(id)).map(({ detail }) => detail.linkId),
        [body.id, body.id]
      )
    })
  )

  it.effect("keep no secret in the database, and answer the same link to a repetition", () =>
    Effect.gen(function* () {
      const { path, world } = yield* scene
      const again = call(`${path}/links`, {
        tenant: world.tenant,
        token: world.manager,
        method: "POST",
        body: {},
        headers: { "idempotency-key": "links-1" }
      })
      const { body } = yield* again
      assert.strictEqual((yield* again).body.url, body.url)
      const secret = String(body.url).split(".").at(-1)!
      assert.strictEqual(secret.length, 43)
      const sql = yield* SuperuserSql
      const [kept] = yield* sql<{ readonly links: string; readonly answers: string }>`
        SELECT (SELECT string_agg(l::text, ' ') FROM document_link l) AS links,
          (SELECT string_agg(i::text, ' ') FROM idempotency i) AS answers
      `
      assert.include(kept!.links, body.id)
      assert.include(kept!.answers, body.id)
      assert.notInclude(kept!.links + kept!.answers, secret)
    })
  )

  it.effect("open once, of forty who try at the same time, where they open once", () =>
    Effect.gen(function* () {
      const { id, make } = yield* scene
      const { link } = yield* make({ once: true })
      assert.strictEqual((yield* get(link)).response.status, 200)
      const tried = yield* Effect.all(
        Array.from({ length: 40 }, () => codeOf(link)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(tried.filter(([status]) => status === 200).length, 1)
      assert.deepStrictEqual(
        tried.filter(([status]) => status !== 200),
        Array.from({ length: 39 }, () => [410, "DOCUMENT_LINK_EXPIRED"])
      )
      assert.strictEqual((yield* openings(id)).length, 1)
      assert.strictEqual((yield* get(link)).response.status, 410)
    })
  )

  it.effect(
    "end with their time, by hand, with their document and with the visitor's session",
    () =>
      Effect.gen(function* () {
        const { make, path, world } = yield* scene
        const sql = yield* SuperuserSql
        const ended = [410, "DOCUMENT_LINK_EXPIRED"]
        const late = yield* make({ expiresIn: 60 })
        // The tenant's clock stands at 09:00: an end is an end to the second, and not before.
        yield* moveTo(world, "2026-03-10T09:00:59Z")
        assert.strictEqual((yield* get(late.link)).response.status, 200)
        yield* moveTo(world, "2026-03-10T09:01:00Z")
        assert.deepStrictEqual(yield* codeOf(late.link), ended)
        const withdrawn = yield* make()
        const revoke = (token: string) =>
          call(`/documents/links/${withdrawn.body.id}`, {
            tenant: world.tenant,
            token,
            method: "DELETE"
          })
        assert.strictEqual((yield* revoke(world.stranger)).status, 403)
        assert.strictEqual((yield* revoke(world.manager)).status, 204)
        assert.strictEqual((yield* revoke(world.manager)).status, 204)
        assert.deepStrictEqual(yield* codeOf(withdrawn.link), ended)
        const visitors = yield* make({}, world.session)
        const staffs = yield* make()
        assert.strictEqual((yield* open(visitors.link)).status, 200)
        yield* sql`
        UPDATE anonymous_session SET revoked_at = clock_timestamp()
        WHERE id = (SELECT session_id FROM document_link WHERE id = ${visitors.body.id})
      `
        assert.deepStrictEqual(yield* codeOf(visitors.link), ended)
        assert.strictEqual((yield* open(staffs.link)).status, 200)
        yield* post(world, world.manager, `${path}/void`, { reason: "It names another driver." })
        assert.deepStrictEqual(yield* codeOf(staffs.link), ended)
        assert.strictEqual((yield* make()).body.code, "DOCUMENT_NOT_READY")
      })
  )

  it.effect("are ours or there are none, and are tried sixty times a minute", () =>
    Effect.gen(function* () {
      const { make, world } = yield* scene
      const { link } = yield* make()
      const other = yield* newTenant
      const last = link.at(-1) === "A" ? "B" : "A"
      const forged = [
        link.slice(0, -1) + last,
        link.replace(world.tenant, other.tenant),
        link.replace(world.tenant, "nobody"),
        `${link}.more`,
        "/documents/links/none"
      ]
      for (const path of forged) {
        assert.deepStrictEqual(yield* codeOf(path), [404, "DOCUMENT_LINK_NOT_FOUND"], path)
      }
      const accept = "text/html,application/xhtml+xml,*/*;q=0.8"
      const page = yield* get(forged[0]!, { accept, "accept-language": "de-DE,de;q=0.9" })
      assert.strictEqual(page.response.status, 404)
      assert.match(page.response.headers.get("content-type")!, /^text\/html/u)
      assert.include(page.text, '<html lang="de">')
      assert.include(page.text, "den Absender um einen neuen Link")
      assert.strictEqual(page.response.headers.get("referrer-policy"), "no-referrer")
      const tried = yield* Effect.all(
        Array.from({ length: 61 }, () => open(link)),
        { concurrency: 8 }
      )
      const limited = tried.filter(({ status }) => status === 429)
      assert.isAtLeast(limited.length, 1)
      assert.isDefined(limited[0]!.header("retry-after"))
    })
  )

  it.effect(
    "are made by those who see the document, for its customers, and no more than a hundred",
    () =>
      Effect.gen(function* () {
        const { id, make, world } = yield* scene
        assert.strictEqual((yield* make({}, world.stranger)).status, 403)
        assert.strictEqual((yield* make({ expiresIn: 59 })).status, 400)
        assert.strictEqual((yield* make({ expiresIn: 604_801 })).status, 400)
        const { customerId: stranger } = yield* quoted(world, world.manager)
        const refused = yield* make({ customerId: stranger })
        assert.deepInclude(refused.body, { code: "INVALID_REFERENCE" })
        const own = yield* make({}, world.session)
        assert.isString(own.body.customerId)
        const sql = yield* SuperuserSql
        yield* sql`
        INSERT INTO document_link (tenant_id, id, document_id, token_hash, once, author_kind, author_id, expires_at)
        SELECT tenant_id, 'x' || n, document_id, sha256(n::text::bytea), false, 'USER', 'x', clock_timestamp() + interval '1 hour'
        FROM document_link, generate_series(1, 99) n WHERE id = ${own.body.id} AND document_id = ${id}
      `
        const full = yield* make()
        assert.deepInclude(full.body, { code: "TOO_MANY_DOCUMENT_LINKS" })
        yield* sql`UPDATE document_link SET revoked_at = clock_timestamp() WHERE id = 'x1'`
        assert.strictEqual((yield* make()).status, 201)
      })
  )
})
