/**
 * Access tokens: issued and verified by us alone, so what is signed has exactly one spelling. (The
 * signature has two, as every one of ECDSA: so a token goes by its `jti`, never by its text.)
 */
import { Unauthorized } from "@quittance/domain/requests/Caller"
import { Effect, Schema } from "effect"
import { compactVerify, type CryptoKey } from "jose"
import { sign } from "node:crypto"
import { Claims } from "./Claims.ts"
import { algorithm, type SigningKey } from "./SigningKey.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

/** Seconds by which clocks may differ. */
export const clockTolerance = 10

/** Seconds that a token may be valid at most, whatever it says. */
export const maxLifetime = 24 * 3600

/** Characters; ours have about 600. */
export const maxLength = 4096

/** What a token is held against. */
export interface Expected {
  /** The public keys of the tenant named by the request, by `headerOf` their `kid`; no others. */
  readonly keys: ReadonlyMap<string, CryptoKey>
  readonly issuer: string
  readonly audience: string
  readonly tenant: TenantId
  /** Seconds since 1970. */
  readonly now: number
}

/**
 * Signs the claims. At once and on this thread: a signature takes less time than a way to another
 * thread and back, and there is nothing here to parse, which is what a library would be for.
 */
export const issue = (claims: Claims, { header, privateKey }: SigningKey): string => {
  const payload = Buffer.from(JSON.stringify(claims)).toString("base64url")
  const content = `${header}.${payload}`
  const key = { key: privateKey, dsaEncoding: "ieee-p1363" } as const
  return `${content}.${sign("sha256", Buffer.from(content), key).toString("base64url")}`
}

/** The claims of a genuine token of the tenant that is valid now; every fault is the same refusal. */
export const verify = Effect.fnUntraced(function* (token: string, expected: Expected) {
  const parts = token.length > maxLength ? null : compact.exec(token)
  const [, protectedHeader, payload, signature] = parts ?? []
  if (protectedHeader === undefined || payload === undefined || signature === undefined) {
    return yield* new Unauthorized()
  }
  const key = expected.keys.get(protectedHeader)
  if (key === undefined || !isCanonical(payload) || !isCanonical(signature)) {
    return yield* new Unauthorized()
  }
  const bytes = yield* Effect.tryPromise({
    try: () => compactVerify(token, key, { algorithms: [algorithm] }),
    catch: () => new Unauthorized()
  })
  const claims = yield* decode(bytes.payload)
  return isFor(claims, expected) ? claims : yield* new Unauthorized()
})

const compact = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/u

/** Base64url leaves unused bits in the last character: with them set, one text has several spellings. */
const isCanonical = (part: string) => Buffer.from(part, "base64url").toString("base64url") === part

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const decodeClaims = Schema.decodeUnknownEffect(Claims)

const decode = Effect.fnUntraced(function* (payload: Uint8Array) {
  const value = yield* Effect.try({
    try: (): unknown => {
      const text = utf8.decode(payload)
      const parsed: unknown = JSON.parse(text)
      // Refuses a member twice, numbers like 1e308 and anything else that we never write.
      if (JSON.stringify(parsed) !== text) throw new Error("not the spelling of this service")
      return parsed
    },
    catch: () => new Unauthorized()
  })
  return yield* Effect.mapError(decodeClaims(value), () => new Unauthorized())
})

const isFor = (claims: Claims, { audience, issuer, now, tenant }: Expected): boolean =>
  claims.iss === issuer &&
  claims.aud === audience &&
  claims.tenant === tenant &&
  claims.exp > now - clockTolerance &&
  claims.iat <= now + clockTolerance &&
  (claims.nbf ?? 0) <= now + clockTolerance &&
  claims.exp > claims.iat &&
  claims.exp - claims.iat <= maxLifetime
