/**
 * The codes that prove that signers have their addresses. They are derived under a key of the service from the
 * signer, the number of the code, and what is signed: nothing is stored that gives one away, and other documents
 * need another code.
 */
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"

/** What a code is for. */
export interface CodeOf {
  readonly tenant: string
  readonly signerId: string
  /** Counts the codes of a signer from 1: each is another one. */
  readonly number: number
  /** The digest of what is signed. */
  readonly bound: string
}

/** The key of all codes, from the key of the service. */
export const codeKey = (keyEncryptionKey: Uint8Array): Uint8Array =>
  new Uint8Array(
    hkdfSync("sha256", keyEncryptionKey, new Uint8Array(), "quittance signer codes", 32)
  )

/** Six digits. Of 2^48 values each code has 281,474,976, and some one more: no guess is better than another. */
export const signerCode = (
  key: Uint8Array,
  { bound, number, signerId, tenant }: CodeOf
): string => {
  const text = [tenant, signerId, String(number), bound].join("\0")
  const value = createHmac("sha256", key).update(text, "utf8").digest().readUIntBE(0, 6)
  return String(value % 1_000_000).padStart(6, "0")
}

/** Whether a code is the one, in a time that tells nothing of it. */
export const isSignerCode = (given: string, expected: string): boolean => {
  const [one, other] = [Buffer.from(given, "utf8"), Buffer.from(expected, "utf8")]
  return one.length === other.length && timingSafeEqual(one, other)
}
