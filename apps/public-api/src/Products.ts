import * as NodeServices from "@effect/platform-node/NodeServices"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { productDocumentsLayer } from "@quittance/operations/documents/ExampleDocuments"
import { ProductVersions } from "@quittance/operations/products/ProductVersions"
import * as Renderer from "@quittance/renderer/Renderer"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const ProductsHandlers = HttpApiBuilder.group(
  PublicApi,
  "products",
  Effect.fn(function* (handlers) {
    const versions = yield* ProductVersions

    return handlers.handleAll({
      publish: ({ params, payload }) => versions.publish(params.productId, payload),
      document: ({ params, query }) => versions.definition(params.productId, query.version),
      versions: ({ params, query }) => versions.list(params.productId, pageRequest(query))
    })
  })
).pipe(
  Layer.provide(ProductVersions.layer),
  Layer.provide(productDocumentsLayer),
  Layer.provide(Renderer.layer),
  Layer.provide(NodeServices.layer)
)
