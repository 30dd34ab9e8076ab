/**
 * Ways to change a good token, by what is changed: in the manner of Wycheproof, but made from the
 * token at hand, so that each is as close to a good one as it can be.
 */
import * as Tokens from "./Tokens.ts"

/** What a change has to work with; `raw` keys sign whatever they are given. */
export interface Material {
  readonly key: Tokens.TestKey
  readonly other: Tokens.TestKey
  /** A genuine token of `key`, and its parts. */
  readonly token: string
  readonly header: string
  readonly payload: string
  readonly signature: string
}

export type Family = (material: Material) => Iterable<string>

export const material = (key: Tokens.TestKey, other: Tokens.TestKey): Material => {
  const token = Tokens.withClaims(key, Tokens.client)
  const [header = "", payload = "", signature = ""] = token.split(".")
  return { key, other, token, header, payload, signature }
}

export const decode = (part: string): Buffer => Buffer.from(part, "base64url")
