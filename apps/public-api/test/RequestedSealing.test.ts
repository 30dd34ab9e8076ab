/** A signature of two signers and of who sells, from its letters to its sealed contract. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { AuditSealer } from "@quittance/operations/audit/AuditSealer"
import { Certificates } from "@quittance/operations/signatures/Certificates"
import { Sealings } from "@quittance/operations/signatures/Sealings"
import { verifyEvidence } from "@quittance/operations/signatures/EvidenceVerification"
import * as Renderer from "@quittance/renderer/Renderer"
import { fieldExamples } from "@quittance/testing/ShippedProducts"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { readZip } from "@quittance/signatures/Zip"
import { Deferred, Effect, Fiber, Layer, Result } from "effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { call, motor, newTenant, TestLayer } from "./Api.ts"
import { plan, publishTemplates } from "./PlannedDocuments.ts"
import { codeOf, linkOf, requested } from "./Requested.ts"
import { prepared, send } from "./Sales.ts"
import { boxesOf, visit } from "./SignBrowser.ts"

const Seals = Sealings.layer.pipe(Layer.provide(Renderer.layer), Layer.provide(NodeServices.layer))
const round = Effect.flatMap(Sealings, ({ round: seal }) => seal)
const wait = SuperuserSql.use((sql) => sql`UPDATE signature_sealing SET try_at = clock_timestamp()`)

/** What the script of an archive says, in a folder of its own, by certificates that are trusted. */
const script = (archive: Uint8Array, trusted: string) => {
  const cwd = mkdtempSync(join(tmpdir(), "quittance-evidence-"))
  try {
    for (const { bytes, name } of readZip(archive).files) {
      mkdirSync(dirname(join(cwd, name)), { recursive: true })
      writeFileSync(join(cwd, name), bytes)
    }
    writeFileSync(join(cwd, "TRUSTED.pem"), trusted)
    const args = ["verify.sh", "TRUSTED.pem"]
    const { status, stderr, stdout } = spawnSync("sh", args, { cwd, encoding: "utf8" })
    return { status, text: stdout + stderr }
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

/** The policyholder and a driver sign side by side, then the broker. */
const product = {
  ...requested,
  productId: "motor-three",
  documents: motor.documents ?? [],
  signature: {
    ...requested.signature,
    signers: [
      { role: "POLICYHOLDER", which: "FIRST", order: 1 },
      { role: "DRIVER", which: "FIRST", order: 1 }
    ],
    countersigner: { role: "BROKER", order: 2 }
  }
}

layer(Layer.provideMerge(Seals, TestLayer), { excludeTestServices: true })(
  "a signature of three",
  (it) => {
    it.effect("is sealed by the dispatcher once each has signed in turn", () =>
      Effect.gen(function* () {
        const world = yield* newTenant
        const { manager, session } = world
        yield* publishTemplates(world)
        const published = yield* call(`/admin/products/${product.productId}`, {
          tenant: world.tenant,
          token: manager,
          method: "PUT",
          body: product
        })
        assert.isBelow(published.status, 300, published.text)
        const { customerId, policyId } = yield* prepared(world, session, {
          productId: product.productId
        })
        const added = yield* send(world, session, `/customers/policies/${policyId}`, {
          role: "DRIVER",
          name: "Zoé Durand",
          email: "zoe@example.test",
          customFields: fieldExamples(motor.fields.customer, "DRIVER")
        })
        yield* send(world, session, `/policies/${policyId}/quote`, {})
        for (const id of [customerId, added.body.customerId]) {
          yield* send(world, session, `/customers/${id}/confirm`, {})
        }
        yield* send(world, session, `/policies/${policyId}/confirm`, {})
        yield* plan(world)
        const documents = `/documents/policies/${policyId}?count=100`
        const { body: listed } = yield* send(world, manager, documents)
        for (const { id } of listed.data) {
          yield* call(`/documents/${id}/content`, { tenant: world.tenant, token: manager })
        }
        const { body } = yield* send(world, manager, `/signatures/policies/${policyId}`, {})
        const path = `/signatures/${body.id}`
        const statuses = Effect.map(send(world, manager, path), ({ body: signature }) => [
          signature.status,
          ...signature.signers.map((signer: { readonly status: string }) => signer.status)
        ])
        assert.deepStrictEqual(yield* statuses, ["OPEN", "NOTIFIED", "NOTIFIED", "WAITING"])
        const seller = `${path}/signers/${body.signers[2].id}`
        const tooSoon = yield* call(`${seller}/open`, {
          tenant: world.tenant,
          token: manager,
          body: {}
        })
        assert.strictEqual(tooSoon.body.code, "NOT_YOUR_TURN")
        for (const { firstName, id, lastName } of body.signers.slice(0, 2)) {
          const ids = { signatureId: String(body.id), signerId: String(id) }
          const page = new URL(yield* linkOf(world, ids)).pathname
          yield* visit(page, { do: "open" })
          yield* visit(page, { do: "otp" })
          yield* visit(page, { do: "prove", code: yield* codeOf(world, ids) })
          for (const { documentId } of body.documents) {
            yield* visit(`${page}/documents/${documentId}`, {})
          }
          const boxes = boxesOf((yield* visit(page)).text)
          const form = { do: "sign", name: `${firstName} ${lastName}`, ...boxes }
          assert.strictEqual((yield* visit(page, form)).status, 303)
        }
        assert.deepStrictEqual(yield* statuses, ["OPEN", "SIGNED", "SIGNED", "NOTIFIED"])
        yield* send(world, manager, `${seller}/open`, {})
        const { firstName, lastName } = body.signers[2]
        const own = { name: `${firstName} ${lastName}`, consents: [] }
        yield* send(world, manager, `${seller}/sign`, own)
        assert.deepStrictEqual(yield* statuses, ["SEALING", "SIGNED", "SIGNED", "SIGNED"])
        const { body: policy } = yield* send(world, manager, `/policies/${policyId}`)
        assert.strictEqual(policy.status, "POLICY_SIGNED")
        const asked = { tenant: world.tenant, token: manager }
        const early = yield* call(`${path}/evidence`, asked)
        assert.strictEqual(early.status, 409, early.text)
        assert.deepInclude(early.body.details, { signatureId: body.id, reason: "SEALING" })
        yield* plan(world)
        yield* wait
        yield* Effect.all([round, round], { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* statuses, ["COMPLETED", "SIGNED", "SIGNED", "SIGNED"])
        const { body: seal } = yield* send(world, manager, `${path}/seal`)
        assert.strictEqual(seal.status, "SEALED")
        const hashes = (all: ReadonlyArray<{ readonly sha256: string }>) =>
          all.map(({ sha256 }) => sha256)
        assert.deepStrictEqual(hashes(seal.seal.documents), hashes(body.documents))
        const { body: steps } = yield* send(world, manager, `${path}/steps`)
        assert.strictEqual(steps.status, "INTACT")
        const sql = yield* SuperuserSql
        const told = yield* sql`
          SELECT FROM event WHERE tenant_id = ${world.tenant} AND kind = 'signature.finish'
            AND subject = ${body.id}
        `
        assert.lengthOf(told, 1)
        const refused = Effect.gen(function* () {
          const { body: refusal, status: code } = yield* call(`${path}/evidence`, asked)
          return [code, refusal.code, refusal.details?.reason]
        })
        assert.deepStrictEqual(yield* refused, [409, "EVIDENCE_NOT_READY", "NOT_CHAINED"])
        yield* AuditSealer.use(({ round: chain }) => chain).pipe(Effect.provide(AuditSealer.layer))
        // A text that is found nowhere is not left out.
        yield* sql`
          UPDATE product_version SET definition = jsonb_set(definition, '{consents}', (
            SELECT jsonb_agg(c || jsonb_build_object('text', (c ->> 'text') || '!'))
            FROM jsonb_array_elements(definition -> 'consents') c))
          WHERE tenant_id = ${world.tenant} AND product_id = ${product.productId}
        `
        assert.deepStrictEqual(yield* refused, [409, "EVIDENCE_NOT_READY", "NO_TEXT"])
        yield* sql`
          UPDATE product_version SET definition = jsonb_set(definition, '{consents}', (
            SELECT jsonb_agg(c || jsonb_build_object('text', rtrim(c ->> 'text', '!')))
            FROM jsonb_array_elements(definition -> 'consents') c))
          WHERE tenant_id = ${world.tenant} AND product_id = ${product.productId}
        `
        // Several who ask at once get the same bytes, and so does everyone later.
        const fetched = yield* Effect.all(
          Array.from({ length: 4 }, () => call(`${path}/evidence`, asked)),
          { concurrency: "unbounded" }
        )
        const [archive, ...others] = [...fetched, yield* call(`${path}/evidence`, asked)].map(
          ({ bytes }) => bytes
        )
        for (const other of others) assert.isTrue(other.equals(archive!))
        const judged = yield* verifyEvidence(archive!, {
          anchors: undefined,
          now: Date.now() + 60_000
        })
        const { evidence, provenAt } = Result.getOrThrow(judged)
        assert.isDefined(provenAt)
        assert.deepStrictEqual(evidence.signature, (yield* send(world, manager, path)).body)
        assert.deepStrictEqual(evidence.seal, seal.seal)
        assert.deepStrictEqual(evidence.steps, steps.steps)
        assert.isDefined(evidence.audit)
        assert.isAtLeast(evidence.texts.length, 1)
        assert.lengthOf(evidence.texts, evidence.signature.consents.length)
        const { certificates } = yield* Certificates.use(({ list }) => list).pipe(
          Effect.provide(Certificates.layer),
          Effect.provideService(CurrentTenant, world.tenant)
        )
        const pems = certificates.map(({ pem }) => pem)
        const { status, text } = script(archive!, pems.join(""))
        assert.strictEqual(status, 0, text)
        // One is at work and cannot go on, 16 wait, and the others are told to come back.
        const turnedAway = yield* Deferred.make<void>()
        let busy = 0
        const many = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`LOCK TABLE signature_evidence IN ACCESS EXCLUSIVE MODE`
            const all = Effect.forEach(
              Array.from({ length: 20 }),
              () =>
                Effect.tap(call(`${path}/evidence`, asked), (answer) => {
                  if (answer.body?.details?.waitingFor === "LARGE_REQUESTS") busy += 1
                  return busy === 3 ? Deferred.succeed(turnedAway, undefined) : Effect.void
                }),
              { concurrency: "unbounded" }
            )
            const answers = yield* Effect.forkChild(all)
            yield* Deferred.await(turnedAway)
            return answers
          })
        )
        const answers = yield* Fiber.join(many)
        const served = answers.filter((answer) => answer.status === 200)
        assert.isTrue(served.every(({ bytes }) => bytes.equals(archive!)))
        assert.isAtMost(served.length, 17)
      })
    )
  }
)
