/** What holds of a file that a stranger sends, and what does not. Nothing of it is believed before it is proven. */
import { evidenceNames } from "@quittance/domain/signatures/EvidenceFile"
import { placeOf } from "@quittance/domain/signatures/EvidenceParts"
import {
  FileNotVerifiable,
  type Verification,
  type VerificationCheck,
  type VerifiedDocument,
  type VerifiedKind
} from "@quittance/domain/signatures/Verification"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { topsOf } from "@quittance/signatures/CertificatePath"
import { certificatesOfPdf } from "@quittance/signatures/Detached"
import { type PdfFault, type Trust, verifyPdf } from "@quittance/signatures/PdfVerification"
import { readZip } from "@quittance/signatures/Zip"
import { Effect, Result } from "effect"
import type { X509Certificate } from "node:crypto"
import { type EvidenceFileFault, verifyEvidence } from "./EvidenceVerification.ts"
import { partText, pdfText } from "./FaultTexts.ts"
import { fingerprint } from "./SealKeys.ts"

/** Bytes of `evidence.json`: a hundred times more than there are. */
const maxEvidence = 4_194_304

export interface TenantTrust {
  /** All certificates of the tenant with their issuers. */
  readonly anchors: ReadonlyArray<X509Certificate>
  /** Those that seal, by their SHA-256: an issuer has other customers, too. */
  readonly seals: ReadonlySet<string>
  /** Milliseconds since 1970. */
  readonly now: number
}

/** What a file proves by the certificates that were taken for trusted ones. */
interface Proof {
  readonly seals: ReadonlyArray<{
    readonly certificate: X509Certificate
    readonly provenAt: number | undefined
  }>
  readonly documents?: ReadonlyArray<VerifiedDocument>
}

interface Failure {
  /** Whether other certificates would have vouched for it. */
  readonly isOfTrust: boolean
  readonly part?: string
  readonly text: string
}

type Proven = Result.Result<Proof, Failure>

/** What a file is by its first bytes. */
export const kindOf = (bytes: Uint8Array): VerifiedKind | undefined => {
  const start = Buffer.from(bytes.subarray(0, 5)).toString("latin1")
  if (start === "%PDF-") return "PDF"
  return start.startsWith("PK") ? "EVIDENCE" : undefined
}

/** Judges a file by the certificates of a tenant, and where they do not vouch for it, by its own. */
export const judgeFile = Effect.fn("FileJudgement.judgeFile")(function* (
  bytes: Uint8Array,
  { anchors, now, seals }: TenantTrust
) {
  const kind = kindOf(bytes)
  if (kind === undefined) return yield* new FileNotVerifiable({ reason: "TYPE" })
  if (kind === "EVIDENCE") yield* checkArchive(bytes)
  const prove = kind === "PDF" ? pdfProof : evidenceProof
  const trusted = yield* prove(bytes, { anchors, now })
  if (Result.isSuccess(trusted)) return verdict(kind, trusted, { seals, isTrusted: true })
  if (trusted.failure.isOfTrust) {
    return verdict(kind, yield* prove(bytes, { anchors: undefined, now }), {
      seals,
      isTrusted: false
    })
  }
  if (trusted.failure.text === noSeal) return yield* new FileNotVerifiable({ reason: "NO_SEAL" })
  return verdict(kind, trusted, { seals, isTrusted: false })
})

const noSeal = pdfText("NO_SIGNATURE")

const checkArchive = (bytes: Uint8Array): Effect.Effect<void, FileNotVerifiable> => {
  const { files, hasMore } = readZip(bytes)
  if (hasMore) return Effect.fail(new FileNotVerifiable({ reason: "TOO_LARGE" }))
  const evidence = files.find(({ name }) => name === evidenceNames.evidence)
  if (evidence === undefined) return Effect.fail(new FileNotVerifiable({ reason: "NO_EVIDENCE" }))
  return evidence.bytes.length > maxEvidence
    ? Effect.fail(new FileNotVerifiable({ reason: "TOO_LARGE" }))
    : Effect.void
}

type Anchors = Pick<Trust, "now"> & {
  /** `undefined`: the file's own, which prove no more than that it fits together. */
  readonly anchors: Trust["anchors"] | undefined
}

/** The service adds no revision to what it has sealed; those of strangers may take any time to read. */
const readsRevisions = false

const pdfProof = Effect.fnUntraced(function* (pdf: Uint8Array, { anchors, now }: Anchors) {
  const judged = yield* verifyPdf(pdf, {
    anchors: anchors ?? topsOf(certificatesOfPdf(pdf)),
    now,
    readsRevisions
  })
  return Result.mapBoth(judged, {
    onSuccess: ({ seals }): Proof => ({ seals }),
    onFailure: (fault): Failure => ({ isOfTrust: isOfTrust(fault), text: pdfText(fault) })
  })
})

