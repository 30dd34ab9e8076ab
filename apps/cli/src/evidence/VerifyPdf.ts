/** Whether a sealed PDF file is, to the last byte, as it was sealed, and by whom. */
import { SealCertificates } from "@quittance/domain/signatures/SealKey"
import { pdfText } from "@quittance/operations/signatures/FaultTexts"
import { readPem } from "@quittance/signatures/CertificatePath"
import { verifyPdf } from "@quittance/signatures/PdfVerification"
import { Clock, DateTime, Effect, Option, Result, Schema } from "effect"
import type { X509Certificate } from "node:crypto"
import { problem } from "../Problem.ts"

const Answer = Schema.fromJsonString(SealCertificates)
const decode = Schema.decodeUnknownOption(Answer)

/** The certificates of a PEM file, or of an answer of `GET /signatures/certificates`. */
export const certificatesOf = (text: string, file: string) =>
  Effect.try({
    try: () => {
      const answer = decode(text)
      const pem = Option.isNone(answer)
        ? text
        : answer.value.certificates.map((one) => one.pem).join("\n")
      const found = readPem(pem)
      if (found.length === 0) throw new Error("none")
      return found
    },
    catch: (cause) => problem(`${file} has no certificates in PEM.`, cause)
  })

/** Whose a certificate is, in one line. */
export const nameOf = ({ subject }: X509Certificate): string => subject.split("\n").join(", ")

export interface Verdict {
  readonly isIntact: boolean
  readonly text: string
}

/** Judges a sealed file by certificates that are trusted; `shown` is what it has to begin with. */
export const judge = Effect.fn("VerifyPdf.judge")(function* (
  pdf: Uint8Array,
  {
    certificates,
    shown
  }: {
    readonly certificates: { readonly text: string; readonly file: string }
    readonly shown: Uint8Array | undefined
  }
) {
  const anchors = yield* certificatesOf(certificates.text, certificates.file)
  const verified = yield* verifyPdf(pdf, { anchors, now: yield* Clock.currentTimeMillis })
  if (Result.isFailure(verified)) return broken(pdfText(verified.failure))
  if (shown !== undefined && !Buffer.from(pdf.subarray(0, shown.length)).equals(shown)) {
    return broken("it does not begin with the document that was shown")
  }
  const seals = verified.success.seals.map(({ certificate, provenAt }) => {
    const by = nameOf(certificate)
    return provenAt === undefined
      ? `sealed by ${by}, at a time that nothing proves`
      : `sealed by ${by}, at ${DateTime.formatIso(DateTime.makeUnsafe(provenAt))} at the latest`
  })
  const verdict: Verdict = { isIntact: true, text: seals.join("; ") }
  return verdict
})

export const broken = (reason: string): Verdict => ({
  isIntact: false,
  text: `NOT intact: ${reason}`
})
