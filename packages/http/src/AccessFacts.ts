import { Context } from "effect"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

/**
 * Facts for a request's line in the access log that only its route finds out: the tenant, where a host and
 * not the header names it. The edge makes one for each request; the route fills it.
 */
export const AccessFacts = Context.Reference<{ tenant?: TenantId }>("@quittance/http/AccessFacts", {
  defaultValue: () => ({})
})
