/** Seals of PDF files, as we and others judge them. */
import { writePem } from "@quittance/signatures/CertificatePath"
import { archive, sealB, type Sealing, sealT } from "@quittance/signatures/Pades"
import { findSignatures } from "@quittance/signatures/PdfSignatures"
import { type PdfFault, verifyPdf } from "@quittance/signatures/PdfVerification"
import * as SandboxAuthority from "@quittance/signatures/SandboxAuthority"
import * as SandboxTimestampAuthority from "@quittance/signatures/SandboxTimestampAuthority"
import { TimestampAuthority } from "@quittance/signatures/TimestampAuthority"
import { PDF, PdfName } from "@libpdf/core"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { appendSignature } from "@quittance/signatures/PdfRevision"
import { at, authority, document, material, seal, signer, timestamps, utc } from "./Scene.ts"
import { installed, judged } from "./Tools.ts"

const frozen = document()
const sealing: Sealing = { signer, at, reason: "CONTRACT" }
const anchors = [authority.certificate]
const now = at.epochMilliseconds + 1000
const atSealing = TestClock.setTime(at.epochMilliseconds)
const later = (text: string) => TestClock.setTime(utc(text).epochMilliseconds)

/** The wrong thing that is found first, or `undefined`. */
const faultOf = (pdf: Uint8Array, trust = { anchors, now }) =>
  Effect.map(verifyPdf(pdf, trust), (verified): PdfFault | undefined =>
    Result.isFailure(verified) ? verified.failure : undefined
  )

const ca = writePem(anchors)

