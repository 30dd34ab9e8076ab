/** What all structures of X.509, CMS and RFC 3161 share: identifiers, sums, and bytes of DER. */
import { ObjectIdentifier } from "asn1js"
import { AlgorithmIdentifier } from "pkijs"
import { createHash } from "node:crypto"

/** Object identifiers by the names that the standards give them. */
export const oids = {
  data: "1.2.840.113549.1.7.1",
  signedData: "1.2.840.113549.1.7.2",
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  tstInfo: "1.2.840.113549.1.9.16.1.4",
  timestampToken: "1.2.840.113549.1.9.16.2.14",
  signingCertificateV2: "1.2.840.113549.1.9.16.2.47",
  timeStamping: "1.3.6.1.5.5.7.3.8",
  sha256: "2.16.840.1.101.3.4.2.1",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  sha256WithRsa: "1.2.840.113549.1.1.11"
} as const

/** Node's names of the hashes that others may use; we use SHA-256 alone. */
const hashNames: Readonly<Record<string, string>> = {
  [oids.sha256]: "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512"
}

/** Node's name of a hash; `undefined` for one that is not taken, such as SHA-1. */
export const hashName = (oid: string): string | undefined => hashNames[oid]

export const hash = (name: string, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const sum = createHash(name)
  for (const part of parts) sum.update(part)
  return sum.digest()
}

export const sha256 = (...parts: ReadonlyArray<Uint8Array>): Buffer => hash("sha256", ...parts)

/** Without parameters, as RFC 5754 (section 2) wants it. */
export const sha256Identifier = (): AlgorithmIdentifier =>
  new AlgorithmIdentifier({ algorithmId: oids.sha256 })

export const encode = (block: { toBER(): ArrayBuffer }): Buffer => Buffer.from(block.toBER())

export const identifier = (value: string): ObjectIdentifier => new ObjectIdentifier({ value })

/** The bytes as a buffer of their own, as the libraries take them. */
export const owned = (bytes: Uint8Array): ArrayBuffer => {
  const copy = new ArrayBuffer(bytes.length)
  new Uint8Array(copy).set(bytes)
  return copy
}

/**
 * Length of the DER value at the start of the bytes, with its head; `undefined` if there is none. What may
 * follow are the zeros that fill the room of a signature.
 */
export const derLength = (bytes: Uint8Array): number | undefined => {
  const head = headOf(bytes, 0, bytes.length)
  return head?.end
}

/**
 * Whether bytes are one value of DER: each length in its shortest form, each part exactly filled. The library
 * that reads them is content with less, and one changed byte may then say the same.
 */
export const isDer = (bytes: Uint8Array): boolean => areDer(bytes, 0, bytes.length, 1)

const constructed = 0x20

const areDer = (bytes: Uint8Array, from: number, to: number, most: number): boolean => {
  let at = from
  let count = 0
  while (at < to) {
    const head = headOf(bytes, at, to)
    count += 1
    if (head === undefined || count > most) return false
    const isInside =
      (bytes[at]! & constructed) === 0 || areDer(bytes, head.content, head.end, Infinity)
    if (!isInside) return false
    at = head.end
  }
  return count > 0 || most === Infinity
}

/** Where the content of a value begins and ends; our structures have no tags above 30. */
const headOf = (bytes: Uint8Array, at: number, to: number) => {
  const first = bytes[at + 1]
  if (first === undefined || (bytes[at]! & 0x1f) === 0x1f) return undefined
  const count = first < 0x80 ? 0 : first & 0x7f
  if (first === 0x80 || count > 3 || at + 2 + count > to) return undefined
  let length = count === 0 ? first : 0
  for (const byte of bytes.subarray(at + 2, at + 2 + count)) length = length * 256 + byte
  const isShortest = count === 0 || length >= (count === 1 ? 0x80 : 256 ** (count - 1))
  const content = at + 2 + count
  return isShortest && content + length <= to ? { content, end: content + length } : undefined
}
