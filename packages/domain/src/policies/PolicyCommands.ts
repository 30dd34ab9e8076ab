/**
 * What the commands of a policy decide: pure functions from the state, the product and the request
 * to the changes that are recorded, or to the failure that is answered.
 */
import { Result } from "effect"
import type { QuoteComponent } from "../values/Amount.ts"
import { BranchRequired, type Stage } from "./Branch.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import {
  type ChangeKind,
  type Foldable,
  type JsonObject,
  origin,
  type PatchEntry
} from "./Change.ts"
import { type Lineage, unreverted } from "./ChangeView.ts"
import type { CustomFieldPatch } from "../values/CustomField.ts"
import { type Instant, max, min } from "../values/Instant.ts"
import { hasBegun, permit, type Position, refusal } from "./Lifecycle.ts"
import type { PatchPolicy } from "./PolicyRequests.ts"
import type { Policy } from "./Policy.ts"
import { awaitsFirstPayment } from "./PolicyView.ts"
import type { PolicyState, Selection } from "./PolicyState.ts"
import type { Product } from "../products/Product.ts"
import type { ChangeId } from "../values/Ids.ts"
import type { InvalidTransition } from "../requests/RequestErrors.ts"

/** A change that a command decided, before it has its number. */
export interface Draft {
  readonly kind: ChangeKind
  readonly effectiveAt: Instant
  readonly patch: ReadonlyArray<PatchEntry>
  /** The change that this one undoes. */
  readonly reverts?: ChangeId
}

export type Decision<A, E> = Result.Result<A, E>

/** One entry for each member that the request names. */
export const patchEntries = (patch: PatchPolicy): ReadonlyArray<PatchEntry> => {
  const { customFields = [], ...members } = patch
  return [
    ...Object.entries(members)
      .filter(([, value]) => value !== undefined)
      // A request's members are JSON.
      .map(([key, value]) => entry(`/${key}`, value as JsonObject | null)),
    ...fieldEntries("", customFields)
  ]
}

/** Custom fields are merged by key; `null` removes one. */
export const fieldEntries = (
  prefix: string,
  fields: ReadonlyArray<CustomFieldPatch>
): ReadonlyArray<PatchEntry> =>
  fields.map(({ key, value }) => entry(`${prefix}/customFields/${key}`, value))

/** Sets what is at a path; `null` removes it. */
export const entry = (path: string, value: PatchEntryValue | null): PatchEntry =>
  value === null ? { path, removed: true } : { path, value }

type PatchEntryValue = Extract<PatchEntry, { readonly value: unknown }>["value"]

/** Where a policy's data is being changed. */
export interface Target {
  readonly product: Product
  readonly before: PolicyState
  /** The policy as it is now, whenever the change takes effect. */
  readonly present: Pick<PolicyState, "contract">
  readonly position: Position
  /** Whether the patch changes what some part of the policy's time costs. */
  readonly priced: boolean
  readonly onTrunk: boolean
  readonly patch: ReadonlyArray<PatchEntry>
  readonly effectiveAt: Instant
}

/**
 * A change of data. While the sale is open a change of what is priced outdates the quote; a confirmed
 * sale has to be reopened for it, and a signed policy changes it on a branch.
 */
export const update = ({
  before,
  effectiveAt,
  onTrunk,
  patch,
  position,
  present,
  priced,
  product
}: Target): Decision<ReadonlyArray<Draft>, InvalidTransition | BranchRequired> => {
  if (before.contract === "STOPPED") return Result.fail(refusal(position, "update"))
  // A term that has begun keeps its bounds, also as of a time at which it had not.
  if (hasBegun(present) && patch.some(isBound)) return Result.fail(refusal(position, "update"))
  // How a contract was sold does not change with it.
  if (present.contract !== undefined && patch.some(isOfSale)) {
    return Result.fail(refusal(position, "update"))
  }
  if (onTrunk) {
    const paths = patch.map(({ path }) => path).filter((path) => priced || !isOpen(product, path))
    if (paths.length > 0) return Result.fail(new BranchRequired({ paths, branchType: "MTA" }))
    return Result.succeed([{ kind: "UPDATE", effectiveAt, patch }])
  }
  if (priced && position.stage === "CONFIRMED") return Result.fail(refusal(position, "update"))
  const outdates = priced && position.stage === "QUOTED"
  return Result.succeed([
    { kind: "UPDATE", effectiveAt, patch },
    // The stage is no fact with a date of its own: the next quote would slide under a later one.
    ...(outdates ? [moveTo("OUTDATE", "DRAFT")] : [])
  ])
}

