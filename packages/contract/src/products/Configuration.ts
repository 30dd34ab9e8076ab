import { ProductConfig } from "@quittance/domain/products/ProductConfig"
import { TenantConfig } from "@quittance/domain/tenants/TenantConfig"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access } from "../access/Access.ts"
import { productErrors } from "./ProductErrors.ts"
import { tenantErrors } from "../tenants/TenantErrors.ts"

export class Configuration extends HttpApiGroup.make("configuration")
  .add(
    HttpApiEndpoint.get("tenant", "/config", {
      success: TenantConfig,
      error: tenantErrors.TenantNotFound
    }).annotate(OpenApi.Summary, "Read the tenant's configuration"),
    HttpApiEndpoint.get("product", "/config/:productId", {
      params: { productId: Schema.String },
      success: ProductConfig,
      error: [tenantErrors.TenantNotFound, productErrors.ProductNotFound]
    }).annotate(OpenApi.Summary, "Read a product's configuration")
  )
  .annotateMerge(access({ scope: "NONE", callers: [] }))
  .annotateMerge(
    OpenApi.annotations({
      title: "Configuration",
      description: "Public: enough to render a product's forms and to sell it."
    })
  ) {}
