/** The OpenID Provider of a tenant, as the operator sets it up. */
import { reseal, seal, unseal } from "@quittance/auth/Sealed"
import {
  type IdentityProvider,
  InvalidIssuer,
  mayAsk,
  NoIdentityProvider
} from "@quittance/domain/access/IdentityProvider"
import type { KeyEncryptionKeyDiffers } from "@quittance/domain/tokens/SigningKey"
import {
  IdentityProvidersRepo,
  type StoredIdentityProvider
} from "@quittance/persistence/access/IdentityProvidersRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { actorOf, operator } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { KeyEncryption } from "../tokens/KeyEncryption.ts"
import { KeyEncryptionCheck } from "../tokens/KeyEncryptionCheck.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** What is left out stays as it is. */
export type SetIdentityProvider = {
  readonly [Name in keyof IdentityProvider]?: IdentityProvider[Name] | undefined
} & { readonly secret?: Redacted.Redacted | undefined }

export class IdentityProviders extends Context.Service<
  IdentityProviders,
  {
    /** Sets the provider up, or changes it; the next sign-in follows. */
    set(
      given: SetIdentityProvider
    ): Effect.Effect<
      IdentityProvider,
      InvalidIssuer | NoIdentityProvider | KeyEncryptionKeyDiffers,
      CurrentTenant
    >
    /** The provider without its secret. */
    readonly find: Effect.Effect<IdentityProvider | undefined, never, CurrentTenant>
    /** Takes the provider away: people sign in with their passwords again. */
    readonly remove: Effect.Effect<void, NoIdentityProvider, CurrentTenant>
    /** The provider with its secret, to ask it. */
    readonly open: Effect.Effect<
      { readonly provider: IdentityProvider; readonly secret: Redacted.Redacted } | undefined,
      never,
      CurrentTenant
    >
  }
>()("@quittance/operations/IdentityProviders") {
  static readonly layer = Layer.effect(
    IdentityProviders,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const check = yield* KeyEncryptionCheck
      const repo = yield* IdentityProvidersRepo
      const tenants = yield* TenantsRepo
      const tenantSql = yield* TenantSql
      const { keys: serviceKeys } = yield* KeyEncryption

      const record = Effect.fnUntraced(function* (
        action: string,
        before: object | undefined,
        after: object | undefined
      ) {
        const recordId = yield* CurrentTenant
        yield* audit.recordAll(actorOf(operator, "operator"), [{ action, recordId, before, after }])
      })

      /** A new secret, or the one that stays; under the first key of the service in either case. */
      const sealed = Effect.fnUntraced(function* (
        secret: Redacted.Redacted | undefined,
        before: StoredIdentityProvider | undefined
      ) {
        const keys = Redacted.value(serviceKeys)
        const binding = { ...bindingOf(yield* CurrentTenant), contentType: "text/plain" }
        if (secret !== undefined) return yield* seal(Redacted.value(secret), binding, keys)
        const present = before?.encryptedSecret
        return present === undefined ? undefined : ((yield* reseal(present, keys)) ?? present)
      })

      const set = Effect.fn("IdentityProviders.set")(function* (given: SetIdentityProvider) {
        yield* check.sameKey
        const tenant = yield* CurrentTenant
        const before = yield* repo.find
        const settings = merged(given, before)
        if (settings === undefined) return yield* new NoIdentityProvider({})
        const environment = (yield* tenants.find(tenant))?.environment ?? "production"
        if (!isIssuer(settings.issuer) || !mayAsk(settings.issuer, environment)) {
          return yield* new InvalidIssuer({})
        }
        const encryptedSecret = yield* sealed(given.secret, before)
        if (encryptedSecret === undefined) return yield* new NoIdentityProvider({})
        yield* tenantSql.transaction(
          Effect.andThen(
            repo.put({ ...settings, encryptedSecret }),
            record("identityProvider.set", before && settingsOf(before), settings)
          )
        )
        return settings
      })

      const remove = Effect.gen(function* () {
        const before = yield* repo.find
        if (before === undefined) return yield* new NoIdentityProvider({})
        yield* tenantSql.transaction(
          Effect.andThen(
            repo.remove,
            record("identityProvider.remove", settingsOf(before), undefined)
          )
        )
      }).pipe(Effect.withSpan("IdentityProviders.remove"))

      const open = Effect.gen(function* () {
        const stored = yield* repo.find
        if (stored === undefined) return undefined
        const binding = bindingOf(yield* CurrentTenant)
        const text = yield* unseal(stored.encryptedSecret, binding, Redacted.value(serviceKeys))
        return { provider: settingsOf(stored), secret: Redacted.make(text) }
      }).pipe(Effect.withSpan("IdentityProviders.open"))

      const find = Effect.map(repo.find, (stored) => stored && settingsOf(stored))
      return IdentityProviders.of({ set, find, remove, open })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      IdentityProvidersRepo.layer,
      KeyEncryptionCheck.layer,
      TenantsRepo.layer
    ])
  )
}

/** What the encrypted secret is bound to. */
const bindingOf = (tenant: string) => ({ tenant, kid: "identity-provider" })

const settingsOf = ({ encryptedSecret: _, ...settings }: StoredIdentityProvider) => settings

/** What is to be stored; nothing, if it is not known which provider that is. */
const merged = (
  given: SetIdentityProvider,
  before: StoredIdentityProvider | undefined
): IdentityProvider | undefined => {
  const issuer = given.issuer ?? before?.issuer
  const clientId = given.clientId ?? before?.clientId
  if (issuer === undefined || clientId === undefined) return undefined
  return {
    issuer,
    clientId,
    label: given.label ?? before?.label ?? "your organisation",
    mode: given.mode ?? before?.mode ?? "OFFERED",
    linksByEmail: given.linksByEmail ?? before?.linksByEmail ?? true
  }
}

/** An issuer has neither query nor fragment (OpenID Connect Discovery, section 3). */
const isIssuer = (text: string): boolean => URL.canParse(text) && !/[?#]/u.test(text)
