/** Writes the claims of access tokens and has them signed. Its time is real time, never a test clock's. */
import { anonymousClientId } from "@quittance/auth/Claims"
import type { AnonymousSessionId, ClientId, UserId } from "@quittance/domain/requests/Caller"
import { type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import { type Authentication, authenticationClaims } from "@quittance/domain/tokens/Authentication"
import { lifetimes, TokenBinding } from "@quittance/domain/tokens/Token"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AuthorizationServerKeys } from "./SigningKeys.ts"
import { Issuers } from "./Issuers.ts"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"

const jtiBytes = 16
const jtisAtOnce = 256

/** What a visitor's token says of their session. */
interface VisitorSession {
  readonly id: AnonymousSessionId
  readonly createdAt: Instant
  readonly expiresAt: Instant
}

export class TokenIssuer extends Context.Service<
  TokenIssuer,
  {
    /** The token of a client, with scopes separated by one space. */
    client(id: ClientId, scope: string): Effect.Effect<string, never, CurrentTenant>
    /**
     * The token of a user who signed in through a client, and when and how; it ends with the family
     * `sid`. Without an authentication it opens nothing that asks for a recent sign-in.
     */
    user(
      id: UserId,
      clientId: ClientId,
      sid: string,
      authentication?: Authentication
    ): Effect.Effect<string, never, CurrentTenant>
    /** The token of a session, which ends when the session does. */
    anonymous(session: VisitorSession): Effect.Effect<string, never, CurrentTenant>
  }
>()("@quittance/operations/TokenIssuer") {
  static readonly layer = Layer.effect(
    TokenIssuer,
    Effect.gen(function* () {
      const keys = yield* AuthorizationServerKeys
      const issuers = yield* Issuers
      const random = yield* SecureRandom.SecureRandom

      // Random bytes cost by the call, so they are fetched for many tokens at a time.
      let jtis: Array<string> = []
      const newJti: Effect.Effect<string> = Effect.suspend(() => {
        const jti = jtis.pop()
        return jti === undefined ? Effect.andThen(moreJtis, newJti) : Effect.succeed(jti)
      })
      const moreJtis = Effect.map(random.randomBytes(jtisAtOnce * jtiBytes), (random) => {
        const bytes = Buffer.from(random)
        jtis = Array.from({ length: jtisAtOnce }, (_, index) =>
          bytes.toString("base64url", index * jtiBytes, (index + 1) * jtiBytes)
        )
      })

      const common = (tenant: TenantId, clientId: string, jti: string) => ({
        iss: issuers.of(tenant),
        aud: issuers.audience,
        client_id: clientId,
        jti,
        tenant
      })
      const now = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

      const client = Effect.fnUntraced(function* (id: ClientId, scope: string) {
        const claims = common(yield* CurrentTenant, id, yield* newJti)
        const iat = yield* now
        const exp = iat + lifetimes.client
        const bound = yield* confirmation
        return yield* keys.sign({ ...claims, ...bound, iat, exp, kind: "client", sub: id, scope })
      })

      const user = Effect.fn("TokenIssuer.user")(function* (
        id: UserId,
        clientId: ClientId,
        sid: string,
        authentication?: Authentication
      ) {
        const claims = common(yield* CurrentTenant, clientId, yield* newJti)
        const iat = yield* now
        const exp = iat + lifetimes.user
        const bound = yield* confirmation
        const said = authentication === undefined ? {} : authenticationClaims(authentication)
        const subject = { kind: "user", sub: id, sid } as const
        return yield* keys.sign({ ...claims, ...bound, iat, exp, ...subject, ...said })
      })

      const anonymous = Effect.fn("TokenIssuer.anonymous")(function* (session: VisitorSession) {
        const claims = common(yield* CurrentTenant, anonymousClientId, yield* newJti)
        const iat = Math.floor(toEpochMillis(session.createdAt) / 1000)
        const exp = Math.floor(toEpochMillis(session.expiresAt) / 1000)
        return yield* keys.sign({ ...claims, iat, exp, kind: "anonymous", sub: session.id })
      })

      return TokenIssuer.of({ client, user, anonymous })
    })
  ).pipe(Layer.provide([AuthorizationServerKeys.layer, SecureRandom.layerWebCrypto]))
}

/** Names the key that a token is bound to. */
const confirmation = Effect.map(TokenBinding, (jkt) => (jkt === undefined ? {} : { cnf: { jkt } }))
