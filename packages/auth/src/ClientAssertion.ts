/** How a client proves by a key of its own who it is (RFC 7523, section 3; OpenID Connect Core, section 9). */
import { type ClientKey, SignatureAlgorithm } from "@quittance/domain/access/ClientKey"
import type { ClientId } from "@quittance/domain/requests/Caller"
import { Effect, Option, Schema } from "effect"
import { compactVerify, decodeProtectedHeader, importJWK } from "jose"
import { clockTolerance, maxLength } from "./AccessToken.ts"

/** The only value of `client_assertion_type`. */
export const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

/** Seconds that an assertion may be valid at most: what was used is remembered for so long. */
export const maxAssertionLifetime = 600

/** Seconds since 1970. */
const NumericDate = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 253_402_300_799 }))

const AssertionClaims = Schema.fromJsonString(
  Schema.Struct({
    iss: Schema.NonEmptyString,
    sub: Schema.NonEmptyString,
    aud: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
    exp: NumericDate,
    iat: Schema.optionalKey(NumericDate),
    nbf: Schema.optionalKey(NumericDate),
    jti: Schema.NonEmptyString.check(Schema.isMaxLength(200))
  })
)
const decodeClaims = Schema.decodeUnknownOption(AssertionClaims)

const AssertionHeader = Schema.Struct({
  alg: SignatureAlgorithm,
  kid: Schema.optionalKey(Schema.String),
  /** Another kind of token that the client has signed is no assertion. */
  typ: Schema.optionalKey(Schema.Literals(["JWT", "jwt", "client-authentication+jwt"]))
})
const decodeHeader = Schema.decodeUnknownOption(AssertionHeader)

/** Whom an assertion says that it is of; nothing of it is proven. */
export const subjectOf = (assertion: string): string | undefined =>
  assertion.length > maxLength
    ? undefined
    : Option.match(claimsOf(assertion.split(".")[1] ?? ""), {
        onNone: () => undefined,
        onSome: ({ sub }) => sub
      })

const claimsOf = (payload: string) => decodeClaims(Buffer.from(payload, "base64url").toString())

/** What an assertion is held against. */
export interface Expected {
  readonly clientId: ClientId
  readonly keys: ReadonlyArray<ClientKey>
  /** The issuer and the address of its token endpoint: an assertion names one of them, alone. */
  readonly audiences: ReadonlyArray<string>
  /** Seconds since 1970. */
  readonly now: number
}

/** An assertion that is good, if it was not used before. */
export interface Assertion {
  readonly jti: string
  /** Seconds for which it could be used again. */
  readonly usableFor: number
}

/** The assertion, if one of the client's keys has signed it for this server, and it is valid now. */
export const verify = Effect.fnUntraced(function* (assertion: string, expected: Expected) {
  if (assertion.length > maxLength) return undefined
  const key = keyOf(assertion, expected.keys)
  if (key === undefined) return undefined
  const payload = yield* Effect.promise(() => payloadOf(assertion, key))
  const claims = payload === undefined ? undefined : Option.getOrUndefined(decodeClaims(payload))
  if (claims === undefined || !isFor(claims, expected)) return undefined
  const usableFor = Math.ceil(claims.exp - expected.now) + clockTolerance
  const good: Assertion = { jti: claims.jti, usableFor }
  return good
})

/** The key that the header names, or the only one for its algorithm where it names none. */
const keyOf = (assertion: string, keys: ReadonlyArray<ClientKey>): ClientKey | undefined => {
  const header = Option.getOrUndefined(headerOf(assertion))
  if (header === undefined) return undefined
  const fitting = keys.filter(
    ({ alg, kid }) => namesOf(alg).includes(header.alg) && (header.kid ?? kid) === kid
  )
  return fitting.length === 1 ? fitting[0] : undefined
}

/** The names of an algorithm: one has two. */
const namesOf = (alg: SignatureAlgorithm): Array<SignatureAlgorithm> =>
  alg === "EdDSA" || alg === "Ed25519" ? ["EdDSA", "Ed25519"] : [alg]

const headerOf = (assertion: string) => {
  try {
    return decodeHeader(decodeProtectedHeader(assertion))
  } catch {
    return Option.none()
  }
}

const payloadOf = async (assertion: string, jwk: ClientKey): Promise<string | undefined> => {
  try {
    const key = await importJWK({ ...jwk }, jwk.alg)
    const { payload } = await compactVerify(assertion, key, { algorithms: namesOf(jwk.alg) })
    return new TextDecoder("utf-8", { fatal: true }).decode(payload)
  } catch {
    return undefined
  }
}

const isFor = (
  { aud, exp, iat, iss, nbf, sub }: Schema.Schema.Type<typeof AssertionClaims>,
  { audiences, clientId, now }: Expected
): boolean => {
  // One audience only: an assertion for two servers could be used by one of them at the other.
  const [audience, ...others] = typeof aud === "string" ? [aud] : aud
  return (
    iss === clientId &&
    sub === clientId &&
    others.length === 0 &&
    audience !== undefined &&
    audiences.includes(audience) &&
    exp > now - clockTolerance &&
    exp <= now + maxAssertionLifetime + clockTolerance &&
    (iat ?? 0) <= now + clockTolerance &&
    (nbf ?? 0) <= now + clockTolerance
  )
}
