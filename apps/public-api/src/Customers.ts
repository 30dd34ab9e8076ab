import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { CustomerPolicies } from "@quittance/operations/customers/CustomerPolicies"
import { Customers } from "@quittance/operations/customers/Customers"
import { CustomerLists } from "@quittance/operations/customers/CustomerList"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const CustomersHandlers = HttpApiBuilder.group(
  PublicApi,
  "customers",
  Effect.fn(function* (handlers) {
    const customers = yield* Customers
    const policies = yield* CustomerPolicies
    const listings = yield* CustomerLists

    return handlers.handleAll({
      addToPolicy: (request) =>
        asRequest(
          request,
          customers.addToPolicy({ ...request.params, ...request.query }, request.payload)
        ),
      putOnPolicy: (request) =>
        asRequest(request, policies.put({ ...request.params, ...request.query }, request.payload)),
      takeOffPolicy: (request) =>
        asRequest(request, policies.takeOff({ ...request.params, ...request.query })),
      list: ({ query }) => asRequest({}, listings.customers(query, pageRequest(query))),
      get: ({ params, query }) => asRequest({}, customers.get({ ...params, ...query })),
      update: (request) =>
        asRequest(
          request,
          customers.update({ ...request.params, ...request.query }, request.payload)
        ),
      confirm: (request) =>
        asRequest(request, customers.confirm({ ...request.params, ...request.query }))
    })
  })
).pipe(Layer.provide([CustomerPolicies.layer, Customers.layer, CustomerLists.layer]))
