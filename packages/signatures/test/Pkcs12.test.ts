/** Seals of trust services, as OpenSSL writes their files. */
import { writePem } from "@quittance/signatures/CertificatePath"
import { sealB } from "@quittance/signatures/Pades"
import { verifyPdf } from "@quittance/signatures/PdfVerification"
import { readPkcs12 } from "@quittance/signatures/Pkcs12"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { createPrivateKey, X509Certificate } from "node:crypto"
import { at, authority, document, seal } from "./Scene.ts"
import { made } from "./Tools.ts"

const password = "Ünß cafe 1"
const secret = Redacted.make(password)

const pkcs8 = (key: typeof seal.key) => key.export({ type: "pkcs8", format: "pem" }).toString()

/** A file of a key and certificates, the first of which is the key's. */
const written = (key: string, certificates: ReadonlyArray<X509Certificate>, options = "") =>
  made(
    { "key.pem": key, "chain.pem": writePem(certificates) },
    `openssl pkcs12 -export -inkey key.pem -in chain.pem${options} -passout`,
    `pass:${password}`
  )

const good = written(pkcs8(seal.key), [seal.certificate, authority.certificate])

const refused = (file: Uint8Array, by = secret) =>
  Effect.map(Effect.flip(readPkcs12(file, by)), ({ reason }) => reason)

/** A certificate that vouches for itself, of a new key. */
const selfSigned = (key: string) => {
  const text = made(
    {},
    `openssl req -x509 -nodes -subj /CN=Test -days 30 -keyout - -newkey ${key}`
  ).toString()
  const certificate = new X509Certificate(text.slice(text.indexOf("-----BEGIN CERT")))
  return { key: createPrivateKey(text.slice(0, text.indexOf("-----BEGIN CERT"))), certificate }
}

it.effect("gives the key with its certificate and its issuers, and seals", () =>
  Effect.gen(function* () {
    const { signer } = yield* readPkcs12(good, secret)
    assert.isTrue(signer.certificate.raw.equals(seal.certificate.raw))
    assert.deepStrictEqual(
      signer.chain.map(({ subject }) => subject),
      [authority.certificate.subject]
    )
    const pdf = yield* sealB(document(), { signer, at })
    const trust = { anchors: [authority.certificate], now: at.epochMilliseconds }
    assert.isTrue(Result.isSuccess(yield* verifyPdf(pdf, trust)))
  })
)

it.effect("seals by RSA of 3072 bits", () =>
  Effect.gen(function* () {
    const { certificate, key } = selfSigned("rsa:3072")
    const { signer } = yield* readPkcs12(written(pkcs8(key), [certificate]), secret)
    const pdf = yield* sealB(document(), { signer, at })
    const now = certificate.validFromDate.getTime()
    assert.isTrue(Result.isSuccess(yield* verifyPdf(pdf, { anchors: [certificate], now })))
  })
)

it.effect("refuses what gives no seal, with the reason", () =>
  Effect.gen(function* () {
    const key = pkcs8(seal.key)
    assert.strictEqual(yield* refused(good, Redacted.make("other")), "FORM")
    assert.strictEqual(yield* refused(Buffer.from("no file")), "FORM")
    assert.strictEqual(yield* refused(good.subarray(0, -10)), "FORM")
    const changed = Buffer.from(good)
    changed[200]! ^= 1
    assert.strictEqual(yield* refused(changed), "FORM")
    const legacy = written(key, [seal.certificate], " -legacy")
    assert.strictEqual(yield* refused(legacy), "FORM")
    const keyless = written(key, [seal.certificate], " -nokeys")
    assert.strictEqual(yield* refused(keyless), "CONTENT")
    for (const kind of ["rsa:2048", "ec -pkeyopt ec_paramgen_curve:P-384"]) {
      const { certificate, key } = selfSigned(kind)
      assert.strictEqual(yield* refused(written(pkcs8(key), [certificate])), "KEY_TYPE")
    }
  })
)
