/** Signatures of files that lie beside them: a file of CMS over the bytes of another one. */
import { Effect, Result } from "effect"
import type { X509Certificate } from "node:crypto"
import { certificatePath, isSame } from "./CertificatePath.ts"
import { signCms } from "./Cms.ts"
import { type CmsFault, readCms } from "./CmsReading.ts"
import { hash, oids, sha256 } from "./Der.ts"
import { findSignatures } from "./PdfSignatures.ts"
import type { Signer } from "./Signer.ts"

/** Signs bytes that lie elsewhere; the certificates come along. */
export const signDetached = Effect.fn("Detached.signDetached")(function* (
  signer: Signer,
  bytes: Uint8Array
) {
  const signature = yield* signCms(signer, { type: oids.data, digest: sha256(bytes) })
  return signature.withTimestamp(undefined)
})

/** `UNTRUSTED`: no trusted certificate vouches for the signer at that time. */
export type DetachedFault = CmsFault | "UNTRUSTED"

/** The certificate that has signed these bytes. */
export const verifyDetached = (
  signature: Uint8Array,
  bytes: Uint8Array,
  {
    anchors,
    at
  }: {
    readonly anchors: ReadonlyArray<X509Certificate>
    /** Milliseconds since 1970. */
    readonly at: number
  }
): Result.Result<X509Certificate, DetachedFault> => {
  const read = readCms(signature, { type: oids.data, digest: (name) => hash(name, bytes) })
  if (Result.isFailure(read)) return Result.fail(read.failure)
  const { certificate, certificates, content, token } = read.success
  // The bytes lie elsewhere, and what proves the time does, too.
  if (content !== undefined || token !== undefined) return Result.fail("FORM")
  const path = certificatePath(certificate, { anchors, others: certificates, at })
  if (path === undefined) return Result.fail("UNTRUSTED")
  return certificates.every((one) => path.some((other) => isSame(one, other)))
    ? Result.succeed(certificate)
    : Result.fail("FORM")
}

/** The certificates that came along with a signature of these bytes, unchecked; none where it is of others. */
export const certificatesOfDetached = (
  signature: Uint8Array,
  bytes: Uint8Array
): ReadonlyArray<X509Certificate> =>
  certificatesOf(readCms(signature, { type: oids.data, digest: (name) => hash(name, bytes) }))

/** The certificates that came along with a token of a timestamp authority, unchecked. */
export const certificatesOfToken = (token: Uint8Array): ReadonlyArray<X509Certificate> =>
  certificatesOf(readCms(token, { type: oids.tstInfo }))

/** The certificates that came along with the seals of a PDF file and with their timestamps, unchecked. */
export const certificatesOfPdf = (pdf: Uint8Array): ReadonlyArray<X509Certificate> => {
  const found = findSignatures(pdf)
  if (Result.isFailure(found)) return []
  return found.success.flatMap(({ contents, digest, kind }) => {
    if (kind === "TIMESTAMP") return certificatesOfToken(contents)
    const read = readCms(contents, { type: oids.data, digest })
    const token = Result.isSuccess(read) ? read.success.token : undefined
    return [...certificatesOf(read), ...(token === undefined ? [] : certificatesOfToken(token))]
  })
}

const certificatesOf = (read: ReturnType<typeof readCms>): ReadonlyArray<X509Certificate> =>
  Result.isSuccess(read) ? read.success.certificates : []