const isBound = ({ path }: PatchEntry): boolean =>
  path === "/startedAt" || path.startsWith("/periodDuration")

const isOfSale = ({ path }: PatchEntry): boolean => path === "/salesChannel"

/** What sets the start and the period of a lineage, when and in which order: as text, to be compared. */
export const boundsOf = (changes: ReadonlyArray<Foldable>, lineage: Lineage): string =>
  canonicalJson(
    unreverted(changes, lineage)
      .filter(({ patch }) => patch.some(isBound))
      .map(({ effectiveAt, patch }) => [effectiveAt, patch.filter(isBound)])
  )

/** A step of the sale: it holds for the whole branch, in the order in which the steps were taken. */
export const moveTo = (kind: ChangeKind, stage: Stage): Draft => ({
  kind,
  effectiveAt: origin,
  patch: [{ path: "/stage", value: stage }]
})

/** Whether a path without a price may change on the base branch after the signature. */
const isOpen = ({ trunkFields }: Product, path: string): boolean => {
  const [, first, id, member, key] = path.split("/")
  switch (first) {
    case "name":
    case "externalId":
      return true
    case "customFields":
      return trunkFields.policy.includes(id ?? "")
    case "customers":
      return member === undefined || trunkFields.customer.includes(key ?? "")
    case "assets":
      return member === "name" || trunkFields.asset.includes(key ?? "")
    default:
      return false
  }
}

/** What a quote request chose: on the policy from an instant on, and the sale goes on from there. */
export const choose = (effectiveAt: Instant, chosen: Chosen): ReadonlyArray<Draft> => [
  { kind: "QUOTE", effectiveAt, patch: chosenEntries(chosen) },
  moveTo("QUOTE", "QUOTED")
]

/** What a quote request may set beside the tier. */
interface Chosen {
  readonly selection: Selection
  readonly additionalQuoteComponents?: QuoteComponent | undefined
  readonly brokerageFees?: Policy["brokerageFees"] | undefined
}

/** What a quote request sets on the policy itself. */
export const chosenEntries = (chosen: Chosen): ReadonlyArray<PatchEntry> => [
  { path: "/selection", value: json(chosen.selection) },
  ...(chosen.additionalQuoteComponents === undefined
    ? []
    : [{ path: "/additionalQuoteComponents", value: json(chosen.additionalQuoteComponents) }]),
  ...(chosen.brokerageFees === undefined
    ? []
    : [{ path: "/brokerageFees", value: json(chosen.brokerageFees) }])
]

// Schema types of JSON data are JSON; the type system only sees interfaces.
const json = (value: object): JsonObject => value as JsonObject

export const confirm = (position: Position): Decision<Draft, InvalidTransition> =>
  moveStage(position, "confirm", "CONFIRM", "CONFIRMED")

export const reopen = (position: Position): Decision<Draft, InvalidTransition> =>
  moveStage(position, "reopen", "REOPEN", "QUOTED")

const moveStage = (
  position: Position,
  command: "confirm" | "reopen",
  kind: ChangeKind,
  stage: Stage
): Decision<Draft, InvalidTransition> =>
  Result.map(permit(position, command), () => moveTo(kind, stage))

/**
 * The signature as the contract's first change on the base branch. What is sold for days before it is in force
 * from its start, whenever it is signed.
 */
export const sign = (state: PolicyState, now: Instant): Decision<Draft, InvalidTransition> =>
  Result.map(permit(state, "sign"), () => ({
    kind: "SIGN",
    effectiveAt: min(now, state.startedAt),
    patch: [
      { path: "/stage", value: "SIGNED" },
      { path: "/signedAt", value: now },
      { path: "/contract", value: "NOT_STARTED" }
    ]
  }))

/**
 * Cover begins, effective at the planned start whenever the job runs; `undefined` when it may not.
 *
 * @param contractFrom since when the contract has waited for its start: it can't start before that
 */
export const start = (
  product: Product,
  state: PolicyState,
  { contractFrom, now }: { readonly contractFrom: Instant; readonly now: Instant }
): Draft | undefined =>
  state.contract === "NOT_STARTED" && state.startedAt <= now && !awaitsFirstPayment(product, state)
    ? {
        kind: "START",
        effectiveAt: max(state.startedAt, contractFrom),
        patch: [{ path: "/contract", value: "STARTED" }]
      }
    : undefined

/** The first payment that a product waits for has come. */
export const firstPayment = (paidAt: Instant): Draft => ({
  kind: "FIRST_PAYMENT",
  effectiveAt: paidAt,
  patch: [{ path: "/firstPaidAt", value: paidAt }]
})
