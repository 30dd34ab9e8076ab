import { ListAudit } from "@quittance/domain/audit/AuditRequests"
import { AuditEntry } from "@quittance/domain/audit/Audit"
import { Page } from "@quittance/domain/values/Page"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, needs } from "../access/Access.ts"
import { pageQuery } from "../requests/Parameters.ts"
import { bearer } from "../requests/Bearer.ts"
import { reference } from "../requests/AreaReference.ts"
import { auditParameters, auditTerms } from "./AuditTerms.ts"

export const AuditPage = Page(AuditEntry).annotate({ identifier: "AuditPage" })

export class Audit extends bearer(
  HttpApiGroup.make("audit")
    .add(
      HttpApiEndpoint.get("list", "/audit", {
        query: { ...pageQuery, ...ListAudit.fields },
        success: AuditPage
      })
        .annotateMerge(needs("audit.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read the audit trail, the newest first")
        .annotate(
          OpenApi.Description,
          "All writes, and all refused requests with a valid token. A row without `seal` is new and not chained yet."
        )
    )
    .annotateMerge(access({ scope: "platform/admin", callers: ["Client", "User"] }))
    .annotateMerge(reference({ terms: auditTerms, parameters: auditParameters }))
    .annotateMerge(
      OpenApi.annotations({
        title: "Audit trail",
        description: "The audit trail: each write with its author and instant."
      })
    )
) {}
