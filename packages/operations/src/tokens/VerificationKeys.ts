/** The public keys of tenants, as an instance that verifies tokens knows them. */
import * as SigningKey from "@quittance/auth/SigningKey"
import { SigningKeysRepo } from "@quittance/persistence/tokens/SigningKeysRepo"
import { Context, Duration, Effect, Layer } from "effect"
import * as TimedCache from "../values/TtlCache.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const cachedTenants = 10_000
/** How long a key that was deleted may still be known. */
const knownFor = Duration.seconds(30)
/** How often at most a tenant's keys are asked for because of tokens whose key is not known. */
const askedEvery = Duration.seconds(1)

/**
 * Seconds that a key is stored before it signs. Longer than `askedEvery` and a query, so an instance
 * that does not know the key of a genuine token has not asked since the key is there, and may ask.
 */
export const settling = 3

type Keys = ReadonlyMap<string, SigningKey.VerificationKey>

export class VerificationKeys extends Context.Service<
  VerificationKeys,
  {
    /**
     * The current tenant's key whose tokens have this header, encoded as it stands in the token. A
     * key that was made a moment ago is found too; who sends tokens of keys that don't exist makes
     * this instance ask at most once a second.
     */
    find(
      header: string
    ): Effect.Effect<SigningKey.VerificationKey | undefined, never, CurrentTenant>
  }
>()("@quittance/operations/VerificationKeys") {
  static readonly layer = Layer.effect(
    VerificationKeys,
    Effect.gen(function* () {
      const signingKeys = yield* SigningKeysRepo

      const read = Effect.fnUntraced(function* (id: string) {
        const tenant = TenantId.make(id)
        const published = yield* Effect.provideService(signingKeys.published, CurrentTenant, tenant)
        const entries = published.map(({ kid, publicJwk }) =>
          Effect.map(
            SigningKey.importPublic(publicJwk),
            (publicKey) => [SigningKey.headerOf(kid), { kid, publicKey }] as const
          )
        )
        const keys: Keys = new Map(yield* Effect.all(entries))
        return keys
      })

      const asked = cacheFor(askedEvery, read)
      const known = cacheFor(knownFor, asked.get)

      const find = Effect.fnUntraced(function* (header: string) {
        const tenant = yield* CurrentTenant
        const before = yield* known.get(tenant)
        const found = before.get(header)
        if (found !== undefined) return found
        const keys = yield* asked.get(tenant)
        if (keys !== before) yield* known.set(tenant, keys, knownFor)
        return keys.get(header)
      })

      return VerificationKeys.of({ find })
    })
  ).pipe(Layer.provide(SigningKeysRepo.layer))
}

const cacheFor = (maxAge: Duration.Duration, lookup: (tenant: string) => Effect.Effect<Keys>) =>
  TimedCache.make({ capacity: cachedTenants, lookup, maxAge: () => maxAge })
