/** Timestamps of RFC 3161: what is asked, what is answered, and whether a token proves a time. */
import { Integer, OctetString } from "asn1js"
import { Result } from "effect"
import { MessageImprint, PKIStatus, TimeStampReq, TimeStampResp, TSTInfo } from "pkijs"
import type { X509Certificate } from "node:crypto"
import { certificatePath, isSame, isValidAt } from "./CertificatePath.ts"
import { type CmsFault, readCms } from "./CmsReading.ts"
import { encode, oids, owned, sha256Identifier } from "./Der.ts"

/** The question for a timestamp of a SHA-256; the certificate is to come with the answer. */
export const timestampRequest = (imprint: Uint8Array, nonce: Uint8Array): Buffer =>
  encode(
    new TimeStampReq({
      version: 1,
      messageImprint: messageImprint(imprint),
      nonce: positive(nonce),
      certReq: true
    }).toSchema()
  )

export const messageImprint = (imprint: Uint8Array): MessageImprint =>
  new MessageImprint({
    hashAlgorithm: sha256Identifier(),
    hashedMessage: new OctetString({ valueHex: owned(imprint) })
  })

/** A number above zero of these bytes. */
export const positive = (bytes: Uint8Array): Integer => {
  const copy = Buffer.from(bytes)
  // Neither negative nor with zeros in front, so that DER has one form of it.
  copy[0] = (copy[0]! & 0x3f) | 0x40
  return new Integer({ valueHex: owned(copy) })
}

/**
 * What is wrong with an answer or a token. `REFUSED` the authority gave none; `IMPRINT` it is of other bytes;
 * `NONCE` it answers another question; `PURPOSE` the certificate is not for timestamps alone; `ISSUER` no
 * trusted certificate vouches for it, or not at that time; the others as for any signature.
 */
export type TimestampFault = CmsFault | "REFUSED" | "IMPRINT" | "NONCE" | "PURPOSE" | "ISSUER"

/** The token of an answer, which fits the question. Whom to trust is not decided here. */
export const readTimestampResponse = (
  response: Uint8Array,
  expected: { readonly imprint: Uint8Array; readonly nonce: Uint8Array }
): Result.Result<Buffer, TimestampFault> => {
  const token = tokenOf(response)
  if (Result.isFailure(token)) return token
  const read = readToken(token.success, expected.imprint)
  if (Result.isFailure(read)) return Result.fail(read.failure)
  const { nonce } = read.success
  return nonce?.equals(encode(positive(expected.nonce))) === true
    ? token
    : Result.fail("NONCE" as const)
}

const tokenOf = (response: Uint8Array): Result.Result<Buffer, TimestampFault> => {
  try {
    const { status, timeStampToken } = TimeStampResp.fromBER(owned(response))
    const isGranted =
      status.status === PKIStatus.granted || status.status === PKIStatus.grantedWithMods
    return isGranted && timeStampToken !== undefined
      ? Result.succeed(encode(timeStampToken.toSchema()))
      : Result.fail("REFUSED")
  } catch {
    return Result.fail("FORM")
  }
}

export interface Timestamp {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly certificate: X509Certificate
  /** The authority's certificate and its issuers up to a trusted one. */
  readonly path: ReadonlyArray<X509Certificate>
}

/** What a token proves of bytes with this SHA-256, if a trusted certificate vouches for its authority. */
export const verifyToken = (
  token: Uint8Array,
  {
    anchors,
    imprint,
    until
  }: {
    readonly imprint: Uint8Array
    readonly anchors: ReadonlyArray<X509Certificate>
    /**
     * Milliseconds since 1970: by when the token existed, which a later timestamp or the present proves. The
     * authority's certificate has to be valid then: a thief of its key can't stamp the past after that.
     */
    readonly until: number
  }
): Result.Result<Timestamp, TimestampFault> => {
  const read = readToken(token, imprint)
  if (Result.isFailure(read)) return Result.fail(read.failure)
  const { at, certificate, certificates } = read.success
  // Node gives the extended key usages under this name.
  const purposes = certificate.keyUsage
  if (purposes?.length !== 1 || purposes[0] !== oids.timeStamping) return Result.fail("PURPOSE")
  const path = certificatePath(certificate, { anchors, others: certificates, at: until })
  if (path === undefined || at > until || !isValidAt(certificate, at)) return Result.fail("ISSUER")
  // A certificate that vouches for nothing was put in by a third party.
  return certificates.every((one) => path.some((other) => isSame(one, other)))
    ? Result.succeed({ at, certificate, path })
    : Result.fail("FORM")
}

const readToken = (token: Uint8Array, imprint: Uint8Array) => {
  const cms = readCms(token, { type: oids.tstInfo })
  if (Result.isFailure(cms)) return Result.fail<TimestampFault>(cms.failure)
  const { certificate, certificates, content } = cms.success
  try {
    const info = TSTInfo.fromBER(owned(content!))
    const { hashAlgorithm, hashedMessage } = info.messageImprint
    const isOf =
      hashAlgorithm.algorithmId === oids.sha256 &&
      Buffer.from(hashedMessage.valueBlock.valueHexView).equals(imprint)
    if (!isOf) return Result.fail<TimestampFault>("IMPRINT")
    const nonce = info.nonce === undefined ? undefined : encode(info.nonce)
    return Result.succeed({ at: info.genTime.getTime(), certificate, certificates, nonce })
  } catch {
    return Result.fail<TimestampFault>("FORM")
  }
}
