/** From when to when an asset is covered: inside the life of its policy, as its changes take effect. */
import { Result } from "effect"
import { AssetAlreadyStopped, type AssetStatus } from "./Asset.ts"
import { type Instant, max } from "../values/Instant.ts"
import type { AssetOnPolicy, PolicyState } from "../policies/PolicyState.ts"
import type { AssetId } from "../values/Ids.ts"
import { InvalidEffectiveDate } from "../requests/RequestErrors.ts"

/** What a policy's position says of the assets on it. */
export const assetStatus = (state: PolicyState, assetId: AssetId, whenAt: Instant): AssetStatus => {
  const asset = state.assets[assetId]
  if (asset?.stoppedAt !== undefined && asset.stoppedAt <= whenAt) return "ASSET_STOPPED"
  switch (state.contract) {
    case "STOPPED":
      return "ASSET_STOPPED"
    case "STARTED":
    case "SUSPENDED":
      return asset?.startedAt === undefined || asset.startedAt <= whenAt
        ? "ASSET_STARTED"
        : "ASSET_CONFIRMED"
    case "NOT_STARTED":
      return "ASSET_CONFIRMED"
    default:
      return assetStatusOfStage[state.stage]
  }
}

const assetStatusOfStage: Record<PolicyState["stage"], AssetStatus> = {
  DRAFT: "ASSET_CREATED",
  QUOTED: "ASSET_QUOTED",
  CONFIRMED: "ASSET_CONFIRMED",
  SIGNED: "ASSET_CONFIRMED"
}

/**
 * When an asset comes onto a policy: with its own start where that is later than the policy's.
 * `undefined` where it comes whenever the branch takes effect.
 *
 * @param startedAt where its cover starts; absent: with the policy, or the branch that adds it
 * @param branchAt from when on the branch that adds it takes effect, if it has such an instant
 * @param whenAt when the request wants it to take effect; where both are given they are one
 */
export const entersAt = (
  state: PolicyState,
  {
    branchAt,
    startedAt,
    whenAt
  }: {
    readonly branchAt: Instant | undefined
    readonly startedAt?: Instant
    readonly whenAt?: Instant | undefined
  }
): Result.Result<Instant | undefined, InvalidEffectiveDate> => {
  if (startedAt === undefined) return Result.succeed(whenAt)
  const outside = outsideLife(state, startedAt)
  if (outside !== undefined) {
    return Result.fail(new InvalidEffectiveDate({ field: "startedAt", ...outside }))
  }
  if (whenAt !== undefined && whenAt !== startedAt) {
    return Result.fail(
      new InvalidEffectiveDate({ field: "whenAt", earliest: startedAt, latest: startedAt })
    )
  }
  if (branchAt !== undefined && startedAt < branchAt) {
    return Result.fail(new InvalidEffectiveDate({ field: "startedAt", earliest: branchAt }))
  }
  return Result.succeed(startedAt === state.startedAt ? whenAt : startedAt)
}

/** When an asset's cover ends: once, not before it has started, and not after the policy's own end. */
export const leavesAt = (
  state: PolicyState,
  [assetId, asset]: readonly [AssetId, AssetOnPolicy],
  at: Instant
): Result.Result<Instant, AssetAlreadyStopped | InvalidEffectiveDate> => {
  if (asset.stoppedAt !== undefined) {
    return Result.fail(new AssetAlreadyStopped({ assetId, stoppedAt: asset.stoppedAt }))
  }
  const start = startOf(state, asset)
  const outside = at < start ? { earliest: start } : outsideLife(state, at)
  return outside === undefined
    ? Result.succeed(at)
    : Result.fail(new InvalidEffectiveDate({ field: "whenAt", ...outside }))
}

/** When an asset's cover starts: with the policy, unless it came later. */
export const startOf = (state: PolicyState, { startedAt }: AssetOnPolicy): Instant =>
  max(startedAt ?? state.startedAt, state.startedAt)

const outsideLife = (
  { endedAt, startedAt }: PolicyState,
  at: Instant
): Pick<InvalidEffectiveDate, "earliest" | "latest"> | undefined => {
  if (at < startedAt) return { earliest: startedAt }
  // Only a stop that is recorded ends a policy for sure; a term may be followed by another.
  return endedAt !== undefined && at >= endedAt ? { latest: endedAt } : undefined
}
