/** Whether a file of evidence is, to the last byte, as it was made: by its own parts and whom one trusts. */
import {
  type Evidence,
  evidenceNames as names,
  readEvidence,
  stepName,
  sumsOf
} from "@quittance/domain/signatures/EvidenceFile"
import { type ByteTexts, partOf, placeOf } from "@quittance/domain/signatures/EvidenceParts"
import {
  type EvidenceFault,
  faultOf,
  type StoredStep
} from "@quittance/domain/signatures/EvidenceStep"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import { SignatureId } from "@quittance/domain/values/Ids"
import { readPem, topsOf, writePem } from "@quittance/signatures/CertificatePath"
import {
  certificatesOfDetached,
  certificatesOfPdf,
  certificatesOfToken,
  type DetachedFault,
  verifyDetached
} from "@quittance/signatures/Detached"
import { type PdfFault, type Trust, verifyPdf } from "@quittance/signatures/PdfVerification"
import { type TimestampFault, verifyToken } from "@quittance/signatures/Timestamp"
import { readZip, type ZipFile } from "@quittance/signatures/Zip"
import { Effect, Result, Schema } from "effect"
import { createHash, type X509Certificate } from "node:crypto"
import { sha256 } from "../values/Sha256.ts"

/**
 * What is wrong with a file, and with which part. `ARCHIVE` the archive itself has other bytes than its parts give,
 * `MANY` more parts than an archive can have;
 * `MISSING` and `UNKNOWN` a part is not there, or one too many; `FORM` it can't be read; `CHANGED` its bytes are
 * others than were sealed; `STEP` a step is wrong; `SHOWN` a document begins with other bytes than were shown.
 */
export type EvidenceFileFault = { readonly part: string } & (
  | { readonly reason: "ARCHIVE" | "MANY" | "MISSING" | "UNKNOWN" | "FORM" | "CHANGED" | "SHOWN" }
  | { readonly reason: "STEP"; readonly step: EvidenceFault }
  | { readonly reason: "SEAL"; readonly fault: DetachedFault }
  | { readonly reason: "STAMP"; readonly fault: TimestampFault }
  | { readonly reason: "DOCUMENT"; readonly fault: PdfFault }
)

export interface VerifiedEvidence {
  readonly evidence: Evidence
  /** Whose seal it is. */
  readonly certificate: X509Certificate
  /** The authorities that were trusted. */
  readonly anchors: ReadonlyArray<X509Certificate>
  /** By when the seal was there, in milliseconds since 1970, where a time stamp proves it. */
  readonly provenAt: number | undefined
}

export interface EvidenceTrust {
  /** `undefined`: those of the file itself, which then prove no more than that it fits together. */
  readonly anchors: ReadonlyArray<X509Certificate> | undefined
  /** Milliseconds since 1970. */
  readonly now: number
  /** As of `Trust`. */
  readonly readsRevisions?: boolean
}

/** What the steps need of `evidence.json`; members that no step has are kept, so that they are found. */
const ShownSteps = Schema.Struct({
  signature: Schema.Struct({ id: SignatureId }),
  head: Schema.String,
  steps: Schema.Array(Schema.Record(Schema.String, Schema.Unknown))
})

type Verdict<A> = Result.Result<A, EvidenceFileFault>
type Parts = ReadonlyMap<string, Uint8Array>

/** How bytes become texts in a file of evidence. */
export const byteTexts: ByteTexts = {
  hash: (bytes) => digest(bytes).toString("hex"),
  base64: (bytes) => Buffer.from(bytes).toString("base64")
}

const digest = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest()
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

