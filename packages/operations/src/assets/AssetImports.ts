/** Fleets: many assets put on a policy at once, all of them or none. */
import type { AssetsCsv } from "@quittance/domain/assets/AssetRequests"
import { entersAt } from "@quittance/domain/assets/AssetLife"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import type { JsonObject } from "@quittance/domain/policies/Change"
import type { Instant } from "@quittance/domain/values/Instant"
import type { Draft } from "@quittance/domain/policies/PolicyCommands"
import { InvalidRequest } from "@quittance/domain/requests/RequestErrors"
import { AssetsRepo } from "@quittance/persistence/assets/AssetsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer, Result } from "effect"
import { type AssetFile, type AssetLine, csvIssue, mostIssues, readAssets } from "./AssetCsv.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { type DataFailure, dataChange } from "../policies/DataChange.ts"
import {
  effectOf,
  onBranch,
  type PolicyAggregate
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { CommandTarget } from "../policies/Policies.ts"
import { isWithin, type DateLimits, windowOf } from "../policies/PolicyChecks.ts"
import { PolicyCommand, type PolicyFailure } from "../policies/PolicyCommand.ts"
import type { AssetId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class AssetImports extends Context.Service<
  AssetImports,
  {
    /** Adds the assets of a CSV file; their identifiers are in the order of its lines. */
    add(
      at: CommandTarget,
      csv: AssetsCsv
    ): Effect.Effect<
      { readonly assetIds: ReadonlyArray<AssetId> },
      DataFailure | InvalidRequest | PolicyFailure,
      CurrentTenant | CurrentCaller | CurrentRequest
    >
  }
>()("@quittance/operations/AssetImports") {
  static readonly layer = Layer.effect(
    AssetImports,
    Effect.gen(function* () {
      const assets = yield* AssetsRepo
      const command = yield* PolicyCommand
      const ids = yield* Ids

      const add = Effect.fn("AssetImports.add")(function* (
        { whenAt, ...at }: CommandTarget,
        csv: AssetsCsv
      ) {
        return yield* command.run(
          { command: "asset.import", action: "asset.write", ...at },
          Effect.fnUntraced(function* (policy) {
            const { head, now } = policy
            const entering = yield* enteringOf(policy, readAssets(policy.product, csv), whenAt)
            // What comes with one change is listed in the order of its identifiers.
            const assetIds = entering.map(() => ids.next("asset")).sort()
            const entries = entering.map(({ asset, enters }, index) => ({
              enters,
              entry: { path: `/assets/${assetIds[index]!}`, value: valueOf(policy, asset) }
            }))
            const changes = yield* Effect.forEach(
              Map.groupBy(entries, ({ enters }) => enters),
              ([enters, of]) =>
                dataChange(
                  policy,
                  of.map(({ entry }) => entry),
                  enters
                )
            )
            yield* assets.insertAll(
              assetIds.map((id) => ({ id, policyId: head.id, createdAt: now, lastModifiedAt: now }))
            )
            return {
              changes: onBranch(policy, once(changes.flatMap(({ drafts }) => drafts))),
              answer: () => Effect.succeed({ assetIds })
            }
          })
        )
      })

      return AssetImports.of({ add })
    })
  ).pipe(Layer.provide([AssetsRepo.layer, PolicyCommand.layer]))
}

/** The assets of a file with the instants at which they come; every fault of it otherwise. */
const enteringOf = Effect.fnUntraced(function* (
  policy: PolicyAggregate,
  { issues, lines }: AssetFile,
  whenAt: Instant | undefined
) {
  const limits = windowOf(policy.product, "change", policy.now)
  const branchAt = effectOf(policy.branches, policy.branch)
  const entering = lines.map((asset) => ({
    asset,
    enters: entersAt(policy.state, { ...asset, whenAt, branchAt })
  }))
  const outside = entering.flatMap(({ asset: { line, startedAt }, enters }) => {
    const fault = startFault(limits, startedAt, enters)
    return fault === undefined ? [] : [csvIssue(fault, line, "startedAt")]
  })
  const all = [...issues, ...outside].slice(0, mostIssues)
  if (all.length > 0) return yield* new InvalidRequest({ issues: all })
  return entering.map(({ asset, enters }) => ({
    asset,
    enters: Result.getOrUndefined(enters)
  }))
})

/** What is wrong with the start of a line, as a sentence; one that it has from the request is not its own. */
const startFault = (
  limits: DateLimits,
  startedAt: Instant | undefined,
  enters: ReturnType<typeof entersAt>
): string | undefined => {
  if (Result.isFailure(enters)) {
    return enters.failure.field === "whenAt"
      ? "Leave it out, or send the instant of `whenAt`."
      : "Choose an instant inside the policy's life, and not before the branch takes effect."
  }
  const { success: at } = enters
  return startedAt === undefined || at === undefined || isWithin(limits, at)
    ? undefined
    : `Choose an instant from ${limits.earliest} until before ${limits.latest}; the product allows no other.`
}

const valueOf = ({ head, product }: PolicyAggregate, asset: AssetLine): JsonObject => {
  const { line: _line, ...members } = asset
  return { ...members, seq: head.changeSeq + 1, type: product.assets.type }
}

/** The quote is only reset once, however many changes outdate it. */
const once = (drafts: ReadonlyArray<Draft>): ReadonlyArray<Draft> => [
  ...drafts.filter(({ kind }) => kind !== "OUTDATE"),
  ...drafts.filter(({ kind }) => kind === "OUTDATE").slice(0, 1)
]
