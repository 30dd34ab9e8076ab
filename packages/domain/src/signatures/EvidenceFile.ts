/** The file that proves a signature without the service: what it holds, and how its parts are named. */
import { Schema } from "effect"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { SignatureId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { Digest, EvidenceStep } from "./EvidenceStep.ts"
import { Signature } from "./Signature.ts"
import { Seal } from "./SignatureSeal.ts"

/** A part of the file by its bytes. */
export const EvidencePart = Schema.Struct({
  name: Schema.String,
  sha256: Digest,
  /** In bytes. */
  size: Schema.Int
})
export type EvidencePart = typeof EvidencePart.Type

/** What is sealed as a whole: `evidence.json`, as canonical JSON (RFC 8785). */
export const Evidence = Schema.Struct({
  version: Schema.Literal(1),
  tenant: Schema.Struct({ id: Schema.String, name: Schema.String }),
  /** In real time. */
  madeAt: Instant,
  /** Whether a time stamp lies beside it. */
  stamped: Schema.Boolean,
  signature: Signature,
  /** Absent where no documents are signed. */
  seal: Schema.optionalKey(Seal),
  /** The texts that were accepted. */
  texts: Schema.Array(
    Schema.Struct({ textId: Schema.String, textHash: Digest, text: Schema.String })
  ),
  steps: Schema.Array(EvidenceStep),
  /** The hash of the last step by the audit trail. */
  head: Digest,
  /** Where the audit trail has it; absent in files that an earlier version made before that row was chained. */
  audit: Schema.optionalKey(Schema.Struct({ position: Schema.Int, hash: Digest })),
  /** The other parts, but for what is made of this one. */
  parts: Schema.Array(EvidencePart)
})
export type Evidence = typeof Evidence.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Evidence))

/** Evidence as it is written; `undefined` where a member is missing, of another form, or one too many. */
export const readEvidence = (text: string): Evidence | undefined => {
  const read = decode(text)
  return read._tag === "Some" && canonicalJson(read.value) === text ? read.value : undefined
}

/** The names of the parts that every file has. */
export const evidenceNames = {
  evidence: "evidence.json",
  seal: "evidence.json.p7s",
  stamp: "evidence.json.tst",
  certificates: "certificates.pem",
  explanation: "VERIFY.md",
  script: "verify.sh",
  sums: "SHA256SUMS"
} as const

/** Each step is a part of its own: the text that was hashed. */
export const stepName = (n: number): string => `steps/${String(n).padStart(4, "0")}.json`

export const documentName = (documentId: string, isPdf: boolean): string =>
  `documents/${documentId}${isPdf ? ".pdf" : ""}`

/** What `sha256sum` checks: each part but itself, in the order of the file. */
export const sumsOf = (parts: ReadonlyArray<Pick<EvidencePart, "name" | "sha256">>): string =>
  parts.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("")

/** A part as it is kept; the bytes of documents are kept with these. */
export const EvidenceEntry = Schema.Union([
  Schema.Struct({ name: Schema.String, text: Schema.String }),
  Schema.Struct({ name: Schema.String, base64: Schema.String }),
  Schema.Struct({ name: Schema.String, documentId: Schema.String })
])
export type EvidenceEntry = typeof EvidenceEntry.Type

const adviceOf = {
  NOT_SIGNED: "It is not signed; evidence is there once each signer has signed.",
  SEALING: "Its documents are about to be sealed; ask again in a minute.",
  NO_SEAL: "The tenant has no seal; import one with `pnpm admin seals import`, then ask again.",
  NO_STAMP: "The time-stamping authority or the key gave no answer; ask again in a minute.",
  NO_STEPS: "It was signed by an earlier version, which did not write steps; none can be proven.",
  CHANGED:
    "Its steps are not as they were recorded; GET /signatures/{signatureId}/steps says which.",
  NOT_CHAINED: "The audit trail is about to chain its last step; ask again in a minute.",
  NO_TEXT:
    "A text that was accepted is in no version of its product; have that version restored, then ask again.",
  ERASED: "What it proves was erased with the person it was about."
} as const

export class EvidenceNotReady extends Schema.TaggedError<EvidenceNotReady>()("EvidenceNotReady", {
  signatureId: SignatureId,
  reason: Schema.Literals([
    "NOT_SIGNED",
    "SEALING",
    "NO_SEAL",
    "NO_STAMP",
    "NO_STEPS",
    "CHANGED",
    "NOT_CHAINED",
    "NO_TEXT",
    "ERASED"
  ])
}) {
  override get message() {
    return `There is no evidence of ${this.signatureId}. ${adviceOf[this.reason]}`
  }
}
