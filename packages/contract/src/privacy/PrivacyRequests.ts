import { DataExport } from "@quittance/domain/privacy/DataExport"
import {
  PrivacyRequest,
  PrivacyRequestId,
  PrivacyRequestPage
} from "@quittance/domain/privacy/PrivacyRequest"
import {
  CompletePrivacyRequest,
  CreatePrivacyRequest,
  ExtendPrivacyRequest,
  IdentifyPerson,
  RefusePrivacyRequest
} from "@quittance/domain/privacy/PrivacyRequests"
import { ProcessingRegister } from "@quittance/domain/privacy/ProcessingRegister"
import { RetentionClocks } from "@quittance/domain/privacy/Retention"
import { CustomerId } from "@quittance/domain/values/Ids"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample } from "../access/Access.ts"
import { customerErrors } from "../customers/CustomerErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { exampleId } from "../requests/Examples.ts"
import { NoMembers, pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { privacyErrors } from "./PrivacyErrors.ts"
import { privacyParameters, privacyTerms } from "./PrivacyTerms.ts"

const onRequest = { params: { privacyRequestId: PrivacyRequestId } }
const written = { query: triedQuery, headers: writeHeaders, success: PrivacyRequest }
const repeated = [requestErrors.IdempotencyKeyInUse, requestErrors.IdempotencyKeyReused] as const
const changeErrors = [
  privacyErrors.PrivacyRequestNotFound,
  requestErrors.InvalidTransition,
  ...repeated
] as const

export class PrivacyRequests extends bearer(
  HttpApiGroup.make("privacyRequests")
    .add(
      HttpApiEndpoint.post("create", "/privacy/requests", {
        ...written,
        payload: CreatePrivacyRequest,
        success: PrivacyRequest.pipe(HttpApiSchema.status(201)),
        error: [customerErrors.CustomerNotFound, requestErrors.InvalidReference, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("privacy.write", "TENANT"))
        .annotate(RequestExample, { kind: "ACCESS", customerIds: [exampleId("customer")] })
        .annotate(OpenApi.Summary, "Record what a person asks about their data"),
      HttpApiEndpoint.get("list", "/privacy/requests", {
        query: pageQuery,
        success: PrivacyRequestPage
      })
        .annotateMerge(needs("privacy.read", "TENANT"))
        .annotate(OpenApi.Summary, "List the privacy requests of the tenant, the newest first"),
      HttpApiEndpoint.get("get", "/privacy/requests/:privacyRequestId", {
        ...onRequest,
        success: PrivacyRequest,
        error: privacyErrors.PrivacyRequestNotFound
      })
        .annotateMerge(needs("privacy.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read a privacy request"),
      HttpApiEndpoint.post("identify", "/privacy/requests/:privacyRequestId/identify", {
        ...onRequest,
        ...written,
        payload: IdentifyPerson,
        error: changeErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(access({ scope: "platform/customers", callers: ["User"] }))
        .annotateMerge(needs("privacy.write", "TENANT"))
        .annotate(RequestExample, { how: "Signed in with a second factor" })
        .annotate(OpenApi.Summary, "Say how a person has proven who they are")
        .annotate(OpenApi.Description, "People alone vouch for it; a program can't."),
      HttpApiEndpoint.post("extend", "/privacy/requests/:privacyRequestId/extend", {
        ...onRequest,
        ...written,
        payload: ExtendPrivacyRequest,
        error: changeErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("privacy.write", "TENANT"))
        .annotate(RequestExample, { reason: "Contracts of thirty years, on paper" })
        .annotate(OpenApi.Summary, "Take two more months for an answer")
        .annotate(
          OpenApi.Description,
          "Once, and before the time for an answer ends (GDPR art. 12(3)). Tell the person the reason."
        ),
      HttpApiEndpoint.post("start", "/privacy/requests/:privacyRequestId/start", {
        ...onRequest,
        ...written,
        payload: NoMembers,
        error: [...changeErrors, privacyErrors.IdentityNotProven]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("privacy.write", "TENANT"))
        .annotate(OpenApi.Summary, "Begin to answer a privacy request"),
      HttpApiEndpoint.post("complete", "/privacy/requests/:privacyRequestId/complete", {
        ...onRequest,
        ...written,
        payload: CompletePrivacyRequest,
        error: changeErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("privacy.write", "TENANT"))
        .annotate(RequestExample, { outcome: "DONE", decision: "Sent by registered letter" })
        .annotate(OpenApi.Summary, "Say how a privacy request was answered"),
      HttpApiEndpoint.post("refuse", "/privacy/requests/:privacyRequestId/refuse", {
        ...onRequest,
        ...written,
        payload: RefusePrivacyRequest,
        error: changeErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("privacy.write", "TENANT"))
        .annotate(RequestExample, { ground: "GDPR art. 12(5): the same was answered last week" })
        .annotate(OpenApi.Summary, "Refuse a privacy request with its ground"),
      HttpApiEndpoint.post("withdraw", "/privacy/requests/:privacyRequestId/withdraw", {
        ...onRequest,
        ...written,
        payload: NoMembers,
        error: changeErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("privacy.write", "TENANT"))
        .annotate(OpenApi.Summary, "Say that the person asks no longer"),
      HttpApiEndpoint.get("data", "/privacy/requests/:privacyRequestId/data", {
        ...onRequest,
        success: DataExport,
        error: [
          privacyErrors.IdentityNotProven,
          privacyErrors.PrivacyRequestNotFound,
          requestErrors.InvalidTransition
        ]
      })
        .annotateMerge(access({ scope: "platform/customers", callers: ["User"] }))
        .annotateMerge(needs("privacy.write", "TENANT"))
        .annotate(OpenApi.Summary, "Read all data of the person, which is put on record")
        .annotate(
          OpenApi.Description,
          "For people alone, for access and portability, once the request has begun. Rows of policies with other persons on them are left out and counted."
        ),
      HttpApiEndpoint.get("clocksOf", "/privacy/customers/:customerId/clocks", {
        params: { customerId: CustomerId },
        success: RetentionClocks,
        error: customerErrors.CustomerNotFound
      })
        .annotateMerge(access({ scope: "platform/customers", callers: ["User"] }))
        .annotateMerge(needs("privacy.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read how long the data of a customer are kept, and why"),
      HttpApiEndpoint.get("register", "/privacy/register", { success: ProcessingRegister })
        .annotateMerge(needs("privacy.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read which data about persons are kept where (GDPR art. 30)")
    )
    .annotateMerge(access({ scope: "platform/customers", callers: ["Client", "User"] }))
    .annotateMerge(
      reference({ errors: privacyErrors, terms: privacyTerms, parameters: privacyParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Privacy",
        description: "What persons ask about their data, and how long it is kept."
      })
    )
) {}
