/** `quittance evidence verify` of a file of evidence, and its own `verify.sh`: each single change is found and named. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import {
  type Evidence,
  evidenceNames,
  readEvidence,
  sumsOf
} from "@quittance/domain/signatures/EvidenceFile"
import { partOf } from "@quittance/domain/signatures/EvidenceParts"
import { chained, readable } from "@quittance/domain/signatures/EvidenceStep"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import { byteTexts } from "@quittance/operations/signatures/EvidenceVerification"
import { fingerprint } from "@quittance/operations/signatures/SealKeys"
import { sha256 } from "@quittance/operations/values/Sha256"
import * as SandboxAuthority from "@quittance/signatures/SandboxAuthority"
import { writePem } from "@quittance/signatures/CertificatePath"
import { certificatesOfToken } from "@quittance/signatures/Detached"
import { readZip, writeZip, type ZipFile } from "@quittance/signatures/Zip"
import { Console, Effect, Exit } from "effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll } from "vitest"
import { judgeArchive } from "../src/evidence/VerifyArchive.ts"
import { runQuittance } from "../src/QuittanceCommand.ts"
import { authority, made, madeBy, origin, validity } from "./EvidenceArchives.ts"

const folder = mkdtempSync(join(tmpdir(), "quittance-evidence-zip-"))
afterAll(() => rmSync(folder, { recursive: true }))

const judge = (archive: Uint8Array, anchor?: string) =>
  judgeArchive(archive, {
    certificates: { text: authority.certificate.toString(), file: "trusted.pem" },
    anchor
  })

/** The same files, their sums made again: who changes a part would do that. */
const summed = (files: ReadonlyArray<ZipFile>): ReadonlyArray<ZipFile> => {
  const others = files.filter(({ name }) => name !== evidenceNames.sums)
  const sums = sumsOf(others.map((file) => partOf(file, byteTexts)))
  return [...others, { name: evidenceNames.sums, bytes: Buffer.from(sums) }]
}

const replaced = (files: ReadonlyArray<ZipFile>, name: string, bytes: Uint8Array) =>
  files.map((file) => (file.name === name ? { name, bytes } : file))

/** Random numbers that are the same in each run. */
const random = (seed: number) => (below: number) => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((seed / 2 ** 32) * below)
}

/** The paths of all texts, numbers and booleans of a value. */
const leavesOf = (
  value: unknown,
  path: ReadonlyArray<string> = []
): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]))
    : [path]

/** A copy whose member at a path is another one of its type. */
const altered = (value: any, [key, ...rest]: ReadonlyArray<string>): any => {
  if (key !== undefined) {
    const copy = Array.isArray(value) ? [...value] : { ...value }
    copy[key] = altered(value[key], rest)
    return copy
  }
  if (typeof value === "boolean") return !value
  if (typeof value === "number") return value + 1
  const last = value.at(-1)
  return `${value.slice(0, -1)}${last === "a" ? "b" : "a"}`
}

const written = (files: ReadonlyArray<ZipFile>): string => {
  const place = mkdtempSync(join(folder, "unpacked-"))
  for (const { bytes, name } of files) {
    mkdirSync(dirname(join(place, name)), { recursive: true })
    writeFileSync(join(place, name), bytes)
  }
  return place
}

const trusted = join(folder, "trusted.pem")
writeFileSync(trusted, authority.certificate.toString())

const script = (files: ReadonlyArray<ZipFile>, ...args: ReadonlyArray<string>) => {
  const { status, stdout } = spawnSync("sh", ["verify.sh", ...args], {
    cwd: written(files),
    encoding: "utf8"
  })
  return { status, text: stdout }
}

