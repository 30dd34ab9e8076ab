import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Branches } from "@quittance/operations/branches/Branches"
import { Sales } from "@quittance/operations/lifecycle/PolicySale"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const BranchesHandlers = HttpApiBuilder.group(
  PublicApi,
  "branches",
  Effect.fn(function* (handlers) {
    const branches = yield* Branches
    const sales = yield* Sales

    return handlers.handleAll({
      listByPolicy: ({ params, query }) =>
        branches.listByPolicy({ ...params, ...query }, pageRequest(query)),
      open: ({ params, payload, query }) => branches.open({ ...params, ...query }, payload),
      get: ({ params, query }) => branches.get({ ...params, ...query }),
      diff: ({ params, query }) => branches.diff({ ...params, ...query }),
      fork: ({ params, payload }) => branches.fork(params.branchId, payload),
      invalidate: ({ params, payload }) => branches.invalidate(params.branchId, payload),
      rebase: ({ params, payload }) => branches.rebase(params.branchId, payload),
      accept: ({ params }) =>
        Effect.flatMap(branches.locate(params.branchId), (at) => sales.accept(at)),
      merge: ({ params }) =>
        Effect.flatMap(branches.locate(params.branchId), (at) => sales.merge(at))
    })
  })
).pipe(Layer.provide([Branches.layer, Sales.layer]))
