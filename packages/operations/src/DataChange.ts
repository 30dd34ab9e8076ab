import type { BranchRequired } from "@quittance/domain/Branch"
import type { PatchEntry } from "@quittance/domain/Change"
import type { Instant } from "@quittance/domain/Instant"
import type { InvalidTransition } from "@quittance/domain/Lifecycle"
import type { InvalidEffectiveDate } from "@quittance/domain/Policy"
import { type Draft, update } from "@quittance/domain/PolicyCommands"
import type { InvalidCustomField } from "@quittance/domain/ProductFields"
import { Effect } from "effect"
import { checkFields, withinWindow } from "./PolicyChecks.ts"
import { type OpenPolicy, patched } from "./PolicyLog.ts"

/** What a change of a policy's, a customer's or an asset's data may answer. */
export type DataFailure =
  | BranchRequired
  | InvalidCustomField
  | InvalidEffectiveDate
  | InvalidTransition

/** The change that a patch of data makes on an open policy, judged with the patch applied. */
export const dataChange = Effect.fnUntraced(function* (
  { branch, now, product, state }: OpenPolicy,
  patch: ReadonlyArray<PatchEntry>,
  whenAt: Instant | undefined
): Effect.fn.Return<Draft, DataFailure> {
  if (whenAt !== undefined) yield* withinWindow(product, "change", "whenAt", whenAt, now)
  const after = patched(state, { patch })
  const onTrunk = branch.branchType === "BASE"
  const target = { product, before: state, after, onTrunk, patch }
  const draft = yield* Effect.fromResult(update(target, whenAt, now))
  yield* checkFields(product, after, "DRAFT")
  return draft
})
