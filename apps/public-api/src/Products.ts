import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { ProductVersions } from "@quittance/operations/products/ProductVersions"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const ProductsHandlers = HttpApiBuilder.group(
  PublicApi,
  "products",
  Effect.fn(function* (handlers) {
    const versions = yield* ProductVersions

    return handlers.handleAll({
      publish: (request) =>
        asRequest(request, versions.publish(request.params.productId, request.payload)),
      document: ({ params, query }) => versions.definition(params.productId, query.version),
      versions: ({ params, query }) => versions.list(params.productId, pageRequest(query))
    })
  })
).pipe(Layer.provide(ProductVersions.layer))
