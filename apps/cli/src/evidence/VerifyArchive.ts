/** Whether a file of evidence is, to the last byte, as it was made; the part that is wrong is named. */
import { verifyEvidence } from "@quittance/operations/signatures/EvidenceVerification"
import { partText } from "@quittance/operations/signatures/FaultTexts"
import { fingerprint } from "@quittance/operations/signatures/SealKeys"
import { Clock, DateTime, Effect, Result } from "effect"
import { counted } from "../terminal/Numbers.ts"
import { broken, certificatesOf, nameOf, type Verdict } from "./VerifyPdf.ts"

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
    return broken(part === "" ? partText(judged.failure) : `${part}: ${partText(judged.failure)}`)
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
