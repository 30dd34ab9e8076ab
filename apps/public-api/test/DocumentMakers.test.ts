/** Documents that are made without a reader: once, also where a dispatcher is killed, and at most three times. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { DocumentMakers } from "@quittance/operations/documents/DocumentMakers"
import { DocumentMakingRepo } from "@quittance/persistence/documents/DocumentMakingRepo"
import * as Renderer from "@quittance/renderer/Renderer"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { newTenant, TestLayer } from "./Api.ts"
import { moveTo, yearly } from "./Certified.ts"
import { plan, publishTemplates } from "./PlannedDocuments.ts"
import { send } from "./Sales.ts"

const Makers = DocumentMakers.layer.pipe(
  Layer.provide(Renderer.layer),
  Layer.provide(NodeServices.layer)
)

/** What one dispatcher does at a time. */
const round = Effect.flatMap(DocumentMakers, ({ round: make }) => make)

/** As if the time of all that waits had come. */
const wait = SuperuserSql.use((sql) => sql`UPDATE document_making SET try_at = clock_timestamp()`)

/** A policy that was stopped: the confirmation is due. */
const stopped = Effect.gen(function* () {
  const world = yield* newTenant
  yield* publishTemplates(world)
  const { policyId } = yield* yearly(world)
  yield* moveTo(world, "2026-04-02T09:00:00Z")
  const body = { reason: "SALE" }
  yield* send(world, world.manager, `/policies/${policyId}/stop`, body)
  yield* plan(world)
  yield* plan(world)
  const path = `/documents/policies/${policyId}?kinds=TERMINATION_CONFIRMATION`
  const confirmation = Effect.map(send(world, world.manager, path), ({ body: page }) => {
    assert.lengthOf(page.data, 1)
    return page.data[0] as { readonly id: string; readonly status: string }
  })
  const { id } = yield* confirmation
  const sql = yield* SuperuserSql
  const told = Effect.map(
    sql<{ readonly kind: string }>`SELECT kind FROM event WHERE subject = ${id} ORDER BY seq`,
    (events) => events.map(({ kind }) => kind)
  )
  const waiting = Effect.map(
    sql`SELECT FROM document_making WHERE document_id = ${id}`,
    ({ length }) => length
  )
  return { world, id, confirmation, told, waiting }
})

layer(Layer.provideMerge(Makers, TestLayer), { excludeTestServices: true })(
  "documents without a reader",
  (it) => {
    it.effect("are made once by several dispatchers, and told of once", () =>
      Effect.gen(function* () {
        const { confirmation, told, waiting } = yield* stopped
        assert.strictEqual((yield* confirmation).status, "PENDING")
        yield* Effect.all([round, round], { concurrency: 2 })
        assert.strictEqual((yield* confirmation).status, "READY")
        assert.deepStrictEqual(yield* told, ["document.ready"])
        assert.strictEqual(yield* waiting, 0)
      })
    )

    it.effect("are made by another dispatcher where one was killed over them", () =>
      Effect.gen(function* () {
        const { confirmation, told, waiting, world } = yield* stopped
        const taken = yield* DocumentMakingRepo.use((repo) => repo.take(20)).pipe(
          Effect.provide(DocumentMakingRepo.layer),
          Effect.provideService(CurrentTenant, world.tenant)
        )
        assert.lengthOf(taken, 1)
        // The one that has taken it may still be at work.
        yield* round
        assert.strictEqual((yield* confirmation).status, "PENDING")
        yield* wait
        yield* round
        assert.strictEqual((yield* confirmation).status, "READY")
        assert.deepStrictEqual(yield* told, ["document.ready"])
        assert.strictEqual(yield* waiting, 0)
      })
    )

    it.effect("are tried three times, then left to those who ask for them", () =>
      Effect.gen(function* () {
        const { confirmation, id, waiting } = yield* stopped
        const sql = yield* SuperuserSql
        yield* sql`UPDATE document SET template_version = 'none' WHERE id = ${id}`
        for (const left of [1, 1, 0]) {
          yield* wait
          yield* round
          assert.strictEqual((yield* confirmation).status, "FAILED")
          assert.strictEqual(yield* waiting, left)
        }
      })
    )
  }
)
