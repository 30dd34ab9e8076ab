import { Currency } from "@quittance/domain/Amount"
import { ProductConfig } from "@quittance/domain/ProductConfig"
import { Environment, TenantId } from "@quittance/domain/Tenant"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "./Access.ts"
import { ApiError } from "./ApiError.ts"

/** What a front end needs to know of a tenant before it signs anybody in. */
export const TenantConfig = Schema.Struct({
  tenant: TenantId,
  name: Schema.String,
  environment: Environment,
  locale: Schema.String,
  currency: Currency,
  timeZone: Schema.String,
  products: Schema.Array(
    Schema.Struct({ productId: Schema.String, name: Schema.String, version: Schema.String })
  )
}).annotate({ identifier: "TenantConfig" })
export type TenantConfig = typeof TenantConfig.Type

export class Configuration extends HttpApiGroup.make("configuration")
  .add(
    HttpApiEndpoint.get("tenant", "/config", {
      success: TenantConfig,
      error: ApiError.TenantNotFound
    }).annotate(OpenApi.Summary, "Read the tenant's configuration"),
    HttpApiEndpoint.get("product", "/config/:productId", {
      params: { productId: Schema.String },
      success: ProductConfig,
      error: [ApiError.TenantNotFound, ApiError.ProductNotFound]
    }).annotate(OpenApi.Summary, "Read a product's configuration")
  )
  .annotateMerge(access({ scope: "NONE", callers: [] }))
  .annotateMerge(
    OpenApi.annotations({
      title: "Configuration",
      description: "Public: enough to render a product's forms and to sell it."
    })
  ) {}
