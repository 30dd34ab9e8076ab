/** Tokens with genuine signatures of a tenant's own key, and anything at all in them. */
import * as SigningKey from "@quittance/auth/SigningKey"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { SigningKeysRepo } from "@quittance/persistence/tokens/SigningKeysRepo"
import { Effect, Redacted } from "effect"
import { sign } from "node:crypto"
import type { World } from "./Api.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** The claims of a token, read without a look at its signature. */
export const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString())

export interface Forgery {
  /** What is changed in the claims; `undefined` takes a claim away. */
  readonly claims?: Record<string, unknown>
  /** What is changed in the header. */
  readonly header?: Record<string, unknown>
}

/** Signs exactly these texts with the key of the tenant's own server, whatever they are. */
export const spelled = Effect.fnUntraced(function* (
  { tenant }: World,
  texts: (genuineHeader: string) => readonly [header: string, claims: string | Uint8Array]
) {
  const repo = yield* SigningKeysRepo
  const { keys } = yield* KeyEncryption
  const stored = yield* Effect.provideService(repo.active, CurrentTenant, tenant)
  const { kid, privateKey } = yield* SigningKey.open(tenant, stored!, Redacted.value(keys))
  const genuine = Buffer.from(SigningKey.headerOf(kid), "base64url").toString()
  const input = texts(genuine)
    .map((text) => Buffer.from(text).toString("base64url"))
    .join(".")
  const key = { key: privateKey, dsaEncoding: "ieee-p1363" } as const
  return `${input}.${sign("sha256", Buffer.from(input), key).toString("base64url")}`
})

/** A token like another, changed, and signed by the key of the tenant's own server. */
export const forged = (world: World, token: string, { claims = {}, header = {} }: Forgery) =>
  spelled(world, (genuine) => [
    JSON.stringify({ ...JSON.parse(genuine), ...header }),
    JSON.stringify({ ...claimsOf(token), ...claims })
  ])
