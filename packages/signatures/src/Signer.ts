/** Who seals: a certificate with its chain, and a key that may lie in a file or in a device. */
import { Data, Effect } from "effect"
import { AlgorithmIdentifier } from "pkijs"
import { Null } from "asn1js"
import { type KeyObject, sign, type X509Certificate } from "node:crypto"
import { oids } from "./Der.ts"

/** The key gave no signature, such as a device that is away. */
export class SigningFailed extends Data.TaggedError("SigningFailed")<{
  /** For the log: it names no secret. */
  readonly detail: string
}> {}

/**
 * The port behind which a key lies: software, a device of PKCS#11, a service. It hashes the data itself, by
 * SHA-256.
 */
export interface Signer {
  readonly certificate: X509Certificate
  /** Its issuers up to the root, nearest first. */
  readonly chain: ReadonlyArray<X509Certificate>
  /** A signature as CMS holds it: PKCS#1 v1.5 of RSA, the DER of `r` and `s` of ECDSA. */
  sign(data: Uint8Array): Effect.Effect<Uint8Array, SigningFailed>
}

/**
 * Why a certificate can't seal. `KEY_TYPE` its key is neither ECDSA on P-256 nor RSA of 3072 bits or more;
 * `KEY` the private key is another one's; `CHAIN` a certificate of the chain did not issue the one before it.
 */
export type SignerFault = "KEY_TYPE" | "KEY" | "CHAIN"

export const signerFault = ({
  certificate,
  chain,
  key
}: {
  readonly certificate: X509Certificate
  readonly chain: ReadonlyArray<X509Certificate>
  readonly key?: KeyObject
}): SignerFault | undefined => {
  if (signatureAlgorithm(certificate) === undefined) return "KEY_TYPE"
  if (key !== undefined && !certificate.checkPrivateKey(key)) return "KEY"
  const links = [certificate, ...chain].slice(0, -1)
  const isWhole = links.every((one, place) => {
    const issuer = chain[place]
    return issuer !== undefined && one.checkIssued(issuer) && one.verify(issuer.publicKey)
  })
  return isWhole ? undefined : "CHAIN"
}

/** How signatures of a key are named in CMS; `undefined` for a key that is not taken. */
export const signatureAlgorithm = ({
  publicKey
}: X509Certificate): AlgorithmIdentifier | undefined => {
  const { modulusLength = 0, namedCurve } = publicKey.asymmetricKeyDetails ?? {}
  if (publicKey.asymmetricKeyType === "ec" && namedCurve === "prime256v1") {
    return new AlgorithmIdentifier({ algorithmId: oids.ecdsaWithSha256 })
  }
  return publicKey.asymmetricKeyType === "rsa" && modulusLength >= 3072
    ? new AlgorithmIdentifier({ algorithmId: oids.sha256WithRsa, algorithmParams: new Null() })
    : undefined
}

/** A signer whose key is in memory; `signerFault` has to find nothing. */
export const softwareSigner = (
  key: KeyObject,
  certificate: X509Certificate,
  chain: ReadonlyArray<X509Certificate>
): Signer => ({
  certificate,
  chain,
  sign: (data) =>
    Effect.try({
      try: () => sign("sha256", data, { key, dsaEncoding: "der" }),
      catch: (cause) => new SigningFailed({ detail: `${cause}` })
    })
})
