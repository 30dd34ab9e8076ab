/** What was erased stays erased after a restore: no program starts before it is done again. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import * as ErasureRecords from "@quittance/operations/privacy/ErasureRecords"
import { ConfigProvider, Effect, FileSystem, Layer } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { asked, erase } from "./ErasureRequests.ts"
import { plant, sightings } from "./Planting.ts"
import { backUp, restore } from "./Restoring.ts"
import { quoted, send } from "./Sales.ts"

const services = Layer.mergeAll(NodeServices.layer, ErasureRecords.ErasureRecords.layer)

/** Whether a program would start that is given this file. */
const started = (file: string) =>
  ErasureRecords.guard.pipe(
    Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ ERASURES_FILE: file }))),
    Effect.match({ onFailure: ({ message }) => message, onSuccess: () => "starts" })
  )

const held = (world: World, customerId: string) =>
  send(world, world.manager, "/privacy/holds", { customerId, reason: "A dispute" })

const lift = (world: World, id: string) =>
  call(`/privacy/holds/${id}`, { tenant: world.tenant, token: world.manager, method: "DELETE" })

/** A file with what the database says now. */
const exported = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const file = `${yield* fs.makeTempDirectoryScoped()}/erasures.ndjson`
  const records = yield* ErasureRecords.ErasureRecords.use(({ all }) => all)
  const text = yield* ErasureRecords.format(records)
  yield* fs.writeFileString(file, text)
  return { file, records, text }
})

layer(Layer.provideMerge(services, TestLayer), { excludeTestServices: true })(
  "a database that was restored",
  (it) => {
    it.effect("is not served before its erasures are done again", () =>
      Effect.gen(function* () {
        const world = yield* newTenant
        const gone = yield* quoted(world, world.session)
        const stays = yield* quoted(world, world.session)
        const hold = yield* held(world, gone.customerId)
        assert.deepStrictEqual(yield* plant(gone, "gone"), [])
        yield* plant(stays, "stays")
        const kept = yield* sightings("stays")
        yield* backUp

        yield* lift(world, hold.body.id)
        const answer = yield* erase(world, yield* asked(world, [gone.customerId]))
        assert.strictEqual(answer.status, 200, answer.text)
        const { file, text } = yield* exported
        assert.strictEqual(yield* started(file), "starts")
        assert.notInclude(text, "gone_")

        yield* restore
        assert.isAbove((yield* sightings("gone")).length, 5)
        const count: number = answer.body.erased.length
        assert.include(yield* started(file), `lacks ${count} of the erasures in ${file}`)

        const records = yield* ErasureRecords.read(file)
        const replay = ErasureRecords.ErasureRecords.use((them) => them.replay(records))
        assert.deepStrictEqual(yield* replay, { holds: 1, erasures: count })
        assert.deepStrictEqual(yield* sightings("gone"), [])
        assert.deepStrictEqual(yield* sightings("stays"), kept)
        assert.strictEqual(yield* started(file), "starts")
        assert.deepStrictEqual(yield* replay, { holds: 0, erasures: 0 })
        // They are on record as they were: identifiers, days and grounds.
        assert.strictEqual((yield* exported).text, text)
        const listed = yield* send(world, world.manager, "/privacy/erasures?count=100")
        assert.strictEqual(listed.body.data.length, count)
      }).pipe(Effect.scoped)
    )

    it.effect("lacks nothing of persons and tenants that it never had", () =>
      Effect.gen(function* () {
        yield* backUp
        const world = yield* newTenant
        const { customerId } = yield* quoted(world, world.session)
        yield* erase(world, yield* asked(world, [customerId]))
        const { file, records } = yield* exported
        assert.isTrue(records.some(({ tenantId }) => tenantId === world.tenant))
        yield* restore
        assert.strictEqual(yield* started(file), "starts")
      }).pipe(Effect.scoped)
    )

    it.effect("is not served where the file is cut off, or is none", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const { file, text } = yield* exported
        yield* fs.writeFileString(file, text.slice(0, -1))
        assert.include(yield* started(file), "its last line is not whole")
        yield* fs.writeFileString(file, `${text}{"tenantId":"acme"}\n`)
        assert.include(yield* started(file), `line ${text.split("\n").length}:`)
        yield* fs.remove(file)
        assert.include(yield* started(file), `The erasures in ${file} can't be read`)
      }).pipe(Effect.scoped)
    )
  }
)
