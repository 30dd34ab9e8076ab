/** Reads the file in which trust services hand out a seal: PKCS#12 (RFC 7292), with a password. */
import { Data, Effect, Redacted } from "effect"
import { CertBag, Certificate, PFX, PKCS8ShroudedKeyBag, SafeContents } from "pkijs"
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto"
import { isSame } from "./CertificatePath.ts"
import { encode, owned } from "./Der.ts"
import { type Signer, signerFault, type SignerFault, softwareSigner } from "./Signer.ts"

/**
 * The file gives no seal. `FORM` it is no PKCS#12, the password is another one, or it is encrypted by a method
 * of before 2014 (RC2, 3DES): `openssl pkcs12` writes it again with AES. `CONTENT` there is not one key with
 * its certificate. The others are faults of the certificate.
 */
export class NotASeal extends Data.TaggedError("NotASeal")<{
  readonly reason: "FORM" | "CONTENT" | SignerFault
}> {}

/** A seal that may be stored: the key as PKCS#8 in DER, to be encrypted before it is kept. */
export interface ImportedSeal {
  readonly key: KeyObject
  readonly signer: Signer
}

/** Reads the one key of a file, its certificate, and the issuers that came along. */
export const readPkcs12 = Effect.fn("Pkcs12.read")(function* (
  bytes: Uint8Array,
  password: Redacted.Redacted
) {
  const { certificates, keys } = yield* Effect.tryPromise({
    try: () => contentOf(bytes, Redacted.value(password)),
    catch: () => new NotASeal({ reason: "FORM" })
  })
  const [key, ...others] = keys
  const certificate =
    key === undefined ? undefined : certificates.find((one) => one.checkPrivateKey(key))
  if (key === undefined || certificate === undefined || others.length > 0) {
    return yield* new NotASeal({ reason: "CONTENT" })
  }
  const chain = chainOf(certificate, certificates)
  const fault = signerFault({ certificate, chain, key })
  if (fault !== undefined) return yield* new NotASeal({ reason: fault })
  const imported: ImportedSeal = { key, signer: softwareSigner(key, certificate, chain) }
  return imported
})

const chainOf = (
  certificate: X509Certificate,
  others: ReadonlyArray<X509Certificate>
): ReadonlyArray<X509Certificate> => {
  const chain = [certificate]
  for (;;) {
    const last = chain.at(-1)!
    const issuer = others.find(
      (one) => last.checkIssued(one) && !chain.some((other) => isSame(other, one))
    )
    if (issuer === undefined) return chain.slice(1)
    chain.push(issuer)
  }
}

const contentOf = async (bytes: Uint8Array, password: string) => {
  const file = PFX.fromBER(owned(bytes))
  const secret = owned(Buffer.from(password))
  await file.parseInternalValues({ password: secret, checkIntegrity: true })
  const safe = file.parsedValue!.authenticatedSafe!
  await safe.parseInternalValues({
    safeContents: safe.safeContents.map(({ contentType }) =>
      contentType === encryptedData ? { password: secret } : {}
    )
  })
  const parts: ReadonlyArray<{ readonly value: unknown }> = safe.parsedValue.safeContents
  const bags = parts.flatMap(({ value }) => (value instanceof SafeContents ? value.safeBags : []))
  const values = bags.map(({ bagValue }) => bagValue)
  return {
    keys: values
      .filter((one) => one instanceof PKCS8ShroudedKeyBag)
      .map((one) =>
        createPrivateKey({
          key: encode(one.toSchema()),
          format: "der",
          type: "pkcs8",
          passphrase: password
        })
      ),
    certificates: values
      .filter((one) => one instanceof CertBag)
      .map(({ parsedValue }) => parsedValue)
      .filter((one) => one instanceof Certificate)
      .map((one) => new X509Certificate(encode(one.toSchema())))
  }
}

/** Content that is encrypted by a password. */
const encryptedData = "1.2.840.113549.1.7.6"
