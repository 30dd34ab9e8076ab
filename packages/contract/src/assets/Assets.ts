import { Asset, AssetId } from "@quittance/domain/assets/Asset"
import { CustomField, CustomFieldPatch } from "@quittance/domain/values/CustomField"
import { InstantFromString } from "@quittance/domain/values/Instant"
import { Page } from "@quittance/domain/values/Page"
import { PolicyId } from "@quittance/domain/policies/Policy"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, people } from "../access/Access.ts"
import { ApiError } from "../api/ApiError.ts"
import {
  commandQuery,
  customFieldsOf,
  NoMembers,
  pageQuery,
  policyHeaders,
  readQuery,
  Text
} from "../requests/Parameters.ts"
import { commandErrors, dataErrors, viewErrors } from "../policies/PolicyErrors.ts"

/** What is to be insured. */
export const AddAsset = Schema.Struct({
  name: Schema.optionalKey(Text),
  customFields: customFieldsOf(CustomField),
  startedAt: Schema.optionalKey(InstantFromString)
}).annotate({ identifier: "AddAsset" })

/** A merge patch (RFC 7396), but for custom fields, which are merged by key. */
export const PatchAsset = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(Text)),
  customFields: Schema.optionalKey(customFieldsOf(CustomFieldPatch))
}).annotate({ identifier: "PatchAsset" })

export const AddedAsset = Schema.Struct({ assetId: AssetId }).annotate({ identifier: "AddedAsset" })

/** A header line with `name`, `startedAt` and the product's asset fields; one line for each asset. */
export const AssetsCsv = Schema.String.annotate({ identifier: "AssetsCsv" }).pipe(
  HttpApiSchema.asText({ contentType: "text/csv" })
)

/** In the order of the lines. */
export const ImportedAssets = Schema.Struct({ assetIds: Schema.Array(AssetId) }).annotate({
  identifier: "ImportedAssets"
})

export const AssetPage = Page(Asset).annotate({ identifier: "AssetPage" })

export class Assets extends HttpApiGroup.make("assets")
  .add(
    HttpApiEndpoint.post("addToPolicy", "/assets/policies/:policyId", {
      params: { policyId: PolicyId },
      query: commandQuery,
      headers: policyHeaders,
      payload: AddAsset,
      success: AddedAsset.pipe(HttpApiSchema.status(201)),
      error: [...commandErrors, ...dataErrors]
    })
      .annotateMerge(idempotent)
      .annotateMerge(needs("asset.write", "RECORD"))
      .annotate(OpenApi.Summary, "Add an asset to a policy"),
    HttpApiEndpoint.post("importCsv", "/assets/policies/:policyId/import", {
      params: { policyId: PolicyId },
      query: commandQuery,
      headers: policyHeaders,
      payload: AssetsCsv,
      success: ImportedAssets.pipe(HttpApiSchema.status(201)),
      error: [...commandErrors, ...dataErrors]
    })
      .annotateMerge(idempotent)
      .annotateMerge(needs("asset.write", "RECORD"))
      .annotate(OpenApi.Summary, "Add the assets of a CSV file to a policy, all of them or none")
      .annotate(
        OpenApi.Description,
        "CSV as RFC 4180 has it, in UTF-8, separated by `,` or `;`; at most 10,000 assets. An empty cell is no value. A fault's `path` is the line and the column, such as `/3/power`; the header is line 1."
      ),
    HttpApiEndpoint.get("listByPolicy", "/assets/policies/:policyId", {
      params: { policyId: PolicyId },
      query: { ...pageQuery, ...readQuery },
      success: AssetPage,
      error: viewErrors
    })
      .annotateMerge(needs("asset.read", "RECORD"))
      .annotate(OpenApi.Summary, "List the assets of a policy")
      .annotate(
        OpenApi.Description,
        "Those that it has, or gets later; with `whenAt` those that it had then, on a branch and as was known at `knownAt`."
      ),
    HttpApiEndpoint.get("get", "/assets/:assetId", {
      params: { assetId: AssetId },
      query: readQuery,
      success: Asset,
      error: [...viewErrors, ApiError.AssetNotFound]
    })
      .annotateMerge(needs("asset.read", "RECORD"))
      .annotate(OpenApi.Summary, "Read an asset")
      .annotate(
        OpenApi.Description,
        "One that has been added on a branch is read with `branchId` until the branch is merged."
      ),
    HttpApiEndpoint.patch("update", "/assets/:assetId", {
      params: { assetId: AssetId },
      query: commandQuery,
      headers: policyHeaders,
      payload: PatchAsset,
      success: Asset,
      error: [...commandErrors, ...dataErrors, ApiError.AssetNotFound]
    })
      .annotateMerge(idempotent)
      .annotateMerge(needs("asset.write", "RECORD"))
      .annotate(OpenApi.Summary, "Change an asset"),
    HttpApiEndpoint.post("stop", "/assets/:assetId/stop", {
      params: { assetId: AssetId },
      query: commandQuery,
      headers: policyHeaders,
      payload: NoMembers,
      success: Asset,
      error: [...commandErrors, ...dataErrors, ApiError.AssetAlreadyStopped, ApiError.AssetNotFound]
    })
      .annotateMerge(idempotent)
      .annotateMerge(needs("asset.write", "RECORD"))
      .annotate(OpenApi.Summary, "End the cover of an asset")
      .annotate(
        OpenApi.Description,
        "At `whenAt`, else now or when the branch takes effect. From then on it has no price, so on a signed policy it is stopped on a branch. Revert the change to choose another day."
      )
  )
  .annotateMerge(access({ scope: "platform/assets", callers: people }))
  .annotateMerge(
    OpenApi.annotations({
      title: "Assets",
      description: "What policies insure: vehicles, homes, activities."
    })
  ) {}
