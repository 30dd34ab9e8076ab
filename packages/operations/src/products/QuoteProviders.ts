/** The programs that price a tenant's products, as the operator sets them up. */
import { reseal, seal } from "@quittance/auth/Sealed"
import * as Secret from "@quittance/auth/Secret"
import {
  defaultTimeouts,
  type InvalidQuoteProviderUrl,
  InvalidTimeouts,
  type ListedQuoteProvider,
  QuoteProviderInUse,
  QuoteProviderNotFound,
  type QuoteProviderSettings,
  urlFault
} from "@quittance/domain/products/QuoteProvider"
import type { KeyEncryptionKeyDiffers } from "@quittance/domain/tokens/SigningKey"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import {
  QuoteProvidersRepo,
  type StoredQuoteProvider
} from "@quittance/persistence/products/QuoteProvidersRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { actorOf, operator } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { KeyEncryption } from "../tokens/KeyEncryption.ts"
import { KeyEncryptionCheck } from "../tokens/KeyEncryptionCheck.ts"
import { sha256 } from "../values/Sha256.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** What is left out stays as it is; of a new provider a secret is made, the limits are usual ones. */
export interface SetQuoteProvider extends Pick<QuoteProviderSettings, "id"> {
  /** Only one that is there may leave it out. */
  readonly url?: string | undefined
  readonly secret?: Redacted.Redacted | undefined
  /** Milliseconds. */
  readonly tryTimeout?: number | undefined
  /** Milliseconds. */
  readonly totalTimeout?: number | undefined
}

export interface QuoteProviderSet {
  readonly settings: QuoteProviderSettings
  /** A secret that was made just now: shown once. */
  readonly made: Redacted.Redacted | undefined
}

type SetFailure = InvalidQuoteProviderUrl | InvalidTimeouts | KeyEncryptionKeyDiffers

export class QuoteProviders extends Context.Service<
  QuoteProviders,
  {
    /** Adds a provider or changes it; running servers follow with their next question. */
    set(given: SetQuoteProvider): Effect.Effect<QuoteProviderSet, SetFailure, CurrentTenant>
    readonly list: Effect.Effect<ReadonlyArray<ListedQuoteProvider>, never, CurrentTenant>
    /** Removes a provider that prices nothing the tenant sells now. */
    remove(
      id: string
    ): Effect.Effect<void, QuoteProviderNotFound | QuoteProviderInUse, CurrentTenant>
  }
>()("@quittance/operations/QuoteProviders") {
  static readonly layer = Layer.effect(
    QuoteProviders,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const check = yield* KeyEncryptionCheck
      const products = yield* ProductsRepo
      const random = yield* SecureRandom.SecureRandom
      const repo = yield* QuoteProvidersRepo
      const tenants = yield* TenantsRepo
      const tenantSql = yield* TenantSql
      const { keys: serviceKeys } = yield* KeyEncryption

      const record = (
        action: string,
        before: object | undefined,
        after: object | undefined,
        id: string
      ) => audit.recordAll(actorOf(operator, "operator"), [{ action, recordId: id, before, after }])

      /** The secret as it is stored, under a name that is its own: a new secret has another. */
      const sealed = Effect.fnUntraced(function* (id: string, secret: Redacted.Redacted) {
        const text = Redacted.value(secret)
        const binding = { ...bindingOf(yield* CurrentTenant, id), contentType: "text/plain" }
        const encryptedSecret = yield* seal(text, binding, Redacted.value(serviceKeys))
        return { keyId: sha256(text).slice(0, 16), encryptedSecret }
      })

      /**
       * An unchanged secret: locked, so that a rotation of the service's keys at the same time is not undone.
       */
      const kept = Effect.fnUntraced(function* ({ encryptedSecret, keyId }: StoredQuoteProvider) {
        const text = yield* reseal(encryptedSecret, Redacted.value(serviceKeys))
        return { keyId, encryptedSecret: text ?? encryptedSecret }
      })

      const set = Effect.fn("QuoteProviders.set")(function* (given: SetQuoteProvider) {
        yield* check.sameKey
        const { id } = given
        const before = yield* repo.find(id)
        const url = given.url ?? before?.url ?? ""
        const tenant = yield* tenants.find(yield* CurrentTenant)
        const fault = urlFault(url, tenant?.environment ?? "production")
        if (fault !== undefined) return yield* fault
        const { totalTimeout, tryTimeout } = { ...defaultTimeouts, ...before, ...timeoutsOf(given) }
        if (tryTimeout > totalTimeout) return yield* new InvalidTimeouts({})
        const made =
          given.secret === undefined && before === undefined
            ? Redacted.make(Secret.make(yield* random.randomBytes(Secret.secretBytes)))
            : undefined
        const secret = given.secret ?? made
        // Without a new one there is an old one.
        const { encryptedSecret, keyId } =
          secret === undefined ? yield* kept(before!) : yield* sealed(id, secret)
        const settings = { id, url, keyId, tryTimeout, totalTimeout }
        yield* tenantSql.transaction(
          Effect.gen(function* () {
            yield* repo.put({ ...settings, encryptedSecret })
            yield* record("quoteProvider.set", before && settingsOf(before), settings, id)
          })
        )
        return { settings, made }
      })

      const remove = Effect.fn("QuoteProviders.remove")(function* (id: string) {
        const before = yield* repo.find(id)
        if (before === undefined || !(yield* repo.remove(id))) {
          return yield* new QuoteProviderNotFound({ id })
        }
        // Publishing locks the provider until its commit, so all versions on sale are seen here.
        const sold = (yield* products.list).filter(({ quoteProvider }) => quoteProvider?.id === id)
        if (sold.length > 0) {
          return yield* new QuoteProviderInUse({
            id,
            products: sold.map(({ productId }) => productId)
          })
        }
        yield* record("quoteProvider.remove", settingsOf(before), undefined, id)
      }, tenantSql.transaction)

      return QuoteProviders.of({ set, list: repo.list, remove })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      KeyEncryptionCheck.layer,
      QuoteProvidersRepo.layer,
      SecureRandom.layerWebCrypto,
      TenantsRepo.layer
    ])
  )
}

/** What an encrypted secret is bound to. */
export const bindingOf = (tenant: string, id: string) => ({ tenant, kid: `quote-provider/${id}` })

const settingsOf = ({ encryptedSecret: _, ...settings }: StoredQuoteProvider) => settings

const timeoutsOf = ({ totalTimeout, tryTimeout }: SetQuoteProvider) => ({
  ...(tryTimeout === undefined ? {} : { tryTimeout }),
  ...(totalTimeout === undefined ? {} : { totalTimeout })
})
