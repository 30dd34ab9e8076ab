/**
 * Opaque credentials of 256 random bits: client secrets, codes, refresh tokens. They are kept as
 * SHA-256 hashes: a slow hash protects what people choose, and here would only make the token
 * endpoint the cheapest way to exhaust the processor.
 */
import { hash as digest, timingSafeEqual } from "node:crypto"

/** Bytes of randomness in a credential. */
export const secretBytes = 32

/** The credential of so many random bytes: 43 characters of base64url, none of which needs encoding. */
export const make = (random: Uint8Array): string => Buffer.from(random).toString("base64url")

/** What is stored of a credential. */
export const hash = (secret: string): Uint8Array => digest("sha256", secret, "buffer")

/**
 * Whether the secret is the one of any of the stored hashes, in a time that does not depend on which,
 * nor on how much of it is right.
 */
export const matches = (secret: string, hashes: ReadonlyArray<Uint8Array>): boolean => {
  const given = hash(secret)
  let found = false
  for (const stored of hashes) {
    if (stored.length === given.length && timingSafeEqual(given, stored)) found = true
  }
  return found
}
