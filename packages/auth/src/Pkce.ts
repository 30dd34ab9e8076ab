/** Proof key for code exchange (RFC 7636), with S256 only: a plain challenge proves nothing. */
import { createHash, timingSafeEqual } from "node:crypto"

const challengePattern = /^[A-Za-z0-9_-]{43}$/u
const verifierPattern = /^[A-Za-z0-9._~-]{43,128}$/u

/** Whether the text can be the SHA-256 of a verifier, in base64url. */
export const isChallenge = (text: string): boolean => challengePattern.test(text)

/** The challenge of a verifier. */
export const challenge = (verifier: string): string =>
  createHash("sha256").update(verifier, "ascii").digest("base64url")

/** Whether the client that redeems the code is the one that asked for it. */
export const matches = (verifier: string, expected: string): boolean =>
  verifierPattern.test(verifier) &&
  isChallenge(expected) &&
  timingSafeEqual(Buffer.from(challenge(verifier)), Buffer.from(expected))
