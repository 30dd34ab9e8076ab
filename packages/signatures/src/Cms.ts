/**
 * Signatures as CMS holds them (RFC 5652) by the baseline of CAdES (ETSI EN 319 122-1): the signed attributes
 * are `content-type`, `message-digest` and `signing-certificate-v2`, and no other. `signing-time`, which most
 * libraries add, is forbidden in a PDF file (ETSI EN 319 142-1, section 6.3): the time is the dictionary's.
 */
import { type ObjectIdentifier, OctetString, Sequence, Set as SetOf } from "asn1js"
import { Effect } from "effect"
import {
  type AlgorithmIdentifier,
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo
} from "pkijs"
import type { X509Certificate } from "node:crypto"
import { encode, identifier, oids, owned, sha256, sha256Identifier } from "./Der.ts"
import { type Signer, SigningFailed, signatureAlgorithm } from "./Signer.ts"

/** What is signed: bytes that lie elsewhere, by their SHA-256, or a content that lies inside. */
export type SignedContent =
  | { readonly type: typeof oids.data; readonly digest: Uint8Array }
  | { readonly type: typeof oids.tstInfo; readonly bytes: Uint8Array }

/** A signature that may still get a timestamp. */
export interface CmsSignature {
  /** What a timestamp of the signature is over. */
  readonly value: Uint8Array
  /** The whole structure in DER, with the token of a timestamp authority or without. */
  withTimestamp(token: Uint8Array | undefined): Buffer
}

/** Signs by CAdES baseline B. */
export const signCms = Effect.fnUntraced(function* (signer: Signer, content: SignedContent) {
  const algorithm = signatureAlgorithm(signer.certificate)
  if (algorithm === undefined) {
    return yield* new SigningFailed({ detail: "the key is of a type that is not taken" })
  }
  const attributes = signedAttributes(signer.certificate, content)
  const toSign = encode(new SetOf({ value: attributes.map((one) => one.toSchema()) }))
  const value = yield* signer.sign(toSign)
  const signature: CmsSignature = {
    value,
    withTimestamp: (token) => assemble({ signer, content, algorithm, attributes, value, token })
  }
  return signature
})

const signedAttributes = (certificate: X509Certificate, content: SignedContent) => {
  const digest = "digest" in content ? content.digest : sha256(content.bytes)
  // The hash is SHA-256, which is the default and is therefore left out (RFC 5035, section 3).
  const certificateId = new Sequence({
    value: [new OctetString({ valueHex: owned(sha256(certificate.raw)) })]
  })
  return [
    attribute(oids.contentType, identifier(content.type)),
    attribute(oids.messageDigest, new OctetString({ valueHex: owned(digest) })),
    attribute(
      oids.signingCertificateV2,
      new Sequence({ value: [new Sequence({ value: [certificateId] })] })
    )
  ].sort((a, b) => Buffer.compare(encode(a.toSchema()), encode(b.toSchema())))
}

const attribute = (type: string, value: ObjectIdentifier | OctetString | Sequence) =>
  new Attribute({ type, values: [value] })

const assemble = ({
  algorithm,
  attributes,
  content,
  signer,
  token,
  value
}: {
  readonly signer: Signer
  readonly content: SignedContent
  readonly algorithm: AlgorithmIdentifier
  readonly attributes: Array<Attribute>
  readonly value: Uint8Array
  readonly token: Uint8Array | undefined
}): Buffer => {
  const certificates = [signer.certificate, ...signer.chain].map((one) =>
    Certificate.fromBER(owned(one.raw))
  )
  const { issuer, serialNumber } = certificates[0]!
  const signerInfo = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
    digestAlgorithm: sha256Identifier(),
    signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes }),
    signatureAlgorithm: algorithm,
    signature: new OctetString({ valueHex: owned(value) })
  })
  if (token !== undefined) {
    const stamp = new Attribute({
      type: oids.timestampToken,
      values: [ContentInfo.fromBER(owned(token)).toSchema()]
    })
    signerInfo.unsignedAttrs = new SignedAndUnsignedAttributes({ type: 1, attributes: [stamp] })
  }
  const encapContentInfo = new EncapsulatedContentInfo({ eContentType: content.type })
  if ("bytes" in content) {
    encapContentInfo.eContent = new OctetString({ valueHex: owned(content.bytes) })
  }
  const signed = new SignedData({
    // Version 3 says that the content is of another type than data (RFC 5652, section 5.1).
    version: content.type === oids.data ? 1 : 3,
    digestAlgorithms: [sha256Identifier()],
    encapContentInfo,
    certificates,
    signerInfos: [signerInfo]
  })
  const info = new ContentInfo({ contentType: oids.signedData, content: signed.toSchema(true) })
  return encode(info.toSchema())
}
