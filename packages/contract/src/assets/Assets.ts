import { AddAsset, AssetsCsv, PatchAsset } from "@quittance/domain/assets/AssetRequests"
import { Asset } from "@quittance/domain/assets/Asset"
import { Page } from "@quittance/domain/values/Page"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, people, RequestExample } from "../access/Access.ts"
import { assetErrors } from "./AssetErrors.ts"
import {
  commandQuery,
  NoMembers,
  pageQuery,
  policyHeaders,
  readQuery
} from "../requests/Parameters.ts"
import { commandErrors, dataErrors, viewErrors } from "../policies/CommandErrors.ts"
import { bearer } from "../requests/Bearer.ts"
import { AssetId, PolicyId } from "@quittance/domain/values/Ids"
import { exampleVehicle } from "../requests/Examples.ts"
import { reference } from "../requests/AreaReference.ts"
import { assetParameters, assetTerms } from "./AssetTerms.ts"

export const AddedAsset = Schema.Struct({ assetId: AssetId }).annotate({ identifier: "AddedAsset" })

/** In the order of the lines. */
export const ImportedAssets = Schema.Struct({ assetIds: Schema.Array(AssetId) }).annotate({
  identifier: "ImportedAssets"
})

export const AssetPage = Page(Asset).annotate({ identifier: "AssetPage" })

export class Assets extends bearer(
  HttpApiGroup.make("assets")
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
        .annotate(RequestExample, { name: "Clio", customFields: exampleVehicle })
        .annotate(OpenApi.Summary, "Add an asset to a policy"),
      HttpApiEndpoint.post("importCsv", "/assets/policies/:policyId/import", {
        params: { policyId: PolicyId },
        query: commandQuery,
        headers: policyHeaders,
        payload: AssetsCsv.pipe(HttpApiSchema.asText({ contentType: "text/csv" })),
        success: ImportedAssets.pipe(HttpApiSchema.status(201)),
        error: [...commandErrors, ...dataErrors]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("asset.write", "RECORD"))
        .annotate(RequestExample, "name,power,usage\nClio,5,COMMUTING\n")
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
        error: [...viewErrors, assetErrors.AssetNotFound]
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
        error: [...commandErrors, ...dataErrors, assetErrors.AssetNotFound]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("asset.write", "RECORD"))
        .annotate(RequestExample, { name: null, customFields: exampleVehicle })
        .annotate(OpenApi.Summary, "Change an asset"),
      HttpApiEndpoint.delete("remove", "/assets/:assetId", {
        params: { assetId: AssetId },
        query: commandQuery,
        headers: policyHeaders,
        error: [...commandErrors, ...dataErrors, assetErrors.AssetNotFound]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("asset.write", "RECORD"))
        .annotate(OpenApi.Summary, "Take an asset away that a branch has added")
        .annotate(
          OpenApi.Description,
          "The record leaves the sale, or the branch that `branchId` names, as if it had never been added. One in force is stopped instead."
        ),
      HttpApiEndpoint.post("stop", "/assets/:assetId/stop", {
        params: { assetId: AssetId },
        query: commandQuery,
        headers: policyHeaders,
        payload: NoMembers,
        success: Asset,
        error: [
          ...commandErrors,
          ...dataErrors,
          assetErrors.AssetAlreadyStopped,
          assetErrors.AssetNotFound
        ]
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
      reference({ errors: assetErrors, terms: assetTerms, parameters: assetParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Assets",
        description: "Assets that policies insure: vehicles, homes, activities."
      })
    )
) {}
