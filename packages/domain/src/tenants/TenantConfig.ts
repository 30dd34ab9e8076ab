import { Schema } from "effect"
import { Environment, TenantId } from "../requests/Tenancy.ts"

/** What `GET /config` answers: the tenant, and the products it sells. */
export const TenantConfig = Schema.Struct({
  tenant: TenantId,
  name: Schema.String,
  environment: Environment,
  locale: Schema.String,
  currency: Schema.String,
  timeZone: Schema.String,
  products: Schema.Array(
    Schema.Struct({ productId: Schema.String, name: Schema.String, version: Schema.String })
  )
}).annotate({ identifier: "TenantConfig" })
export type TenantConfig = typeof TenantConfig.Type
