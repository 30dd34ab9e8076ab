/** What strangers are told of a file that they send: what holds, what does not, and of hostile files nothing costly. */
import { assert, describe, it } from "@effect/vitest"
import { evidenceNames as names } from "@quittance/domain/signatures/EvidenceFile"
import { fingerprint } from "@quittance/operations/signatures/SealKeys"
import { judgeFile } from "@quittance/operations/signatures/FileJudgement"
import * as SandboxAuthority from "@quittance/signatures/SandboxAuthority"
import { appendSignature } from "@quittance/signatures/PdfRevision"
import * as SandboxTimestampAuthority from "@quittance/signatures/SandboxTimestampAuthority"
import { readZip, writeZip, type ZipFile } from "@quittance/signatures/Zip"
import { readPem } from "@quittance/signatures/CertificatePath"
import { Effect } from "effect"
import type { X509Certificate } from "node:crypto"
import { emptyPdf } from "./EmptyPdf.ts"
import { authority, made, madeBy, validity } from "./EvidenceArchives.ts"

/** The certificates of a file, its seal first, then those of the authority and of its time stamps. */
const certificatesOf = (files: ReadonlyArray<ZipFile>) =>
  readPem(Buffer.from(files.find(({ name }) => name === names.certificates)!.bytes).toString())

const pdfOf = (files: ReadonlyArray<ZipFile>) =>
  Buffer.from(files.find(({ name }) => name.endsWith(".pdf"))!.bytes)

/** Judges by a tenant that has these certificates, whose first one seals. */
const judgedBy = (bytes: Uint8Array, [seal, ...issuers]: ReadonlyArray<X509Certificate>) =>
  judgeFile(bytes, {
    anchors: [seal!, ...issuers],
    seals: new Set([fingerprint(seal!)]),
    now: Date.now() + 60_000
  })

/** A file of the tenant, in short what is said of it, and why it is refused. */
const scene = Effect.gen(function* () {
  const files = yield* made
  const [seal] = certificatesOf(files)
  const own = [seal!, authority.certificate]
  const resultsOf = (bytes: Uint8Array, by = own) =>
    Effect.map(judgedBy(bytes, by), ({ checks, status }) => [
      status,
      ...checks.map(({ result }) => result)
    ])
  const contentOf = (bytes: Uint8Array) =>
    Effect.map(judgedBy(bytes, own), ({ checks: [content], status }) => ({
      status,
      part: content!.part,
      message: content!.message
    }))
  const refusalOf = (bytes: Uint8Array) =>
    Effect.map(Effect.flip(judgedBy(bytes, own)), ({ reason }) => reason)
  return { files, own, resultsOf, contentOf, refusalOf }
})

const replaced = (files: ReadonlyArray<ZipFile>, name: string, bytes: Uint8Array) =>
  writeZip(files.map((file) => (file.name === name ? { name, bytes } : file)))

