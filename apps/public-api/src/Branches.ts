import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Branches } from "@quittance/operations/branches/Branches"
import { Sales } from "@quittance/operations/lifecycle/PolicySale"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const BranchesHandlers = HttpApiBuilder.group(
  PublicApi,
  "branches",
  Effect.fn(function* (handlers) {
    const branches = yield* Branches
    const sales = yield* Sales

    return handlers.handleAll({
      listByPolicy: ({ params, query }) =>
        asRequest({}, branches.listByPolicy({ ...params, ...query }, pageRequest(query))),
      open: (request) =>
        asRequest(request, branches.open({ ...request.params, ...request.query }, request.payload)),
      get: ({ params, query }) => asRequest({}, branches.get({ ...params, ...query })),
      diff: ({ params, query }) => asRequest({}, branches.diff({ ...params, ...query })),
      fork: (request) =>
        asRequest(request, branches.fork(request.params.branchId, request.payload.name)),
      invalidate: (request) =>
        asRequest(request, branches.invalidate(request.params.branchId, request.payload.reason)),
      rebase: (request) =>
        asRequest(request, branches.rebase(request.params.branchId, request.payload.resolutions)),
      accept: (request) =>
        asRequest(
          request,
          Effect.flatMap(branches.locate(request.params.branchId), (at) => sales.accept(at))
        ),
      merge: (request) =>
        asRequest(
          request,
          Effect.flatMap(branches.locate(request.params.branchId), (at) => sales.merge(at))
        )
    })
  })
).pipe(Layer.provide([Branches.layer, Sales.layer]))
