import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { AssetImports } from "@quittance/operations/assets/AssetImports"
import { Assets } from "@quittance/operations/assets/Assets"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const AssetsHandlers = HttpApiBuilder.group(
  PublicApi,
  "assets",
  Effect.fn(function* (handlers) {
    const assets = yield* Assets
    const imports = yield* AssetImports

    return handlers.handleAll({
      addToPolicy: (request) =>
        asRequest(
          request,
          assets.addToPolicy({ ...request.params, ...request.query }, request.payload)
        ),
      importCsv: (request) =>
        asRequest(request, imports.add({ ...request.params, ...request.query }, request.payload)),
      listByPolicy: ({ params, query }) =>
        asRequest({}, assets.listByPolicy({ ...params, ...query }, pageRequest(query))),
      get: ({ params, query }) => asRequest({}, assets.get({ ...params, ...query })),
      update: (request) =>
        asRequest(request, assets.update({ ...request.params, ...request.query }, request.payload)),
      remove: (request) =>
        asRequest(request, assets.remove({ ...request.params, ...request.query })),
      stop: (request) => asRequest(request, assets.stop({ ...request.params, ...request.query }))
    })
  })
).pipe(Layer.provide([AssetImports.layer, Assets.layer]))