describe("a file that a stranger sends", () => {
  it.live("of the tenant is intact, with what was shown", () =>
    Effect.gen(function* () {
      const { files, own, resultsOf } = yield* scene
      const intact = ["INTACT", "HOLDS", "HOLDS", "HOLDS"]
      assert.deepStrictEqual(yield* resultsOf(pdfOf(files)), intact)
      const judged = yield* judgedBy(writeZip(files), own)
      assert.deepStrictEqual([judged.status, ...judged.checks.map(({ result }) => result)], intact)
      assert.isDefined(judged.sealedAt)
      assert.lengthOf(judged.documents!, 1)
      assert.strictEqual(judged.documents![0]!.shownSize, emptyPdf.length)
      const unstamped = yield* madeBy(authority, { isStamped: false })
      const { checks, sealedAt } = yield* judgedBy(writeZip(unstamped), [
        certificatesOf(unstamped)[0]!,
        authority.certificate
      ])
      assert.strictEqual(checks[2]!.message, "No time stamp proves when it was sealed.")
      assert.isUndefined(sealedAt)
    })
  )

  it.live("with another byte is changed, and the part is named", () =>
    Effect.gen(function* () {
      const { contentOf, files, resultsOf } = yield* scene
      for (const { bytes, name } of files) {
        const flipped = Buffer.from(bytes)
        flipped[flipped.length >> 1]! ^= 1
        const { part, status } = yield* contentOf(replaced(files, name, flipped))
        assert.strictEqual(status, "CHANGED", name)
        // A sum that was changed tells of the part that it is of.
        if (name !== names.sums) assert.strictEqual(part, name)
      }
      const pdf = pdfOf(files)
      for (let at = 60; at < pdf.length; at += 997) {
        const flipped = Buffer.from(pdf)
        flipped[at]! ^= 1
        assert.strictEqual((yield* contentOf(flipped)).status, "CHANGED", `byte ${at}`)
      }
      const unchecked = ["CHANGED", "FAILS", "NOT_CHECKED", "NOT_CHECKED"]
      const longer = Buffer.concat([pdf, Buffer.from("\n")])
      assert.deepStrictEqual(yield* resultsOf(longer), unchecked)
      assert.include((yield* contentOf(longer)).message, "bytes follow the last seal")
      // Another sealed document of the same tenant.
      const other = pdfOf(yield* made)
      const { part } = yield* contentOf(
        replaced(files, files.find(({ name }) => name.endsWith(".pdf"))!.name, other)
      )
      assert.match(part!, /^documents\//u)
    })
  )

  it.live("of another tenant is not this one's, also where one authority has issued both", () =>
    Effect.gen(function* () {
      const { files, resultsOf } = yield* scene
      const second = yield* made
      const stranger = yield* madeBy(SandboxAuthority.createAuthority("Sandbox CA", validity))
      const unknown = ["UNKNOWN", "HOLDS", "FAILS", "NOT_CHECKED"]
      for (const other of [second, stranger]) {
        assert.deepStrictEqual(yield* resultsOf(pdfOf(other)), unknown)
        assert.deepStrictEqual(yield* resultsOf(writeZip(other)), unknown)
      }
      // A forged one says whose it is.
      const forged = files.map(({ bytes, name }) =>
        name === names.certificates
          ? { name, bytes: second.find((one) => one.name === name)!.bytes }
          : { name, bytes }
      )
      assert.strictEqual((yield* resultsOf(writeZip(forged)))[0], "CHANGED")
    })
  )

  it.live("is the tenant's, but of no proven time, where its time stamp is of others", () =>
    Effect.gen(function* () {
      const { files, own, resultsOf } = yield* scene
      const noTime = ["INTACT", "HOLDS", "HOLDS", "FAILS"]
      assert.deepStrictEqual(yield* resultsOf(pdfOf(files), own.slice(0, 1)), noTime)
      assert.deepStrictEqual(yield* resultsOf(writeZip(files), own.slice(0, 1)), noTime)
    })
  )

  it.live("that proves nothing is refused, with what to send", () =>
    Effect.gen(function* () {
      const { files, refusalOf } = yield* scene
      assert.strictEqual(yield* refusalOf(Buffer.from("")), "TYPE")
      assert.strictEqual(yield* refusalOf(Buffer.from('{"steps":[]}')), "TYPE")
      assert.strictEqual(yield* refusalOf(emptyPdf), "NO_SEAL")
      assert.strictEqual(
        yield* refusalOf(writeZip([{ name: "a.txt", bytes: Buffer.from("a") }])),
        "NO_EVIDENCE"
      )
      assert.strictEqual(yield* refusalOf(Buffer.from("PK\u0003\u0004 and no more")), "NO_EVIDENCE")
      assert.strictEqual(yield* refusalOf(writeZip(files).subarray(1)), "TYPE")
    })
  )

  it.live("that is made to keep the service busy is refused at once, and never a fault", () =>
    Effect.gen(function* () {
      const { contentOf, files, own, refusalOf, resultsOf } = yield* scene
      // As many headers of empty files as an archive can't have.
      const [header] = [writeZip([{ name: "", bytes: Buffer.alloc(0) }]).subarray(0, 30)]
      const many = Buffer.concat(Array.from({ length: 65_536 }, () => header!))
      assert.strictEqual(yield* refusalOf(many), "TOO_LARGE")
      assert.isTrue(readZip(many).hasMore)
      const large = Buffer.alloc(4_194_305, "[")
      assert.strictEqual(yield* refusalOf(replaced(files, names.evidence, large)), "TOO_LARGE")
      // A header that says more bytes than there are.
      const bomb = Buffer.from(writeZip(files))
      bomb.writeUInt32LE(0xff_ff_ff_f0, 18)
      assert.strictEqual(yield* refusalOf(bomb), "NO_EVIDENCE")
      const deep = (text: string) => {
        const evidence = Buffer.from(files[0]!.bytes).toString()
        return replaced(files, names.evidence, Buffer.from(evidence.replace('"n":1', text)))
      }
      const nested = `${"[".repeat(200_000)}${"]".repeat(200_000)}`
      for (const text of [`"n":${nested}`, `"n":1,"hash":${nested}`]) {
        const { status } = yield* contentOf(deep(text))
        assert.strictEqual(status, "CHANGED")
      }
      const twice = writeZip([...files.slice(0, -1), files[0]!, files.at(-1)!])
      assert.strictEqual((yield* contentOf(twice)).part, names.evidence)
      const signature = (contents: string, count: number) => {
        let text = "%PDF-1.7\n"
        for (let number = 0; number < count; number++) {
          const before = `${text}${number} 0 obj<</ByteRange[0 `
          const tail = "]/Contents"
          const start = before.length + "0000000000 0000000000 0000000000".length + tail.length
          const ends = [start, start + contents.length + 2, 3]
          const range = ends.map((one) => String(one).padStart(10, "0")).join(" ")
          text = `${before}${range}${tail}<${contents}>>>\n`
        }
        return Buffer.from(text, "latin1")
      }
      assert.include((yield* contentOf(signature("3000", 1))).message, "another form")
      assert.include((yield* contentOf(signature("30".repeat(2_000_000), 1))).message, "room")
      assert.include((yield* contentOf(signature("3000", 40))).message, "more seals")
      // The revision under a time stamp is not read, and be its authority one of the tenant.
      const stranger = SandboxAuthority.createAuthority("Time", validity)
      const stamping = SandboxAuthority.issueTimestamping(stranger, "Time", validity)
      const stamper = SandboxTimestampAuthority.make(SandboxAuthority.signerOf(stranger, stamping))
      const stamped = yield* appendSignature(pdfOf(files), { kind: "DocTimeStamp" }, stamper.stamp)
      for (const by of [own, [...own, stranger.certificate]]) {
        const results = yield* resultsOf(stamped, by)
        assert.deepStrictEqual(results, ["UNKNOWN", "NOT_CHECKED", "FAILS", "NOT_CHECKED"])
      }
    })
  )
})
