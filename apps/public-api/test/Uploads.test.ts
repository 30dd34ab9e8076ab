/** Files that people add to a policy, over HTTP: refused, judged, kept from everybody, then read. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { form } from "./Forms.ts"
import { plan, publishTemplates } from "./PlannedDocuments.ts"
import { quoted, send } from "./Sales.ts"
import { eicar, scan } from "./Scanning.ts"

const tryAgain = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  yield* sql`UPDATE document_scan SET try_at = clock_timestamp()`
})

const scene = Effect.gen(function* () {
  const world = yield* newTenant
  const { policyId } = yield* quoted(world, world.session)
  return { world, policyId, path: `/documents/policies/${policyId}/uploads` }
})

const add = (
  { path, world }: { readonly path: string; readonly world: World },
  sent: ReturnType<typeof form>,
  token = world.session,
  headers: Record<string, string> = {}
) =>
  call(path, {
    tenant: world.tenant,
    token,
    method: "POST",
    body: sent.body,
    headers: { ...sent.headers, ...headers }
  })

/** What is told of a document. */
const told = (id: string) =>
  SuperuserSql.use(
    (sql) => sql<{ readonly kind: string; readonly payload: Readonly<Record<string, string>> }>`
      SELECT kind, payload FROM event WHERE subject = ${id} ORDER BY seq
    `
  )

const contentOf = (world: World, id: string, token = world.session) =>
  call(`/documents/${id}/content`, { tenant: world.tenant, token })

const text = (bytes: string | Uint8Array = "a text", more: { name?: string; type?: string } = {}) =>
  form({ kind: "UPLOAD" }, { bytes, ...more })

