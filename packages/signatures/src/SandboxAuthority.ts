/**
 * The certification authority of a sandbox: made once for an installation, it issues the seal of each tenant
 * and the timestamp authority's certificate. Readers of PDF files don't know it, and say so.
 */
import { BitString, Integer, OctetString, Sequence, Set as SetOf, Utf8String } from "asn1js"
import { DateTime } from "effect"
import {
  AlgorithmIdentifier,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  CertificateRevocationList,
  Extension,
  Extensions,
  ExtKeyUsage,
  PublicKeyInfo,
  RelativeDistinguishedNames,
  Time
} from "pkijs"
import {
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate
} from "node:crypto"
import { encode, identifier, oids, owned, sha256 } from "./Der.ts"
import { type Signer, softwareSigner } from "./Signer.ts"
import { positive } from "./Timestamp.ts"

/** A certificate and its private key. */
export interface Issued {
  readonly key: KeyObject
  readonly certificate: X509Certificate
}

/** From which instant and until when a certificate is valid, both included, to the second. */
export interface Validity {
  readonly from: DateTime.Utc
  readonly until: DateTime.Utc
}

/** A new authority that vouches for itself. */
export const createAuthority = (name: string, validity: Validity): Issued =>
  issue({ name, validity, extensions: [basicConstraints(true), keyUsage(keyUsages.authority)] })

/** A seal for a tenant: its name is what readers of a sealed file see. */
export const issueSeal = (authority: Issued, name: string, validity: Validity): Issued =>
  issue({ name, validity, authority, extensions: [keyUsage(keyUsages.signature)] })

/** A certificate that may stamp times, and nothing else (RFC 3161, section 2.3). */
export const issueTimestamping = (authority: Issued, name: string, validity: Validity): Issued => {
  const purposes = new ExtKeyUsage({ keyPurposes: [oids.timeStamping] })
  return issue({
    name,
    validity,
    authority,
    extensions: [
      keyUsage(keyUsages.signature),
      extension("2.5.29.37", true, encode(purposes.toSchema()))
    ]
  })
}

/** Who signs by a certificate of the authority. */
export const signerOf = (authority: Issued, { certificate, key }: Issued): Signer =>
  softwareSigner(key, certificate, [authority.certificate])

/** The authority's list of revoked certificates, in DER: a sandbox revokes none. */
export const revocationList = ({ certificate, key }: Issued, { from, until }: Validity): Buffer => {
  const issuer = Certificate.fromBER(owned(certificate.raw))
  const list = new CertificateRevocationList({
    version: 1,
    signature: algorithm(),
    issuer: issuer.subject,
    thisUpdate: time(from),
    nextUpdate: time(until),
    crlExtensions: new Extensions({
      extensions: [
        authorityKey(certificate.publicKey),
        extension("2.5.29.20", false, encode(new Integer({ value: 1 })))
      ]
    }),
    signatureAlgorithm: algorithm()
  })
  return signed(list, key)
}

const keyUsages = {
  /** `keyCertSign` and `cRLSign`. */
  authority: Buffer.from([0x06]),
  /** `digitalSignature` and `nonRepudiation`. */
  signature: Buffer.from([0xc0])
}

const issue = ({
  authority,
  extensions,
  name,
  validity
}: {
  readonly name: string
  readonly validity: Validity
  readonly extensions: ReadonlyArray<Extension>
  readonly authority?: Issued
}): Issued => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" })
  const subjectPublicKeyInfo = PublicKeyInfo.fromBER(
    owned(publicKey.export({ type: "spki", format: "der" }))
  )
  const issuer =
    authority === undefined ? undefined : Certificate.fromBER(owned(authority.certificate.raw))
  const certificate = new Certificate({
    version: 2,
    serialNumber: positive(randomBytes(16)),
    notBefore: time(validity.from),
    notAfter: time(validity.until),
    subjectPublicKeyInfo,
    extensions: [
      ...extensions,
      extension("2.5.29.14", false, encode(new OctetString({ valueHex: keyId(publicKey) }))),
      authorityKey(authority?.certificate.publicKey ?? publicKey)
    ]
  })
  certificate.subject = distinguishedName(name)
  certificate.issuer = issuer?.subject ?? certificate.subject
  certificate.signature = algorithm()
  certificate.signatureAlgorithm = algorithm()
  return {
    key: privateKey,
    certificate: new X509Certificate(signed(certificate, authority?.key ?? privateKey))
  }
}

/** All keys of the sandbox are of one kind. */
const algorithm = () => new AlgorithmIdentifier({ algorithmId: oids.ecdsaWithSha256 })

/** Organisation and common name, each in a set of its own: the library would put them into one. */
const distinguishedName = (name: string): RelativeDistinguishedNames => {
  const part = (type: string, value: string) =>
    new SetOf({
      value: [new Sequence({ value: [identifier(type), new Utf8String({ value })] })]
    })
  return RelativeDistinguishedNames.fromBER(
    owned(encode(new Sequence({ value: [part("2.5.4.10", "Quittance"), part("2.5.4.3", name)] })))
  )
}

const extension = (extnID: string, critical: boolean, value: Buffer): Extension =>
  new Extension({ extnID, critical, extnValue: owned(value) })

const basicConstraints = (cA: boolean): Extension =>
  extension("2.5.29.19", true, encode(new BasicConstraints({ cA }).toSchema()))

const keyUsage = (bits: Buffer): Extension => {
  const unusedBits = bits[0] === 0x06 ? 1 : 6
  return extension("2.5.29.15", true, encode(new BitString({ valueHex: owned(bits), unusedBits })))
}

const authorityKey = (publicKey: KeyObject): Extension => {
  const keyIdentifier = new OctetString({ valueHex: keyId(publicKey) })
  return extension(
    "2.5.29.35",
    false,
    encode(new AuthorityKeyIdentifier({ keyIdentifier }).toSchema())
  )
}

/** By which a key is found (RFC 7093, section 2): the first 20 bytes of a SHA-256. */
const keyId = (publicKey: KeyObject): ArrayBuffer =>
  owned(sha256(publicKey.export({ type: "spki", format: "der" })).subarray(0, 20))

/** Written as UTCTime until 2049, as RFC 5280 (section 4.1.2.5) wants it. */
const time = (at: DateTime.Utc): Time => {
  const value = DateTime.toDateUtc(at)
  return new Time({ type: value.getUTCFullYear() < 2050 ? 0 : 1, value })
}

/** Signs a certificate or a list, and writes it. */
const signed = (one: Certificate | CertificateRevocationList, key: KeyObject): Buffer => {
  // The library's own way to sign takes keys of WebCrypto alone.
  const whole: unknown = one.toSchema(true)
  const toSign = whole instanceof Sequence ? whole.valueBlock.value[0]! : new Sequence()
  const value = sign("sha256", encode(toSign), { key, dsaEncoding: "der" })
  one.signatureValue = new BitString({ valueHex: owned(value) })
  return encode(one.toSchema(true))
}
