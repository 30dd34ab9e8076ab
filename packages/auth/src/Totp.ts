/** Codes of authenticator apps: TOTP (RFC 6238) with SHA-1, six digits and steps of thirty seconds. */
import { createHmac, timingSafeEqual } from "node:crypto"

/** The secret's length, that of the hash (RFC 4226, section 4). */
export const secretBytes = 20

/** Seconds. */
const period = 30
const digits = 6
/** Steps by which the clocks may differ, either way. */
const skew = 1

/** The step that an instant is in, by seconds since 1970. */
export const stepAt = (now: number): number => Math.floor(now / period)

/** The code of a step. */
export const codeOf = (secret: Uint8Array, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hmac = createHmac("sha1", secret).update(counter).digest()
  const offset = hmac[hmac.length - 1]! & 0x0f
  const number = hmac.readUInt32BE(offset) & 0x7fff_ffff
  return `${number % 10 ** digits}`.padStart(digits, "0")
}

/** The step of which this is the code, one step away from now at most; `undefined` if there is none. */
export const stepOf = (secret: Uint8Array, code: string, now: number): number | undefined => {
  const given = Buffer.from(code)
  if (given.length !== digits) return undefined
  let found: number | undefined
  for (let step = stepAt(now) - skew; step <= stepAt(now) + skew; step++) {
    if (step >= 0 && timingSafeEqual(given, Buffer.from(codeOf(secret, step)))) found = step
  }
  return found
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** Bytes in base 32 (RFC 4648), without padding. */
export const base32 = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("")
  const groups = bits.match(/.{1,5}/gu) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, "0"), 2)]).join("")
}

/** What an authenticator app reads from a QR code. */
export const uri = (secret: Uint8Array, issuer: string, account: string): string => {
  const label = [issuer, account].map(encodeURIComponent).join(":")
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}
