import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { AssetImports } from "@quittance/operations/assets/AssetImports"
import { Assets } from "@quittance/operations/assets/Assets"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const AssetsHandlers = HttpApiBuilder.group(
  PublicApi,
  "assets",
  Effect.fn(function* (handlers) {
    const assets = yield* Assets
    const imports = yield* AssetImports

    return handlers.handleAll({
      addToPolicy: ({ params, payload, query }) =>
        assets.addToPolicy({ ...params, ...query }, payload),
      importCsv: ({ params, payload, query }) => imports.add({ ...params, ...query }, payload),
      listByPolicy: ({ params, query }) =>
        assets.listByPolicy({ ...params, ...query }, pageRequest(query)),
      get: ({ params, query }) => assets.get({ ...params, ...query }),
      update: ({ params, payload, query }) => assets.update({ ...params, ...query }, payload),
      remove: ({ params, query }) => assets.remove({ ...params, ...query }),
      stop: ({ params, query }) => assets.stop({ ...params, ...query })
    })
  })
).pipe(Layer.provide([AssetImports.layer, Assets.layer]))
