import {
  ChangeRetention,
  RetentionPreview,
  RetentionSettings
} from "@quittance/domain/privacy/RetentionSettings"
import { CustomerId } from "@quittance/domain/values/Ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample } from "../access/Access.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { privacyErrors } from "./PrivacyErrors.ts"
import { retentionParameters, retentionTerms } from "./RetentionTerms.ts"

export class Retention extends bearer(
  HttpApiGroup.make("retention")
    .add(
      HttpApiEndpoint.get("get", "/admin/retention", { success: RetentionSettings })
        .annotateMerge(needs("privacy.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read how long the tenant keeps data, by class"),
      HttpApiEndpoint.put("put", "/admin/retention", {
        query: triedQuery,
        headers: writeHeaders,
        payload: ChangeRetention,
        success: RetentionSettings,
        error: [
          privacyErrors.InvalidRetention,
          requestErrors.IdempotencyKeyInUse,
          requestErrors.IdempotencyKeyReused
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(access({ scope: "platform/customers", callers: ["User"] }))
        .annotateMerge(needs("privacy.write", "TENANT"))
        .annotate(RequestExample, {
          isAutomatic: true,
          rules: [
            {
              class: "PROSPECT",
              active: { amount: 1, unit: "YEAR" },
              archive: { amount: 0, unit: "DAY" },
              source: "Our own policy: a year is enough"
            }
          ]
        })
        .annotate(OpenApi.Summary, "Say how long data are kept, and whether a job erases them")
        .annotate(
          OpenApi.Description,
          "For people alone. The body is the whole setting: a class that it leaves out has its default. With `isAutomatic` the worker erases for good what no clock and no hold keeps; read the preview before."
        ),
      HttpApiEndpoint.get("preview", "/admin/retention/preview", {
        query: { count: pageQuery.count, after: Schema.optionalKey(CustomerId) },
        success: RetentionPreview
      })
        .annotateMerge(needs("privacy.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read what the job would erase today")
        .annotate(
          OpenApi.Description,
          "Of some customers at a time, in the order of their identifiers, by the rules that count now, whether the job is on or off. Nothing is erased."
        )
    )
    .annotateMerge(access({ scope: "platform/customers", callers: ["Client", "User"] }))
    .annotateMerge(
      reference({ errors: privacyErrors, terms: retentionTerms, parameters: retentionParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Retention",
        description: "How long data of persons are kept, and the job that erases them."
      })
    )
) {}
