/** Letters that ask for documents, and their links: a page, one file, and each way in which a link ends. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { DocumentRequestLetters } from "@quittance/operations/documents/requests/DocumentRequestLetters"
import { LinkedUploads } from "@quittance/operations/documents/requests/LinkedUploads"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import * as Post from "../../../packages/operations/test/Post.ts"
import { Api, newTenant, TestLayer } from "./Api.ts"
import { moveTo } from "./Certified.ts"
import { form } from "./Forms.ts"
import { quoted, send } from "./Sales.ts"
import { eicar, scan } from "./Scanning.ts"

const Live = Layer.mergeAll(DocumentRequestLetters.layer, LinkedUploads.layer).pipe(
  Layer.provide([Post.transport, NodeServices.layer]),
  Layer.provideMerge(TestLayer)
)

const round = DocumentRequestLetters.use((letters) => letters.round)

const linkOf = ({ text }: { readonly text: string }) =>
  new URL(/https?:\/\/\S+\/uploads\/\S+/u.exec(text)![0]).pathname

const scene = Effect.gen(function* () {
  while (yield* round);
  Post.sent.length = 0
  const world = yield* newTenant
  const { customerId, policyId } = yield* quoted(world, world.session)
  const ask = Effect.gen(function* () {
    const { body } = yield* send(world, world.manager, `/documents/policies/${policyId}/requests`, {
      kind: "OTHER",
      customerId,
      note: "Licence <b>both</b> sides",
      dueOn: "2026-04-30"
    })
    const id = String(body.id)
    yield* round
    const letter = Post.sent.find((one) => one.id.includes(id))!
    return { id, letter, link: linkOf(letter) }
  })
  const stored = (id: string) =>
    SuperuserSql.use(
      (sql) => sql<{ readonly status: string; readonly documentId: string | null }>`
        SELECT status, document_id FROM document_request WHERE id = ${id}`
    ).pipe(Effect.map(([row]) => row!))
  return { world, customerId, policyId, ask, stored }
})

/** As a browser: without a token or a tenant. */
const browse = Effect.fnUntraced(function* (path: string, init: RequestInit = {}) {
  const { fetch } = yield* Api
  const response = yield* fetch(new Request(`http://localhost:8080${path}`, init))
  const text = yield* Effect.promise(() => response.text())
  return { headers: response.headers, status: response.status, text }
})

const add = (
  path: string,
  file: Parameters<typeof form>[1] = { bytes: "a text" },
  fields: Readonly<Record<string, string>> = {}
) => browse(path, { method: "POST", ...form(fields, file) })

