/** The certificates by which a tenant seals files, as everybody may know them. */
import { Schema } from "effect"
import { Instant } from "../values/Instant.ts"
import { Digest } from "./EvidenceStep.ts"

export const SealKeyUse = Schema.Literals([
  /** It seals files. */
  "SEAL",
  /** It proves times; in sandboxes alone. */
  "TIMESTAMP",
  /** It has issued the others; in sandboxes alone. */
  "AUTHORITY"
]).annotate({ identifier: "SealKeyUse" })
export type SealKeyUse = typeof SealKeyUse.Type

/** `ACTIVE` it is used; `RETIRED` its private key is destroyed, and what it has sealed stays valid. */
export const SealKeyStatus = Schema.Literals(["ACTIVE", "RETIRED"]).annotate({
  identifier: "SealKeyStatus"
})
export type SealKeyStatus = typeof SealKeyStatus.Type

export const SealCertificate = Schema.Struct({
  /** SHA-256 of the certificate in DER. */
  sha256: Digest,
  use: SealKeyUse,
  status: SealKeyStatus,
  subject: Schema.String,
  issuer: Schema.String,
  validFrom: Instant,
  validUntil: Instant,
  /** The certificate, then those of its issuers, nearest first. */
  pem: Schema.String
}).annotate({ identifier: "SealCertificate" })
export type SealCertificate = typeof SealCertificate.Type

export const SealCertificates = Schema.Struct({
  certificates: Schema.Array(SealCertificate)
}).annotate({ identifier: "SealCertificates" })
export type SealCertificates = typeof SealCertificates.Type

/**
 * A file gives no seal. `FORM` it is no PKCS#12, or the password is another one; `CONTENT` it has not one key
 * with its certificate; `KEY_TYPE` another key than P-256 or RSA of 3072 bits; `KEY` another private key;
 * `CHAIN` an issuer that has not issued; `VALIDITY` the certificate is not valid now;
 * `RETIRED` the tenant has retired it.
 */
export class InvalidSeal extends Schema.TaggedError<InvalidSeal>()("InvalidSeal", {
  reason: Schema.Literals(["FORM", "CONTENT", "KEY_TYPE", "KEY", "CHAIN", "VALIDITY", "RETIRED"])
}) {
  override get message() {
    return adviceOf[this.reason]
  }
}

const adviceOf: Readonly<Record<InvalidSeal["reason"], string>> = {
  FORM: "The file can't be read: check SEAL_PASSWORD. An old file is written again by `openssl pkcs12`, which encrypts with AES.",
  CONTENT: "The file has to hold one private key and the certificate of it.",
  KEY_TYPE: "The key has to be ECDSA on P-256, or RSA of 3072 bits or more.",
  KEY: "The private key is that of another certificate.",
  CHAIN:
    "A certificate in the file has not issued the one before it: export the file with its chain.",
  VALIDITY: "The certificate is not valid now: ask the trust service for the present one.",
  RETIRED: "The tenant has retired this seal: ask the trust service for another one."
}

/** In production no reader would trust a seal that the service has made for itself. */
export class SealNotMade extends Schema.TaggedError<SealNotMade>()("SealNotMade", {}) {
  override get message() {
    return "Seals are made in sandboxes alone; in production import that of a trust service."
  }
}

export class SealNotFound extends Schema.TaggedError<SealNotFound>()("SealNotFound", {
  sha256: Schema.String
}) {
  override get message() {
    return `The tenant has no active seal ${this.sha256}; list its seals.`
  }
}
