/** By what tenants seal: a sandbox's own keys, those of a trust service, and what becomes of either. */
import { assert, layer } from "@effect/vitest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { readPem, writePem } from "@quittance/signatures/CertificatePath"
import * as SandboxAuthority from "@quittance/signatures/SandboxAuthority"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { DateTime, Effect, Exit, Layer, Redacted } from "effect"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { Certificates } from "../../src/signatures/Certificates.ts"
import { fingerprint, SealKeys } from "../../src/signatures/SealKeys.ts"
import { KeyEncryption } from "../../src/tokens/KeyEncryption.ts"
import * as Authorization from "../Authorization.ts"

const seals = SealKeys.use((keys) => Effect.succeed(keys))
const listed = Certificates.use(({ list }) => Effect.map(list, ({ certificates }) => certificates))

const password = "Ünß cafe 1"

/** A seal as a trust service hands it out, by OpenSSL; its issuer is in the file. */
const fileOf = (name: string, years = 2) => {
  const from = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
  const validity = { from, until: DateTime.add(from, { years: 30 }) }
  const authority = SandboxAuthority.createAuthority("Trust service", validity)
  const until = DateTime.add(from, { years })
  const { certificate, key } = SandboxAuthority.issueSeal(authority, name, { from, until })
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-p12-"))
  const at = (file: string) => path.join(folder, file)
  writeFileSync(at("key"), key.export({ type: "pkcs8", format: "pem" }))
  writeFileSync(at("certificates"), writePem([certificate, authority.certificate]))
  const words = ["-inkey", at("key"), "-in", at("certificates"), "-out", at("p12")]
  execFileSync("openssl", ["pkcs12", "-export", ...words, "-passout", `pass:${password}`])
  const bytes = readFileSync(at("p12"))
  rmSync(folder, { recursive: true })
  return { bytes, certificate }
}

const inProduction = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  const tenant = yield* CurrentTenant
  yield* sql`UPDATE tenant SET environment = 'production' WHERE tenant_id = ${tenant}`
})

const TestLayer = Layer.mergeAll(SealKeys.layer, Certificates.layer).pipe(
  Layer.provideMerge(Authorization.TestLayer)
)

