import { Schema } from "effect"

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
