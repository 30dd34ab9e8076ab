/** Genuine keys and claims of a tenant, and tokens spelled by hand. */
import { AnonymousSessionId, ClientId, UserId } from "@quittance/domain/requests/Caller"
import { Effect } from "effect"
import { createPrivateKey, sign } from "node:crypto"
import { exportJWK, generateKeyPair } from "jose"
import type * as AccessToken from "../src/AccessToken.ts"
import {
  type AnonymousClaims,
  anonymousClientId,
  type ClientClaims,
  type UserClaims
} from "../src/Claims.ts"
import * as SigningKey from "../src/SigningKey.ts"
import { TenantId } from "@quittance/domain/requests/Tenancy"

export const now = 1_800_000_000
export const issuer = "https://acme.auth.example.com"
export const audience = "https://api.example.com"
export const tenant = TenantId.make("acme")

const suffix = "346789ABCDEFGHJKLMNPQ"

const common = {
  iss: issuer,
  aud: audience,
  jti: "jti-1",
  iat: now,
  exp: now + 900,
  tenant
}

export const client: typeof ClientClaims.Type = {
  ...common,
  client_id: "acme-integration",
  kind: "client",
  sub: ClientId.make("acme-integration"),
  scope: "platform/policies platform/customers"
}

export const user: typeof UserClaims.Type = {
  ...common,
  client_id: "quittance-cli",
  kind: "user",
  sub: UserId.make(`user_test_${suffix}`),
  sid: "family-1"
}

export const anonymous: typeof AnonymousClaims.Type = {
  ...common,
  client_id: anonymousClientId,
  kind: "anonymous",
  sub: AnonymousSessionId.make(`anonymous_session_test_${suffix}`)
}

/** A key that also signs bytes of any spelling, as only a test may. */
export interface TestKey extends SigningKey.SigningKey {
  readonly publicKey: SigningKey.VerificationKey["publicKey"]
}

export const makeKey = (kid: string) =>
  Effect.promise(async (): Promise<TestKey> => {
    const pair = await generateKeyPair("ES256", { extractable: true })
    const jwk = await exportJWK(pair.privateKey)
    return {
      kid,
      header: SigningKey.headerOf(kid),
      privateKey: createPrivateKey({ key: { ...jwk }, format: "jwk" }),
      publicKey: pair.publicKey
    }
  })

export const expectedWith = (...keys: ReadonlyArray<TestKey>): AccessToken.Expected => ({
  keys: new Map(keys.map((key) => [SigningKey.headerOf(key.kid), key.publicKey])),
  issuer,
  audience,
  tenant,
  now
})

export const encode = (text: string | Uint8Array): string => Buffer.from(text).toString("base64url")

/** Signs exactly these texts, whatever they are. */
export const spell = (key: TestKey, header: string, payload: string | Uint8Array): string => {
  const input = `${encode(header)}.${encode(payload)}`
  const signature = sign("sha256", Buffer.from(input), {
    key: key.privateKey,
    dsaEncoding: "ieee-p1363"
  })
  return `${input}.${encode(signature)}`
}

export const headerText = (kid: string) => JSON.stringify({ alg: "ES256", typ: "at+jwt", kid })

/** A token whose signature is genuine and whose claims are these. */
export const withClaims = (key: TestKey, claims: unknown): string =>
  spell(key, headerText(key.kid), JSON.stringify(claims))
