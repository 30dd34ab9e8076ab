/** The signing keys of tenants: what signs, and what is published. */
import * as AccessToken from "@quittance/auth/AccessToken"
import type { Claims } from "@quittance/auth/Claims"
import * as SigningKey from "@quittance/auth/SigningKey"
import { CurrentTenant, type TenantId } from "@quittance/domain/Tenant"
import { SigningKeysRepo } from "@quittance/persistence/SigningKeysRepo"
import { TenantSql } from "@quittance/persistence/TenantSql"
import { Cache, Context, Effect, Exit, Layer, Redacted } from "effect"
import { KeyEncryption } from "./AuthorizationServerKeyEncryption.ts"

/** How long a key that no longer signs may still sign on an instance; it verifies far longer. */
const cachedFor = "30 seconds"
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
    /** Makes the tenant's first key, unless it has one. */
    readonly ensure: Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/AuthorizationServerKeys") {
  static readonly layer = Layer.effect(
    AuthorizationServerKeys,
    Effect.gen(function* () {
      const repo = yield* SigningKeysRepo
      const tenantSql = yield* TenantSql
      const { key: keyEncryptionKey } = yield* KeyEncryption

      const open = Effect.fnUntraced(function* (tenant: TenantId) {
        const stored = yield* repo.active
        if (stored === undefined) {
          return yield* Effect.die(new Error(`${tenant} has no active signing key`))
        }
        return yield* SigningKey.open(tenant, stored, Redacted.value(keyEncryptionKey))
      })

      const active = yield* Cache.makeWith(
        (tenant: TenantId) => Effect.provideService(open(tenant), CurrentTenant, tenant),
        {
          capacity: cachedTenants,
          timeToLive: (exit) => (Exit.isSuccess(exit) ? cachedFor : 0)
        }
      )

      const sign = Effect.fn("AuthorizationServerKeys.sign")(function* (claims: Claims) {
        return yield* AccessToken.issue(claims, yield* Cache.get(active, claims.tenant))
      })

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
        if ((yield* repo.active) !== undefined) return
        const tenant = yield* CurrentTenant
        const key = yield* SigningKey.generate(tenant, Redacted.value(keyEncryptionKey))
        yield* tenantSql.transaction(repo.insertActive(key))
      }).pipe(Effect.withSpan("AuthorizationServerKeys.ensure"))

      return AuthorizationServerKeys.of({ sign, published, ensure })
    })
  ).pipe(Layer.provide(SigningKeysRepo.layer))
}
