import * as AccessToken from "@quittance/auth/AccessToken"
import { caller, type Claims } from "@quittance/auth/Claims"
import type { VerificationKey } from "@quittance/auth/SigningKey"
import { type Caller, Unauthorized } from "@quittance/domain/requests/Caller"
import { RevocationsRepo } from "@quittance/persistence/tokens/RevocationsRepo"
import { Clock, Context, Duration, Effect, Layer, Redacted } from "effect"
import { hash } from "node:crypto"
import { Issuers } from "./Issuers.ts"
import * as TimedCache from "../values/TtlCache.ts"
import { TenantDirectory } from "../tenants/TenantDirectory.ts"
import { VerificationKeys } from "./VerificationKeys.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const cachedTenants = 10_000
const cachedTokens = 50_000
/** How long a token that was verified need not be verified again. */
const tokensFor = Duration.seconds(30)
/** How late a revocation may be seen. */
const revocationsFor = Duration.seconds(1)

/** A token whose signature and claims were found good. */
interface Verified {
  readonly claims: Claims
  readonly caller: Caller
  readonly timeToLive: Duration.Duration
}

/** Tells who is behind a token. */
export class AccessTokens extends Context.Service<
  AccessTokens,
  {
    /**
     * The caller behind a bearer token that the current tenant's authorization server has issued and not
     * withdrawn. A tenant that does not exist, or is disabled, is refused like a wrong token; so is one
     * that is bound to a key: who has it may have stolen it.
     */
    verify(token: Redacted.Redacted): Effect.Effect<Caller, Unauthorized, CurrentTenant>
    /** The caller behind a token that is bound to a key, and the key's thumbprint, to be proven. */
    verifyBound(
      token: Redacted.Redacted
    ): Effect.Effect<{ readonly caller: Caller; readonly jkt: string }, Unauthorized, CurrentTenant>
    /** The claims of such a token, bound or not. */
    claims(token: Redacted.Redacted): Effect.Effect<Claims, Unauthorized, CurrentTenant>
    /** Has this instance look at once what of the tenant's tokens was withdrawn, not in a second. */
    readonly forget: Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/AccessTokens") {
  static readonly layer = Layer.effect(
    AccessTokens,
    Effect.gen(function* () {
      const keys = yield* VerificationKeys
      const revocations = yield* RevocationsRepo
      const issuers = yield* Issuers
      const tenants = yield* TenantDirectory

      const withdrawn = TimedCache.make({
        capacity: cachedTenants,
        lookup: (id) =>
          Effect.provideService(revocations.withdrawn, CurrentTenant, TenantId.make(id)),
        maxAge: () => revocationsFor
      })

      const verified = TimedCache.make<Verified>({
        capacity: cachedTokens,
        lookup: () => Effect.die(new Error("AccessTokens: entries are set, never looked up")),
        maxAge: () => tokensFor
      })

      const inspect = Effect.fnUntraced(function* (
        tenant: TenantId,
        token: string,
        header: string,
        { publicKey }: VerificationKey
      ) {
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        const claims = yield* AccessToken.verify(token, {
          keys: new Map([[header, publicKey]]),
          issuer: issuers.of(tenant),
          audience: issuers.audience,
          tenant,
          now
        })
        const left = Duration.seconds(claims.exp + AccessToken.clockTolerance - now)
        const entry: Verified = {
          claims,
          caller: caller(claims),
          timeToLive: Duration.min(left, tokensFor)
        }
        return entry
      })

      const find = Effect.fnUntraced(function* (token: Redacted.Redacted) {
        const tenant = yield* CurrentTenant
        const text = Redacted.value(token)
        if (text.length > AccessToken.maxLength) return yield* new Unauthorized()
        if ((yield* tenants.find(tenant)) === undefined) return yield* new Unauthorized()
        // Looked for every time: a key that has left the tenant's set takes its tokens with it.
        const header = text.slice(0, Math.max(0, text.indexOf(".")))
        const key = yield* keys.find(header)
        if (key === undefined) return yield* new Unauthorized()
        const digest = hash("sha256", `${tenant}\0${text}`, "base64url")
        const cached = yield* verified.peek(digest)
        const entry =
          cached ??
          (yield* Effect.tap(inspect(tenant, text, header, key), (entry) =>
            verified.set(digest, entry, entry.timeToLive)
          ))
        return isWithdrawn(entry.claims, key.kid, yield* withdrawn.get(tenant))
          ? yield* new Unauthorized()
          : entry
      })

      return AccessTokens.of({
        verify: (token) =>
          Effect.flatMap(find(token), ({ caller, claims }) =>
            claims.cnf === undefined ? Effect.succeed(caller) : new Unauthorized()
          ),
        verifyBound: (token) =>
          Effect.flatMap(find(token), ({ caller, claims }) =>
            claims.cnf === undefined
              ? new Unauthorized()
              : Effect.succeed({ caller, jkt: claims.cnf.jkt })
          ),
        claims: (token) => Effect.map(find(token), ({ claims }) => claims),
        forget: Effect.flatMap(CurrentTenant, withdrawn.forget)
      })
    })
  ).pipe(Layer.provide([RevocationsRepo.layer, TenantDirectory.layer, VerificationKeys.layer]))
}

/** By the token, its key, the sign-in or session it belongs to, or whom it speaks for. */
const isWithdrawn = (claims: Claims, kid: string, withdrawn: ReadonlySet<string>): boolean =>
  withdrawn.size > 0 &&
  (withdrawn.has(claims.jti) ||
    withdrawn.has(kid) ||
    withdrawn.has(claims.sub) ||
    withdrawn.has(claims.client_id) ||
    (claims.kind === "user" && withdrawn.has(claims.sid)))