layer(TestLayer, { excludeTestServices: true })("files that people add", (it) => {
  it.effect("can't be read until the scanner has found them clean", () =>
    Effect.gen(function* () {
      const there = yield* scene
      const { policyId, world } = there
      const name = "../../etc/pässwd \u202e.txt"
      const added = yield* add(there, text("a text", { name }))
      assert.strictEqual(added.status, 201, added.text)
      assert.deepInclude(added.body, {
        origin: "UPLOADED",
        status: "QUARANTINED",
        kind: "UPLOAD",
        title: "../../etc/pässwd  .txt",
        mediaType: "text/plain",
        size: 6
      })
      const { id } = added.body
      for (const token of [world.session, world.manager]) {
        const early = yield* contentOf(world, id, token)
        assert.strictEqual(early.status, 409)
        assert.deepStrictEqual(early.body.details, { status: "QUARANTINED" })
      }
      // Nothing answers there: it waits, and is tried again later.
      yield* scan({ CLAMD: "127.0.0.1:1" })
      yield* scan()
      assert.strictEqual((yield* contentOf(world, id)).status, 409)
      assert.deepStrictEqual(yield* told(id), [])
      yield* tryAgain
      yield* scan()
      const payload = { documentId: id, policyId, kind: "UPLOAD" }
      assert.deepStrictEqual(yield* told(id), [{ kind: "document.ready", payload }])
      const read = yield* contentOf(world, id)
      assert.strictEqual(read.status, 200, read.text)
      assert.strictEqual(read.text, "a text")
      assert.strictEqual(read.header("content-type"), "text/plain")
      assert.strictEqual(read.header("x-content-type-options"), "nosniff")
      assert.strictEqual(read.header("content-security-policy"), "sandbox")
      const disposition = read.header("content-disposition")!
      assert.match(
        disposition,
        /^attachment; filename="[\u0020-\u007e]+\.txt"; filename\*=UTF-8''/u
      )
      assert.notMatch(disposition, /\.\.\/|\/etc/u)
      const { body } = yield* send(world, world.session, `/documents/policies/${policyId}`)
      assert.deepStrictEqual(
        body.data.map(({ id: one, status }: { id: string; status: string }) => [one, status]),
        [[id, "READY"]]
      )
    })
  )

  it.effect("that hold malware are rejected, and their bytes destroyed", () =>
    Effect.gen(function* () {
      const there = yield* scene
      const { world } = there
      const { body } = yield* add(there, text(`a text with ${eicar} in it`))
      yield* scan()
      const read = yield* contentOf(world, body.id)
      assert.strictEqual(read.status, 409)
      assert.deepStrictEqual(read.body.details, {
        status: "REJECTED",
        failure: { reason: "MALWARE", paths: [] }
      })
      assert.deepStrictEqual(yield* told(body.id), [
        {
          kind: "document.rejected",
          payload: {
            documentId: body.id,
            policyId: there.policyId,
            kind: "UPLOAD",
            reason: "MALWARE"
          }
        }
      ])
      const kept = yield* send(world, world.session, `/documents/${body.id}`)
      assert.strictEqual(kept.body.sha256, body.sha256)
      const sql = yield* SuperuserSql
      const left = yield* sql`SELECT 1 FROM content WHERE encode(sha256, 'hex') = ${body.sha256}`
      assert.lengthOf(left, 0)
    })
  )

  it.effect(
    "are shown to who has added them and to who works on the policy, and to no one else",
    () =>
      Effect.gen(function* () {
        const there = yield* scene
        const { policyId, world } = there
        const sent = text("of the broker")
        assert.strictEqual((yield* add(there, sent, world.stranger)).status, 403)
        assert.strictEqual((yield* add(there, sent, world.client)).status, 404)
        const { body } = yield* add(there, sent, world.manager)
        yield* scan()
        assert.strictEqual((yield* contentOf(world, body.id, world.manager)).status, 200)
        assert.strictEqual((yield* contentOf(world, body.id, world.session)).status, 404)
        const list = yield* send(world, world.session, `/documents/policies/${policyId}`)
        assert.deepStrictEqual(list.body.data, [])
        const other = yield* newTenant
        assert.strictEqual((yield* contentOf(other, body.id, other.manager)).status, 404)
      })
  )

  it.effect("are answered once for a key, whatever it is sent with again", () =>
    Effect.gen(function* () {
      const there = yield* scene
      const key = { "idempotency-key": "one" }
      const first = yield* add(there, text("a"), undefined, key)
      const again = yield* add(there, text("a"), undefined, key)
      assert.strictEqual(again.header("idempotency-replayed"), "true")
      assert.strictEqual(again.text, first.text)
      for (const other of [
        text("b"),
        text("a", { name: "b.txt" }),
        text("a", { type: "text/csv" }),
        form({ kind: "OTHER" }, { bytes: "a" })
      ]) {
        const reused = yield* add(there, other, undefined, key)
        assert.strictEqual(reused.body.code, "IDEMPOTENCY_KEY_REUSED")
      }
      const { body } = yield* add(there, text("a"))
      assert.notStrictEqual(body.id, first.body.id)
    })
  )

  it.effect("are refused where the form is not whole, and leave nothing", () =>
    Effect.gen(function* () {
      const there = yield* scene
      const { policyId, world } = there
      const whole = text("a text")
      const shortened = (bytes: number) => ({ ...whole, body: whole.body.subarray(0, bytes) })
      const lastBoundary = whole.body.length - 4
      const refused: ReadonlyArray<readonly [ReturnType<typeof form>, number, string]> = [
        [{ ...whole, headers: { "content-type": "multipart/form-data; boundary=x" } }, 400, ""],
        [{ ...whole, headers: { "content-type": "multipart/form-data" } }, 400, ""],
        [{ ...whole, headers: { "content-type": "application/json" } }, 415, ""],
        [shortened(lastBoundary), 400, ""],
        [shortened(120), 400, ""],
        [shortened(0), 400, ""],
        [form({ kind: "UPLOAD" }), 400, "/file"],
        [form({}, { bytes: "a" }), 400, "/kind"],
        [form({ kind: "CONTRACT" }, { bytes: "a" }), 400, "/kind"],
        [form({ kind: "UPLOAD", more: "x" }, { bytes: "a" }), 400, "/more"],
        [form({ kind: "UPLOAD", title: "\0" }, { bytes: "a" }), 400, "/title"],
        [form({ kind: "UPLOAD", title: "x".repeat(5000) }, { bytes: "a" }), 400, ""],
        [form({ kind: "UPLOAD" }, { bytes: "a" }, { bytes: "b" }), 400, "/file"]
      ]
      for (const [index, [sent, status, path]] of refused.entries()) {
        const { body, status: got, text: said } = yield* add(there, sent, world.manager)
        assert.strictEqual(got, status, `${index}: ${said}`)
        if (status === 400) assert.strictEqual(body.details.issues[0].path, path, said)
      }
      const judged: ReadonlyArray<readonly [ReturnType<typeof form>, string]> = [
        [text(""), "UPLOAD_REJECTED"],
        [text("%PDF-1.7\n", { type: "application/pdf" }), "UPLOAD_REJECTED"],
        [text("a text", { type: "image/png" }), "UNSUPPORTED_MEDIA_TYPE"]
      ]
      for (const [sent, code] of judged) {
        assert.strictEqual((yield* add(there, sent, world.manager)).body.code, code)
      }
      const { body } = yield* send(world, world.manager, `/documents/policies/${policyId}`)
      assert.deepStrictEqual(body.data, [])
    })
  )

  it.effect("have 25 MiB, and no byte more", () =>
    Effect.gen(function* () {
      const there = yield* scene
      const { world } = there
      const whole = Buffer.alloc(26_214_400, "a")
      const over = yield* add(there, text(Buffer.concat([whole, Buffer.from("a")])), world.manager)
      assert.strictEqual(over.body.code, "PAYLOAD_TOO_LARGE", over.text)
      assert.deepStrictEqual(over.body.details, { maximum: 26_214_400 })
      const { body, status } = yield* add(there, text(whole), world.manager)
      assert.strictEqual(status, 201)
      assert.strictEqual(body.size, 26_214_400)
    })
  )

  it.effect("are 200 or 500 MiB on a policy, and 30 an hour from a visitor", () =>
    Effect.gen(function* () {
      const there = yield* scene
      const { world } = there
      const { body } = yield* add(there, text())
      const sql = yield* SuperuserSql
      const sized = (size: number) => sql`UPDATE document SET size = ${size} WHERE id = ${body.id}`
      const next = () => Effect.map(add(there, text("b"), world.manager), ({ status }) => status)
      yield* sized(524_288_000)
      const full = yield* add(there, text("b"), world.manager)
      assert.deepInclude(full.body, { code: "UPLOAD_REJECTED" })
      assert.deepStrictEqual(full.body.details, { reason: "TOO_MANY_UPLOADS" })
      yield* sized(524_287_999)
      assert.strictEqual(yield* next(), 201)
      yield* sized(1)
      yield* sql`
        INSERT INTO document (tenant_id, id, kind, title, origin, status, version, policy_id,
          visibility, media_type, author_kind, author_id, content_address, sha256, size, created_at)
        SELECT tenant_id, id || n, kind, title, origin, status, version, policy_id, visibility,
          media_type, author_kind, author_id, content_address, sha256, size, created_at
        FROM document, generate_series(1, 197) AS n WHERE id = ${body.id}
      `
      assert.strictEqual(yield* next(), 201)
      assert.strictEqual(yield* next(), 422)
      // One was sent above.
      for (let sent = 1; sent < 30; sent++) {
        assert.strictEqual((yield* add(there, text(""))).status, 422)
      }
      assert.strictEqual((yield* add(there, text(""))).body.code, "RATE_LIMITED")
    })
  )

  it.effect("may be what the service itself has made", () =>
    Effect.gen(function* () {
      const there = yield* scene
      const { policyId, world } = there
      yield* publishTemplates(world)
      yield* plan(world)
      const { body } = yield* send(world, world.session, `/documents/policies/${policyId}`)
      const made = yield* contentOf(world, body.data[0].id)
      const added = yield* add(there, text(made.bytes, { type: "application/pdf" }))
      assert.strictEqual(added.status, 201, added.text)
      yield* scan()
      assert.isTrue((yield* contentOf(world, added.body.id)).bytes.equals(made.bytes))
    })
  )
})
