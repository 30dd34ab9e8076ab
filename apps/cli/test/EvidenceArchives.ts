/** Files of evidence for tests, made by the parts of which the service makes them, without its database. */
import { composed, entriesOf, placeOf } from "@quittance/domain/signatures/EvidenceParts"
import { chained, readable } from "@quittance/domain/signatures/EvidenceStep"
import type { SealedDocument } from "@quittance/domain/signatures/SignatureSeal"
import type { Instant } from "@quittance/domain/values/Instant"
import * as PrefixedId from "@quittance/domain/values/PrefixedId"
import { byteTexts } from "@quittance/operations/signatures/EvidenceVerification"
import { fingerprint } from "@quittance/operations/signatures/SealKeys"
import { sha256 } from "@quittance/operations/values/Sha256"
import { writePem } from "@quittance/signatures/CertificatePath"
import { certificatesOfPdf, signDetached } from "@quittance/signatures/Detached"
import { sealT } from "@quittance/signatures/Pades"
import * as SandboxAuthority from "@quittance/signatures/SandboxAuthority"
import * as SandboxTimestampAuthority from "@quittance/signatures/SandboxTimestampAuthority"
import type { ZipFile } from "@quittance/signatures/Zip"
import { DateTime, Effect } from "effect"
import { createHash, type X509Certificate } from "node:crypto"
import { emptyPdf } from "./EmptyPdf.ts"

const from = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
export const validity = { from, until: DateTime.add(from, { years: 20 }) }
export const authority = SandboxAuthority.createAuthority("Sandbox CA", validity)

const id = <K extends Parameters<typeof PrefixedId.example>[0]>(kind: K) =>
  PrefixedId.example(kind) as never
const person = { firstName: "Zoë", lastName: "Ünal", email: "z@example.test" }
export const origin = {
  signatureId: id("signature"),
  at: "2026-04-01T08:00:00.000Z" as Instant,
  recordedAt: "2026-11-26T17:00:00.123Z" as Instant,
  actor: { kind: "USER", id: "user_1" },
  address: "2001:db8::1",
  userAgent: 'x "prev":"' + "0".repeat(64) + '"'
} as const

/**
 * A file as the service makes it, of one document and three steps. Who forges one has another authority, and may add
 * certificates; an earlier version made some without an anchor.
 */
export const madeBy = Effect.fnUntraced(function* (
  issuer: SandboxAuthority.Issued,
  {
    added = [],
    isAnchored = true,
    isStamped = true
  }: {
    readonly added?: ReadonlyArray<X509Certificate>
    readonly isAnchored?: boolean
    readonly isStamped?: boolean
  } = {}
) {
  const seal = SandboxAuthority.issueSeal(issuer, "Assureur de test", validity)
  const stamping = SandboxAuthority.issueTimestamping(issuer, "Sandbox TSA", validity)
  const signer = SandboxAuthority.signerOf(issuer, seal)
  const stamper = SandboxTimestampAuthority.make(SandboxAuthority.signerOf(issuer, stamping))
  const times = SandboxTimestampAuthority.layer(SandboxAuthority.signerOf(issuer, stamping))
  const at = yield* DateTime.now
  const pdf = yield* Effect.provide(sealT(emptyPdf, { signer, at }), times)
  const document: SealedDocument = {
    documentId: id("document"),
    sha256: byteTexts.hash(emptyPdf),
    size: emptyPdf.length,
    sealed: { documentId: id("document"), sha256: byteTexts.hash(pdf), size: pdf.length }
  }
  const stored = chained(
    [
      { kind: "CONSENT_GIVEN", textId: "TERMS", sha256: sha256("terms") },
      { kind: "OPENED", signerId: id("signer") },
      { kind: "SIGNED", signer: person }
    ],
    origin,
    sha256
  )
  const files = [{ ...placeOf(document), bytes: pdf }]
  const head = stored.at(-1)!.hash
  const certificates = writePem([
    signer.certificate,
    ...signer.chain,
    ...certificatesOfPdf(pdf),
    ...added
  ])
  const { evidence, text, texts } = composed(
    {
      version: 1,
      tenant: { id: "acme", name: "Acmé" },
      madeAt: DateTime.formatIso(at) as Instant,
      stamped: isStamped,
      signature: {
        id: id("signature"),
        policyId: id("policy"),
        branchId: id("branch"),
        quoteId: id("quote"),
        status: "COMPLETED",
        method: "CLICK",
        level: "SIMPLE",
        stateDigest: sha256("state"),
        signers: [person],
        consents: [{ textId: "TERMS", textHash: sha256("terms") }],
        signedAt: origin.at
      },
      seal: {
        level: "B-T",
        certificate: fingerprint(seal.certificate),
        sealedAt: origin.at,
        documents: [document]
      },
      texts: [{ textId: "TERMS", textHash: sha256("terms"), text: "terms" }],
      steps: readable(stored),
      head,
      ...(isAnchored ? { audit: { position: 7, hash: sha256("audit") } } : {})
    },
    { certificates, steps: stored, files },
    byteTexts
  )
  const bytes = Buffer.from(text)
  const signed = yield* signDetached(signer, bytes)
  const stamp = isStamped
    ? yield* stamper.stamp(createHash("sha256").update(signed).digest())
    : undefined
  const sealed = { evidence: text, seal: signed, stamp, texts, files }
  return entriesOf({ ...sealed, parts: evidence.parts }, byteTexts).map((entry): ZipFile => ({
    name: entry.name,
    bytes:
      "documentId" in entry
        ? pdf
        : "text" in entry
          ? Buffer.from(entry.text)
          : Buffer.from(entry.base64, "base64")
  }))
})

export const made = madeBy(authority)
