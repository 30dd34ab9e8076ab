/** What is wrong with sealed files and with files of evidence, in words. */
import type { EvidenceFault } from "@quittance/domain/signatures/EvidenceStep"
import type { PdfFault } from "@quittance/signatures/PdfVerification"
import type { EvidenceFileFault } from "./EvidenceVerification.ts"

const ofPdf: Readonly<Record<Extract<PdfFault, string>, string>> = {
  NO_SIGNATURE: "it has no seal",
  MANY: "it has more seals and time stamps than a file needs",
  RANGE: "a seal does not cover everything before its end",
  ROOM: "there is something else in the room of a seal",
  FORM: "a seal is of another form than it has to be",
  SIGNER: "a seal lacks its certificate, or names another one",
  DIGEST: "its bytes were changed",
  SIGNATURE: "the key of the certificate did not seal this",
  APPENDED: "bytes follow the last seal",
  CHANGED: "a later revision changes what it shows",
  UNREAD: "a time stamp covers a later revision, which was not read",
  NO_SEAL: "it has time stamps alone",
  UNTRUSTED: "none of the given certificates vouches for the seal"
}

export const pdfText = (fault: PdfFault): string =>
  typeof fault === "string"
    ? ofPdf[fault]
    : `a time stamp is no good, or none of the given certificates vouches for it (${fault.timestamp})`

const ofStep: Readonly<Record<EvidenceFault["reason"], string>> = {
  CONTENT: "its content does not give its hash, or is none of a step",
  SIGNATURE: "it is another signature's",
  NUMBER: "a step is missing, was added or moved",
  PREVIOUS: "it follows another step than it says",
  HEAD: "it is not the last step that was recorded"
}

export const stepText = ({ n, reason }: EvidenceFault): string => `step ${n}: ${ofStep[reason]}`

const ofArchive = {
  ARCHIVE: "the archive has other bytes than its parts give",
  MANY: "the archive has more parts than evidence can have",
  MISSING: "it is missing",
  UNKNOWN: "it does not belong here",
  FORM: "it can't be read, or has a member that it can't have",
  CHANGED: "its bytes were changed",
  SHOWN: "it does not begin with the document that was shown"
} as const

/** Of a part of a file of evidence; which one it is goes before. */
export const partText = (fault: EvidenceFileFault): string => {
  switch (fault.reason) {
    case "STEP":
      return stepText(fault.step)
    case "SEAL":
    case "DOCUMENT":
      return pdfText(fault.fault)
    case "STAMP":
      return pdfText({ timestamp: fault.fault })
    default:
      return ofArchive[fault.reason]
  }
}
