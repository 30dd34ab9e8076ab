/** The errors of the area assets on the wire. The last argument of each shows its details. */
import * as Asset from "@quittance/domain/assets/Asset"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const assetErrors = {
  AssetNotFound: wireError(
    Asset.AssetNotFound,
    404,
    "ASSET_NOT_FOUND",
    "The tenant has no such asset.",
    { assetId: id("asset") }
  ),
  AssetAlreadyStopped: wireError(
    Asset.AssetAlreadyStopped,
    409,
    "ASSET_ALREADY_STOPPED",
    "The asset's cover ends on a day that is recorded.",
    { assetId: id("asset"), stoppedAt: "2026-07-01T00:00:00.000Z" }
  )
} as const
