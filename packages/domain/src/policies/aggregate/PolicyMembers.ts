/** Until when customers are on a policy, as far as its versions say by now. */
import type { Memberships } from "./StoredBranch.ts"
import { type Change, touch } from "../Change.ts"
import type { Instant } from "../../values/Instant.ts"
import * as Validity from "../Validity.ts"
import { lineageOf, type PolicyAggregate } from "./PolicyAggregate.ts"
import type { BranchId } from "../../values/Ids.ts"

/**
 * What a command made of the memberships, where it may have moved one: by what stands, a customer is on
 * the policy until the last of its states ends, and as long as an open branch beside it puts it there.
 */
export const membershipsOf = (
  before: PolicyAggregate,
  after: PolicyAggregate,
  validity: ReadonlyMap<BranchId, ReadonlyArray<Validity.Validity>>
): Memberships | undefined => {
  const written = after.changes.slice(before.changes.length)
  return written.some(moves) || closesBranch(before, after)
    ? membersOf(after, validity.get(after.head.defaultBranchId))
    : undefined
}

type Members = Pick<PolicyAggregate, "branches" | "changes" | "head">

/** Until when everybody is on a policy; its standing states are made again where they aren't at hand. */
export const membersOf = (
  policy: Members,
  states: ReadonlyArray<Validity.Validity> = standing(policy)
): Memberships => {
  const memberships = new Map<string, Instant | undefined>()
  for (const { entityId, entityKind, to } of states) {
    // The states of an entity come in their order.
    if (entityKind === "CUSTOMER") memberships.set(entityId, to)
  }
  for (const customerId of addedBeside(policy)) memberships.set(customerId, undefined)
  return memberships
}

const hiding: ReadonlySet<Change["kind"]> = new Set([
  "ANNOUNCE_STOP",
  "STOP",
  "REVERT",
  "REINSTATE"
])

const moves = ({ kind, patch }: Change): boolean =>
  hiding.has(kind) || patch.some(({ path }) => touch(path, "/customers"))

const closesBranch = (before: PolicyAggregate, after: PolicyAggregate): boolean =>
  before.branches.some(
    ({ id, status }) => after.branches.find((branch) => branch.id === id)?.status !== status
  )

const standing = ({ branches, changes, head }: Members): ReadonlyArray<Validity.Validity> => {
  const branch = branches.find(({ id }) => id === head.defaultBranchId)!
  return Validity.ofBranch(changes, lineageOf(branches, branch), head.id)
}

const addedBeside = ({ branches, changes, head }: Members): ReadonlyArray<string> => {
  const open = new Set(branches.filter(({ status }) => status === "OPEN").map(({ id }) => id))
  open.delete(head.defaultBranchId)
  return changes
    .filter(({ branchId }) => open.has(branchId))
    .flatMap(({ patch }) =>
      patch.flatMap((entry) => {
        const [, first, customerId, ...below] = entry.path.split("/")
        const isAdded = first === "customers" && below.length === 0 && "value" in entry
        return isAdded && customerId !== undefined ? [customerId] : []
      })
    )
}
