import { debitFilter, PostponeDebit } from "@quittance/domain/collections/CollectionRequests"
import { Debit, DebitId } from "@quittance/domain/collections/Debit"
import { Page } from "@quittance/domain/values/Page"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample } from "../access/Access.ts"
import { mandateErrors } from "../payments/MandateErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { NoMembers, pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { collectionErrors } from "./CollectionErrors.ts"
import { collectionParameters, collectionTerms } from "./CollectionTerms.ts"

export const DebitPage = Page(Debit).annotate({ identifier: "DebitPage" })

const onDebit = {
  params: { debitId: DebitId },
  query: triedQuery,
  headers: writeHeaders,
  success: Debit
}
const stepErrors = [
  collectionErrors.DebitNotFound,
  requestErrors.InvalidTransition,
  requestErrors.IdempotencyKeyInUse,
  requestErrors.IdempotencyKeyReused
] as const

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
        .annotate(OpenApi.Summary, "Read a debit"),
      HttpApiEndpoint.post("notify", "/debits/:debitId/notification", {
        ...onDebit,
        payload: NoMembers,
        error: stepErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("collection.write", "RECORD"))
        .annotate(OpenApi.Summary, "Record that the payer was told of a debit today")
        .annotate(
          OpenApi.Description,
          "Amount, day, mandate and creditor identifier were told by hand. No invoice joins the debit any more, and it is collected the days of the notification later at the earliest."
        ),
      HttpApiEndpoint.post("postpone", "/debits/:debitId/postpone", {
        ...onDebit,
        payload: PostponeDebit,
        error: [requestErrors.InvalidReference, ...stepErrors]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("collection.write", "RECORD"))
        .annotate(RequestExample, { collectOn: "2026-06-05" })
        .annotate(OpenApi.Summary, "Collect a debit on a later day"),
      HttpApiEndpoint.post("cancel", "/debits/:debitId/cancel", {
        ...onDebit,
        payload: NoMembers,
        error: stepErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("collection.write", "RECORD"))
        .annotate(OpenApi.Summary, "Cancel a debit that no file has")
        .annotate(OpenApi.Description, "Its invoices are to be transferred."),
      HttpApiEndpoint.post("retry", "/debits/:debitId/retry", {
        ...onDebit,
        payload: NoMembers,
        success: Debit.pipe(HttpApiSchema.status(201)),
        error: [...stepErrors, collectionErrors.DebitNotRetriable, mandateErrors.MandateNotUsable]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("collection.write", "RECORD"))
        .annotate(OpenApi.Summary, "Collect the money of a failed debit once more")
        .annotate(
          OpenApi.Description,
          "The answer is a new debit of what its invoices still ask for. Its payer is told anew. After `MD01`, `MD07` and `AC04` the answer is 409."
        )
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
