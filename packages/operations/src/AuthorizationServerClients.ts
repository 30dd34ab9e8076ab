/** Who asks at the token endpoint (RFC 6749, section 2.3). */
import * as Secret from "@quittance/auth/Secret"
import * as SourceAddress from "@quittance/auth/SourceAddress"
import { ClientId } from "@quittance/domain/Caller"
import type { Client } from "@quittance/domain/Client"
import type { RateLimited } from "@quittance/domain/RateLimit"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { failureLimit, TokenRefused } from "@quittance/domain/Token"
import { ClientsRepo } from "@quittance/persistence/ClientsRepo"
import { Context, Effect, Layer, Redacted } from "effect"
import { RateLimits } from "./RateLimits.ts"

/** How a request says who it is. */
export type Credentials =
  /** HTTP Basic, decoded. */
  | { readonly _tag: "Basic"; readonly id: string; readonly secret: Redacted.Redacted }
  /** Only a `client_id` in the body: a public client. */
  | { readonly _tag: "Public"; readonly id: string }
  /** None, or none that can be read. */
  | { readonly _tag: "None" }

export class AuthorizationServerClients extends Context.Service<
  AuthorizationServerClients,
  {
    /**
     * The client behind the credentials. Failures are counted by address, never by client, or anyone
     * could lock a client out; an unknown client answers exactly as a wrong secret does.
     */
    authenticate(
      credentials: Credentials,
      address: string
    ): Effect.Effect<Client, TokenRefused | RateLimited, CurrentTenant>
  }
>()("@quittance/operations/AuthorizationServerClients") {
  static readonly layer = Layer.effect(
    AuthorizationServerClients,
    Effect.gen(function* () {
      const clients = yield* ClientsRepo
      const limits = yield* RateLimits

      const find = Effect.fnUntraced(function* (credentials: Credentials) {
        if (credentials._tag === "None" || credentials.id === "") return undefined
        const found = yield* clients.find(ClientId.make(credentials.id))
        if (credentials._tag === "Public") {
          return found?.client.kind === "PUBLIC" ? found.client : undefined
        }
        const hashes = found?.secretHashes ?? []
        const matches = Secret.matches(
          Redacted.value(credentials.secret),
          hashes.length === 0 ? nobody : hashes
        )
        return matches && found?.client.kind === "CONFIDENTIAL" ? found.client : undefined
      })

      const authenticate = Effect.fn("AuthorizationServerClients.authenticate")(function* (
        credentials: Credentials,
        address: string
      ) {
        const bucket = `token-failure:${SourceAddress.key(address)}`
        yield* limits.check(bucket, failureLimit)
        const client = yield* find(credentials)
        if (client !== undefined) return client
        yield* limits.take(bucket, failureLimit)
        return yield* new TokenRefused({ error: "invalid_client" })
      })

      return AuthorizationServerClients.of({ authenticate })
    })
  ).pipe(Layer.provide([ClientsRepo.layer, RateLimits.layer]))
}

/** No secret has this hash; it is compared with when there is none, for the time that takes. */
const nobody = [new Uint8Array(32)]
