/** What is insured on policies: added, read, changed. */
import type { AddAsset, PatchAsset } from "@quittance/domain/assets/AssetRequests"
import { type Asset, type AssetAlreadyStopped, AssetNotFound } from "@quittance/domain/assets/Asset"
import { CurrentCaller, UserNotFound } from "@quittance/domain/requests/Caller"
import { presenceOf } from "@quittance/domain/policies/ChangeView"
import { entersAt, leavesAt, startOf } from "@quittance/domain/assets/AssetLife"
import { max } from "@quittance/domain/values/Instant"
import { refusal } from "@quittance/domain/policies/Lifecycle"
import * as Page from "@quittance/domain/values/Page"
import * as Commands from "@quittance/domain/policies/PolicyCommands"
import { shownOn } from "@quittance/domain/policies/PolicyView"
import { AssetsRepo } from "@quittance/persistence/assets/AssetsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer } from "effect"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { type DataFailure, dataChange, isOnBranch } from "../policies/DataChange.ts"
import type { CommandTarget } from "../policies/Policies.ts"
import { PolicyCommand, type PolicyFailure } from "../policies/PolicyCommand.ts"
import {
  effectOf,
  lineageOf,
  onBranch,
  type PolicyAggregate,
  positionOf
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { PolicyReader, type ReadFailure, type ViewRequest } from "../policies/PolicyReader.ts"
import { AssetViews, shownIn, toAsset } from "./AssetViews.ts"
import type { AssetId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { InvalidEffectiveDate } from "@quittance/domain/requests/RequestErrors"

export type ViewOfAsset = Omit<ViewRequest, "policyId"> & { readonly assetId: AssetId }

export type AtAsset = Omit<CommandTarget, "policyId"> & { readonly assetId: AssetId }

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

export class Assets extends Context.Service<
  Assets,
  {
    addToPolicy(
      at: CommandTarget,
      input: AddAsset
    ): Effect.Effect<{ readonly assetId: AssetId }, DataFailure | PolicyFailure, Scoped>
    /** An asset as it is in a view of its policy. */
    get(request: ViewOfAsset): Effect.Effect<Asset, AssetNotFound | ReadFailure, Scoped>
    /** The assets that a view shows, in the order in which they came. */
    listByPolicy(
      request: ViewRequest,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Asset>, ReadFailure, Scoped>
    update(
      at: AtAsset,
      patch: PatchAsset
    ): Effect.Effect<Asset, AssetNotFound | DataFailure | PolicyFailure, Scoped>
    /** Takes away what the branch itself has added, as if it had never come. */
    remove(at: AtAsset): Effect.Effect<void, AssetNotFound | DataFailure | PolicyFailure, Scoped>
    /** Ends the cover of an asset; from then on it has no price. */
    stop(
      at: AtAsset
    ): Effect.Effect<
      Asset,
      AssetAlreadyStopped | AssetNotFound | DataFailure | PolicyFailure,
      Scoped
    >
  }
>()("@quittance/operations/Assets") {
  static readonly layer = Layer.effect(
    Assets,
    Effect.gen(function* () {
      const assets = yield* AssetsRepo
      const command = yield* PolicyCommand
      const ids = yield* Ids
      const reader = yield* PolicyReader
      const views = yield* AssetViews

      const addToPolicy = Effect.fn("Assets.addToPolicy")(function* (
        { whenAt, ...at }: CommandTarget,
        input: AddAsset
      ) {
        const subject = { command: "asset.add", action: "asset.write", ...at } as const
        return yield* command.run(
          subject,
          Effect.fnUntraced(function* (policy) {
            const entry = yield* Effect.fromResult(
              entersAt(policy.state, {
                ...input,
                whenAt,
                branchAt: effectOf(policy.branches, policy.branch)
              })
            )
            const assetId = ids.next("asset")
            const { customFields, ...members } = input
            const value = {
              ...members,
              seq: policy.head.changeSeq + 1,
              type: policy.product.assets.type,
              customFields: Object.fromEntries(customFields.map(({ key, value }) => [key, value]))
            }
            const patch = [{ path: `/assets/${assetId}`, value }]
            const isOwn = entry !== undefined && entry === input.startedAt
            const field = isOwn ? "startedAt" : "whenAt"
            const { drafts } = yield* dataChange(policy, patch, entry, field)
            const { now } = policy
            const policyId = policy.head.id
            yield* assets.insertAll([
              { id: assetId, policyId, createdAt: now, lastModifiedAt: now }
            ])
            return {
              changes: onBranch(policy, drafts),
              answer: () => Effect.succeed({ assetId })
            }
          })
        )
      })

      const find = Effect.fnUntraced(function* (assetId: AssetId) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return yield* new UserNotFound({})
        const row = yield* assets.find(assetId)
        return row === undefined ? yield* new AssetNotFound({ assetId }) : row
      })

      const shownAfter =
        (assetId: AssetId) =>
        ({ branch, now, state }: PolicyAggregate) =>
          // What a command was about is there.
          Effect.map(assets.find(assetId), (row) =>
            toAsset(row!, shownOn(branch.branchType, state), now)
          )

      const get = Effect.fn("Assets.get")(function* ({ assetId, ...request }: ViewOfAsset) {
        const row = yield* find(assetId)
        const { policyId } = row
        const view = yield* reader.readWithLater("asset.read", { policyId, ...request })
        // It may be on another branch, or have come at another time.
        if (view.state.assets[assetId] === undefined) return yield* new AssetNotFound({ assetId })
        return shownIn(view, row)
      })

      const listByPolicy = Effect.fn("Assets.listByPolicy")(function* (
        request: ViewRequest,
        page: Page.PageRequest
      ) {
        const view = yield* reader.readWithLater("asset.read", request)
        const all = views.ids(view)
        const first = (page.page - 1) * page.count
        const data = yield* views.of(view, all.slice(first, first + page.count))
        return Page.make(data, all.length, page)
      })

      const update = Effect.fn("Assets.update")(function* (
        { assetId, whenAt, ...at }: AtAsset,
        { customFields = [], name }: PatchAsset
      ) {
        const { policyId } = yield* find(assetId)
        const subject = { command: "asset.update", action: "asset.write", policyId, ...at } as const
        return yield* command.run(
          subject,
          Effect.fnUntraced(function* (policy) {
            const path = `/assets/${assetId}` as const
            if (!isOnBranch(policy, path)) return yield* new AssetNotFound({ assetId })
            const patch = [
              ...(name === undefined ? [] : [Commands.entry(`${path}/name`, name)]),
              ...Commands.fieldEntries(path, customFields)
            ]
            const { drafts } = yield* dataChange(policy, patch, whenAt)
            return {
              changes: onBranch(policy, drafts),
              answer: shownAfter(assetId)
            }
          })
        )
      })

      const stop = Effect.fn("Assets.stop")(function* ({ assetId, whenAt, ...at }: AtAsset) {
        const { policyId } = yield* find(assetId)
        const subject = { command: "asset.stop", action: "asset.write", policyId, ...at } as const
        return yield* command.run(
          subject,
          Effect.fnUntraced(function* (policy) {
            const asset = policy.state.assets[assetId]
            if (asset === undefined) return yield* new AssetNotFound({ assetId })
            const { branch, now, state } = policy
            const stoppedAt = yield* Effect.fromResult(
              leavesAt(
                state,
                [assetId, asset],
                whenAt ?? max(branch.effectiveAt ?? now, startOf(state, asset))
              )
            )
            const patch = [{ path: `/assets/${assetId}/stoppedAt`, value: stoppedAt }]
            const { drafts } = yield* dataChange(policy, patch, stoppedAt)
            return {
              changes: onBranch(policy, drafts),
              answer: shownAfter(assetId)
            }
          })
        )
      })

      const remove = Effect.fn("Assets.remove")(function* ({ assetId, whenAt, ...at }: AtAsset) {
        const { policyId } = yield* find(assetId)
        const subject = { command: "asset.remove", action: "asset.write", policyId, ...at } as const
        return yield* command.run(
          subject,
          Effect.fnUntraced(function* (policy) {
            const path = `/assets/${assetId}`
            const { branch, branches, changes, state } = policy
            const presence = presenceOf(changes, lineageOf(branches, branch), path)
            if (presence === undefined || presence.until !== undefined) {
              return yield* new AssetNotFound({ assetId })
            }
            if (!isAddedOn(policy, path)) return yield* refusal(positionOf(policy, state), "remove")
            const { since } = presence
            if (whenAt !== undefined && whenAt !== since) {
              const only = { earliest: since, latest: since }
              return yield* new InvalidEffectiveDate({ field: "whenAt", ...only })
            }
            const { drafts } = yield* dataChange(policy, [{ path, removed: true }], undefined)
            return { changes: onBranch(policy, drafts), answer: () => Effect.void }
          })
        )
      })

      return Assets.of({ addToPolicy, get, listByPolicy, remove, stop, update })
    })
  ).pipe(
    Layer.provide([AssetsRepo.layer, AssetViews.layer, PolicyCommand.layer, PolicyReader.layer])
  )
}

/** Whether it was the branch that a command works on that put an asset there: nothing of it is in force. */
const isAddedOn = ({ branch, changes }: PolicyAggregate, path: string): boolean =>
  branch.branchType !== "BASE" &&
  changes.some(
    ({ branchId, patch }) =>
      branchId === branch.id && patch.some((entry) => entry.path === path && "value" in entry)
  )
