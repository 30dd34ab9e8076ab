/** A change on a policy's base branch that the service itself decided. */
import type { Change } from "@quittance/domain/policies/Change"
import type { Draft } from "@quittance/domain/policies/PolicyCommands"
import type { PolicyAccount } from "./PolicyAccount.ts"
import type { MakeId } from "@quittance/domain/values/PrefixedId"
import { branchesStopped } from "@quittance/domain/policies/aggregate/InvalidatedBranches"
import { applied } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { jobName } from "@quittance/domain/requests/Actor"

/** The book with a change in its log, recorded by the worker; a stop ends later branches with it. */
export const recordSystemChange = <A extends PolicyAccount>(
  account: A,
  draft: Draft,
  makeId: MakeId
): A => {
  const { policy } = account
  const branchId = policy.head.defaultBranchId
  const branches = branchesStopped(policy, [draft])
  const recorded = { command: jobName, changes: [{ branchId, draft }], branches }
  const nextId = (): Change["id"] => makeId("change")
  return { ...account, policy: applied(policy, recorded, jobName, nextId) }
}
