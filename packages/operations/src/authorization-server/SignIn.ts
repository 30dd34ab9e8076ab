/** Signing a user in at the authorization endpoint (RFC 6749, section 4.1), without its HTTP. */
import * as Pkce from "@quittance/auth/Pkce"
import * as RedirectUri from "@quittance/auth/RedirectUri"
import * as Secret from "@quittance/auth/Secret"
import * as SourceAddress from "@quittance/auth/SourceAddress"
import {
  AuthorizationRefused,
  type AuthorizationRequest,
  InvalidAuthorizationRequest,
  WrongCredentials
} from "@quittance/domain/authorization-server/AuthorizationRequest"
import { ClientId } from "@quittance/domain/requests/Caller"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { failureLimit, lifetimes } from "@quittance/domain/tokens/Token"
import { AuthorizationCodesRepo } from "@quittance/persistence/tokens/AuthorizationCodesRepo"
import { ClientsRepo } from "@quittance/persistence/access/ClientsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Context, Effect, Layer, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Passwords } from "../tokens/Passwords.ts"
import { RateLimits } from "../requests/RateLimits.ts"

/** What somebody typed at the login page. */
export interface SignIn {
  readonly email: string
  readonly password: Redacted.Redacted
  readonly address: string
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
    /** The code for a user with the right password; it works once, for a minute. */
    signIn(
      request: AuthorizationRequest,
      who: SignIn
    ): Effect.Effect<string, WrongCredentials | RateLimited, CurrentTenant>
  }
>()("@quittance/operations/AuthorizationServerLogin") {
  static readonly layer = Layer.effect(
    AuthorizationServerLogin,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const tenantSql = yield* TenantSql
      const clients = yield* ClientsRepo
      const codes = yield* AuthorizationCodesRepo
      const users = yield* UsersRepo
      const passwords = yield* Passwords
      const limits = yield* RateLimits
      const random = yield* SecureRandom.SecureRandom

      const check = Effect.fn("AuthorizationServerLogin.check")(function* (
        parameters: ReadonlyMap<string, string>
      ) {
        const clientId = parameters.get("client_id") ?? ""
        const found = clientId === "" ? undefined : yield* clients.find(ClientId.make(clientId))
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
          codeChallenge
        }
        return request
      })

      const signIn = Effect.fn("AuthorizationServerLogin.signIn")(function* (
        request: AuthorizationRequest,
        { address, email, password }: SignIn
      ) {
        // Taken before the password is looked at: however many tries come at once, no more pass.
        const bucket = `login:${SourceAddress.key(address)}`
        yield* limits.take(bucket, failureLimit)
        const login = yield* users.findLogin(email)
        const right = yield* passwords.verify(password, login?.passwordHash)
        if (login === undefined || !right) return yield* new WrongCredentials({})
        yield* limits.giveBack(bucket)
        const code = Secret.make(yield* random.randomBytes(Secret.secretBytes))
        const { clientId, codeChallenge, redirectUri } = request
        const issue = Effect.gen(function* () {
          // The user may have been disabled, or have chosen another password, just now.
          const isStill = yield* users.holdActive(login.id, login.passwordHash)
          if (!isStill) return yield* new WrongCredentials({})
          yield* codes.insert(
            Secret.hash(code),
            { clientId, userId: login.id, redirectUri, codeChallenge },
            lifetimes.authorizationCode
          )
          yield* audit.recordBy(
            { kind: "USER", id: login.id },
            { action: "user.signIn.start", recordId: login.id, detail: { clientId } }
          )
        })
        yield* tenantSql.transaction(issue)
        return code
      })

      return AuthorizationServerLogin.of({ check, signIn })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      AuthorizationCodesRepo.layer,
      ClientsRepo.layer,
      Passwords.layer,
      RateLimits.layer,
      UsersRepo.layer,
      SecureRandom.layerWebCrypto
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
  if ((parameters.get("response_mode") ?? "query") !== "query") return "invalid_request"
  // A request object might say something else than the parameters that were checked.
  if (parameters.has("request") || parameters.has("request_uri")) return "invalid_request"
  return undefined
}
