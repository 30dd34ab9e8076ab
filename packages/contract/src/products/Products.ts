import { ProductDocument } from "@quittance/domain/products/ProductSchema"
import { Instant } from "@quittance/domain/values/Instant"
import { Page } from "@quittance/domain/values/Page"
import { ProductId, ProductVersion } from "@quittance/domain/products/Product"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample } from "../access/Access.ts"
import { productErrors } from "./ProductErrors.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { pageQuery, writeHeaders, writeQuery } from "../requests/Parameters.ts"
import { bearer } from "../requests/Bearer.ts"
import { reference } from "../requests/AreaReference.ts"
import { productParameters, productTerms } from "./ProductTerms.ts"

/** A version of a product; versions never change. */
export const PublishedVersion = Schema.Struct({
  productId: ProductId,
  version: ProductVersion,
  publishedAt: Instant
}).annotate({ identifier: "PublishedVersion" })

export const VersionPage = Page(PublishedVersion).annotate({ identifier: "VersionPage" })

const onProduct = { params: { productId: ProductId } }

export class Products extends bearer(
  HttpApiGroup.make("products")
    .add(
      HttpApiEndpoint.put("publish", "/admin/products/:productId", {
        ...onProduct,
        query: { dryRun: Schema.optionalKey(Schema.Boolean), ...writeQuery },
        headers: writeHeaders,
        payload: ProductDocument,
        success: PublishedVersion.pipe(HttpApiSchema.status(201)),
        error: [
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused,
          productErrors.InvalidProduct
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("product.write", "TENANT"))
        // Its beginning: a whole document is longer than the rest of this page.
        .annotate(RequestExample, {
          productId: "motor-fr",
          version: "2026.2",
          name: "Assurance automobile",
          type: "INDIVIDUAL",
          country: "FR",
          currency: "EUR",
          timeZone: "Europe/Paris",
          locale: "fr-FR",
          validFrom: "2026-07-01"
        })
        .annotate(OpenApi.Summary, "Publish a version of a product")
        .annotate(
          OpenApi.Description,
          "What is quoted from now on is quoted with it; policies keep the version that they were quoted with. The same document again changes nothing. A dry run only checks it."
        ),
      HttpApiEndpoint.get("document", "/admin/products/:productId", {
        ...onProduct,
        query: { version: Schema.optionalKey(ProductVersion) },
        success: ProductDocument,
        error: productErrors.ProductNotFound
      })
        .annotateMerge(needs("product.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read the whole document of a product")
        .annotate(OpenApi.Description, "Of the version that is sold now, unless another is named."),
      HttpApiEndpoint.get("versions", "/admin/products/:productId/versions", {
        ...onProduct,
        query: pageQuery,
        success: VersionPage,
        error: productErrors.ProductNotFound
      })
        .annotateMerge(needs("product.read", "TENANT"))
        .annotate(OpenApi.Summary, "List the versions of a product, the newest first")
    )
    .annotateMerge(access({ scope: "platform/admin", callers: ["Client", "User"] }))
    .annotateMerge(
      reference({ errors: productErrors, terms: productTerms, parameters: productParameters })
    )
    .annotateMerge(OpenApi.annotations({ title: "Products", description: "Products, as data." }))
) {}
