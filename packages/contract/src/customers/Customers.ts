import {
  AddCustomer,
  ListCustomers,
  PatchCustomer,
  PutOnPolicy
} from "@quittance/domain/customers/CustomerRequests"
import { Customer, CustomerPage } from "@quittance/domain/customers/Customer"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, everyone, idempotent, needs, people, RequestExample } from "../access/Access.ts"
import { customerErrors } from "./CustomerErrors.ts"
import { productErrors } from "../products/ProductErrors.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import {
  commandQuery,
  NoMembers,
  policyHeaders,
  pageQuery,
  readQuery
} from "../requests/Parameters.ts"
import { commandErrors, dataErrors, viewErrors } from "../policies/CommandErrors.ts"
import { bearer } from "../requests/Bearer.ts"
import { CustomerId, PolicyId } from "@quittance/domain/values/Ids"
import { exampleDriver } from "../requests/Examples.ts"
import { reference } from "../requests/AreaReference.ts"
import { customerParameters, customerTerms } from "./CustomerTerms.ts"

export const AddedCustomer = Schema.Struct({ customerId: CustomerId }).annotate({
  identifier: "AddedCustomer"
})

/** On which of its policies a customer is meant; the earliest that one may see, unless it is named. */
const contextQuery = { policyId: Schema.optionalKey(PolicyId) }
const onCustomer = {
  params: { customerId: CustomerId },
  query: { ...commandQuery, ...contextQuery },
  headers: policyHeaders
}

/** The query of `GET /customers`: a view is one of a policy, and the search is of what is so at present. */
const CustomersQuery = Schema.Struct({
  ...pageQuery,
  ...ListCustomers.fields,
  ...readQuery
}).check(
  Schema.makeFilter(({ branchId, knownAt, policyId, queryString, whenAt }) => {
    if ((branchId ?? knownAt ?? whenAt) === undefined) return undefined
    if (policyId === undefined) {
      return { path: ["policyId"], issue: "Expected the policy that the view is of" }
    }
    return queryString === undefined
      ? undefined
      : { path: ["queryString"], issue: "Expected no search in a view: it finds what is so now" }
  })
)

const onPolicy = {
  params: { customerId: CustomerId, policyId: PolicyId },
  query: commandQuery,
  headers: policyHeaders,
  success: HttpApiSchema.NoContent
}
const changeErrors = [
  ...commandErrors,
  ...dataErrors,
  customerErrors.CustomerNotFound,
  requestErrors.InvalidReference,
  productErrors.InvalidRole
] as const

export class Customers extends bearer(
  HttpApiGroup.make("customers")
    .add(
      HttpApiEndpoint.post("addToPolicy", "/customers/policies/:policyId", {
        params: { policyId: PolicyId },
        query: commandQuery,
        headers: policyHeaders,
        payload: AddCustomer,
        success: AddedCustomer.pipe(HttpApiSchema.status(201)),
        error: [...commandErrors, ...dataErrors, productErrors.InvalidRole]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("customer.write", "RECORD"))
        .annotate(RequestExample, {
          role: "POLICYHOLDER",
          name: "Camille Martin",
          email: "camille.martin@example.org",
          customFields: exampleDriver
        })
        .annotate(OpenApi.Summary, "Create a customer on a policy"),
      HttpApiEndpoint.post("putOnPolicy", "/customers/:customerId/policies/:policyId", {
        ...onPolicy,
        payload: PutOnPolicy,
        error: [
          ...commandErrors,
          ...dataErrors,
          customerErrors.CustomerAlreadyOnPolicy,
          customerErrors.CustomerNotFound,
          productErrors.InvalidRole
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("customer.write", "RECORD"))
        .annotate(RequestExample, { role: "DRIVER", customFields: exampleDriver })
        .annotate(OpenApi.Summary, "Put an existing customer on another policy")
        .annotate(
          OpenApi.Description,
          "Needs `customer.read` on a policy that the customer is on, and writes on the one it is put on."
        ),
      HttpApiEndpoint.delete("takeOffPolicy", "/customers/:customerId/policies/:policyId", {
        ...onPolicy,
        error: [
          ...commandErrors,
          ...dataErrors,
          customerErrors.CustomerNeeded,
          customerErrors.CustomerNotFound
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("customer.write", "RECORD"))
        .annotate(OpenApi.Summary, "Take a customer off a policy"),
      HttpApiEndpoint.get("list", "/customers", {
        query: CustomersQuery,
        success: CustomerPage,
        error: viewErrors
      })
        .annotateMerge(access({ scope: "platform/customers", callers: everyone }))
        .annotateMerge(needs("customer.read", "ANYWHERE"))
        .annotate(OpenApi.Summary, "List the customers that one may see, the newest first")
        .annotate(
          OpenApi.Description,
          "`branchId`, `whenAt` and `knownAt` choose a view of the policy that `policyId` names; a view is not searched (`queryString`)."
        ),
      HttpApiEndpoint.get("get", "/customers/:customerId", {
        params: onCustomer.params,
        query: { ...contextQuery, ...readQuery },
        success: Customer,
        error: [...viewErrors, customerErrors.CustomerNotFound, requestErrors.InvalidReference]
      })
        .annotateMerge(needs("customer.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read a customer")
        .annotate(
          OpenApi.Description,
          "One who has been added on a branch has a role with `branchId` until the branch is merged."
        ),
      HttpApiEndpoint.patch("update", "/customers/:customerId", {
        ...onCustomer,
        payload: PatchCustomer,
        success: Customer,
        error: [...changeErrors, customerErrors.InvalidPaymentMethod]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("customer.write", "RECORD"))
        .annotate(RequestExample, { paymentMode: "BANK_TRANSFER", customFields: exampleDriver })
        .annotate(OpenApi.Summary, "Change a customer"),
      HttpApiEndpoint.post("confirm", "/customers/:customerId/confirm", {
        ...onCustomer,
        payload: NoMembers,
        success: Customer,
        error: changeErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("customer.write", "RECORD"))
        .annotate(OpenApi.Summary, "Confirm a customer")
    )
    .annotateMerge(access({ scope: "platform/customers", callers: people }))
    .annotateMerge(
      reference({ errors: customerErrors, terms: customerTerms, parameters: customerParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Customers",
        description: "People and companies on policies: policyholders, insured, payers."
      })
    )
) {}
