/** A change on a policy's trunk that the service itself decided. */
import type { Change } from "@quittance/domain/Change"
import type { Draft } from "@quittance/domain/PolicyCommands"
import { jobName } from "@quittance/domain/Audit"
import type { Book } from "./BillingView.ts"
import type { MakeId } from "./Issuing.ts"
import { branchesStopped } from "./Merging.ts"
import { applied } from "./OpenPolicy.ts"

/** The book with a change in its log, recorded by the worker; a stop ends later branches with it. */
export const recordedBy = (book: Book, draft: Draft, makeId: MakeId): Book => {
  const { policy } = book
  const branchId = policy.head.defaultBranchId
  const branches = branchesStopped(policy, [draft])
  const recorded = { command: jobName, changes: [{ branchId, draft }], branches }
  const nextId = (): Change["id"] => makeId("change")
  return { ...book, policy: applied(policy, recorded, jobName, nextId) }
}
