import { Context } from "effect"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

/**
 * What the line of a request in the access log says and only its route finds out: the tenant, where a
 * host and not the header names it. The edge makes one for each request; whoever knows writes into it.
 */
export const AccessFacts = Context.Reference<{ tenant?: TenantId }>("@quittance/http/AccessFacts", {
  defaultValue: () => ({})
})