layer(TestLayer, { excludeTestServices: true })("the seals of a tenant", (it) => {
  it.effect("are made once in a sandbox, however many ask at once", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const { current } = yield* seals
        const all = yield* Effect.all(
          Array.from({ length: 8 }, () => current),
          { concurrency: "unbounded" }
        )
        const names = all.map((keys) =>
          [keys!.seal, keys!.stamp!].map((one) => fingerprint(one.certificate))
        )
        for (const one of names) assert.deepStrictEqual(one, names[0])
        const certificates = yield* listed
        assert.deepStrictEqual(certificates.map(({ use }) => use).sort(), [
          "AUTHORITY",
          "SEAL",
          "TIMESTAMP"
        ])
        for (const { pem } of certificates) {
          const [own, issuer] = readPem(pem)
          assert.isTrue(own!.verify((issuer ?? own!).publicKey))
        }
      })
    )
  )

  it.effect("are none in production until one is imported, which then seals", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        yield* inProduction
        const { create, current, importPkcs12 } = yield* seals
        assert.isUndefined(yield* current)
        assert.strictEqual((yield* Effect.flip(create))._tag, "SealNotMade")
        assert.deepStrictEqual(yield* listed, [])
        const { bytes, certificate } = fileOf("Assureur SA")
        const id = yield* importPkcs12(bytes, Redacted.make(password))
        assert.strictEqual(id, fingerprint(certificate))
        const keys = (yield* current)!
        assert.isTrue(keys.seal.certificate.raw.equals(certificate.raw))
        assert.isUndefined(keys.stamp)
        assert.lengthOf(keys.seal.chain, 1)
        // The same file again changes nothing; another one takes its place.
        assert.strictEqual(yield* importPkcs12(bytes, Redacted.make(password)), id)
        const second = fileOf("Assureur SA")
        const other = yield* importPkcs12(second.bytes, Redacted.make(password))
        assert.deepStrictEqual(
          (yield* listed).map(({ sha256, status }) => [sha256, status]),
          [
            [id, "RETIRED"],
            [other, "ACTIVE"]
          ]
        )
        const again = yield* Effect.flip(importPkcs12(bytes, Redacted.make(password)))
        assert.deepInclude(again, { _tag: "InvalidSeal", reason: "RETIRED" })
        // What was refused has not ended the seal before.
        assert.isTrue((yield* current)!.seal.certificate.raw.equals(second.certificate.raw))
      })
    )
  )

  it.effect(
    "refuse a wrong password, bytes of something else, and a certificate that has ended",
    () =>
      Authorization.inSandbox(
        Effect.gen(function* () {
          yield* inProduction
          const { importPkcs12 } = yield* seals
          const refused = (bytes: Uint8Array, secret: string) =>
            Effect.map(
              Effect.flip(importPkcs12(bytes, Redacted.make(secret))),
              (error) => "reason" in error && error.reason
            )
          const { bytes } = fileOf("Assureur SA")
          assert.strictEqual(yield* refused(bytes, "another"), "FORM")
          assert.strictEqual(yield* refused(Buffer.from("%PDF-1.7"), password), "FORM")
          assert.strictEqual(yield* refused(fileOf("Assureur SA", 0).bytes, password), "VALIDITY")
          assert.deepStrictEqual(yield* listed, [])
        })
      )
  )

  it.effect("lose their private key when they are retired, and say so in the audit trail", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const sql = yield* SuperuserSql
        const tenant = yield* CurrentTenant
        const { create, current, retire } = yield* seals
        const id = yield* create
        yield* retire(id)
        const [row] = yield* sql<{ readonly sealedKey: string | null }>`
          SELECT sealed_key FROM seal_key WHERE tenant_id = ${tenant} AND id = ${id}
        `
        assert.isNull(row!.sealedKey)
        assert.strictEqual((yield* Effect.flip(retire(id)))._tag, "SealNotFound")
        // The authority is no seal: without it nothing of the sandbox could be checked.
        const authority = (yield* listed).find(({ use }) => use === "AUTHORITY")!
        assert.strictEqual((yield* Effect.flip(retire(authority.sha256)))._tag, "SealNotFound")
        const next = fingerprint((yield* current)!.seal.certificate)
        assert.notStrictEqual(next, id)
        const rows = yield* sql<{ readonly action: string; readonly recordId: string }>`
          SELECT action, record_id FROM audit WHERE tenant_id = ${tenant} AND action LIKE 'seal.%'
          ORDER BY recorded_at, id
        `
        assert.deepStrictEqual(
          rows.map(({ action, recordId }) => [action, recordId]),
          [
            ["seal.create", id],
            ["seal.retire", id],
            ["seal.create", next]
          ]
        )
      })
    )
  )

  it.effect("open under the service's key alone, and for no other tenant", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const sql = yield* SuperuserSql
        const tenant = yield* CurrentTenant
        const { create, current } = yield* seals
        yield* create
        const stranger = SealKeys.layer.pipe(
          Layer.provide(KeyEncryption.layerOf(new Uint8Array(32).fill(8))),
          Layer.fresh
        )
        const other = Effect.provide(
          SealKeys.use((keys) => keys.current),
          stranger
        )
        assert.isTrue(Exit.isFailure(yield* Effect.exit(other)))
        // The key of one tenant in the row of another.
        yield* Authorization.inSandbox(
          Effect.gen(function* () {
            yield* create
            yield* sql`
              UPDATE seal_key k SET sealed_key = o.sealed_key FROM seal_key o
              WHERE k.tenant_id = ${yield* CurrentTenant} AND o.tenant_id = ${tenant} AND k.use = o.use
            `
            assert.isTrue(Exit.isFailure(yield* Effect.exit(current)))
          })
        )
      })
    )
  )
})