layer(Live, { excludeTestServices: true })("links that ask for documents", (it) => {
  it.effect("come by a letter, show a page that changes nothing, and take one file", () =>
    Post.quietly(
      Effect.gen(function* () {
        const { ask, policyId, stored, world } = yield* scene
        const { id, letter, link } = yield* ask
        assert.strictEqual(letter.to, "camille@example.test")
        assert.match(letter.text, /30 avril 2026/u)
        // Thirty days of the tenant's time.
        assert.match(letter.text, /9 avril 2026/u)
        assert.notInclude(letter.html, "<b>both</b>")
        const page = yield* browse(link)
        assert.strictEqual(page.status, 200)
        assert.match(
          page.text,
          /<form method="post" action="[^"]+" enctype="multipart\/form-data">/u
        )
        assert.notInclude(page.text, "<b>both</b>")
        assert.notInclude(page.text, "<script")
        const policy = page.headers.get("content-security-policy")!
        assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/u)
        assert.strictEqual(page.headers.get("cache-control"), "no-store")
        assert.strictEqual((yield* stored(id)).status, "OPEN")
        const added = yield* add(link)
        assert.strictEqual(added.status, 201, added.text)
        assert.include(added.text, "Votre fichier est arrivé")
        const { documentId, status } = yield* stored(id)
        assert.strictEqual(status, "RECEIVED")
        // Used: it ends before the file is judged.
        assert.deepStrictEqual(
          [(yield* browse(link)).status, (yield* add(link)).status],
          [404, 404]
        )
        yield* scan()
        assert.strictEqual((yield* stored(id)).status, "FULFILLED")
        const { body } = yield* send(world, world.manager, `/documents/${documentId}`)
        assert.deepInclude(body, { origin: "UPLOADED", status: "READY", policyId })
        assert.deepStrictEqual(body.author, { kind: "ANONYMOUS", id })
        const kept = yield* SuperuserSql.use(
          (sql) => sql`SELECT FROM document_request WHERE link_hash IS NOT NULL AND id = ${id}`
        )
        assert.lengthOf(kept, 0)
      })
    )
  )

  it.effect("refuse files of a wrong type, empty or too large, and then take another one", () =>
    Post.quietly(
      Effect.gen(function* () {
        const { ask, stored, world } = yield* scene
        const { id, link } = yield* ask
        const wrong = [
          [415, { bytes: "a text", type: "application/pdf" }],
          [422, { bytes: "" }],
          [413, { bytes: new Uint8Array(26_214_401) }]
        ] as const
        for (const [status, file] of wrong) {
          const answer = yield* add(link, file)
          assert.strictEqual(answer.status, status, answer.text.slice(0, 300))
          assert.match(answer.text, /role="alert"/u)
        }
        assert.strictEqual((yield* stored(id)).status, "OPEN")
        // What else a form says changes nothing of what the link is for.
        assert.strictEqual((yield* add(link, undefined, { kind: "MANDATE" })).status, 201)
        const { documentId } = yield* stored(id)
        const { body } = yield* send(world, world.manager, `/documents/${documentId}`)
        assert.strictEqual(body.kind, "UPLOAD")
      })
    )
  )

  it.effect("are replaced by another one, in another letter, where the file was malware", () =>
    Post.quietly(
      Effect.gen(function* () {
        const { ask, stored } = yield* scene
        const { id, letter, link } = yield* ask
        assert.strictEqual((yield* add(link, { bytes: eicar })).status, 201)
        yield* scan()
        assert.strictEqual((yield* stored(id)).status, "OPEN")
        assert.strictEqual((yield* add(link)).status, 404)
        yield* round
        const again = Post.sent.find((one) => one.id.includes(id) && one.id !== letter.id)!
        assert.match(again.text, /danger/u)
        assert.notStrictEqual(linkOf(again), link)
        assert.strictEqual((yield* add(link)).status, 404)
        assert.strictEqual((yield* add(linkOf(again))).status, 201)
      })
    )
  )

  it.effect(
    "answer alike, whatever a link lacks: forged, of another tenant, ended, cancelled",
    () =>
      Post.quietly(
        Effect.gen(function* () {
          const { ask, world } = yield* scene
          const { id, link } = yield* ask
          const { link: late } = yield* ask
          const other = yield* newTenant
          const last = link.at(-1) === "A" ? "B" : "A"
          yield* send(world, world.manager, `/documents/requests/${id}/cancel`, {})
          yield* moveTo(world, "2026-04-09T08:59:59Z")
          assert.strictEqual((yield* browse(late)).status, 200)
          yield* moveTo(world, "2026-04-09T09:00:00Z")
          const pages = yield* Effect.forEach(
            [
              link,
              late,
              late.slice(0, -1) + last,
              late.replace(world.tenant, other.tenant),
              late.replace(world.tenant, "none"),
              `${late}.more`,
              "/uploads/none"
            ],
            Effect.fnUntraced(function* (path) {
              const looked = yield* browse(path)
              const added = yield* add(path)
              assert.deepStrictEqual([looked.status, added.status], [404, 404], path)
              assert.strictEqual(looked.text, added.text)
              return looked.text
            })
          )
          assert.lengthOf(new Set(pages), 1)
          assert.notInclude(pages[0]!, "Licence")
        })
      )
  )

  it.effect(
    "leave again with the same link where a sender dies, and to no one without an address",
    () =>
      Post.quietly(
        Effect.gen(function* () {
          const { ask, customerId, world } = yield* scene
          Post.steps.after = () => Effect.die(new Error("killed"))
          const { id, link } = yield* ask
          Post.steps.after = () => Effect.void
          const sql = yield* SuperuserSql
          yield* sql`UPDATE document_request_letter SET due_at = clock_timestamp() WHERE request_id = ${id}`
          yield* Effect.all([round, round, round], { concurrency: "unbounded" })
          assert.deepStrictEqual(Post.sent.map(linkOf), [link, link])
          yield* sql`UPDATE customer SET email = NULL WHERE id = ${customerId}`
          yield* send(world, world.manager, `/documents/requests/${id}/cancel`, {})
          yield* Effect.exit(ask)
          assert.lengthOf(Post.sent, 2)
          const kept = yield* sql`
            SELECT not_sent, due_at::text AS due FROM document_request_letter
            WHERE tenant_id = ${world.tenant}`
          assert.deepStrictEqual(kept, [{ notSent: "NO_ADDRESS", due: "infinity" }])
        })
      )
  )

  it.effect("take one of two files that come at the same time, in two hundred races", () =>
    Post.quietly(
      Effect.gen(function* () {
        const { ask, policyId } = yield* scene
        const { id, link } = yield* ask
        const sql = yield* SuperuserSql
        const uploads = yield* LinkedUploads
        const token = link.slice("/uploads/".length)
        const [before] = yield* sql<{ readonly hash: Uint8Array }>`
          SELECT link_hash AS hash FROM document_request WHERE id = ${id}`
        const file = {
          name: "licence.txt",
          mediaType: "text/plain",
          size: 13,
          sha256: "",
          bytes: Effect.succeed(new TextEncoder().encode("B, since 2011"))
        }
        const received = Effect.succeed({ fields: { kind: "UPLOAD" as const }, file })
        for (let race = 0; race < 200; race += 1) {
          // The request as it was before.
          yield* sql`UPDATE document_request SET status = 'OPEN', document_id = NULL,
            received_at = NULL, link_hash = ${before!.hash} WHERE id = ${id}`
          yield* sql`DELETE FROM document_scan WHERE document_id IN (
            SELECT id FROM document WHERE policy_id = ${policyId} AND origin = 'UPLOADED')`
          yield* sql`DELETE FROM document WHERE policy_id = ${policyId} AND origin = 'UPLOADED'`
          const one = Effect.flatMap(uploads.look(token, `192.0.2.${race}`), (request) =>
            uploads.take(request, received)
          )
          const exits = yield* Effect.all([Effect.exit(one), Effect.exit(one)], {
            concurrency: "unbounded"
          })
          const taken = exits.filter(({ _tag }) => _tag === "Success")
          assert.lengthOf(taken, 1, `race ${race}`)
          const added = yield* sql`
            SELECT FROM document WHERE policy_id = ${policyId} AND origin = 'UPLOADED'`
          assert.lengthOf(added, 1, `race ${race}`)
        }
      })
    )
  )
})
