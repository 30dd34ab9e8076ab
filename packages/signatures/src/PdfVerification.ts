/**
 * Whether a PDF file is, to the last byte, as it was sealed. Nothing is asked of the network: certificates that
 * their issuer revoked before the stamp are not found here, but by validators that read the store of the file.
 */
import { Effect, Result } from "effect"
import type { X509Certificate } from "node:crypto"
import { certificatePath, isSame } from "./CertificatePath.ts"
import { type CmsFault, readCms } from "./CmsReading.ts"
import { oids, sha256 } from "./Der.ts"
import { showsTheSame } from "./PdfChanges.ts"
import { findSignatures, type FoundSignature, type PlaceFault } from "./PdfSignatures.ts"
import { type TimestampFault, verifyToken } from "./Timestamp.ts"

/**
 * What is wrong with a sealed file. `APPENDED` bytes follow the last signature; `CHANGED` a revision under a
 * timestamp changes what is shown, `UNREAD` that was not to be read; `NO_SEAL` there are timestamps alone; `UNTRUSTED`
 * no trusted certificate vouches for the seal at the time that is proven, which is now where nothing proves an
 * earlier one: its certificate may have ended.
 */
export type PdfFault =
  | PlaceFault
  | CmsFault
  | { readonly timestamp: TimestampFault }
  | "APPENDED"
  | "CHANGED"
  | "UNREAD"
  | "NO_SEAL"
  | "UNTRUSTED"

export interface VerifiedSeal {
  readonly certificate: X509Certificate
  /** The time that the file says, in milliseconds since 1970. */
  readonly saidAt: number | undefined
  /** The time that a timestamp of the seal proves. */
  readonly provenAt: number | undefined
  /** Identifiers of the signed attributes. */
  readonly attributes: ReadonlyArray<string>
  /** Length of the file with this seal and without what follows. */
  readonly end: number
}

export interface VerifiedPdf {
  /** In the order in which they were made. */
  readonly seals: ReadonlyArray<VerifiedSeal>
  /** When the newest timestamp over the whole file was made. */
  readonly archivedAt: number | undefined
}

export interface Trust {
  /** The certificates of authorities that are trusted. */
  readonly anchors: ReadonlyArray<X509Certificate>
  /** Milliseconds since 1970. */
  readonly now: number
  /**
   * Whether to read what a revision under a timestamp changes; yes unless said. Where everybody may vouch for
   * a timestamp, a file can be made to take the reader a lot of memory and time.
   */
  readonly readsRevisions?: boolean
}

/** Verifies a file from its last signature to its first: each proves a time for those before it. */
export const verifyPdf = Effect.fn("PdfVerification.verifyPdf")(function* (
  pdf: Uint8Array,
  { anchors, now, readsRevisions = true }: Trust
) {
  const found = findSignatures(pdf)
  if (Result.isFailure(found)) return Result.fail<PdfFault>(found.failure)
  const signatures = found.success
  if (signatures.at(-1)!.end !== pdf.length) return Result.fail<PdfFault>("APPENDED")
  const seals: Array<VerifiedSeal> = []
  let archivedAt: number | undefined
  let until = now
  for (const [place, signature] of [...signatures.entries()].toReversed()) {
    if (signature.kind === "TIMESTAMP") {
      const imprint = signature.digest("sha256")
      const stamp = verifyToken(signature.contents, { imprint, anchors, until })
      if (Result.isFailure(stamp)) return Result.fail<PdfFault>({ timestamp: stamp.failure })
      until = stamp.success.at
      archivedAt ??= until
      const before = signatures[place - 1]
      if (before === undefined) return Result.fail<PdfFault>("NO_SEAL")
      if (!readsRevisions) return Result.fail<PdfFault>("UNREAD")
      const shown = yield* showsTheSame(pdf.subarray(0, before.end), pdf.subarray(0, signature.end))
      if (!shown) return Result.fail<PdfFault>("CHANGED")
      continue
    }
    const seal = sealOf(signature, { anchors, now: until })
    if (Result.isFailure(seal)) return Result.fail(seal.failure)
    seals.unshift(seal.success)
    until = seal.success.provenAt ?? until
  }
  return Result.succeed<VerifiedPdf>({ seals, archivedAt })
})

const sealOf = (
  { contents, digest, end, saidAt }: FoundSignature,
  { anchors, now }: Trust
): Result.Result<VerifiedSeal, PdfFault> => {
  const read = readCms(contents, { type: oids.data, digest })
  if (Result.isFailure(read)) return Result.fail(read.failure)
  const { attributes, certificate, certificates, content, token, value } = read.success
  // The bytes are signed where they lie; a copy inside would be another file.
  if (content !== undefined) return Result.fail("FORM")
  let provenAt: number | undefined
  if (token !== undefined) {
    const stamp = verifyToken(token, { imprint: sha256(value), anchors, until: now })
    if (Result.isFailure(stamp)) return Result.fail({ timestamp: stamp.failure })
    provenAt = stamp.success.at
  }
  const path = certificatePath(certificate, { anchors, others: certificates, at: provenAt ?? now })
  if (path === undefined) return Result.fail("UNTRUSTED")
  return certificates.every((one) => path.some((other) => isSame(one, other)))
    ? Result.succeed({ certificate, saidAt, provenAt, attributes, end })
    : Result.fail("FORM")
}
