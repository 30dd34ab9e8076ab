/** The signing keys of tenants: what signs, and what is published. */
import * as AccessToken from "@quittance/auth/AccessToken"
import type { Claims } from "@quittance/auth/Claims"
import * as SigningKey from "@quittance/auth/SigningKey"
import type { StoredKey } from "@quittance/domain/tokens/SigningKey"
import { SigningKeysRepo } from "@quittance/persistence/tokens/SigningKeysRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Duration, Effect, Layer, Redacted } from "effect"
import { KeyEncryption } from "./KeyEncryption.ts"
import * as TurnBatch from "../values/TurnBatch.ts"
import * as TimedCache from "../values/TtlCache.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

/** How long a key that no longer signs may still sign on an instance; it verifies far longer. */
const activeFor = Duration.seconds(1)
/** How long a private key stays open that may sign again. */
const openFor = Duration.hours(1)
const cachedTenants = 10_000

export interface Jwks {
  readonly keys: ReadonlyArray<object>
}

export class AuthorizationServerKeys extends Context.Service<
  AuthorizationServerKeys,
  {
    /** Signs an access token with the tenant's active key. */
    sign(claims: Claims): Effect.Effect<string, never, CurrentTenant>
    /** The public halves of all keys that sign, will sign or have signed what may still be valid. */
    readonly published: Effect.Effect<Jwks, never, CurrentTenant>
    /** Makes the key that signs and the one that will, where the tenant lacks them. */
    readonly ensure: Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/AuthorizationServerKeys") {
  static readonly layer = Layer.effect(
    AuthorizationServerKeys,
    Effect.gen(function* () {
      const repo = yield* SigningKeysRepo
      const tenantSql = yield* TenantSql
      const { keys: serviceKeys } = yield* KeyEncryption

      const opened = TimedCache.make<SigningKey.SigningKey>({
        capacity: cachedTenants,
        lookup: () => Effect.die(new Error("AuthorizationServerKeys: entries are set")),
        maxAge: () => openFor
      })

      /** Opened once: decrypting costs more than a signature. */
      const open = Effect.fnUntraced(function* (tenant: TenantId, stored: StoredKey) {
        const row = `${tenant}/${stored.kid}`
        const known = yield* opened.peek(row)
        if (known !== undefined) return known
        const key = yield* SigningKey.open(tenant, stored, Redacted.value(serviceKeys))
        yield* opened.set(row, key, openFor)
        return key
      })

      const read = Effect.fnUntraced(function* (id: string) {
        const tenant = TenantId.make(id)
        const stored = yield* Effect.provideService(repo.active, CurrentTenant, tenant)
        if (stored !== undefined) return yield* open(tenant, stored)
        return yield* Effect.die(new Error(`${tenant} has no active signing key`))
      })

      const active = TimedCache.make({
        capacity: cachedTenants,
        lookup: read,
        maxAge: () => activeFor
      })

      const issue = TurnBatch.make(AccessToken.issue)
      const sign = (claims: Claims) =>
        Effect.flatMap(active.get(claims.tenant), (key) => issue(claims, key))

      const published = Effect.gen(function* () {
        const keys = yield* repo.published
        return {
          keys: keys.map(({ kid, publicJwk }) => ({
            ...publicJwk,
            kid,
            alg: SigningKey.algorithm,
            use: "sig"
          }))
        }
      }).pipe(Effect.withSpan("AuthorizationServerKeys.published"))

      const ensure = Effect.gen(function* () {
        const tenant = yield* CurrentTenant
        const states = new Set((yield* repo.published).map(({ state }) => state))
        for (const state of ["ACTIVE", "NEXT"] as const) {
          if (states.has(state)) continue
          const key = yield* SigningKey.generate(tenant, Redacted.value(serviceKeys))
          yield* tenantSql.transaction(repo.insert(key, state))
        }
      }).pipe(Effect.withSpan("AuthorizationServerKeys.ensure"))

      return AuthorizationServerKeys.of({ sign, published, ensure })
    })
  ).pipe(Layer.provide(SigningKeysRepo.layer))
}
