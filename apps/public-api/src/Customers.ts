import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { CustomerPolicies } from "@quittance/operations/customers/CustomerPolicies"
import { Customers } from "@quittance/operations/customers/Customers"
import { CustomerLists } from "@quittance/operations/customers/CustomerList"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const CustomersHandlers = HttpApiBuilder.group(
  PublicApi,
  "customers",
  Effect.fn(function* (handlers) {
    const customers = yield* Customers
    const policies = yield* CustomerPolicies
    const listings = yield* CustomerLists

    return handlers.handleAll({
      addToPolicy: ({ params, payload, query }) =>
        customers.addToPolicy({ ...params, ...query }, payload),
      putOnPolicy: ({ params, payload, query }) => policies.put({ ...params, ...query }, payload),
      takeOffPolicy: ({ params, query }) => policies.takeOff({ ...params, ...query }),
      list: ({ query }) => listings.customers(query, pageRequest(query)),
      get: ({ params, query }) => customers.get({ ...params, ...query }),
      update: ({ params, payload, query }) => customers.update({ ...params, ...query }, payload),
      confirm: ({ params, query }) => customers.confirm({ ...params, ...query })
    })
  })
).pipe(Layer.provide([CustomerPolicies.layer, Customers.layer, CustomerLists.layer]))
