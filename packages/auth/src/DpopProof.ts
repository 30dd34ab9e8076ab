/** DPoP proofs: the sender of a request holds the private key of its token (RFC 9449, section 4). */
import { ClientKey, SignatureAlgorithm } from "@quittance/domain/access/ClientKey"
import { Effect, Option, Schema } from "effect"
import { calculateJwkThumbprint, compactVerify, decodeProtectedHeader, importJWK } from "jose"
import { hash, timingSafeEqual } from "node:crypto"
import { clockTolerance, maxLength } from "./AccessToken.ts"

/** Seconds that a proof may be old. */
export const maxProofAge = 60

const ProofClaims = Schema.fromJsonString(
  Schema.Struct({
    jti: Schema.NonEmptyString.check(Schema.isMaxLength(200)),
    htm: Schema.String,
    htu: Schema.String.check(Schema.isMaxLength(4000)),
    iat: Schema.Finite,
    ath: Schema.optionalKey(Schema.String)
  })
)
const decodeClaims = Schema.decodeUnknownOption(ProofClaims)

const ProofHeader = Schema.Struct({
  typ: Schema.Literal("dpop+jwt"),
  alg: SignatureAlgorithm,
  jwk: Schema.Record(Schema.String, Schema.Unknown)
})
const decodeHeader = Schema.decodeUnknownOption(ProofHeader)
const decodeKey = Schema.decodeUnknownOption(ClientKey)

/** What a proof is held against. */
export interface Expected {
  readonly method: string
  /** The address that was asked for; its query and fragment don't count. */
  readonly url: string
  /** The token that the proof goes with; absent where one is asked for. */
  readonly accessToken?: string
  /** Seconds since 1970. */
  readonly now: number
}

/** A proof that is good, if it was not used before. */
export interface Proof {
  /** The thumbprint of its key (RFC 7638). */
  readonly jkt: string
  readonly jti: string
  /** Seconds for which it could be used again. */
  readonly usableFor: number
}

/** The proof, if it is one of this request, made just now. */
export const verify = Effect.fnUntraced(function* (proof: string, expected: Expected) {
  const key = proof.length > maxLength ? undefined : keyOf(proof)
  if (key === undefined) return undefined
  const verified = yield* Effect.promise(() => verifiedWith(proof, key))
  if (verified === undefined) return undefined
  const claims = Option.getOrUndefined(decodeClaims(verified.payload))
  if (claims === undefined || !isFor(claims, expected)) return undefined
  const usableFor = Math.ceil(claims.iat + maxProofAge - expected.now) + 1
  const good: Proof = { jkt: verified.jkt, jti: claims.jti, usableFor }
  return good
})

/** What only the holder of a key may have: a proof that shows it is none. */
const privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

/** The key that a proof brings along, of a kind and strength that we verify with. */
const keyOf = (proof: string): ClientKey | undefined => {
  const header = headerOf(proof)
  if (header === undefined || privateMembers.some((name) => name in header.jwk)) return undefined
  const { crv, e, kty, n, x, y } = header.jwk
  const jwk = kty === "EC" ? { crv, x, y } : kty === "OKP" ? { crv, x } : { e, n }
  return Option.getOrUndefined(decodeKey({ ...jwk, kty, alg: header.alg, kid: "proof" }))
}

const headerOf = (proof: string) => {
  try {
    return Option.getOrUndefined(decodeHeader(decodeProtectedHeader(proof)))
  } catch {
    return undefined
  }
}

const verifiedWith = async (proof: string, { kid: _, ...jwk }: ClientKey) => {
  try {
    const key = await importJWK(jwk, jwk.alg)
    const { payload } = await compactVerify(proof, key, { algorithms: [jwk.alg] })
    const text = new TextDecoder("utf-8", { fatal: true }).decode(payload)
    return { payload: text, jkt: await calculateJwkThumbprint(jwk, "sha256") }
  } catch {
    return undefined
  }
}

const isFor = (
  { ath, htm, htu, iat }: Schema.Schema.Type<typeof ProofClaims>,
  { accessToken, method, now, url }: Expected
): boolean =>
  htm === method &&
  placeOf(htu) !== undefined &&
  placeOf(htu) === placeOf(url) &&
  iat >= now - maxProofAge &&
  iat <= now + clockTolerance &&
  (accessToken === undefined || isDigestOf(ath ?? "", accessToken))

/** An address as its parts are compared (RFC 3986, section 6.2), without query and fragment. */
const placeOf = (address: string): string | undefined => {
  if (!URL.canParse(address)) return undefined
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`
}

const isDigestOf = (ath: string, accessToken: string): boolean => {
  const digest = hash("sha256", accessToken, "base64url")
  return ath.length === digest.length && timingSafeEqual(Buffer.from(ath), Buffer.from(digest))
}