/** Judges a file. Where its sums say which part was changed, that part is named. */
export const verifyEvidence = Effect.fn("EvidenceVerification.verifyEvidence")(function* (
  archive: Uint8Array,
  trust: EvidenceTrust
) {
  const { files, hasMore, isExact } = readZip(archive)
  if (hasMore) return fault({ part: "", reason: "MANY" })
  const judged = yield* partsFault(files, trust)
  const changed = changedPart(files)
  if (Result.isFailure(judged)) {
    const { part, reason } = judged.failure
    const isSure = reason === "STEP" || reason === "MISSING" || reason === "UNKNOWN"
    return changed !== undefined && changed !== part && !isSure
      ? fault({ part: changed, reason: "CHANGED" })
      : judged
  }
  if (changed !== undefined) return fault({ part: names.sums, reason: "CHANGED" })
  return isExact ? judged : fault({ part: "", reason: "ARCHIVE" })
})

const fault = (found: EvidenceFileFault): Verdict<never> => Result.fail(found)

/** The one part whose bytes the sums do not say; the sums themselves where they say more. */
const changedPart = (files: ReadonlyArray<ZipFile>): string | undefined => {
  const sums = files.find(({ name }) => name === names.sums)
  const others = files.filter((file) => file !== sums).map((file) => partOf(file, byteTexts))
  const written = sums === undefined ? "" : textOf(sums.bytes)
  if (written === sumsOf(others)) return undefined
  const lines = new Set(written.split("\n").map((line) => `${line}\n`))
  const [one, ...more] = others.filter((part) => !lines.has(sumsOf([part])))
  return one === undefined || more.length > 0 ? names.sums : one.name
}

const partsFault = Effect.fnUntraced(function* (
  files: ReadonlyArray<ZipFile>,
  trust: EvidenceTrust
) {
  const parts: Parts = new Map(files.map(({ bytes, name }) => [name, bytes]))
  const sealed = parts.get(names.evidence)
  if (files.length === 0) return fault({ part: "", reason: "ARCHIVE" })
  // Of two of one name only one would be looked at.
  const twice = files.find(({ name }, place) => parts.get(name) !== files[place]!.bytes)
  if (twice !== undefined) return fault({ part: twice.name, reason: "UNKNOWN" })
  if (sealed === undefined) return fault({ part: names.evidence, reason: "MISSING" })
  const step = stepFault(textOf(sealed))
  if (step !== undefined) return fault({ part: names.evidence, reason: "STEP", step })
  const evidence = readEvidence(textOf(sealed))
  if (evidence === undefined) return fault({ part: names.evidence, reason: "FORM" })
  const wrong = placesFault(evidence, files, parts)
  if (wrong !== undefined) return fault(wrong)
  const unlike = verifyDetached(parts.get(names.seal)!, sealed, { anchors: [], at: trust.now })
  if (Result.isFailure(unlike) && unlike.failure !== "UNTRUSTED") return sealFault(unlike.failure)
  const anchors = trust.anchors ?? topsOf(certificatesOf(parts, evidence))
  const proven = sealOf(parts, evidence, { anchors, now: trust.now })
  if (Result.isFailure(proven)) return Result.fail(proven.failure)
  const documents = yield* documentsFault(parts, evidence, { ...trust, anchors })
  return documents === undefined
    ? Result.succeed<VerifiedEvidence>({ evidence, anchors, ...proven.success })
    : fault(documents)
})

const decodeSteps = Schema.decodeUnknownOption(Schema.fromJsonString(ShownSteps))

/** The first step that is wrong, whatever else is; `undefined` also where there are none to be read. */
const stepFault = (text: string): EvidenceFault | undefined => {
  const read = decodeSteps(text)
  if (read._tag === "None") return undefined
  const { head, signature, steps } = read.value
  const stored = steps.map(({ hash, ...content }): StoredStep => ({
    content: isFlat(content) ? canonicalJson(content) : "",
    hash: typeof hash === "string" ? hash : ""
  }))
  return faultOf(stored, { signatureId: signature.id, head }, sha256)
}

/** A step has no more levels than these; what a stranger sends may have a million. */
const maxLevels = 8

const isFlat = (value: unknown, levels = maxLevels): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((member) => isFlat(member, levels - 1)))