describe("a file of evidence", () => {
  it.live("is intact as it was made, by whom one trusts or by its own certificates", () =>
    Effect.gen(function* () {
      const files = yield* made
      const archive = writeZip(files)
      const own = yield* judge(archive, `7:${sha256("audit")}`)
      assert.isTrue(own.isIntact, own.text)
      assert.match(
        own.text,
        /3 steps, 1 document, sealed by O=Quittance, CN=Assureur de test, at 20\S+Z at the latest$/u
      )
      assert.include((yield* judge(archive, `8:${sha256("audit")}`)).text, "audit trail")
      const old = writeZip(yield* madeBy(authority, { isAnchored: false }))
      for (const anchor of [`7:${sha256("audit")}`, "undefined:undefined"]) {
        const { isIntact, text } = yield* judge(old, anchor)
        assert.isFalse(isIntact)
        assert.match(text, /^intact, but has no anchor: /u)
      }
      assert.isTrue((yield* judge(old)).isIntact)
      const stranger = SandboxAuthority.createAuthority("Sandbox CA", validity)
      const certificates = { text: stranger.certificate.toString(), file: "x" }
      const untrusted = yield* judgeArchive(archive, { certificates, anchor: undefined })
      assert.include(untrusted.text, "NOT intact: evidence.json.tst: ")
      const file = join(folder, "evidence.zip")
      writeFileSync(file, archive)
      const lines: Array<string> = []
      const heard = {
        ...console,
        log: (text: string) => void lines.push(text),
        error: () => undefined
      }
      const run = runQuittance("0", ["evidence", "verify", file]).pipe(
        Effect.provide(NodeServices.layer),
        Effect.provideService(Console.Console, heard),
        Effect.exit
      )
      assert.isTrue(Exit.isSuccess(yield* run))
      assert.include(lines.join(), fingerprint(authority.certificate))
      writeFileSync(file, writeZip(files.slice(1)))
      assert.isTrue(Exit.isFailure(yield* run))
      assert.include(lines.at(-1), "NOT intact: evidence.json: it is missing")
    })
  )

  it.live("names the part in which any one byte was changed", () =>
    Effect.gen(function* () {
      const files = yield* made
      const archive = writeZip(files)
      const next = random(17)
      // Each part has its share, whatever its length, and so has what lies between them.
      for (const { bytes, name } of files) {
        for (let round = 0; round < 6; round += 1) {
          const place = next(bytes.length)
          const changed = Buffer.from(bytes)
          changed[place]! ^= 1 << next(8)
          const { isIntact, text } = yield* judge(writeZip(replaced(files, name, changed)))
          assert.isFalse(isIntact, `${name} at ${place}`)
          assert.include(text, `NOT intact: ${name}: `, `at ${place}`)
        }
      }
      for (let round = 0; round < 60; round += 1) {
        const changed = Buffer.from(archive)
        const place = next(archive.length)
        changed[place]! ^= 1 << next(8)
        assert.isFalse((yield* judge(changed)).isIntact, `byte ${place}`)
      }
      assert.isFalse((yield* judge(Buffer.concat([archive, Buffer.from("\n")]))).isIntact)
      assert.isFalse((yield* judge(archive.subarray(0, -1))).isIntact)
    })
  )

  it.live("is found changed in each field and each step, also where all sums were made again", () =>
    Effect.gen(function* () {
      const files = yield* made
      const text = Buffer.from(files[0]!.bytes).toString()
      const evidence: Evidence = readEvidence(text)!
      const judged = (changed: unknown) =>
        judge(
          writeZip(summed(replaced(files, "evidence.json", Buffer.from(canonicalJson(changed)))))
        )
      for (const path of leavesOf(evidence)) {
        const { isIntact, text: said } = yield* judged(altered(evidence, path))
        assert.isFalse(isIntact, path.join("."))
        const [member, place] = path
        const step = member === "steps" ? ` step ${Number(place) + 1}: ` : ""
        assert.include(said, step === "" ? "NOT intact: " : `evidence.json:${step}`, path.join("."))
      }
      const { steps } = evidence
      const again = (kept: typeof steps) =>
        readable(
          chained(
            kept.map(({ kind }) => ({ kind })),
            origin,
            sha256
          )
        )
      const forged = again(steps)
      for (const changed of [
        steps.slice(1),
        steps.slice(0, -1),
        [steps[1]!, steps[0]!, steps[2]!],
        [...steps, steps[2]!]
      ]) {
        const { isIntact, text: said } = yield* judged({ ...evidence, steps: changed })
        assert.isFalse(isIntact)
        assert.match(said, /^NOT intact: evidence\.json: step \d: /u)
      }
      const whole = yield* judged({ ...evidence, steps: forged, head: forged.at(-1)!.hash })
      assert.isFalse(whole.isIntact)
      for (const { name } of files) {
        const without = files.filter((file) => file.name !== name)
        const { text: said } = yield* judge(
          writeZip(name === "SHA256SUMS" ? without : summed(without))
        )
        assert.include(said, `NOT intact: ${name}: `)
      }
      const added = [{ name: "more.txt", bytes: Buffer.from("x") }, ...files]
      assert.include((yield* judge(writeZip(summed(added)))).text, "more.txt: it does not belong")
    })
  )

  it.live("says by its own script whether it is intact, by openssl and coreutils", () =>
    Effect.gen(function* () {
      const files = readZip(writeZip(yield* made)).files
      const own = script(files, trusted)
      assert.strictEqual(own.status, 0, own.text)
      assert.include(own.text, "steps: 3, each follows the one before")
      assert.match(own.text, /intact, sealed by whom \S+trusted\.pem trusts\n$/u)
      for (const { bytes, name } of files) {
        if (name === "verify.sh") continue
        // Of a seal and a time stamp the last byte is one of its signature.
        const place = /\.(?:p7s|tst)$/u.test(name) ? bytes.length - 1 : bytes.length >> 1
        const changed = Buffer.from(bytes)
        changed[place]! ^= 1
        const one = replaced(files, name, changed)
        // With the sums made again, the sealed evidence is what tells.
        for (const forged of name === "SHA256SUMS" ? [one] : [one, summed(one)]) {
          for (const args of forged === one ? [[trusted]] : [[trusted], []]) {
            const { status, text } = script(forged, ...args)
            assert.strictEqual(status, 1, `${name}: ${text}`)
            const said = name.startsWith("evidence.json") ? "NOT intact: evidence.json" : name
            assert.include(text, said)
          }
        }
        if (name === "SHA256SUMS") continue
        const without = files.filter((file) => file.name !== name)
        assert.strictEqual(script(summed(without), trusted).status, 1, name)
      }
      const added = [...files, { name: "steps/more", bytes: Buffer.from("x") }]
      for (const more of [added, summed(added)]) assert.strictEqual(script(more, trusted).status, 1)
      assert.include(script(added, trusted).text, "NOT intact: steps/more: it does not belong here")
    })
  )

  it.live("is trusted by its own script for the certificates that one gives, and no others", () =>
    Effect.gen(function* () {
      const files = yield* made
      const unasked = script(files)
      assert.strictEqual(unasked.status, 2, unasked.text)
      assert.include(unasked.text, "WHO SEALED THEM WAS NOT CHECKED")
      assert.notInclude(unasked.text, "intact")
      const shown = [...unasked.text.matchAll(/Fingerprint=([\dA-F:]+)$/gmu)].map(([, one]) => one)
      assert.lengthOf(shown, 2)
      assert.strictEqual(shown[1], authority.certificate.fingerprint256)
      assert.match(unasked.text, /subject=O = Quittance, CN = Assureur de test\n/u)
      // Of the same names, with the genuine authority beside its own.
      const stranger = SandboxAuthority.createAuthority("Sandbox CA", validity)
      const forged = yield* madeBy(stranger, { added: [authority.certificate] })
      const pem = forged.find(({ name }) => name === "certificates.pem")!
      assert.include(Buffer.from(pem.bytes).toString(), authority.certificate.toString())
      const judged = script(forged, trusted)
      assert.strictEqual(judged.status, 1, judged.text)
      assert.include(judged.text, "NOT intact: evidence.json.tst: the time stamp is no good, or by")
      assert.isFalse((yield* judge(writeZip(forged))).isIntact)
      // A stamp of the genuine authority does not make its seal one of theirs.
      const both = join(folder, "strangers-stamp.pem")
      const token = forged.find(({ name }) => name === "evidence.json.tst")!.bytes
      const [stamping] = certificatesOfToken(token)
      writeFileSync(both, writePem([authority.certificate, stamping!]))
      const sealed = script(forged, both)
      assert.strictEqual(sealed.status, 1, sealed.text)
      assert.include(
        sealed.text,
        "NOT intact: evidence.json.p7s: the seal is no good, or by others"
      )
      const shownOfForged = script(forged)
      assert.strictEqual(shownOfForged.status, 2)
      assert.notInclude(shownOfForged.text, authority.certificate.fingerprint256)
      assert.include(shownOfForged.text, stranger.certificate.fingerprint256)
      // Without a stamp the seal has to be good now.
      const unstamped = script(yield* madeBy(authority, { isStamped: false }), trusted)
      assert.strictEqual(unstamped.status, 0, unstamped.text)
      assert.notInclude(unstamped.text, "time stamp")
      assert.strictEqual(
        script(yield* madeBy(stranger, { isStamped: false }), trusted).text,
        `NOT intact: evidence.json.p7s: the seal is no good, or by others than ${trusted} trusts\n`
      )
      // Its own certificates are none that one has from elsewhere, and no file is none at all.
      for (const wrong of ["certificates.pem", "evidence.json", "no.pem"]) {
        const { status, text } = script(forged, wrong)
        assert.strictEqual(status, 2, text)
        assert.include(text, `${wrong}: it `)
      }
      const beside = [
        ...files,
        { name: "mine.pem", bytes: Buffer.from(writePem([authority.certificate])) }
      ]
      assert.strictEqual(script(beside, "mine.pem").status, 0)
    })
  )
})
