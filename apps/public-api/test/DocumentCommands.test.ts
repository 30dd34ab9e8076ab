/** What people do with documents over HTTP: ask for certificates, withdraw papers, try again, read the data. */
import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { moveTo, pay, yearly } from "./Certified.ts"
import { plan, publishTemplates } from "./PlannedDocuments.ts"
import { quoted, send } from "./Sales.ts"

const post = (world: World, token: string, path: string, body: unknown = {}) =>
  call(path, { tenant: world.tenant, token, method: "POST", body })

const read = (world: World, path: string, token = world.manager) =>
  call(path, { tenant: world.tenant, token })

/** Debian's poppler-utils, which `.ci/run` installs. */
const hasPoppler = spawnSync("pdftotext", ["-v"]).error === undefined

const scene = Effect.gen(function* () {
  const world = yield* newTenant
  yield* publishTemplates(world)
  const { policyId } = yield* quoted(world, world.session)
  yield* plan(world)
  const { body } = yield* send(world, world.manager, `/documents/policies/${policyId}?kinds=QUOTE`)
  return { world, policyId, document: `/documents/${body.data[0].id}`, id: String(body.data[0].id) }
})

layer(TestLayer, { excludeTestServices: true })("documents on demand", (it) => {
  it.effect("are certificates of paid days alone, and stay what they were", () =>
    Effect.gen(function* () {
      const world = yield* newTenant
      yield* publishTemplates(world)
      const { policyId } = yield* yearly(world)
      const path = `/documents/policies/${policyId}`
      const certificate = (token = world.manager) =>
        post(world, token, path, { definitionId: "CERTIFICATE" })
      const reason = Effect.map(certificate(), ({ body }) => [body.code, body.details?.reason])
      assert.strictEqual((yield* certificate(world.session)).status, 403)
      assert.deepStrictEqual(yield* reason, ["CERTIFICATE_NOT_AVAILABLE", "NOT_STARTED"])
      yield* moveTo(world, "2026-04-02T09:00:00Z")
      assert.deepStrictEqual(yield* reason, ["CERTIFICATE_NOT_AVAILABLE", "NOTHING_PAID"])
      yield* pay(world, policyId)
      const given = yield* certificate()
      assert.strictEqual(given.status, 201, given.text)
      assert.deepInclude(given.body, {
        kind: "CERTIFICATE",
        trigger: "ON_DEMAND",
        status: "PENDING",
        inForceAt: "2026-04-02T09:00:00.000Z"
      })
      const document = `/documents/${given.body.id}`
      const { bytes, status } = yield* read(world, `${document}/content`, world.session)
      assert.strictEqual(status, 200)
      const { body: data } = yield* read(world, `${document}/data`)
      assert.deepStrictEqual(data.certificate, { from: "2026-04-01", to: "2027-03-31" })
      if (hasPoppler) {
        const text = execFileSync("pdftotext", ["-layout", "-", "-"], { input: bytes }).toString()
        assert.match(text, /31 mars 2027/u)
      }
      const next = yield* certificate()
      assert.strictEqual(next.body.version, 2)
      assert.strictEqual(next.body.replaces, given.body.id)
      yield* send(world, world.manager, `/policies/${policyId}/suspend`, { reason: "GARAGED" })
      assert.deepStrictEqual(yield* reason, ["CERTIFICATE_NOT_AVAILABLE", "SUSPENDED"])
    })
  )

  it.effect("are those that the product gives on demand, for what is on the policy", () =>
    Effect.gen(function* () {
      const { policyId, world } = yield* scene
      for (const definitionId of ["CONTRACT", "NONE"]) {
        const answer = yield* post(world, world.manager, `/documents/policies/${policyId}`, {
          definitionId
        })
        assert.strictEqual(answer.status, 422, answer.text)
        assert.deepInclude(answer.body.details, { field: "definitionId", value: definitionId })
      }
    })
  )
})

layer(TestLayer, { excludeTestServices: true })("commands on documents", (it) => {
  it.effect("withdraw a document once, and leave its bytes to be read", () =>
    Effect.gen(function* () {
      const { document, world } = yield* scene
      const before = yield* read(world, `${document}/content`)
      const body = { reason: "It names another driver." }
      assert.strictEqual((yield* post(world, world.session, `${document}/void`, body)).status, 403)
      assert.strictEqual((yield* post(world, world.manager, `${document}/void`)).status, 400)
      const taken = yield* post(world, world.manager, `${document}/void`, body)
      assert.deepInclude(taken.body, { status: "VOID", voidReason: body.reason })
      const again = yield* post(world, world.manager, `${document}/void`, body)
      assert.strictEqual(again.body.code, "INVALID_TRANSITION")
      const after = yield* read(world, `${document}/content`)
      assert.isTrue(after.bytes.equals(before.bytes))
    })
  )

  it.effect("try again what has failed, and nothing else", () =>
    Effect.gen(function* () {
      const { document, id, world } = yield* scene
      const retry = post(world, world.manager, `${document}/retry`)
      assert.strictEqual((yield* retry).body.code, "INVALID_TRANSITION")
      const sql = yield* SuperuserSql
      yield* sql`UPDATE document SET status = 'FAILED', failure = '{"reason":"CRASHED","paths":[]}'
        WHERE id = ${id}`
      const waiting = yield* retry
      assert.strictEqual(waiting.body.status, "PENDING", waiting.text)
      assert.notProperty(waiting.body, "failure")
      assert.strictEqual((yield* read(world, `${document}/content`)).status, 200)
    })
  )

  it.effect("answer the data that the file itself carries", () =>
    Effect.gen(function* () {
      const { document, policyId, world } = yield* scene
      assert.strictEqual((yield* read(world, `${document}/data`, world.stranger)).status, 403)
      const { body } = yield* read(world, `${document}/data`, world.session)
      assert.strictEqual(body.document.kind, "QUOTE")
      assert.strictEqual(body.policy.id, policyId)
      const { bytes } = yield* read(world, `${document}/content`)
      if (spawnSync("pdfdetach", ["-v"]).error !== undefined) return
      const folder = mkdtempSync(join(tmpdir(), "documents-"))
      const [file, carried] = [join(folder, "quote.pdf"), join(folder, "data.json")]
      writeFileSync(file, bytes)
      execFileSync("pdfdetach", ["-save", "1", "-o", carried, file])
      assert.deepStrictEqual(JSON.parse(readFileSync(carried, "utf8")), body)
    })
  )
})
