/** What was signed is sealed: once, by the tenant's seal, and others can check it without the service. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Certificates } from "@quittance/operations/signatures/Certificates"
import { SealKeys } from "@quittance/operations/signatures/SealKeys"
import { Sealings } from "@quittance/operations/signatures/Sealings"
import * as Renderer from "@quittance/renderer/Renderer"
import { readPem, writePem } from "@quittance/signatures/CertificatePath"
import { verifyPdf } from "@quittance/signatures/PdfVerification"
import * as SandboxAuthority from "@quittance/signatures/SandboxAuthority"
import * as SandboxTimestampAuthority from "@quittance/signatures/SandboxTimestampAuthority"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { ConfigProvider, DateTime, Effect, Layer, Redacted, References, Result } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import * as http from "node:http"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { plan, publishTemplates } from "./PlannedDocuments.ts"
import { send, signed } from "./Sales.ts"

const Seals = Sealings.layer.pipe(Layer.provide(Renderer.layer), Layer.provide(NodeServices.layer))

/** What one dispatcher does at a time. */
const round = Effect.flatMap(Sealings, ({ round: seal }) => seal)

/** The same where something is expected to go wrong. */
const quietRound = Effect.provideService(round, References.MinimumLogLevel, "Error")

/** As if the time of all that waits had come. */
const wait = SuperuserSql.use((sql) => sql`UPDATE signature_sealing SET try_at = clock_timestamp()`)

/** A policy that was just signed by one call. */
const signedPolicy = Effect.gen(function* () {
  const world = yield* newTenant
  yield* publishTemplates(world)
  const { policyId } = yield* signed(world, world.session)
  const { body } = yield* send(world, world.manager, `/signatures/policies/${policyId}`)
  const signatureId: string = body.data[0].id
  const seal = Effect.map(
    send(world, world.manager, `/signatures/${signatureId}/seal`),
    (answer) => answer.body
  )
  return { world, policyId, signatureId, seal }
})

interface Listed {
  readonly id: string
  readonly title: string
  readonly sourceDocumentId?: string
}

const sealedOf = Effect.fnUntraced(function* (world: World, policyId: string) {
  const { body } = yield* send(world, world.manager, `/documents/policies/${policyId}?count=100`)
  const documents: ReadonlyArray<Listed & { readonly origin: string }> = body.data
  return documents.filter(({ origin }) => origin === "SEALED")
})

const contentOf = (world: World, id: string) =>
  Effect.map(
    call(`/documents/${id}/content`, { tenant: world.tenant, token: world.manager }),
    ({ bytes }) => bytes
  )

const inTenant = <A, E, R>({ tenant }: World, effect: Effect.Effect<A, E, R>) =>
  Effect.provideService(effect, CurrentTenant, tenant)

/** The authorities of a tenant, as everybody may ask for them. */
const anchorsOf = (world: World) =>
  inTenant(
    world,
    Certificates.use(({ list }) => list).pipe(Effect.provide(Certificates.layer))
  ).pipe(
    Effect.map(({ certificates }) =>
      certificates.filter(({ use }) => use === "AUTHORITY").flatMap(({ pem }) => readPem(pem))
    )
  )

const inFolder = <A>(files: Record<string, Uint8Array | string>, use: (cwd: string) => A): A => {
  const cwd = mkdtempSync(path.join(tmpdir(), "quittance-sealed-"))
  try {
    for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(cwd, name), bytes)
    return use(cwd)
  } finally {
    rmSync(cwd, { recursive: true })
  }
}

/** Debian's poppler-utils and qpdf, which `.ci/run` installs. */
const hasReaders = ["pdfsig", "qpdf"].every(
  (tool) => spawnSync("which", [tool], { stdio: "ignore" }).status === 0
)

const judged = (pdf: Uint8Array, program: string, ...args: ReadonlyArray<string>) =>
  inFolder({ "file.pdf": pdf }, (cwd) => {
    const { stderr, stdout } = spawnSync(program, [...args, "file.pdf"], { cwd, encoding: "utf8" })
    return stdout + stderr
  })

