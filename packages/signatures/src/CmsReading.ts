/** Reads a signature of CMS and checks all that it says of itself; whom to trust is decided elsewhere. */
import { ObjectIdentifier, OctetString, Sequence, Set as SetOf } from "asn1js"
import { Result } from "effect"
import { type Attribute, ContentInfo, IssuerAndSerialNumber, SignedData } from "pkijs"
import { verify, X509Certificate } from "node:crypto"
import { encode, hash, hashName, isDer, oids, owned } from "./Der.ts"

/**
 * What is wrong with a signature. `FORM` it is no CMS with one signer, or it says things that nothing needs;
 * `SIGNER` the signer's certificate is not inside, or another one was meant; `DIGEST` other bytes were signed;
 * `SIGNATURE` the key of the certificate did not sign this.
 */
export type CmsFault = "FORM" | "SIGNER" | "DIGEST" | "SIGNATURE"

export interface ReadCms {
  readonly certificate: X509Certificate
  /** All that came along, the signer's own first. */
  readonly certificates: ReadonlyArray<X509Certificate>
  /** Identifiers of the signed attributes, in their order. */
  readonly attributes: ReadonlyArray<string>
  /** The content that lies inside. */
  readonly content: Buffer | undefined
  readonly value: Buffer
  /** The token of a timestamp authority, unchecked. */
  readonly token: Buffer | undefined
}

export interface CmsExpectation {
  readonly type: string
  /** Makes the digest of bytes that lie outside by a hash; left out where the content lies inside. */
  readonly digest?: (hash: string) => Uint8Array
}

/** Bytes that a signature with its certificates and its timestamp may have: far more than any has. */
export const maxCms = 131_072
/** Certificates that may come along: a path has few. */
const maxCertificates = 16

/** Reads a CMS that signs exactly what is expected. */
export const readCms = (
  bytes: Uint8Array,
  expected: CmsExpectation
): Result.Result<ReadCms, CmsFault> => {
  try {
    return read(bytes, expected)
  } catch {
    // The libraries throw on bytes of any other form.
    return Result.fail("FORM")
  }
}

const read = (
  bytes: Uint8Array,
  { digest, type }: CmsExpectation
): Result.Result<ReadCms, CmsFault> => {
  if (bytes.length > maxCms || !isDer(bytes)) return Result.fail("FORM")
  const info = ContentInfo.fromBER(owned(bytes))
  if (info.contentType !== oids.signedData) return Result.fail("FORM")
  const signed = new SignedData({ schema: info.content })
  // The library takes a sequence for a set and the like; what it writes of it has one form.
  const content = signed.toSchema(true)
  const written = encode(new ContentInfo({ contentType: oids.signedData, content }).toSchema())
  if (!written.equals(bytes)) return Result.fail("FORM")
  const [signer, ...more] = signed.signerInfos
  const { encapContentInfo } = signed
  const sid = signer?.sid
  if (
    signer?.signedAttrs === undefined ||
    more.length > 0 ||
    signer.version !== 1 ||
    signed.version !== (type === oids.data ? 1 : 3) ||
    encapContentInfo.eContentType !== type ||
    !(sid instanceof IssuerAndSerialNumber)
  ) {
    return Result.fail("FORM")
  }
  const name = hashName(signer.digestAlgorithm.algorithmId)
  const algorithms = signed.digestAlgorithms.map(({ algorithmId }) => algorithmId)
  if (name === undefined || !algorithms.every((one) => hashName(one) !== undefined)) {
    return Result.fail("FORM")
  }
  if ((signed.certificates?.length ?? 0) > maxCertificates) return Result.fail("FORM")
  const given = (signed.certificates ?? []).map(
    (one) => new X509Certificate(encode(one.toSchema()))
  )
  const certificate = given.find(
    (_, place) => encodedId(signed, place)?.equals(encode(sid.toSchema())) === true
  )
  if (certificate === undefined) return Result.fail("SIGNER")

  const { attributes } = signer.signedAttrs
  const { eContent } = encapContentInfo
  const inside =
    eContent === undefined ? undefined : Buffer.from(eContent.valueBlock.valueHexView.slice())
  const digested = inside === undefined ? digest?.(name) : hash(name, inside)
  const fault = attributesFault(attributes, { type, digested, certificate })
  if (fault !== undefined) return Result.fail(fault)

  const value = Buffer.from(signer.signature.valueBlock.valueHexView.slice())
  const toSign = encode(new SetOf({ value: attributes.map((one) => one.toSchema()) }))
  if (!isOf(signer.signatureAlgorithm.algorithmId, name, certificate)) return Result.fail("FORM")
  if (!verify(name, toSign, { key: certificate.publicKey, dsaEncoding: "der" }, value)) {
    return Result.fail("SIGNATURE")
  }
  const unsigned = signer.unsignedAttrs?.attributes ?? []
  if (unsigned.some(({ type, values }) => type !== oids.timestampToken || values.length !== 1)) {
    return Result.fail("FORM")
  }
  const stamp = unsigned[0]?.values[0]
  return Result.succeed({
    certificate,
    certificates: [certificate, ...given.filter((one) => one !== certificate)],
    attributes: attributes.map(({ type }) => type),
    content: inside,
    value,
    token: stamp instanceof Sequence ? encode(stamp) : undefined
  })
}

