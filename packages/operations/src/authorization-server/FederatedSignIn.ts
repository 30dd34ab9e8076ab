/** Signs users in through the tenant's OpenID provider. Its HTTP part is elsewhere. */
import { seal, unseal } from "@quittance/auth/Sealed"
import * as SourceAddress from "@quittance/auth/SourceAddress"
import {
  FederationRefused,
  type Identity,
  type IdentityProvider
} from "@quittance/domain/access/IdentityProvider"
import type { AuthorizationRequest } from "@quittance/domain/tokens/AuthorizationRequest"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { IdentityProvidersRepo } from "@quittance/persistence/access/IdentityProvidersRepo"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { Clock, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { timingSafeEqual } from "node:crypto"
import { IdentityProviders } from "../access/IdentityProviders.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { RateLimits } from "../requests/RateLimits.ts"
import * as Strangers from "../requests/Strangers.ts"
import { TenantDirectory } from "../tenants/TenantDirectory.ts"
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"
import { Issuers } from "../tokens/Issuers.ts"
import { KeyEncryption } from "../tokens/KeyEncryption.ts"
import * as OpenIdProvider from "./OpenIdProvider.ts"
import { type SignInStep, SignInSteps } from "./SignInSteps.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Seconds that a user may take at the provider. */
export const patience = 600

/** Sign-ins that an address may begin or end: each asks the provider something. */
const federationLimit = { limit: 60, windowSeconds: 60 }

/** Where the provider sends browsers back to. */
export const callbackPath = "/federation/callback"

/** A sign-in under way, as its browser keeps it, sealed. */
const UnderWay = Schema.fromJsonString(
  Schema.Struct({
    issuer: Schema.String,
    clientId: Schema.String,
    state: Schema.String,
    nonce: Schema.String,
    codeVerifier: Schema.String,
    maxAge: Schema.optionalKey(Schema.Finite),
    /** Seconds since 1970. */
    until: Schema.Finite,
    /** What the front end asked for: checked again when the browser is back. */
    parameters: Schema.Array(Schema.Tuple([Schema.String, Schema.String]))
  })
)
const decode = Schema.decodeUnknownOption(UnderWay)
const encode = Schema.encodeSync(UnderWay)

type Parameters = ReadonlyMap<string, string>
type Failure = FederationRefused | RateLimited

export class FederatedSignIn extends Context.Service<
  FederatedSignIn,
  {
    /** What the login page offers; `undefined` for a tenant without a provider. */
    readonly offer: Effect.Effect<
      Pick<IdentityProvider, "label" | "mode"> | undefined,
      never,
      CurrentTenant
    >
    /** Where to send the browser, and the sealed text that it has to bring back. */
    begin(
      parameters: Parameters,
      address: string
    ): Effect.Effect<{ readonly location: URL; readonly sealed: string }, Failure, CurrentTenant>
    /** What the browser had asked for before it went to the provider, if it is the one that did. */
    resume(
      sealed: string | undefined,
      answer: URLSearchParams
    ): Effect.Effect<
      { readonly parameters: Parameters; readonly checks: OpenIdProvider.Checks },
      FederationRefused,
      CurrentTenant
    >
    /** What comes after the provider has signed the user in: the code, or a second factor. */
    finish(
      request: AuthorizationRequest,
      checks: OpenIdProvider.Checks,
      answer: URLSearchParams,
      address: string
    ): Effect.Effect<SignInStep, Failure, CurrentTenant>
  }
>()("@quittance/operations/FederatedSignIn") {
  static readonly layer = Layer.effect(
    FederatedSignIn,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const calls = yield* OutgoingCalls
      const identities = yield* IdentityProvidersRepo
      const issuers = yield* Issuers
      const limits = yield* RateLimits
      const providers = yield* IdentityProviders
      const steps = yield* SignInSteps
      const tenants = yield* TenantDirectory
      const tenantSql = yield* TenantSql
      const users = yield* UsersRepo
      const { keys } = yield* KeyEncryption

      const take = (address: string) =>
        limits.take(`federation:${SourceAddress.key(address)}`, federationLimit)

      /** The provider as it is asked; a sign-in begun with another one is stale. */
      const party = Effect.gen(function* () {
        const tenant = yield* CurrentTenant
        const opened = yield* providers.open
        if (opened === undefined) return yield* refused("STALE")
        const environment = (yield* tenants.find(tenant))?.environment ?? "production"
        return {
          ...opened,
          calls,
          environment,
          redirectUri: `${issuers.of(tenant)}${callbackPath}`
        }
      })

      const begin = Effect.fn("FederatedSignIn.begin")(function* (
        parameters: Parameters,
        address: string
      ) {
        yield* take(address)
        const asked = yield* party
        const { address: location, checks } = yield* asRefusal(
          OpenIdProvider.begin(asked, recencyOf(parameters))
        )
        const { clientId, issuer } = asked.provider
        const until = Math.floor((yield* Clock.currentTimeMillis) / 1000) + patience
        const text = encode({ issuer, clientId, ...checks, until, parameters: [...parameters] })
        const binding = { ...bindingOf(yield* CurrentTenant), contentType: "json" }
        return { location, sealed: yield* seal(text, binding, Redacted.value(keys)) }
      })

      const resume = Effect.fn("FederatedSignIn.resume")(function* (
        sealed: string | undefined,
        answer: URLSearchParams
      ) {
        if (sealed === undefined) return yield* refused("STALE")
        const binding = bindingOf(yield* CurrentTenant)
        // A state that was sealed elsewhere, or not at all, counts as none.
        const text = yield* unseal(sealed, binding, Redacted.value(keys)).pipe(
          Effect.catchDefect(() => Effect.succeed(""))
        )
        const underWay = Option.getOrUndefined(decode(text))
        const now = (yield* Clock.currentTimeMillis) / 1000
        const provider = yield* providers.find
        if (
          underWay === undefined ||
          underWay.until < now ||
          underWay.issuer !== provider?.issuer ||
          underWay.clientId !== provider.clientId ||
          !isSame(underWay.state, answer.get("state") ?? "")
        ) {
          return yield* refused("STALE")
        }
        const { parameters, ...checks } = underWay
        return { parameters: new Map(parameters), checks }
      })

      /** The active user of an identity, linked now if it was not before; runs in a transaction. */
      const userOf = Effect.fnUntraced(function* (
        { issuer, subject, verifiedEmail }: Identity,
        linksByEmail: boolean
      ) {
        const linked = yield* identities.userOf(issuer, subject)
        if (linked !== undefined) return linked
        if (!linksByEmail || verifiedEmail === undefined) return undefined
        const found = yield* users.findLogin(verifiedEmail)
        if (found === undefined) return undefined
        // Who has another identity at this provider keeps it: the address may be another person's now.
        if (!(yield* identities.link(issuer, subject, found.id))) return undefined
        yield* audit.recordBy(
          { kind: "USER", id: found.id },
          { action: "user.identity.link", recordId: found.id, detail: { issuer } }
        )
        return found.id
      })

      const finish = Effect.fn("FederatedSignIn.finish")(function* (
        request: AuthorizationRequest,
        checks: OpenIdProvider.Checks,
        answer: URLSearchParams,
        address: string
      ) {
        yield* take(address)
        const asked = yield* party
        const identity = yield* asRefusal(OpenIdProvider.finish(asked, checks, answer))
        const now = yield* Clock.currentTimeMillis
        const at = identity.authenticatedAt
        const since = at === undefined ? null : fromEpochMillis(Math.min(at * 1000, now))
        const step = yield* tenantSql.transaction(
          Effect.gen(function* () {
            const userId = yield* userOf(identity, asked.provider.linksByEmail)
            if (userId === undefined || !(yield* users.holdActive(userId))) return undefined
            return yield* steps.begin(userId, ["fed"], request, since)
          })
        )
        return step ?? (yield* refused("UNKNOWN_USER"))
      })

      /** What the provider or we have refused; expired attempts and unavailable providers do not count. */
      const recorded: typeof finish = (request, checks, answer, address) =>
        Effect.tapError(finish(request, checks, answer, address), (failure) => {
          const lacking = failure._tag === "RateLimited" ? "LIMIT" : failure.fault
          if (lacking === "STALE" || lacking === "UNAVAILABLE") return Effect.void
          const detail = { lacking, clientId: request.clientId }
          return Effect.flatMap(CurrentTenant, (recordId) =>
            audit.refusedSignIn(address, { action: "user.signIn.start", recordId, detail })
          )
        })

      return FederatedSignIn.of({
        offer: Strangers.turns()(providers.find),
        begin,
        resume,
        finish: recorded
      })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      IdentityProviders.layer,
      IdentityProvidersRepo.layer,
      RateLimits.layer,
      SignInSteps.layer,
      TenantDirectory.layer,
      UsersRepo.layer
    ])
  )
}

/** What the front end asks for, such as after `SignInTooOld`. Of a new sign-in we want to know when it was. */
const recencyOf = (parameters: Parameters): OpenIdProvider.Recency => {
  const again = (parameters.get("prompt") ?? "").split(" ").includes("login")
  const asked = parameters.get("max_age")
  const maxAge = asked === undefined ? (again ? patience : undefined) : Number(asked)
  return { again, ...(maxAge === undefined ? {} : { maxAge }) }
}

const bindingOf = (tenant: string) => ({ tenant, kid: "federated-sign-in" })

const refused = (fault: FederationRefused["fault"]) => Effect.fail(new FederationRefused({ fault }))

/** What went wrong is the log's; the person is told what to do. */
const asRefusal = <A, R>(asked: Effect.Effect<A, OpenIdProvider.ProviderFailed, R>) =>
  Effect.catchTag(asked, "ProviderFailed", ({ cause, kind }) =>
    Effect.logWarning("A sign-in with an identity provider has failed", cause).pipe(
      Effect.andThen(refused(kind))
    )
  )

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
