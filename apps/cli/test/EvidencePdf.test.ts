/** `quittance evidence verify` of sealed files: each change is found, and what a file was sealed from. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { sealT } from "@quittance/signatures/Pades"
import * as SandboxAuthority from "@quittance/signatures/SandboxAuthority"
import * as SandboxTimestampAuthority from "@quittance/signatures/SandboxTimestampAuthority"
import { Console, DateTime, Effect, Exit } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { runQuittance } from "../src/QuittanceCommand.ts"
import { emptyPdf as shown } from "./EmptyPdf.ts"

const folder = mkdtempSync(join(tmpdir(), "quittance-evidence-pdf-"))
afterAll(() => rmSync(folder, { recursive: true }))

const from = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const validity = { from, until: DateTime.add(from, { years: 20 }) }
const authority = SandboxAuthority.createAuthority("Sandbox CA", validity)
const stranger = SandboxAuthority.createAuthority("Sandbox CA", validity)
const seal = SandboxAuthority.issueSeal(authority, "Assureur de test", validity)
const stamping = SandboxAuthority.issueTimestamping(authority, "Sandbox TSA", validity)
const signer = SandboxAuthority.signerOf(authority, seal)
const times = SandboxTimestampAuthority.layer(SandboxAuthority.signerOf(authority, stamping))

const sealed = Effect.gen(function* () {
  const at = yield* DateTime.now
  return yield* sealT(shown, { signer, at })
}).pipe(Effect.provide(times))

const written = (name: string, bytes: Uint8Array | string): string => {
  const file = join(folder, name)
  writeFileSync(file, bytes)
  return file
}

const trusted = written("trusted.pem", authority.certificate.toString())

/** What the command prints of a file, and whether it fails. */
const verify = Effect.fnUntraced(function* (pdf: Uint8Array, ...flags: ReadonlyArray<string>) {
  const file = written("sealed.pdf", pdf)
  const lines: Array<string> = []
  const heard = { ...console, log: (text: string) => void lines.push(text), error: () => undefined }
  const exit = yield* runQuittance("0", ["evidence", "verify", file, ...flags]).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provideService(Console.Console, heard),
    Effect.exit
  )
  return { failed: Exit.isFailure(exit), text: lines.join("\n").replace(`${file}: `, "") }
})

describe("quittance evidence verify of a sealed file", () => {
  it.live("says by whom and until when it was sealed, and from what", () =>
    Effect.gen(function* () {
      const pdf = yield* sealed
      const own = yield* verify(pdf, "--certificates", trusted, "--shown", written("a.pdf", shown))
      assert.isFalse(own.failed)
      assert.match(
        own.text,
        /^sealed by O=Quittance, CN=Assureur de test, at 20\S+Z at the latest$/u
      )
      const other = written("b.pdf", shown.toString("latin1").replace("200 200", "200 201"))
      const another = yield* verify(pdf, "--certificates", trusted, "--shown", other)
      assert.deepStrictEqual(another, {
        failed: true,
        text: "NOT intact: it does not begin with the document that was shown"
      })
    })
  )

  it.live("takes the answer of the service in the place of a PEM file", () =>
    Effect.gen(function* () {
      const certificate = {
        sha256: "0".repeat(64),
        use: "AUTHORITY",
        status: "ACTIVE",
        subject: "CN=Sandbox CA",
        issuer: "CN=Sandbox CA",
        validFrom: "2026-01-01T00:00:00.000Z",
        validUntil: "2046-01-01T00:00:00.000Z",
        pem: authority.certificate.toString()
      }
      const answer = written("answer.json", JSON.stringify({ certificates: [certificate] }))
      assert.isFalse((yield* verify(yield* sealed, "--certificates", answer)).failed)
    })
  )

  it.live("finds a changed byte, an appended one, no seal, and another issuer", () =>
    Effect.gen(function* () {
      const pdf = yield* sealed
      const found = (bytes: Uint8Array, certificates = trusted) =>
        verify(bytes, "--certificates", certificates)
      const flipped = Buffer.from(pdf)
      flipped[shown.indexOf("MediaBox")]! ^= 1
      assert.deepStrictEqual(yield* found(flipped), {
        failed: true,
        text: "NOT intact: its bytes were changed"
      })
      assert.deepStrictEqual(yield* found(Buffer.concat([pdf, Buffer.from("\n")])), {
        failed: true,
        text: "NOT intact: bytes follow the last seal"
      })
      assert.deepStrictEqual(yield* found(shown), {
        failed: true,
        text: "NOT intact: it has no seal"
      })
      const others = written("others.pem", stranger.certificate.toString())
      const untrusted = yield* found(pdf, others)
      assert.isTrue(untrusted.failed)
      assert.include(untrusted.text, "none of the given certificates vouches for it")
    })
  )

  it.live("asks whom to trust", () =>
    Effect.gen(function* () {
      const { failed, text } = yield* verify(yield* sealed)
      assert.isTrue(failed)
      assert.strictEqual(text, "")
      assert.isTrue((yield* verify(yield* sealed, "--certificates", written("none", "x"))).failed)
    })
  )
})
