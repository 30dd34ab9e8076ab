/**
 * The keys of a tenant's authorization server: ES256, because an EC key is made in 25 µs where RSA
 * takes 30 ms, which counts with thousands of tenants, and because every client knows it.
 */
import { PublicJwk, type StoredKey } from "@quittance/domain/tokens/SigningKey"
import { Effect, Schema } from "effect"
import { calculateJwkThumbprint, type CryptoKey, exportJWK, generateKeyPair, importJWK } from "jose"
import { createPrivateKey, type KeyObject } from "node:crypto"
import { seal, type ServiceKeys, unseal } from "./Sealed.ts"

export const algorithm = "ES256"

/**
 * The encoded header of every token that the key signs. A token's header is compared with it and
 * never interpreted, so nothing that an attacker writes there (`alg`, `jwk`, `jku`, `crit`, a member
 * twice) can mean anything.
 */
export const headerOf = (kid: string): string =>
  Buffer.from(JSON.stringify({ alg: algorithm, typ: "at+jwt", kid })).toString("base64url")

const PrivateJwk = Schema.fromJsonString(
  Schema.Struct({ ...PublicJwk.fields, d: Schema.NonEmptyString })
)

/** A key that can sign, in memory only. */
export interface SigningKey {
  readonly kid: string
  /** Of every token that it signs, encoded: see `headerOf`. */
  readonly header: string
  readonly privateKey: KeyObject
}

/** A key that can verify. */
export interface VerificationKey {
  readonly kid: string
  readonly publicKey: CryptoKey
}

/** A new key pair for the tenant, its private half encrypted with the first of the service's keys. */
export const generate = Effect.fnUntraced(function* (tenant: string, keys: ServiceKeys) {
  const pair = yield* Effect.promise(() => generateKeyPair(algorithm, { extractable: true }))
  const jwk = yield* Effect.promise(() => exportJWK(pair.privateKey))
  const publicJwk = PublicJwk.make({ kty: "EC", crv: "P-256", x: jwk.x!, y: jwk.y! })
  const kid = yield* Effect.promise(() => calculateJwkThumbprint(publicJwk))
  const text = JSON.stringify({ ...publicJwk, d: jwk.d! })
  const binding = { tenant, kid, contentType: "jwk+json" }
  const encryptedPrivateJwk = yield* seal(text, binding, keys)
  const stored: StoredKey = { kid, publicJwk, encryptedPrivateJwk }
  return stored
})

/** Opens a stored key. A wrong key of the service, or a row that was tampered with, is a defect. */
export const open = Effect.fnUntraced(function* (
  tenant: string,
  { encryptedPrivateJwk, kid }: Pick<StoredKey, "kid" | "encryptedPrivateJwk">,
  keys: ServiceKeys
) {
  const text = yield* unseal(encryptedPrivateJwk, { tenant, kid }, keys)
  const jwk = yield* Effect.orDie(Schema.decodeEffect(PrivateJwk)(text))
  const privateKey = createPrivateKey({ key: jwk, format: "jwk" })
  const key: SigningKey = { kid, header: headerOf(kid), privateKey }
  return key
})

/** Whether a stored key was encrypted with one of these keys of the service. */
export const isStoredUnder = (
  tenant: string,
  stored: Pick<StoredKey, "kid" | "encryptedPrivateJwk">,
  keys: ServiceKeys
): Effect.Effect<boolean> =>
  unseal(stored.encryptedPrivateJwk, { tenant, kid: stored.kid }, keys).pipe(
    Effect.as(true),
    Effect.catchDefect(() => Effect.succeed(false))
  )

/** The public half, ready to verify with. */
export const importPublic = (jwk: PublicJwk): Effect.Effect<CryptoKey> => importKey(jwk)

const importKey = (jwk: PublicJwk) =>
  Effect.promise(async () => {
    const key = await importJWK(jwk, algorithm, { extractable: false })
    if (key instanceof Uint8Array) throw new Error("SigningKey: an EC key was expected")
    return key
  })
