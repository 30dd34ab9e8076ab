/** The tenant of a request to an authorization server is the one its host names. */
import { CurrentTenant, type Tenant, TenantNotFound } from "@quittance/domain/tenants/Tenant"
import { errorResponse } from "@quittance/http/ErrorResponse"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { TenantDirectory } from "@quittance/operations/tenants/TenantDirectory"
import { Context, Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"

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
      return yield* route.pipe(
        Effect.provideService(CurrentTenant, tenant.id),
        Effect.provideService(Host, { tenant, issuer: issuers.of(tenant.id) })
      )
    })
})
