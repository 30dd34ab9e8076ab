/** What clients find out by themselves: the server's metadata (RFC 8414) and its public keys. */
import { scopeNames, scopes } from "@quittance/domain/requests/Caller"
import { SignatureAlgorithm } from "@quittance/domain/access/ClientKey"
import { GrantType } from "@quittance/domain/access/Client"
import { multiFactor } from "@quittance/domain/tokens/Authentication"
import { jwksMaxAge } from "@quittance/domain/tokens/SigningKey"
import { AuthorizationServerKeys } from "@quittance/operations/tokens/SigningKeys"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { atHost, Host } from "./Host.ts"

/** A new key is published for longer than this before it signs. */
const cacheControl = { "cache-control": `public, max-age=${jwksMaxAge}` }

export const DiscoveryRoutes = HttpRouter.addAll(
  Effect.gen(function* () {
    const keys = yield* AuthorizationServerKeys
    const at = yield* atHost
    const document = at(Effect.map(Host, ({ issuer }) => json(metadata(issuer))))
    const jwks = at(Effect.map(keys.published, json))
    return [
      HttpRouter.route("GET", "/.well-known/oauth-authorization-server", document),
      // The same document, for clients that look only here; it is no OpenID Provider.
      HttpRouter.route("GET", "/.well-known/openid-configuration", document),
      HttpRouter.route("GET", "/oauth2/jwks", jwks)
    ]
  })
).pipe(Layer.provide(AuthorizationServerKeys.layer))

const json = (body: object) => HttpServerResponse.jsonUnsafe(body, { headers: cacheControl })

const metadata = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/oauth2/authorize`,
  token_endpoint: `${issuer}/oauth2/token`,
  revocation_endpoint: `${issuer}/oauth2/revoke`,
  introspection_endpoint: `${issuer}/oauth2/introspect`,
  jwks_uri: `${issuer}/oauth2/jwks`,
  scopes_supported: scopeNames.filter((scope) => !scopes[scope].internalOnly),
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: GrantType.literals,
  token_endpoint_auth_methods_supported: ["client_secret_basic", "private_key_jwt", "none"],
  token_endpoint_auth_signing_alg_values_supported: SignatureAlgorithm.literals,
  revocation_endpoint_auth_methods_supported: ["client_secret_basic", "private_key_jwt", "none"],
  revocation_endpoint_auth_signing_alg_values_supported: SignatureAlgorithm.literals,
  introspection_endpoint_auth_methods_supported: ["client_secret_basic", "private_key_jwt"],
  introspection_endpoint_auth_signing_alg_values_supported: SignatureAlgorithm.literals,
  dpop_signing_alg_values_supported: SignatureAlgorithm.literals,
  acr_values_supported: [multiFactor],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true
})
