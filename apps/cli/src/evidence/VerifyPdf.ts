/** Whether a sealed PDF file is, to the last byte, as it was sealed, and by whom. */
import { SealCertificates } from "@quittance/domain/signatures/SealKey"
import { readPem } from "@quittance/signatures/CertificatePath"
import { type PdfFault, verifyPdf } from "@quittance/signatures/PdfVerification"
import { Clock, DateTime, Effect, Option, Result, Schema } from "effect"
import type { X509Certificate } from "node:crypto"
import { problem } from "../Problem.ts"

/** Whether bytes are those of a PDF file. */
export const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-"

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

const reasons: Readonly<Record<Extract<PdfFault, string>, string>> = {
  NO_SIGNATURE: "it has no seal",
  RANGE: "a seal does not cover everything before its end",
  ROOM: "there is something else in the room of a seal",
  FORM: "a seal is of another form than it has to be",
  SIGNER: "a seal lacks its certificate, or names another one",
  DIGEST: "its bytes were changed",
  SIGNATURE: "the key of the certificate did not seal this",
  APPENDED: "bytes follow the last seal",
  CHANGED: "a later revision changes what it shows",
  NO_SEAL: "it has time stamps alone",
  UNTRUSTED: "none of the given certificates vouches for the seal"
}

export const reasonOf = (fault: PdfFault): string =>
  typeof fault === "string"
    ? reasons[fault]
    : `a time stamp is no good, or none of the given certificates vouches for it (${fault.timestamp})`

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
  if (Result.isFailure(verified)) return broken(reasonOf(verified.failure))
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