/** The signatures of a file and the bytes that each is over. */
const parts = (pdf: Buffer) =>
  Result.getOrThrow(findSignatures(pdf)).map((found, place) => {
    const [, ...numbers] = [
      ...pdf.toString("latin1").matchAll(/ByteRange \[0 (\d+) (\d+) (\d+)/gu)
    ][place]!
    const [start, rest, length] = numbers.map(Number) as [number, number, number]
    const content = Buffer.concat([pdf.subarray(0, start), pdf.subarray(rest, rest + length)])
    return { ...found, content, gap: { start, rest } }
  })

const poppler = installed("pdfsig", "qpdf")

/** How poppler and qpdf judge a file. */
const readers = (pdf: Buffer): string => {
  const checked = judged({ "file.pdf": pdf }, "qpdf --check file.pdf")
  assert.include(checked.text, "No syntax or stream encoding errors")
  return judged({ "file.pdf": pdf }, "pdfsig -nocert file.pdf").text
}

/** Whether OpenSSL takes a signature as CAdES, over the bytes that lie outside. */
const cades = ({ content, contents }: ReturnType<typeof parts>[number]) =>
  judged(
    { "seal.p7s": contents, content, "ca.pem": ca },
    "openssl cms -verify -cades -binary -inform DER -in seal.p7s -content content -CAfile ca.pem -purpose any -out out"
  )

describe("a sealed file", () => {
  it.effect("begins with what was shown, at every level, and others find it valid", () =>
    Effect.gen(function* () {
      yield* atSealing
      const b = yield* sealB(frozen, sealing)
      const t = yield* sealT(frozen, sealing)
      const lta = yield* archive(t, material)
      for (const pdf of [b, t, lta]) {
        assert.isTrue(pdf.subarray(0, frozen.length).equals(frozen))
        const verified = Result.getOrThrow(yield* verifyPdf(pdf, { anchors, now }))
        assert.lengthOf(verified.seals, 1)
        assert.strictEqual(verified.seals[0]?.saidAt, at.epochMilliseconds)
        const [first] = parts(pdf)
        assert.deepStrictEqual(cades(first!), {
          status: 0,
          text: "CAdES Verification successful\n"
        })
        if (!poppler) continue
        const said = readers(pdf)
        assert.include(said, "Signature is Valid")
        assert.include(said, "Total document signed\n")
        assert.include(said, "ETSI.CAdES.detached")
      }
      assert.isTrue(lta.subarray(0, t.length).equals(t))
      const proven = Result.getOrThrow(yield* verifyPdf(lta, { anchors, now }))
      assert.strictEqual(proven.seals[0]?.provenAt, at.epochMilliseconds)
      assert.strictEqual(proven.archivedAt, at.epochMilliseconds)
    }).pipe(Effect.provide(timestamps))
  )

  it.effect("signs type, digest and certificate, and says no time in the signature", () =>
    Effect.gen(function* () {
      const [one] = parts(yield* sealB(frozen, sealing))
      const { text } = judged(
        { "seal.p7s": one!.contents },
        "openssl asn1parse -inform DER -in seal.p7s"
      )
      // The attributes begin after the certificates, which name objects of their own.
      const names = [...text.slice(text.lastIndexOf("cont [ 0 ]")).matchAll(/OBJECT +:(\S+)/gu)]
      assert.deepStrictEqual(
        names.map(([, name]) => name),
        [
          "contentType",
          "pkcs7-data",
          "messageDigest",
          "id-smime-aa-signingCertificateV2",
          "ecdsa-with-SHA256"
        ]
      )
      assert.notInclude(text, "signingTime")
    })
  )

  it.effect("has timestamps that OpenSSL verifies, of the seal and of the whole file", () =>
    Effect.gen(function* () {
      yield* atSealing
      const lta = yield* archive(yield* sealT(frozen, sealing), material)
      const [, stamp] = parts(lta)
      const verified = judged(
        { token: stamp!.contents, content: stamp!.content, "ca.pem": ca },
        "openssl ts -verify -data content -in token -token_in -CAfile ca.pem"
      )
      assert.include(verified.text, "Verification: OK")
    }).pipe(Effect.provide(timestamps))
  )

  it.effect("may be sealed three times, and each seal stays valid", () =>
    Effect.gen(function* () {
      yield* atSealing
      let pdf = yield* sealB(frozen, sealing)
      for (const _ of [2, 3]) {
        const next = yield* sealT(pdf, sealing)
        assert.isTrue(next.subarray(0, pdf.length).equals(pdf))
        pdf = next
      }
      const { seals } = Result.getOrThrow(yield* verifyPdf(pdf, { anchors, now }))
      assert.lengthOf(seals, 3)
      for (const one of parts(pdf)) assert.strictEqual(cades(one).status, 0)
      if (poppler) assert.lengthOf(readers(pdf).match(/Signature is Valid/gu) ?? [], 3)
    }).pipe(Effect.provide(timestamps))
  )
})

describe("a file that is no more as it was sealed", () => {
  it.effect("is found, whichever byte was changed", () =>
    Effect.gen(function* () {
      // Without issuers, so that there are fewer bytes of structure to read so often.
      const alone = { ...signer, chain: [] }
      const trust = { anchors: [seal.certificate], now }
      const pdf = yield* sealB(document(2), { ...sealing, signer: alone, room: 1536 })
      assert.isAbove(pdf.length, 19_000)
      const [{ contents, digest, gap }] = parts(pdf) as [ReturnType<typeof parts>[number]]
      const sum = digest("sha256").toString("hex")
      let full = 0
      for (let place = 0; place < pdf.length; place += 1) {
        pdf[place]! ^= 1
        const found = findSignatures(pdf)
        const inside = place > gap.start && place <= gap.start + contents.length * 2
        if (inside) {
          full += 1
          assert.isDefined(yield* faultOf(pdf, trust), `byte ${place}`)
        } else if (Result.isSuccess(found)) {
          // The signature is the same, and is over other bytes: so it isn't theirs.
          const [one, ...more] = found.success
          assert.isEmpty(more)
          assert.isTrue(Buffer.from(contents).equals(one!.contents), `byte ${place}`)
          assert.notStrictEqual(one!.digest("sha256").toString("hex"), sum, `byte ${place}`)
        }
        pdf[place]! ^= 1
      }
      assert.strictEqual(full, contents.length * 2)
      assert.isUndefined(yield* faultOf(pdf, trust))
      pdf[1000]! ^= 1
      assert.strictEqual(yield* faultOf(pdf, trust), "DIGEST")
      if (poppler) assert.include(judged({ "file.pdf": pdf }, "pdfsig file.pdf").text, "Mismatch")
    })
  )

  it.effect("is found where bytes were appended", () =>
    Effect.gen(function* () {
      const pdf = yield* sealB(frozen, sealing)
      assert.strictEqual(yield* faultOf(Buffer.concat([pdf, Buffer.from("\n")])), "APPENDED")
      const loaded = yield* Effect.promise(() => PDF.load(pdf))
      loaded.getCatalog().set("Lang", PdfName.of("de"))
      const changed = Buffer.from(yield* Effect.promise(() => loaded.save({ incremental: true })))
      assert.strictEqual(yield* faultOf(changed), "APPENDED")
      if (poppler) assert.include(readers(changed), "Not total document signed")
    })
  )

  it.effect("is found where a genuine timestamp covers what was appended", () =>
    Effect.gen(function* () {
      yield* atSealing
      const { stamp } = yield* TimestampAuthority
      const pdf = yield* sealT(frozen, sealing)
      const changes: ReadonlyArray<(file: PDF) => void> = [
        (file) => file.getCatalog().set("Lang", PdfName.of("de")),
        (file) => file.getPage(0)!.dict.set("Rotate", PdfName.of("90")),
        (file) => file.getPage(0)!.drawText("Non", { x: 50, y: 500 }),
        (file) => void file.getOrCreateForm().createTextField("more")
      ]
      for (const [number, change] of changes.entries()) {
        const file = yield* Effect.promise(() => PDF.load(pdf))
        change(file)
        const changed = Buffer.from(yield* Effect.promise(() => file.save({ incremental: true })))
        const stamped = yield* appendSignature(changed, { kind: "DocTimeStamp" }, stamp)
        assert.strictEqual(yield* faultOf(stamped), "CHANGED", `change ${number}`)
      }
      const same = yield* appendSignature(pdf, { kind: "DocTimeStamp" }, stamp)
      assert.isUndefined(yield* faultOf(same))
    }).pipe(Effect.provide(timestamps))
  )

  it.effect("is found where another authority vouches for the seal", () =>
    Effect.gen(function* () {
      const from = utc("2026-01-01T00:00:00Z")
      const validity = { from, until: utc("2046-01-01T00:00:00Z") }
      const other = SandboxAuthority.createAuthority("Sandbox CA", validity)
      const forged = SandboxAuthority.issueSeal(other, "Assureur de test", validity)
      const pdf = yield* sealB(frozen, {
        ...sealing,
        signer: SandboxAuthority.signerOf(other, forged)
      })
      assert.strictEqual(yield* faultOf(pdf), "UNTRUSTED")
      // A seal of ours is no authority.
      const below = SandboxAuthority.issueSeal(seal, "Assureur de test", validity)
      const chained = { ...signer, certificate: below.certificate, chain: [seal.certificate] }
      const mine = SandboxAuthority.signerOf(seal, below)
      const climbed = yield* sealB(frozen, { ...sealing, signer: { ...chained, sign: mine.sign } })
      assert.strictEqual(yield* faultOf(climbed), "UNTRUSTED")
    })
  )
})

describe("time", () => {
  const short = { from: utc("2026-11-01T00:00:00Z"), until: utc("2026-12-01T00:00:00Z") }
  const ending = SandboxAuthority.issueSeal(authority, "Assureur de test", short)
  const brief = { ...sealing, signer: SandboxAuthority.signerOf(authority, ending) }
  const nextYear = { anchors, now: utc("2027-06-01T00:00:00Z").epochMilliseconds }

  it.effect("ends a seal with its certificate, unless a stamp proves that it was in time", () =>
    Effect.gen(function* () {
      yield* atSealing
      const b = yield* sealB(frozen, brief)
      const t = yield* sealT(frozen, brief)
      assert.isUndefined(yield* faultOf(b))
      assert.strictEqual(yield* faultOf(b, nextYear), "UNTRUSTED")
      assert.isUndefined(yield* faultOf(t, nextYear))
      yield* later("2026-12-02T00:00:00Z")
      const late = yield* sealT(frozen, brief)
      assert.strictEqual(yield* faultOf(late, nextYear), "UNTRUSTED")
    }).pipe(Effect.provide(timestamps))
  )

  it.effect("ends a stamp with its certificate, unless a newer one was made in time", () =>
    Effect.gen(function* () {
      yield* atSealing
      const stamping = SandboxAuthority.issueTimestamping(authority, "Sandbox TSA", short)
      const t = yield* Effect.provide(
        sealT(frozen, brief),
        SandboxTimestampAuthority.layer(SandboxAuthority.signerOf(authority, stamping))
      )
      assert.deepStrictEqual(yield* faultOf(t, nextYear), { timestamp: "ISSUER" })
      const renewed = yield* archive(t, material)
      assert.isUndefined(yield* faultOf(renewed, nextYear))
      yield* later("2026-12-02T00:00:00Z")
      const tooLate = yield* archive(t, material)
      assert.deepStrictEqual(yield* faultOf(tooLate, nextYear), { timestamp: "ISSUER" })
      // Twice in time is no harm: what the store has is not written again.
      const twice = yield* archive(renewed, material)
      assert.isUndefined(yield* faultOf(twice, nextYear))
      const stored = authority.certificate.raw.toString("latin1")
      assert.lengthOf(twice.toString("latin1").split(stored), 2)
    }).pipe(Effect.provide(timestamps))
  )

  it.effect("is proven by certificates for that purpose alone", () =>
    Effect.gen(function* () {
      yield* atSealing
      const t = yield* Effect.provide(
        sealT(frozen, sealing),
        SandboxTimestampAuthority.layer(signer)
      )
      assert.deepStrictEqual(yield* faultOf(t), { timestamp: "PURPOSE" })
    })
  )
})

describe("what can't be sealed", () => {
  it.effect("is refused with the reason", () =>
    Effect.gen(function* () {
      const reasons = yield* Effect.forEach(
        [
          sealB(frozen, { ...sealing, room: 200 }),
          sealB(Buffer.from("%PDF-1.7\n%%EOF"), sealing),
          sealB(Buffer.from(""), sealing),
          sealB(frozen.subarray(0, -200), sealing)
        ],
        (sealed) =>
          Effect.map(Effect.flip(sealed), (error) => ("reason" in error ? error.reason : ""))
      )
      assert.deepStrictEqual(reasons, ["ROOM", "FORM", "FORM", "FORM"])
    })
  )
})
