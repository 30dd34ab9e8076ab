import { CreateFirm, ListFirms, PatchFirm } from "@quittance/domain/access/FirmRequests"
import { Firm } from "@quittance/domain/access/Firm"
import { Page } from "@quittance/domain/values/Page"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample } from "./Access.ts"
import { accessErrors } from "./AccessErrors.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { bearer } from "../requests/Bearer.ts"
import { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { exampleId } from "../requests/Examples.ts"

export const FirmPage = Page(Firm).annotate({ identifier: "FirmPage" })

const onFirm = { params: { brokerageFirmId: BrokerageFirmId } }
/** Routes on one firm need a user: a client alone cannot call them. */
const forUsers = access({ scope: "platform/broker", callers: ["User"] })
const writeErrors = [
  accessErrors.FirmTreeTooDeep,
  requestErrors.IdempotencyKeyInUse,
  requestErrors.IdempotencyKeyReused,
  requestErrors.InvalidReference
] as const

export class Firms extends bearer(
  HttpApiGroup.make("firms")
    .add(
      HttpApiEndpoint.post("create", "/brokerage-firms", {
        query: triedQuery,
        headers: writeHeaders,
        payload: CreateFirm,
        success: Firm.pipe(HttpApiSchema.status(201)),
        error: writeErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("firm.write", "TENANT"))
        .annotate(RequestExample, {
          name: "Lambert Courtage",
          firmType: "RETAIL",
          parentBrokerageFirmId: exampleId("brokerage_firm"),
          customFields: [{ key: "orias", value: "07000001" }]
        })
        .annotate(OpenApi.Summary, "Add a brokerage firm")
        .annotate(
          OpenApi.Description,
          "Under a parent, the permission on the parent is enough. A grant on a firm also covers the firms below it."
        ),
      HttpApiEndpoint.get("list", "/brokerage-firms", {
        query: { ...pageQuery, ...ListFirms.fields },
        success: FirmPage
      })
        .annotateMerge(needs("firm.read", "ANYWHERE"))
        .annotate(OpenApi.Summary, "List the brokerage firms that one may see, the oldest first"),
      HttpApiEndpoint.get("get", "/brokerage-firms/:brokerageFirmId", {
        ...onFirm,
        success: Firm,
        error: [accessErrors.BrokerageFirmNotFound, requestErrors.UserNotFound]
      })
        .annotateMerge(forUsers)
        .annotateMerge(needs("firm.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read a brokerage firm"),
      HttpApiEndpoint.patch("update", "/brokerage-firms/:brokerageFirmId", {
        ...onFirm,
        query: triedQuery,
        headers: writeHeaders,
        payload: PatchFirm,
        success: Firm,
        error: [
          accessErrors.AuthorityExceeded,
          accessErrors.BrokerageFirmNotFound,
          requestErrors.UserNotFound,
          ...writeErrors
        ]
      })
        .annotateMerge(forUsers)
        .annotateMerge(idempotent)
        .annotateMerge(needs("firm.write", "RECORD"))
        .annotate(RequestExample, {
          name: "Lambert & Fils",
          parentBrokerageFirmId: null,
          customFields: [{ key: "orias", value: null }]
        })
        .annotate(OpenApi.Summary, "Change a brokerage firm, or move it under another")
        .annotate(
          OpenApi.Description,
          "A move takes along every firm below. It needs `firm.write` on the firm, on its old parent and on its new parent. A role on a parent firm also counts for the firms below. So the caller also needs the right to give and to take the roles that change by the move."
        )
    )
    .annotateMerge(access({ scope: "platform/broker", callers: ["Client", "User"] }))
    .annotateMerge(
      OpenApi.annotations({
        title: "Brokerage firms",
        description: "Brokerage firms, as a tree: permissions on a firm include all firms below it."
      })
    )
) {}
