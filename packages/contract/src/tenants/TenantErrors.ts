/** The errors of the area tenants on the wire. The last argument of each shows its details. */
import * as Tenant from "@quittance/domain/tenants/Tenant"
import { wireError } from "../requests/WireError.ts"

export const tenantErrors = {
  TenantNotFound: wireError(
    Tenant.TenantNotFound,
    404,
    "TENANT_NOT_FOUND",
    "No such tenant, on a route that takes no token."
  )
} as const
