import { Schema } from "effect"
import { CustomField } from "../values/CustomField.ts"
import { Instant } from "../values/Instant.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { AssetId } from "../values/Ids.ts"

export const AssetStatus = Schema.Literals([
  "ASSET_CREATED",
  "ASSET_QUOTED",
  "ASSET_CONFIRMED",
  "ASSET_STARTED",
  "ASSET_STOPPED"
])
export type AssetStatus = typeof AssetStatus.Type

/** What is insured: a vehicle, a home. Its status follows its policy's. */
export const Asset = Schema.Struct({
  id: AssetId,
  type: Schema.String,
  name: Schema.optionalKey(Schema.String),
  policyId: PrefixedId.schema("policy"),
  status: AssetStatus,
  customFields: Schema.Array(CustomField),
  createdAt: Instant,
  lastModifiedAt: Instant,
  startedAt: Schema.optionalKey(Instant),
  stoppedAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "Asset" })
export type Asset = typeof Asset.Type

export class AssetNotFound extends Schema.TaggedError<AssetNotFound>()("AssetNotFound", {
  assetId: AssetId
}) {
  override get message() {
    return `Asset ${this.assetId} does not exist; check the identifier, or name the branch that it was added on.`
  }
}

/** The cover of an asset ends once. */
export class AssetAlreadyStopped extends Schema.TaggedError<AssetAlreadyStopped>()(
  "AssetAlreadyStopped",
  { assetId: AssetId, stoppedAt: Instant }
) {
  override get message() {
    return `Asset ${this.assetId} stops at ${this.stoppedAt}; revert that change to choose another day.`
  }
}
