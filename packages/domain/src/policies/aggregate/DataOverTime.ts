/** The fields of a policy, its customers and its assets, judged at every instant over which they hold. */
import type { Foldable, PatchEntry } from "../Change.ts"
import { effectsOf, type Lineage, segments, visible, withoutStops } from "../ChangeView.ts"
import type { Instant } from "../../values/Instant.ts"
import { inOrder, type PolicyState } from "../PolicyState.ts"
import type { ProductOf } from "../PricedMoments.ts"
import type { Product } from "../../products/Product.ts"
import {
  fieldFaults,
  type FieldIssue,
  type FieldStage,
  InvalidCustomField
} from "../../products/ProductFields.ts"
import { Result } from "effect"

/** A log as a lineage shows it, also what a stop hides that may yet be undone. */
export interface Judged {
  readonly changes: ReadonlyArray<Foldable>
  readonly lineage: Lineage
  readonly productOf: ProductOf
}

/** What a lineage is over `[from, to)`, and the records whose fields may be others than before. */
export interface Stretch {
  readonly state: PolicyState
  readonly product: Product
  /** By their paths; the policy's own is empty. */
  readonly touched: (record: string) => boolean
}

/** What a lineage is from an instant on, one after the other; of the first one everything counts as new. */
export const statesFrom = (
  { changes, lineage, productOf }: Judged,
  from: Instant
): ReadonlyArray<Stretch> => {
  const shown = withoutStops(changes, lineage)
  const effects = effectsOf(visible(shown, lineage), lineage)
  let before: Product | undefined
  return segments(shown, lineage).flatMap((segment, index): Array<Stretch> => {
    if (segment.to !== undefined && segment.to <= from) return []
    // What commands recorded has this shape by construction.
    const state = segment.state as unknown as PolicyState
    const product = productOf(state)
    const isNew = before !== product
    before = product
    const own = recordsOf(effects[index]!.patch)
    return [{ state, product, touched: (record) => isNew || own.has(record) }]
  })
}

/**
 * Fails with all that is wrong with the fields of a lineage from an instant on, each fault once.
 *
 * @param of the records that are judged, by their paths; absent: all of them
 * @param stopped the assets that are judged also after the end of their cover; absent: none
 */
export const fieldsFrom = (
  judged: Judged,
  {
    from,
    of,
    stage,
    stopped
  }: {
    readonly from: Instant
    readonly of?: ReadonlySet<string>
    readonly stage: FieldStage
    readonly stopped?: ReadonlySet<string>
  }
): Result.Result<void, InvalidCustomField> => {
  const issues = new Map<string, FieldIssue>()
  for (const { product, state, touched } of statesFrom(judged, from)) {
    const isJudged = (record: string, isStopped: boolean) =>
      touched(record) &&
      (of === undefined || of.has(record)) &&
      (!isStopped || stopped?.has(record) === true)
    for (const issue of fieldIssues(product, state, stage, isJudged)) {
      issues.set(`${issue.path} ${issue.message}`, issue)
    }
  }
  return issues.size === 0
    ? Result.void
    : Result.fail(new InvalidCustomField({ issues: [...issues.values()] }))
}

/** Fails where a record or a revert leaves an invalid field at any instant. */
export const writtenFields = (
  before: ReadonlyArray<Foldable>,
  after: Judged
): Result.Result<void, InvalidCustomField> => {
  const moved = movedBetween(before, after)
  const patch = moved.flatMap((change) => change.patch)
  const of = recordsOf(patch)
  // An asset's stop says nothing of its data, which a newer product may see otherwise.
  const stopped = recordsOf(patch.filter(({ path }) => !path.endsWith("/stoppedAt")))
  const [first] = moved.map(({ effectiveAt }) => effectiveAt).sort()
  return first === undefined || of.size === 0
    ? Result.void
    : fieldsFrom(after, { from: first, of, stage: "DRAFT", stopped })
}

/** The changes that one of two logs shows, and the other does not. */
const movedBetween = (
  before: ReadonlyArray<Foldable>,
  { changes, lineage }: Judged
): ReadonlyArray<Foldable> => {
  const [was, is] = [before, changes].map((log) => visible(withoutStops(log, lineage), lineage))
  const [inWas, inIs] = [new Set(was), new Set(is)]
  return [
    ...was!.filter((change) => !inIs.has(change)),
    ...is!.filter((change) => !inWas.has(change))
  ]
}

/** Every fault of the fields of some records in one state. */
export const fieldIssues = (
  { fields }: Product,
  state: PolicyState,
  stage: FieldStage,
  isJudged: (record: string, isStopped: boolean) => boolean = (_record, isStopped) => !isStopped
): ReadonlyArray<FieldIssue> => [
  ...(isJudged("", false) ? fieldFaults(fields.policy, { values: state.customFields, stage }) : []),
  ...inOrder(state.customers).flatMap(([id, { customFields, role }]) => {
    const at = `/customers/${id}`
    return isJudged(at, false)
      ? fieldFaults(fields.customer, { values: customFields, stage, role, at })
      : []
  }),
  ...inOrder(state.assets).flatMap(([id, { customFields, stoppedAt }]) => {
    const at = `/assets/${id}`
    return isJudged(at, stoppedAt !== undefined)
      ? fieldFaults(fields.asset, { values: customFields, stage, at })
      : []
  })
]

/** The records whose fields a patch may move: the policy by an empty path, its customers and assets. */
const recordsOf = (patch: ReadonlyArray<PatchEntry>): ReadonlySet<string> =>
  new Set(
    patch.flatMap(({ path }): Array<string> => {
      const [, first, id] = path.split("/")
      if (first === "customFields") return [""]
      const isRecord = (first === "customers" || first === "assets") && id !== undefined
      return isRecord ? [`/${first}/${id}`] : []
    })
  )
