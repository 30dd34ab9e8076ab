import { Schema } from "effect"
import { Instant } from "../values/Instant.ts"

/** The public half, as it stands in the JWKS; nothing of the private half fits into it. */
export const PublicJwk = Schema.Struct({
  kty: Schema.Literal("EC"),
  crv: Schema.Literal("P-256"),
  x: Schema.NonEmptyString,
  y: Schema.NonEmptyString
})
export type PublicJwk = typeof PublicJwk.Type

/** `NEXT` is published but does not sign yet, `ACTIVE` signs, `RETIRED` still verifies. */
export const KeyState = Schema.Literals(["NEXT", "ACTIVE", "RETIRED"])
export type KeyState = typeof KeyState.Type

/** A key of a tenant's authorization server as it is stored: the private half is encrypted. */
export const StoredKey = Schema.Struct({
  /** The thumbprint of the public half (RFC 7638). */
  kid: Schema.NonEmptyString,
  publicJwk: PublicJwk,
  /** An encrypted JWK (RFC 7517, section 7). */
  encryptedPrivateJwk: Schema.NonEmptyString
})
export type StoredKey = typeof StoredKey.Type

/** What everybody may know of a key. */
export const PublishedKey = Schema.Struct({
  kid: Schema.NonEmptyString,
  publicJwk: PublicJwk,
  state: KeyState,
  /** From when on it was in the JWKS. */
  createdAt: Instant,
  /** From when on it signed. */
  activatedAt: Schema.NullOr(Instant),
  /** Until when it signed. */
  retiredAt: Schema.NullOr(Instant)
})
export type PublishedKey = typeof PublishedKey.Type

/** Seconds for which clients may keep a JWKS: it is what the answer's `cache-control` says. */
export const jwksMaxAge = 300

/**
 * Seconds for which a key has to be published before every client can be expected to know it: a
 * cache between us and the client may add its own time to the client's.
 */
export const publicationLead = 2 * jwksMaxAge

/** Of two rotations of a tenant's keys at once, the second to come finds that it is done. */
export class KeysRotatedMeanwhile extends Schema.TaggedError<KeysRotatedMeanwhile>()(
  "KeysRotatedMeanwhile",
  { tenant: Schema.String }
) {
  override get message() {
    return `The keys of ${this.tenant} were rotated by another command at the same moment: list them, and rotate again only if needed.`
  }
}

/** Who rotates must have the service's own key, or it could not open what it is to sign with. */
export class KeyEncryptionKeyDiffers extends Schema.TaggedError<KeyEncryptionKeyDiffers>()(
  "KeyEncryptionKeyDiffers",
  { tenant: Schema.String }
) {
  override get message() {
    return `The keys of ${this.tenant} are stored under another KEY_ENCRYPTION_KEY: give this command the one that the service has.`
  }
}
