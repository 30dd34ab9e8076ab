/** Assets as a view of their policy shows them. */
import type { Asset } from "@quittance/domain/assets/Asset"
import { assetStatus } from "@quittance/domain/assets/AssetLife"
import type { StoredAsset } from "@quittance/domain/assets/StoredAsset"
import { touch } from "@quittance/domain/policies/Change"
import { fieldList, inOrder, type PolicyState } from "@quittance/domain/policies/PolicyState"
import { shownOn } from "@quittance/domain/policies/PolicyView"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { AssetId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { AssetsRepo } from "@quittance/persistence/assets/AssetsRepo"
import { Context, Effect, Layer } from "effect"
import type { PolicyView } from "../policies/PolicyReader.ts"

export class AssetViews extends Context.Service<
  AssetViews,
  {
    /** The identifiers of all assets of a view, in their order. */
    ids(view: PolicyView): ReadonlyArray<AssetId>
    /** These assets of a view, all of them by default. */
    of(
      view: PolicyView,
      ids?: ReadonlyArray<AssetId>
    ): Effect.Effect<ReadonlyArray<Asset>, never, CurrentTenant>
  }
>()("@quittance/operations/AssetViews") {
  static readonly layer = Layer.effect(
    AssetViews,
    Effect.gen(function* () {
      const assets = yield* AssetsRepo

      // The keys of a state are the identifiers that it was built with.
      const ids = ({ state }: PolicyView) => inOrder(state.assets).map(([id]) => id as AssetId)

      const of = Effect.fn("AssetViews.of")(function* (
        view: PolicyView,
        wanted: ReadonlyArray<AssetId> = ids(view)
      ) {
        const rows = new Map((yield* assets.findMany(wanted)).map((row) => [row.id, row]))
        return wanted.map((id) => shownIn(view, rows.get(id)!))
      })

      return AssetViews.of({ ids, of })
    })
  ).pipe(Layer.provide(AssetsRepo.layer))
}

/** An asset in a view; of what was known once it was last changed when that was recorded. */
export const shownIn = ({ branch, known, state, whenAt }: PolicyView, row: StoredAsset): Asset => {
  const path = `/assets/${row.id}`
  const last = known?.findLast(({ patch }) => patch.some((entry) => touch(entry.path, path)))
  const { recordedAt: lastModifiedAt = row.lastModifiedAt } = last ?? {}
  return toAsset({ ...row, lastModifiedAt }, shownOn(branch.branchType, state), whenAt)
}

export const toAsset = (row: StoredAsset, state: PolicyState, whenAt: Instant): Asset => {
  const onPolicy = state.assets[row.id]
  const { name, startedAt, stoppedAt } = onPolicy ?? {}
  return {
    ...row,
    type: onPolicy?.type ?? "",
    status: assetStatus(state, row.id, whenAt),
    customFields: fieldList(onPolicy?.customFields ?? {}),
    ...(name === undefined ? {} : { name }),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(stoppedAt === undefined ? {} : { stoppedAt })
  }
}
