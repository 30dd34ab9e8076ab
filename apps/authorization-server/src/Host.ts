/** The tenant of a request to an authorization server is the one its host names. */
import { type Tenant, TenantNotFound } from "@quittance/domain/tenants/Tenant"
import { AccessFacts } from "@quittance/http/AccessFacts"
import { errorResponse } from "@quittance/http/ErrorResponse"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { TenantDirectory } from "@quittance/operations/tenants/TenantDirectory"
import { Context, Effect, Option } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { RequestSource } from "@quittance/domain/requests/RequestSource"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** The tenant at whose server the request has arrived, and the server's own address. */
export class Host extends Context.Service<
  Host,
  { readonly tenant: Tenant; readonly issuer: string }
>()("@quittance/authorization-server/Host") {}

/** Serves a route for the tenant of the host; 404 for a host that names none. */
export const atHost = Effect.gen(function* () {
  const issuers = yield* Issuers
  const tenants = yield* TenantDirectory

  return <E, R>(route: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const id = issuers.tenantOf(request.headers["host"] ?? "")
      const tenant = id === undefined ? undefined : yield* tenants.find(id)
      if (tenant === undefined) return errorResponse(new TenantNotFound({}))
      const facts = yield* AccessFacts
      facts.tenant = tenant.id
      const source = {
        address: Option.getOrElse(request.remoteAddress, () => ""),
        userAgent: request.headers["user-agent"] ?? ""
      }
      return yield* route.pipe(
        Effect.provideService(CurrentTenant, tenant.id),
        Effect.provideService(Host, { tenant, issuer: issuers.of(tenant.id) }),
        Effect.provideService(RequestSource, source)
      )
    })
})