/** Each part is there once, as the evidence says it, and no other. */
const placesFault = (
  { parts: said, seal, stamped, steps }: Evidence,
  files: ReadonlyArray<ZipFile>,
  parts: Parts
): EvidenceFileFault | undefined => {
  const sealed = new Map(said.map((part) => [part.name, part]))
  const named = [
    names.evidence,
    names.seal,
    ...(stamped ? [names.stamp] : []),
    names.certificates,
    ...steps.map(({ n }) => stepName(n)),
    names.explanation,
    names.script,
    ...(seal?.documents ?? []).map((one) => placeOf(one).name),
    names.sums
  ]
  const missing = named.find((name) => !parts.has(name))
  if (missing !== undefined) return { part: missing, reason: "MISSING" }
  const unknown = files.find(({ name }, place) => named[place] !== name)
  if (unknown !== undefined) return { part: unknown.name, reason: "UNKNOWN" }
  const own = new Set<string>([names.evidence, names.seal, names.stamp])
  const changed = named.find((name) => {
    if (own.has(name) || name === names.sums) return false
    const is = partOf({ name, bytes: parts.get(name)! }, byteTexts)
    const was = sealed.get(name)
    return was?.sha256 !== is.sha256 || was.size !== is.size
  })
  return changed === undefined ? undefined : { part: changed, reason: "CHANGED" }
}

/** The certificates that came along with the seals and the time stamps, each once. */
const certificatesOf = (
  parts: Parts,
  { seal, stamped }: Evidence
): ReadonlyArray<X509Certificate> =>
  readPem(
    writePem([
      ...certificatesOfDetached(parts.get(names.seal)!, parts.get(names.evidence)!),
      ...(stamped ? certificatesOfToken(parts.get(names.stamp)!) : []),
      ...(seal?.documents ?? []).flatMap((one) => certificatesOfPdf(parts.get(placeOf(one).name)!))
    ])
  )

/** The time stamp proves when the seal was there, and so at which time its certificate had to be valid. */
const sealOf = (
  parts: Parts,
  { stamped }: Evidence,
  { anchors, now }: Trust
): Verdict<Pick<VerifiedEvidence, "certificate" | "provenAt">> => {
  const seal = parts.get(names.seal)!
  let provenAt: number | undefined
  if (stamped) {
    const token = parts.get(names.stamp)!
    const stamp = verifyToken(token, { imprint: digest(seal), anchors, until: now })
    if (Result.isFailure(stamp)) {
      return fault({ part: names.stamp, reason: "STAMP", fault: stamp.failure })
    }
    provenAt = stamp.success.at
  }
  const by = verifyDetached(seal, parts.get(names.evidence)!, { anchors, at: provenAt ?? now })
  return Result.isSuccess(by)
    ? Result.succeed({ certificate: by.success, provenAt })
    : sealFault(by.failure)
}

/** A seal of other bytes says that what it seals was changed. */
const sealFault = (failure: DetachedFault): Verdict<never> =>
  failure === "DIGEST"
    ? fault({ part: names.evidence, reason: "CHANGED" })
    : fault({ part: names.seal, reason: "SEAL", fault: failure })

const documentsFault = Effect.fnUntraced(function* (
  parts: Parts,
  { seal }: Evidence,
  trust: Trust
) {
  for (const document of seal?.documents ?? []) {
    const { name: part, shown } = placeOf(document)
    if (shown === undefined) continue
    const bytes = parts.get(part)!
    const judged = yield* verifyPdf(bytes, trust)
    if (Result.isFailure(judged)) {
      return { part, reason: "DOCUMENT", fault: judged.failure } satisfies EvidenceFileFault
    }
    const begins = byteTexts.hash(bytes.subarray(0, shown.size)) === shown.sha256
    if (!begins) return { part, reason: "SHOWN" } satisfies EvidenceFileFault
  }
  return undefined
})
