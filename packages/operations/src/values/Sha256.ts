import { createHash } from "node:crypto"

/** The SHA-256 of a text in lower-case hex: what consents and priced states are compared by. */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")
