import { TenantDirectory } from "@quittance/operations/tenants/TenantDirectory"
import { Layer } from "effect"
import { AuthorizeRoutes } from "./Authorize.ts"
import { DiscoveryRoutes } from "./Discovery.ts"
import { FederationRoutes } from "./Federation.ts"
import { ForgotRoutes } from "./Forgot.ts"
import { LetterRoutes } from "./Letters.ts"
import { LinkRoutes } from "./Links.ts"
import { SecondFactorRoutes } from "./SecondFactor.ts"
import { TokenRoutes } from "./Token.ts"

/** Everything that a tenant's authorization server answers, for every host below `AUTH_URL`. */
export const Routes = Layer.mergeAll(
  AuthorizeRoutes,
  DiscoveryRoutes,
  FederationRoutes,
  ForgotRoutes,
  LetterRoutes,
  LinkRoutes,
  SecondFactorRoutes,
  TokenRoutes
).pipe(Layer.provide(TenantDirectory.layer))
