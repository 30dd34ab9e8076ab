/** Whether a file of evidence is, to the last byte, as it was made; the part that is wrong is named. */
import type { EvidenceFault } from "@quittance/domain/signatures/EvidenceStep"
import {
  type EvidenceFileFault,
  verifyEvidence
} from "@quittance/operations/signatures/EvidenceVerification"
import { fingerprint } from "@quittance/operations/signatures/SealKeys"
import { Clock, DateTime, Effect, Result } from "effect"
import { counted } from "../terminal/Numbers.ts"
import { broken, certificatesOf, nameOf, reasonOf, type Verdict } from "./VerifyPdf.ts"

/** Whether bytes are those of an archive. */
export const isArchive = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 2)).toString("latin1") === "PK"

export const stepReasons: Readonly<Record<EvidenceFault["reason"], string>> = {
  CONTENT: "its content does not give its hash, or is none of a step",
  SIGNATURE: "it is another signature's",
  NUMBER: "a step is missing, was added or moved",
  PREVIOUS: "it follows another step than it says",
  HEAD: "it is not the last step that was recorded"
}

const reasons = {
  ARCHIVE: "the archive has other bytes than its parts give",
  MISSING: "it is missing",
  UNKNOWN: "it does not belong here",
  FORM: "it can't be read, or has a member that it can't have",
  CHANGED: "its bytes were changed",
  SHOWN: "it does not begin with the document that was shown"
} as const

const saidOf = (fault: EvidenceFileFault): string => {
  switch (fault.reason) {
    case "STEP":
      return `step ${fault.step.n}: ${stepReasons[fault.step.reason]}`
    case "SEAL":
    case "DOCUMENT":
      return reasonOf(fault.fault)
    case "STAMP":
      return reasonOf({ timestamp: fault.fault })
    default:
      return reasons[fault.reason]
  }
}

/**
 * Judges a file by certificates that are trusted, or else by its own, which then have to be compared. `anchor` is
 * `POSITION:HASH` of the audit trail.
 */
export const judgeArchive = Effect.fn("VerifyArchive.judgeArchive")(function* (
  archive: Uint8Array,
  {
    anchor,
    certificates
  }: {
    readonly certificates: { readonly text: string; readonly file: string } | undefined
    readonly anchor: string | undefined
  }
) {
  const trusted =
    certificates === undefined
      ? undefined
      : yield* certificatesOf(certificates.text, certificates.file)
  const now = yield* Clock.currentTimeMillis
  const judged = yield* verifyEvidence(archive, { anchors: trusted, now })
  if (Result.isFailure(judged)) {
    const { part } = judged.failure
    return broken(part === "" ? saidOf(judged.failure) : `${part}: ${saidOf(judged.failure)}`)
  }
  const { anchors, certificate, evidence, provenAt } = judged.success
  const { audit, seal, signature, steps } = evidence
  if (anchor !== undefined && audit === undefined) {
    return {
      isIntact: false,
      text: "intact, but has no anchor: it was made before the audit trail had chained its last step; check it without --anchor"
    } satisfies Verdict
  }
  if (anchor !== undefined && anchor !== `${audit!.position}:${audit!.hash}`) {
    return broken("evidence.json: the audit trail has its last step elsewhere")
  }
  const at =
    provenAt === undefined
      ? "at a time that nothing proves"
      : `at ${DateTime.formatIso(DateTime.makeUnsafe(provenAt))} at the latest`
  const compare =
    trusted === undefined
      ? `; compare the authority with GET /signatures/certificates, or give it with --certificates: ${anchors
          .map((one) => `${nameOf(one)} ${fingerprint(one)}`)
          .join(", ")}`
      : ""
  const documents = counted(seal?.documents.length ?? 0, "document")
  const text = `${signature.id}: ${counted(steps.length, "step")}, ${documents}, sealed by ${nameOf(certificate)}, ${at}${compare}`
  return { isIntact: true, text } satisfies Verdict
})
