/** `POST /oauth2/token`, `/oauth2/revoke` and `/oauth2/introspect`: what programs ask for. */
import type { Client } from "@quittance/domain/access/Client"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { TokenRefused } from "@quittance/domain/tokens/Token"
import type * as FormText from "@quittance/http/FormText"
import { AuthorizationServer } from "@quittance/operations/authorization-server/TokenGrants"
import { AuthorizationServerClients } from "@quittance/operations/authorization-server/ClientAuthentication"
import { AuthorizationServerIntrospection } from "@quittance/operations/authorization-server/Introspection"
import { AuthorizationServerRevocation } from "@quittance/operations/authorization-server/Revocation"
import { ProofsOfPossession } from "@quittance/operations/tokens/ProofsOfPossession"
import { Effect, Layer, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import * as ClientCredentials from "./ClientCredentials.ts"
import * as Form from "./Form.ts"
import { atHost } from "./Host.ts"
import * as OAuthResponse from "./OAuthResponse.ts"
import * as TokenProof from "./TokenProof.ts"

export const TokenRoutes = HttpRouter.addAll(
  Effect.gen(function* () {
    const clients = yield* AuthorizationServerClients
    const server = yield* AuthorizationServer
    const introspection = yield* AuthorizationServerIntrospection
    const revocation = yield* AuthorizationServerRevocation
    const bind = TokenProof.bind(yield* ProofsOfPossession)
    const at = yield* atHost

    /** Reads the form, authenticates the client, then serves it. */
    const forClient = <R>(
      serve: (
        client: Client,
        form: FormText.Parameters
      ) => Effect.Effect<HttpServerResponse.HttpServerResponse, TokenRefused | RateLimited, R>
    ) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (request.method !== "POST") return OAuthResponse.methodNotAllowed
        const form = yield* Form.body
        const credentials = yield* ClientCredentials.read(request.headers["authorization"], form)
        const address = Option.getOrElse(request.remoteAddress, () => "")
        return yield* serve(yield* clients.authenticate(credentials, address), form)
      }).pipe(
        Effect.catchTags({
          TokenRefused: OAuthResponse.refused,
          RateLimited: (limit) => Effect.succeed(OAuthResponse.limited(limit))
        })
      )

    const token = forClient((client, form) =>
      Effect.map(bind(server.token(client, form)), OAuthResponse.ok)
    )

    const revoke = forClient(
      Effect.fnUntraced(function* (client, form) {
        yield* revocation.revoke(client, yield* givenToken(form))
        return OAuthResponse.ok({})
      })
    )

    const introspect = forClient(
      Effect.fnUntraced(function* (client, form) {
        // Who can't prove who they are could try out tokens that they found (RFC 7662, section 4).
        if (client.kind === "PUBLIC") return yield* new TokenRefused({ error: "invalid_client" })
        return OAuthResponse.ok(yield* introspection.introspect(client, yield* givenToken(form)))
      })
    )

    return [
      HttpRouter.route("*", "/oauth2/token", at(token)),
      HttpRouter.route("*", "/oauth2/revoke", at(revoke)),
      HttpRouter.route("*", "/oauth2/introspect", at(introspect))
    ]
  })
).pipe(
  Layer.provide([
    AuthorizationServer.layer,
    AuthorizationServerClients.layer,
    AuthorizationServerIntrospection.layer,
    AuthorizationServerRevocation.layer,
    ProofsOfPossession.layer
  ])
)

/** The token in question. `token_type_hint` may be wrong and isn't needed: one look tells them apart. */
const givenToken = (form: FormText.Parameters) => {
  const token = form.get("token") ?? ""
  return token === ""
    ? Effect.fail(new TokenRefused({ error: "invalid_request" }))
    : Effect.succeed(Redacted.make(token))
}
