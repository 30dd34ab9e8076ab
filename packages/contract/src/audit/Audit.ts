import { AuditEntry } from "@quittance/domain/audit/Audit"
import { AuditOutcome } from "@quittance/domain/requests/Actor"
import { InstantFromString } from "@quittance/domain/values/Instant"
import { Page } from "@quittance/domain/values/Page"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, needs } from "../access/Access.ts"
import { pageQuery } from "../requests/Parameters.ts"
import { bearer } from "../requests/Bearer.ts"

/** An identifier or the name of an action, in full. */
const Exactly = Schema.String.check(
  Schema.isPattern(/^[\u0021-\u007e]{1,200}$/u, {
    message: "Expected 1 to 200 visible ASCII characters"
  })
)

export const AuditPage = Page(AuditEntry).annotate({ identifier: "AuditPage" })

export class Audit extends bearer(
  HttpApiGroup.make("audit")
    .add(
      HttpApiEndpoint.get("list", "/audit", {
        query: {
          ...pageQuery,
          actorId: Schema.optionalKey(Exactly),
          recordId: Schema.optionalKey(Exactly),
          action: Schema.optionalKey(Exactly),
          outcome: Schema.optionalKey(AuditOutcome),
          /** When it was recorded, inclusive. */
          from: Schema.optionalKey(InstantFromString),
          /** Exclusive. */
          to: Schema.optionalKey(InstantFromString)
        },
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
    .annotateMerge(
      OpenApi.annotations({ title: "Audit trail", description: "Who did what, and when." })
    )
) {}
