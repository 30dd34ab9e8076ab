/** Assets as they are asked for and read through the use cases. */
import type { Asset } from "@quittance/domain/assets/Asset"
import type { AssetId } from "@quittance/domain/values/Ids"
import { Assets } from "@quittance/operations/assets/Assets"
import type { CommandTarget } from "@quittance/operations/policies/Policies"
import { Effect } from "effect"
import { dayOf, instantOf } from "./Calendar.ts"
import type { AssetCommand, Shown } from "./Fleet.ts"

/** Asks for a command; who is added gets its number. */
export const perform = Effect.fn("Bicycles.perform")(function* (
  at: CommandTarget,
  assets: Map<number, AssetId>,
  command: AssetCommand
) {
  if (command.does === "add") {
    const { asset, fields, starts } = command
    const customFields = Object.entries(fields).map(([key, value]) => ({ key, value }))
    const start = starts === undefined ? {} : { startedAt: instantOf(starts) }
    const added = yield* Assets.use((x) => x.addToPolicy(at, { customFields, ...start }))
    assets.set(asset, added.assetId)
    return
  }
  const { policyId: _, ...where } = at
  const target = { ...where, assetId: assets.get(command.asset)! }
  switch (command.does) {
    case "change": {
      const { key, value } = command
      const patch = key === "name" ? { name: String(value) } : { customFields: [{ key, value }] }
      yield* Assets.use((x) => x.update(target, patch))
      return
    }
    case "end":
      yield* Assets.use((x) => x.stop(target))
      return
    case "remove":
      yield* Assets.use((x) => x.remove(target))
  }
})

const numberOf = (assets: ReadonlyMap<number, AssetId>, assetId: AssetId): number =>
  [...assets].find(([, id]) => id === assetId)![0]

/** Assets by number, as the model has them. */
export const shownOf = (
  assets: ReadonlyMap<number, AssetId>,
  list: ReadonlyArray<Asset>
): ReadonlyArray<Shown> =>
  list.map(({ customFields, id, name, startedAt, status, stoppedAt }) => {
    const valueOf = (key: string) => customFields.find((field) => field.key === key)?.value
    return {
      asset: numberOf(assets, id),
      value: valueOf("value"),
      colour: valueOf("colour"),
      name,
      started: dayOf(startedAt),
      stopped: dayOf(stoppedAt),
      status
    }
  })

/** The numbers of assets, in the order of a list. */
export const numbersOf = (
  assets: ReadonlyMap<number, AssetId>,
  list: ReadonlyArray<AssetId>
): ReadonlyArray<number> => list.map((id) => numberOf(assets, id))
