/** Codes to be kept on paper, each of which stands in for a second factor once. */
import * as Secret from "./Secret.ts"
import { base32 } from "./Totp.ts"

/** 120 bits: a plain hash may be stored of 112 and more (NIST SP 800-63B, section 5.1.2.2). */
export const codeBytes = 15

/** Six groups of four letters and digits. */
export const make = (random: Uint8Array): string => base32(random).match(/.{4}/gu)!.join("-")

/** What is stored of a code, however it is written: in small letters, with or without hyphens. */
export const hash = (code: string): Uint8Array =>
  Secret.hash(code.toUpperCase().replace(/[^A-Z2-7]/gu, ""))