const evidenceProof = Effect.fnUntraced(function* (archive: Uint8Array, trust: Anchors) {
  const judged = yield* verifyEvidence(archive, { ...trust, readsRevisions })
  return Result.mapBoth(judged, {
    onSuccess: ({ certificate, evidence, provenAt }): Proof => ({
      seals: [{ certificate, provenAt }],
      documents: (evidence.seal?.documents ?? []).map((document) => ({
        part: placeOf(document).name,
        sha256: document.sealed?.sha256 ?? document.sha256,
        shownSha256: document.sha256,
        shownSize: document.size
      }))
    }),
    onFailure: (fault): Failure => ({
      isOfTrust: isPartOfTrust(fault),
      ...(fault.part === "" ? {} : { part: fault.part }),
      text: partText(fault)
    })
  })
})

const isOfTrust = (fault: PdfFault): boolean =>
  typeof fault === "string"
    ? fault === "UNTRUSTED" || fault === "UNREAD"
    : fault.timestamp === "ISSUER"

const isPartOfTrust = (found: EvidenceFileFault): boolean => {
  switch (found.reason) {
    case "SEAL":
    case "DOCUMENT":
      return isOfTrust(found.fault)
    case "STAMP":
      return isOfTrust({ timestamp: found.fault })
    default:
      return false
  }
}

const verdict = (
  kind: VerifiedKind,
  proven: Proven,
  by: { readonly seals: ReadonlySet<string>; readonly isTrusted: boolean }
): Verification => {
  const content = contentCheck(proven)
  const issuer = issuerCheck(proven, by.seals)
  const time = timeCheck(proven, issuer, by.isTrusted)
  const known = issuer.result === "HOLDS"
  const changedAfterwards = content.result === "FAILS"
  const status = changedAfterwards ? "CHANGED" : known ? "INTACT" : "UNKNOWN"
  const sealedAt = time.result === "HOLDS" ? sealedAtOf(proven) : undefined
  const documents = Result.isSuccess(proven) ? proven.success.documents : undefined
  return {
    kind,
    status,
    known,
    changedAfterwards,
    ...(sealedAt === undefined ? {} : { sealedAt: fromEpochMillis(sealedAt) }),
    ...(documents === undefined ? {} : { documents }),
    checks: [content, issuer, time]
  }
}

/** By when the first seal was there. */
const sealedAtOf = (proven: Proven): number | undefined =>
  Result.isSuccess(proven) ? proven.success.seals[0]?.provenAt : undefined

const contentCheck = (proven: Proven): VerificationCheck => {
  const name = "CONTENT"
  if (Result.isSuccess(proven)) {
    return { name, result: "HOLDS", message: "Every byte is as it was sealed." }
  }
  const { isOfTrust: isUntrusted, part, text } = proven.failure
  return {
    name,
    result: isUntrusted ? "NOT_CHECKED" : "FAILS",
    ...(part === undefined ? {} : { part }),
    message: isUntrusted
      ? `It could not be checked to the end: ${text}.`
      : `It is not as it was sealed: ${text}. Ask who sealed it for the original.`
  }
}

const issuerCheck = (proven: Proven, known: ReadonlySet<string>): VerificationCheck => {
  const name = "ISSUER"
  if (Result.isFailure(proven) && !proven.failure.isOfTrust) {
    const message = "A changed file does not say by whom it was sealed."
    return { name, result: "NOT_CHECKED", message }
  }
  const seals = Result.isSuccess(proven) ? proven.success.seals : []
  const isKnown =
    seals.length > 0 && seals.every(({ certificate }) => known.has(fingerprint(certificate)))
  return isKnown
    ? { name, result: "HOLDS", message: "This tenant has sealed it." }
    : {
        name,
        result: "FAILS",
        message:
          "This tenant has not sealed it, or not alone. Compare the certificate with that of who should have sealed it, and check that `tenant` names them."
      }
}

const timeCheck = (
  proven: Proven,
  issuer: VerificationCheck,
  isTrusted: boolean
): VerificationCheck => {
  const name = "TIME"
  if (Result.isFailure(proven) || issuer.result !== "HOLDS") {
    const message = "A time is worth nothing while the content or the issuer does not hold."
    return { name, result: "NOT_CHECKED", message }
  }
  if (proven.success.seals.some(({ provenAt }) => provenAt === undefined)) {
    const message = "No time stamp proves when it was sealed."
    return { name, result: "FAILS", message }
  }
  return isTrusted
    ? { name, result: "HOLDS", message: "A time stamp proves by when it was sealed." }
    : {
        name,
        result: "FAILS",
        message:
          "The time-stamping authority is none of this tenant. Compare its certificate by `pdfsig`, or by `sh verify.sh TRUSTED.pem`."
      }
}
