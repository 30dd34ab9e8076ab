/** What the members of assets mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const assetTerms = {
  "Asset.id": "The asset, by its identifier.",
  "Asset.type": "The kind of asset that the product insures.",
  "Asset.name": "The name of the asset.",
  "AddAsset.name": "The name of the asset; at most 200 characters.",
  "PatchAsset.name": "The name of the asset, at most 200 characters; `null` removes it.",
  "Asset.policyId": "The policy that the asset is on.",
  "Asset.status": "The asset's status; it follows its policy until its own cover ends.",
  "Asset.startedAt":
    "When the cover of the asset starts, in UTC; absent where it starts with the policy.",
  "AddAsset.startedAt":
    "When the cover of the asset starts; absent: with the policy, or the branch that adds it.",
  "Asset.stoppedAt": "The first instant without cover of the asset, in UTC.",
  "PatchAsset.customFields": "Values to set, by key; fields that are not named stay as they are.",
  assetIds: "The assets that were added, in the order of the lines.",
  assetId: "The asset that was added.",
  "details.assetId": "The asset that the error is about.",
  "AssetAlreadyStopped.details.stoppedAt": "The first instant without cover of the asset, in UTC."
}

/** What the parameters of this area mean. */
export const assetParameters: ParameterTerms = {
  assetId: { means: "The asset, by its identifier.", example: id("asset") }
}