/** Issuer and number of a certificate, as a signer names it. */
const encodedId = (signed: SignedData, place: number): Buffer | undefined => {
  const one = signed.certificates?.[place]
  if (one === undefined || !("issuer" in one) || !("subject" in one)) return undefined
  const { issuer, serialNumber } = one
  return encode(new IssuerAndSerialNumber({ issuer, serialNumber }).toSchema())
}

const attributesFault = (
  attributes: ReadonlyArray<Attribute>,
  {
    certificate,
    digested,
    type
  }: {
    readonly type: string
    readonly digested: Uint8Array | undefined
    readonly certificate: X509Certificate
  }
): CmsFault | undefined => {
  const value = (wanted: string): unknown => {
    const [found, ...others] = attributes.filter((one) => one.type === wanted)
    return others.length === 0 && found?.values.length === 1 ? found.values[0] : undefined
  }
  const contentType = value(oids.contentType)
  if (!(contentType instanceof ObjectIdentifier) || contentType.getValue() !== type) return "FORM"
  const meant = signingCertificate(value(oids.signingCertificateV2))
  if (meant?.equals(hash("sha256", certificate.raw)) !== true) return "SIGNER"
  const digest = value(oids.messageDigest)
  if (!(digest instanceof OctetString) || digested === undefined) return "FORM"
  return Buffer.from(digest.valueBlock.valueHexView).equals(digested) ? undefined : "DIGEST"
}

/** The SHA-256 of the certificate that a signer names in `signing-certificate-v2` (RFC 5035, section 3). */
const signingCertificate = (value: unknown): Buffer | undefined => {
  const certificates = value instanceof Sequence ? value.valueBlock.value[0] : undefined
  const id = certificates instanceof Sequence ? certificates.valueBlock.value[0] : undefined
  const parts = id instanceof Sequence ? id.valueBlock.value : []
  // The hash comes first where it is the default, else after its algorithm.
  const sum = parts.find((part) => part instanceof OctetString)
  const named = parts[0] instanceof Sequence ? parts[0].valueBlock.value[0] : undefined
  const isSha256 =
    parts[0] === sum || (named instanceof ObjectIdentifier && named.getValue() === oids.sha256)
  return sum !== undefined && isSha256 ? Buffer.from(sum.valueBlock.valueHexView) : undefined
}

const rsaEncryption = "1.2.840.113549.1.1.1"
const rsaWith: Readonly<Record<string, string>> = {
  sha256: oids.sha256WithRsa,
  sha384: "1.2.840.113549.1.1.12",
  sha512: "1.2.840.113549.1.1.13"
}
const ecdsaWith: Readonly<Record<string, string>> = {
  sha256: oids.ecdsaWithSha256,
  sha384: "1.2.840.10045.4.3.3",
  sha512: "1.2.840.10045.4.3.4"
}

/** Whether an algorithm is one of the key, with the hash. */
const isOf = (algorithm: string, name: string, { publicKey }: X509Certificate): boolean =>
  publicKey.asymmetricKeyType === "rsa"
    ? algorithm === rsaWith[name] || algorithm === rsaEncryption
    : publicKey.asymmetricKeyType === "ec" && algorithm === ecdsaWith[name]
