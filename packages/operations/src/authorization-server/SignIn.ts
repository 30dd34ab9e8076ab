/** Signing a user in at the authorization endpoint (RFC 6749, section 4.1), without its HTTP. */
import * as Pkce from "@quittance/auth/Pkce"
import * as RedirectUri from "@quittance/auth/RedirectUri"
import * as SourceAddress from "@quittance/auth/SourceAddress"
import {
  AuthorizationRefused,
  type AuthorizationRequest,
  InvalidAuthorizationRequest,
  WrongCredentials
} from "@quittance/domain/tokens/AuthorizationRequest"
import { ClientId } from "@quittance/domain/requests/Caller"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { failureLimit } from "@quittance/domain/tokens/Token"
import { IdentityProvidersRepo } from "@quittance/persistence/access/IdentityProvidersRepo"
import { ClientsRepo } from "@quittance/persistence/access/ClientsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Context, Effect, Layer, type Redacted } from "effect"
import { Guesses } from "../access/Guesses.ts"
import { Passwords } from "../tokens/Passwords.ts"
import { RateLimits } from "../requests/RateLimits.ts"
import * as Strangers from "../requests/Strangers.ts"
import { type SignInStep, SignInSteps } from "./SignInSteps.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** What a user typed at the login page. */
export interface SignIn {
  readonly email: string
  readonly password: Redacted.Redacted
  readonly address: string
  /** The cookie by which a browser shows that it has signed in before; empty without one. */
  readonly device: string
}

export class AuthorizationServerLogin extends Context.Service<
  AuthorizationServerLogin,
  {
    /** Checks a request; none of its parameters is in it twice. */
    check(
      parameters: ReadonlyMap<string, string>
    ): Effect.Effect<
      AuthorizationRequest,
      InvalidAuthorizationRequest | AuthorizationRefused,
      CurrentTenant
    >
    /**
     * What comes after the right password: the code, which works once, for a minute, or a question for
     * the second factor. Without a request the user wants to change their own factors.
     */
    signIn(
      request: AuthorizationRequest | undefined,
      who: SignIn
    ): Effect.Effect<SignInStep, WrongCredentials | RateLimited, CurrentTenant>
  }
>()("@quittance/operations/AuthorizationServerLogin") {
  static readonly layer = Layer.effect(
    AuthorizationServerLogin,
    Effect.gen(function* () {
      const tenantSql = yield* TenantSql
      const clients = yield* ClientsRepo
      const users = yield* UsersRepo
      const guesses = yield* Guesses
      const passwords = yield* Passwords
      const limits = yield* RateLimits
      const identityProviders = yield* IdentityProvidersRepo
      const steps = yield* SignInSteps
      const inTurn = Strangers.turns()

      const check = Effect.fn("AuthorizationServerLogin.check")(function* (
        parameters: ReadonlyMap<string, string>
      ) {
        const clientId = parameters.get("client_id") ?? ""
        const found =
          clientId === "" ? undefined : yield* inTurn(clients.find(ClientId.make(clientId)))
        if (found === undefined || !found.client.grantTypes.includes("authorization_code")) {
          return yield* new InvalidAuthorizationRequest({ parameter: "client_id" })
        }
        const { id, name, redirectUris } = found.client
        const redirectUri = parameters.get("redirect_uri") ?? ""
        if (!redirectUris.some((registered) => RedirectUri.matches(registered, redirectUri))) {
          return yield* new InvalidAuthorizationRequest({ parameter: "redirect_uri" })
        }
        const error = errorOf(parameters)
        const state = parameters.get("state")
        if (error !== undefined) {
          return yield* new AuthorizationRefused({
            error,
            redirectUri,
            ...(state === undefined ? {} : { state })
          })
        }
        const codeChallenge = parameters.get("code_challenge") ?? ""
        const request: AuthorizationRequest = {
          clientId: id,
          clientName: name,
          redirectUri,
          state,
          codeChallenge,
          dpopJkt: parameters.get("dpop_jkt") ?? null
        }
        return request
      })

      const signIn = Effect.fn("AuthorizationServerLogin.signIn")(function* (
        request: AuthorizationRequest | undefined,
        { address, device, email, password }: SignIn
      ) {
        // Who has to come by the provider of the tenant is told so before anything is looked at.
        if ((yield* identityProviders.find)?.mode === "REQUIRED") {
          return yield* new WrongCredentials({})
        }
        // Taken before the password is looked at: however many tries come at once, no more pass.
        const bucket = `login:${SourceAddress.key(address)}`
        yield* limits.take(bucket, failureLimit)
        const login = yield* users.findLogin(email)
        const untake = yield* guesses.take(email, device, login !== undefined)
        const right = yield* passwords.verify(password, login?.passwordHash).pipe(
          // Too many waited, or the browser went away: the password was not verified.
          Effect.onError(() => Effect.andThen(limits.giveBack(bucket), untake))
        )
        if (login === undefined || !right) return yield* new WrongCredentials({})
        yield* limits.giveBack(bucket)
        yield* tenantSql.transaction(guesses.forgive(email, device))
        const issue = Effect.gen(function* () {
          // The user may have been disabled, or have chosen another password, just now.
          const isStill = yield* users.holdActive(login.id, login.passwordHash)
          if (!isStill) return yield* new WrongCredentials({})
          return yield* steps.begin(login.id, ["pwd"], request)
        })
        return yield* tenantSql.transaction(issue)
      })

      const recorded: typeof signIn = (request, who) =>
        guesses.recorded(who.email, who.address, request?.clientId, signIn(request, who))

      return AuthorizationServerLogin.of({ check, signIn: recorded })
    })
  ).pipe(
    Layer.provide([
      ClientsRepo.layer,
      IdentityProvidersRepo.layer,
      Guesses.layer,
      Passwords.layer,
      RateLimits.layer,
      SignInSteps.layer,
      UsersRepo.layer
    ])
  )
}

/** What the client did wrong, once it is known where to tell it. */
const errorOf = (
  parameters: ReadonlyMap<string, string>
): AuthorizationRefused["error"] | undefined => {
  const responseType = parameters.get("response_type") ?? ""
  if (responseType === "") return "invalid_request"
  if (responseType !== "code") return "unsupported_response_type"
  // A user's authority comes from grants: there is no scope that could be given.
  if ((parameters.get("scope") ?? "") !== "") return "invalid_scope"
  if (parameters.get("code_challenge_method") !== "S256") return "invalid_request"
  if (!Pkce.isChallenge(parameters.get("code_challenge") ?? "")) return "invalid_request"
  if (!isThumbprint(parameters.get("dpop_jkt"))) return "invalid_request"
  if ((parameters.get("response_mode") ?? "query") !== "query") return "invalid_request"
  const maxAge = parameters.get("max_age")
  if (maxAge !== undefined && !/^\d{1,9}$/u.test(maxAge)) return "invalid_request"
  const prompts = new Set((parameters.get("prompt") ?? "login").split(" "))
  // Everybody signs in each time, which is what `login` and any `max_age` ask for.
  if (prompts.has("none")) return prompts.size === 1 ? "login_required" : "invalid_request"
  // A request object might say something else than the parameters that were checked.
  if (parameters.has("request") || parameters.has("request_uri")) return "invalid_request"
  return undefined
}

/** A SHA-256 in base64url, if it is there. */
const isThumbprint = (text: string | undefined) => text === undefined || Pkce.isChallenge(text)
