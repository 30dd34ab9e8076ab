import { debitFilter } from "@quittance/domain/collections/CollectionRequests"
import { Debit, DebitId } from "@quittance/domain/collections/Debit"
import { Page } from "@quittance/domain/values/Page"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, needs } from "../access/Access.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { pageQuery } from "../requests/Parameters.ts"
import { collectionErrors } from "./CollectionErrors.ts"
import { collectionParameters, collectionTerms } from "./CollectionTerms.ts"

export const DebitPage = Page(Debit).annotate({ identifier: "DebitPage" })

export class Debits extends bearer(
  HttpApiGroup.make("debits")
    .add(
      HttpApiEndpoint.get("list", "/debits", {
        query: { ...pageQuery, ...debitFilter },
        success: DebitPage
      })
        .annotateMerge(needs("collection.read", "ANYWHERE"))
        .annotate(OpenApi.Summary, "List debits by the day of their collection, the latest first"),
      HttpApiEndpoint.get("get", "/debits/:debitId", {
        params: { debitId: DebitId },
        success: Debit,
        error: collectionErrors.DebitNotFound
      })
        .annotateMerge(needs("collection.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read a debit")
    )
    .annotateMerge(access({ scope: "platform/payments", callers: ["User", "Client"] }))
    .annotateMerge(
      reference({
        errors: collectionErrors,
        terms: collectionTerms,
        parameters: collectionParameters
      })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Debits",
        description: "What is collected from customers' accounts, and on which days."
      })
    )
) {}