const now = () => Date.now() + 60_000

layer(Layer.provideMerge(Seals, TestLayer), { excludeTestServices: true })(
  "what was signed",
  (it) => {
    it.effect("is sealed once by several dispatchers, and begins with what was shown", () =>
      Effect.gen(function* () {
        const { policyId, seal, signatureId, world } = yield* signedPolicy
        // It is not written down yet which documents follow from the confirmation.
        yield* round
        assert.deepStrictEqual(yield* seal, { signatureId, status: "WAITING" })
        yield* plan(world)
        yield* wait
        yield* Effect.all([round, round, round, round], { concurrency: "unbounded" })
        yield* wait
        yield* round
        const { seal: made, status } = yield* seal
        assert.strictEqual(status, "SEALED")
        assert.strictEqual(made.level, "B-T")
        assert.isAtLeast(made.documents.length, 1)
        const sealed = yield* sealedOf(world, policyId)
        assert.lengthOf(sealed, made.documents.length)
        const anchors = yield* anchorsOf(world)
        for (const { documentId, sealed: file, size } of made.documents) {
          const listed = sealed.find(({ id }) => id === file.documentId)
          assert.strictEqual(listed?.sourceDocumentId, documentId)
          const shown = yield* contentOf(world, documentId)
          const pdf = yield* contentOf(world, file.documentId)
          assert.lengthOf(shown, size)
          assert.isTrue(pdf.subarray(0, size).equals(shown))
          const verified = Result.getOrThrow(yield* verifyPdf(pdf, { anchors, now: now() }))
          assert.lengthOf(verified.seals, 1)
          assert.isDefined(verified.seals[0]!.provenAt)
          if (!hasReaders) continue
          const said = judged(pdf, "pdfsig", "-nocert")
          assert.include(said, "Signature is Valid")
          assert.include(said, "Total document signed\n")
          assert.include(judged(pdf, "qpdf", "--check"), "No syntax or stream encoding errors")
        }
        const sql = yield* SuperuserSql
        const rows = yield* sql`
          SELECT FROM audit WHERE tenant_id = ${world.tenant} AND action = 'signature.seal'
            AND record_id = ${signatureId}
        `
        assert.lengthOf(rows, 1)
        const told = yield* sql`
          SELECT FROM event WHERE tenant_id = ${world.tenant} AND kind = 'document.ready'
            AND subject = ANY (${sealed.map(({ id }) => id)})
        `
        assert.lengthOf(told, sealed.length)
      })
    )

    it.effect("is sealed by the next dispatcher where one dies before its commit", () =>
      Effect.gen(function* () {
        const { policyId, seal, world } = yield* signedPolicy
        const sql = yield* SuperuserSql
        yield* plan(world)
        yield* sql.unsafe(`
          CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NEW.tenant_id = '${world.tenant}' THEN RAISE 'the power is gone'; END IF;
            RETURN NEW;
          END $$
        `)
        // After the bytes, the seal and the documents: at the last thing before the commit.
        yield* sql`CREATE TRIGGER die BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION die()`
        yield* wait
        yield* quietRound
        yield* sql`DROP TRIGGER die ON audit`
        assert.strictEqual((yield* seal).status, "WAITING")
        assert.deepStrictEqual(yield* sealedOf(world, policyId), [])
        // It is left alone until it may be taken to be dead.
        yield* round
        assert.strictEqual((yield* seal).status, "WAITING")
        yield* wait
        yield* round
        const { seal: made } = yield* seal
        assert.lengthOf(yield* sealedOf(world, policyId), made.documents.length)
      })
    )

    it.effect("waits for a time-stamping authority that is away", () =>
      Effect.gen(function* () {
        const { seal, world } = yield* signedPolicy
        yield* plan(world)
        const from = yield* DateTime.now
        const validity = { from, until: DateTime.add(from, { years: 1 }) }
        const authority = SandboxAuthority.createAuthority("Time", validity)
        const stamping = SandboxAuthority.issueTimestamping(authority, "Time", validity)
        const stamper = SandboxAuthority.signerOf(authority, stamping)
        let isAway = true
        const server = http.createServer((request, response) => {
          const parts: Array<Buffer> = []
          request.on("data", (part: Buffer) => parts.push(part))
          request.on("end", () => {
            const asked = SandboxTimestampAuthority.answer(stamper, Buffer.concat(parts))
            void Effect.runPromise(Effect.orDie(asked)).then((answer) => {
              response.statusCode = isAway ? 503 : 200
              response.end(isAway ? "" : answer)
            })
          })
        })
        yield* Effect.promise(
          () => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
        )
        const { port } = server.address() as { readonly port: number }
        const provider = ConfigProvider.fromUnknown({ TSA_URL: `http://127.0.0.1:${port}/` })
        const stamped = Layer.fresh(Seals).pipe(Layer.provide(ConfigProvider.layer(provider)))
        yield* Effect.gen(function* () {
          yield* wait
          yield* quietRound
          assert.strictEqual((yield* seal).status, "WAITING")
          isAway = false
          yield* wait
          yield* round
        }).pipe(Effect.provide(stamped))
        server.close()
        const { seal: made } = yield* seal
        assert.strictEqual(made.level, "B-T")
        const pdf = yield* contentOf(world, made.documents[0].sealed.documentId)
        const anchors = yield* anchorsOf(world)
        // The time is proven by that authority, and not by the sandbox's own.
        const own = yield* verifyPdf(pdf, { anchors, now: now() })
        assert.isTrue(Result.isFailure(own))
        const trust = { anchors: [...anchors, authority.certificate], now: now() }
        assert.isTrue(Result.isSuccess(yield* verifyPdf(pdf, trust)))
      })
    )

    it.effect("waits in production for a seal, and has no time stamp without an authority", () =>
      Effect.gen(function* () {
        const { seal, world } = yield* signedPolicy
        yield* plan(world)
        const sql = yield* SuperuserSql
        yield* sql`UPDATE tenant SET environment = 'production', test_clock = NULL WHERE tenant_id = ${world.tenant}`
        yield* wait
        yield* quietRound
        yield* sql`UPDATE tenant SET environment = 'sandbox' WHERE tenant_id = ${world.tenant}`
        assert.strictEqual((yield* seal).status, "WAITING")
        const from = yield* DateTime.now
        const validity = { from, until: DateTime.add(from, { years: 1 }) }
        const authority = SandboxAuthority.createAuthority("Trust service", validity)
        const { certificate, key } = SandboxAuthority.issueSeal(authority, "Assureur", validity)
        const pem = key.export({ type: "pkcs8", format: "pem" }).toString()
        const files = { key: pem, chain: writePem([certificate, authority.certificate]) }
        const file = inFolder(files, (cwd) => {
          const words = "pkcs12 -export -inkey key -in chain -out p12 -passout pass:secret"
          execFileSync("openssl", words.split(" "), { cwd })
          return readFileSync(path.join(cwd, "p12"))
        })
        const imported = SealKeys.use((keys) => keys.importPkcs12(file, Redacted.make("secret")))
        yield* inTenant(world, imported).pipe(Effect.provide(SealKeys.layer))
        yield* sql`UPDATE tenant SET environment = 'production', test_clock = NULL WHERE tenant_id = ${world.tenant}`
        yield* wait
        yield* round
        yield* sql`UPDATE tenant SET environment = 'sandbox' WHERE tenant_id = ${world.tenant}`
        const { seal: made } = yield* seal
        assert.strictEqual(made.level, "B-B")
        const pdf = yield* contentOf(world, made.documents[0].sealed.documentId)
        const trust = { anchors: [authority.certificate], now: now() }
        const { seals } = Result.getOrThrow(yield* verifyPdf(pdf, trust))
        assert.isTrue(seals[0]!.certificate.raw.equals(certificate.raw))
        assert.isUndefined(seals[0]!.provenAt)
      })
    )
  }
)
