import { paymentFileFilter } from "@quittance/domain/collections/CollectionRequests"
import { PaymentFile, PaymentFileId } from "@quittance/domain/collections/PaymentFile"
import { Page } from "@quittance/domain/values/Page"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs } from "../access/Access.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { NoMembers, pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { collectionErrors } from "./CollectionErrors.ts"
import { DebitPage } from "./Debits.ts"
import { fileTerms, fileParameters } from "./PaymentFileTerms.ts"

export const PaymentFilePage = Page(PaymentFile).annotate({ identifier: "PaymentFilePage" })

const onFile = { params: { paymentFileId: PaymentFileId } }
const step = {
  ...onFile,
  query: triedQuery,
  headers: writeHeaders,
  payload: NoMembers,
  success: PaymentFile,
  error: [
    collectionErrors.PaymentFileNotFound,
    requestErrors.InvalidTransition,
    requestErrors.IdempotencyKeyInUse,
    requestErrors.IdempotencyKeyReused
  ]
} as const

export class PaymentFiles extends bearer(
  HttpApiGroup.make("paymentFiles")
    .add(
      HttpApiEndpoint.get("list", "/payment-files", {
        query: { ...pageQuery, ...paymentFileFilter },
        success: PaymentFilePage
      })
        .annotateMerge(needs("collection.read", "TENANT"))
        .annotate(
          OpenApi.Summary,
          "List files of debits by the day that banks get them, the latest first"
        ),
      HttpApiEndpoint.get("get", "/payment-files/:paymentFileId", {
        ...onFile,
        success: PaymentFile,
        error: collectionErrors.PaymentFileNotFound
      })
        .annotateMerge(needs("collection.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read a file of debits"),
      HttpApiEndpoint.get("items", "/payment-files/:paymentFileId/items", {
        ...onFile,
        query: pageQuery,
        success: DebitPage,
        error: collectionErrors.PaymentFileNotFound
      })
        .annotateMerge(needs("collection.read", "TENANT"))
        .annotate(OpenApi.Summary, "List the debits of a file"),
      HttpApiEndpoint.get("content", "/payment-files/:paymentFileId/content", {
        ...onFile,
        success: Schema.Uint8Array.pipe(
          HttpApiSchema.asUint8Array({ contentType: "application/xml" })
        ),
        error: [collectionErrors.PaymentFileNotFound, requestErrors.InvalidTransition]
      })
        .annotateMerge(needs("collection.export", "TENANT"))
        .annotate(OpenApi.Summary, "Fetch a file of debits for the bank")
        .annotate(
          OpenApi.Description,
          "Its bytes are made once, and are the same ever after. It names accounts: who fetches it is on record."
        ),
      HttpApiEndpoint.post("markDelivered", "/payment-files/:paymentFileId/mark-delivered", step)
        .annotateMerge(idempotent)
        .annotateMerge(needs("collection.write", "TENANT"))
        .annotate(OpenApi.Summary, "Record that the bank has a file")
        .annotate(OpenApi.Description, "Its debits settle when their day begins."),
      HttpApiEndpoint.post("cancel", "/payment-files/:paymentFileId/cancel", step)
        .annotateMerge(idempotent)
        .annotateMerge(needs("collection.write", "TENANT"))
        .annotate(OpenApi.Summary, "Cancel a file that the bank does not have")
        .annotate(
          OpenApi.Description,
          "Its debits are planned anew, for days that are still possible."
        )
    )
    .annotateMerge(access({ scope: "platform/payments", callers: ["User", "Client"] }))
    .annotateMerge(
      reference({ errors: collectionErrors, terms: fileTerms, parameters: fileParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Payment files",
        description: "Files of debits that banks are given, each made once."
      })
    )
) {}
