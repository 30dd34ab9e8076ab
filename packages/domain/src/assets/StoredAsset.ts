import type { AssetId, PolicyId } from "../values/Ids.ts"
import type { Instant } from "../values/Instant.ts"

/** An asset as it is stored, apart from what the versions of its policy say of it. */
export interface StoredAsset {
  readonly id: AssetId
  readonly policyId: PolicyId
  readonly createdAt: Instant
  readonly lastModifiedAt: Instant
}
