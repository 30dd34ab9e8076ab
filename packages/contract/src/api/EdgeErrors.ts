/** The errors that the edge of an app answers by itself, whatever the route: code, status and when. */
import { requestErrors } from "../requests/RequestErrors.ts"
import { tenantErrors } from "../tenants/TenantErrors.ts"

/** By tag. */
export const edgeErrors = { ...requestErrors, ...tenantErrors } as const
