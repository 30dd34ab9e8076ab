/** The links of a document that work: who sees them, when they go, and that a race for one has one winner. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { LinkOpenings } from "@quittance/operations/documents/links/LinkOpenings"
import * as Renderer from "@quittance/renderer/Renderer"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Exit, Layer } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { moveTo } from "./Certified.ts"
import { plan, publishTemplates } from "./PlannedDocuments.ts"
import { quoted, send } from "./Sales.ts"

const Openings = LinkOpenings.layer.pipe(
  Layer.provide(Renderer.layer),
  Layer.provide(NodeServices.layer)
)

const scene = Effect.gen(function* () {
  const world = yield* newTenant
  yield* publishTemplates(world)
  const { customerId, policyId } = yield* quoted(world, world.session)
  yield* plan(world)
  const { body } = yield* send(world, world.manager, `/documents/policies/${policyId}?kinds=QUOTE`)
  const path = `/documents/${String(body.data[0].id)}`
  const make = (sent: unknown = {}, token = world.manager) =>
    Effect.map(send(world, token, `${path}/links`, sent), (answer) => answer.body)
  const list = (token: string, of: Pick<World, "tenant"> = world, query = "") =>
    call(`${path}/links${query}`, { tenant: of.tenant, token })
  const ids = (token = world.manager) =>
    Effect.map(list(token), ({ body: page }) =>
      page.data.map(({ id }: { readonly id: string }) => id)
    )
  return { world, path, customerId, make, list, ids }
})

layer(Layer.provideMerge(Openings, TestLayer), { excludeTestServices: true })(
  "links of a document that work",
  (it) => {
    it.effect("are shown to those who may make them, and to no others", () =>
      Effect.gen(function* () {
        const { list, make, world } = yield* scene
        yield* make()
        const without = yield* call("/documents/document_none/links", { tenant: world.tenant })
        assert.strictEqual(without.status, 401)
        assert.strictEqual((yield* list(world.stranger)).status, 403)
        const other = yield* newTenant
        const away = yield* list(other.manager, other)
        assert.deepStrictEqual([away.status, away.body.code], [404, "DOCUMENT_NOT_FOUND"])
        // The token of a tenant is worth nothing under another's name.
        assert.strictEqual((yield* list(other.manager)).status, 401)
        // The firm of South has no part in a policy of the house.
        assert.strictEqual((yield* list(world.south)).status, 403)
        assert.strictEqual((yield* list(world.manager, world, "?count=0")).status, 400)
      })
    )

    it.effect(
      "say who has made them, until when, and whether they were opened; never what opens",
      () =>
        Effect.gen(function* () {
          const { customerId, list, make, path, world } = yield* scene
          assert.deepStrictEqual((yield* list(world.manager)).body.data, [])
          const first = yield* make({ customerId, expiresIn: 3600 })
          yield* moveTo(world, "2026-03-10T09:10:00Z")
          const second = yield* make({ once: true })
          yield* call(new URL(first.url).pathname, { method: "POST" })
          const { body, text } = yield* list(world.manager)
          const [latest, earlier] = body.data
          assert.strictEqual(body.data.length, 2)
          assert.deepInclude(latest, {
            id: second.id,
            documentId: path.slice("/documents/".length),
            once: true,
            createdAt: "2026-03-10T09:10:00.000Z",
            expiresAt: "2026-03-10T09:25:00.000Z"
          })
          assert.strictEqual(latest.author.kind, "USER")
          assert.notProperty(latest, "openedAt")
          assert.notProperty(latest, "customerId")
          assert.deepInclude(earlier, {
            id: first.id,
            customerId,
            expiresAt: "2026-03-10T10:00:00.000Z",
            openedAt: "2026-03-10T09:10:00.000Z"
          })
          for (const { url } of [first, second]) {
            assert.notInclude(text, String(url).split(".").at(-1)!)
          }
          const paged = yield* list(world.manager, world, "?count=1&page=2")
          assert.deepStrictEqual(paged.body.data, [earlier])
        })
    )

    it.effect("are to customers those that are for them", () =>
      Effect.gen(function* () {
        const { customerId, ids, make, world } = yield* scene
        yield* make()
        const sent = yield* make({ customerId })
        const own = yield* make({}, world.session)
        assert.sameMembers(yield* ids(world.session), [own.id, sent.id])
        assert.lengthOf(yield* ids(), 3)
      })
    )

    it.effect("leave the list with their time, their use, by hand, with session and document", () =>
      Effect.gen(function* () {
        const { ids, make, path, world } = yield* scene
        const sql = yield* SuperuserSql
        const short = yield* make({ expiresIn: 60 })
        const once = yield* make({ once: true })
        const withdrawn = yield* make()
        const visitors = yield* make({}, world.session)
        const stays = yield* make({ expiresIn: 604_800 })
        assert.lengthOf(yield* ids(), 5)
        yield* moveTo(world, "2026-03-10T09:01:00Z")
        assert.notInclude(yield* ids(), short.id)
        yield* call(new URL(once.url).pathname, { method: "POST" })
        yield* call(`/documents/links/${withdrawn.id}`, {
          tenant: world.tenant,
          token: world.manager,
          method: "DELETE"
        })
        assert.sameMembers(yield* ids(), [visitors.id, stays.id])
        yield* sql`
          UPDATE anonymous_session SET revoked_at = clock_timestamp()
          WHERE id = (SELECT session_id FROM document_link WHERE id = ${visitors.id})
        `
        assert.deepStrictEqual(yield* ids(), [stays.id])
        yield* send(world, world.manager, `${path}/void`, { reason: "It names another driver." })
        assert.deepStrictEqual(yield* ids(), [])
      })
    )

    it.effect("open once, in two hundred races for one that opens once", () =>
      Effect.gen(function* () {
        const { make } = yield* scene
        const openings = yield* LinkOpenings
        for (let round = 0; round < 200; round += 1) {
          const { url } = yield* make({ once: true })
          const token = new URL(String(url)).pathname.slice("/documents/links/".length)
          const reader = { address: `192.0.2.${round}`, userAgent: "test" }
          const tried = yield* Effect.all(
            Array.from({ length: 4 }, () => Effect.exit(openings.open(token, reader))),
            { concurrency: "unbounded" }
          )
          assert.lengthOf(tried.filter(Exit.isSuccess), 1, `round ${round}`)
        }
      })
    )
  }
)
