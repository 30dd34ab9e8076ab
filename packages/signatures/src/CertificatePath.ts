/** Which issuers vouch for a certificate, up to one that is trusted and its own issuers. */
import { X509Certificate } from "node:crypto"

/** A path has few certificates; more are an attempt to keep the verifier busy. */
const maxLength = 8

/**
 * The certificate and its issuers, all valid at the instant, as far as they are known; `undefined` where none of them
 * is trusted.
 */
export const certificatePath = (
  certificate: X509Certificate,
  {
    anchors,
    at,
    others
  }: {
    readonly anchors: ReadonlyArray<X509Certificate>
    /** Milliseconds since 1970. */
    readonly at: number
    /** Certificates that came along, of which nothing is believed. */
    readonly others: ReadonlyArray<X509Certificate>
  }
): ReadonlyArray<X509Certificate> | undefined => {
  const path = [certificate]
  let isTrusted = false
  for (;;) {
    const last = path.at(-1)!
    if (!isValidAt(last, at) || path.length > maxLength) {
      return isTrusted ? path.slice(0, -1) : undefined
    }
    isTrusted ||= anchors.some((anchor) => isSame(anchor, last))
    const issuer = [...anchors, ...others].find(
      (one) => one.ca && last.checkIssued(one) && last.verify(one.publicKey)
    )
    if (issuer === undefined || path.some((one) => isSame(one, issuer))) {
      return isTrusted ? path : undefined
    }
    path.push(issuer)
  }
}

export const isValidAt = ({ validFromDate, validToDate }: X509Certificate, at: number): boolean =>
  validFromDate.getTime() <= at && at <= validToDate.getTime()

export const isSame = (one: X509Certificate, other: X509Certificate): boolean =>
  one.raw.equals(other.raw)

/** A file has few certificates; each is compared with each. */
const maxCompared = 256

/** Those that no other of them has issued; none of too many. */
export const topsOf = (
  certificates: ReadonlyArray<X509Certificate>
): ReadonlyArray<X509Certificate> =>
  certificates.length > maxCompared
    ? []
    : certificates.filter(
        (one) => !certificates.some((other) => !isSame(one, other) && one.checkIssued(other))
      )

const pem = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/gu

/** The certificates of a PEM text, in its order; it throws where one can't be read. */
export const readPem = (text: string): ReadonlyArray<X509Certificate> =>
  [...text.matchAll(pem)].map(([one]) => new X509Certificate(one))

/** Certificates as PEM, each once. */
export const writePem = (certificates: ReadonlyArray<X509Certificate>): string => {
  const each = new Map(certificates.map((one) => [one.fingerprint256, one]))
  return [...each.values()].map((one) => one.toString()).join("")
}
