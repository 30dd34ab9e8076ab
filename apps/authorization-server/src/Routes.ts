import { TenantDirectory } from "@quittance/operations/TenantDirectory"
import { Layer } from "effect"
import { AuthorizeRoutes } from "./Authorize.ts"
import { DiscoveryRoutes } from "./Discovery.ts"
import { TokenRoutes } from "./Token.ts"

/** Everything that a tenant's authorization server answers, for every host below `AUTH_URL`. */
export const Routes = Layer.mergeAll(AuthorizeRoutes, DiscoveryRoutes, TokenRoutes).pipe(
  Layer.provide(TenantDirectory.layer)
)
