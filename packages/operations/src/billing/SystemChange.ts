/** A change on a policy's trunk that the service itself decided. */
import type { Change } from "@quittance/domain/policies/Change"
import type { Draft } from "@quittance/domain/policies/PolicyCommands"
import { jobName } from "@quittance/domain/audit/Audit"
import type { Book } from "./PolicyAccount.ts"
import type { MakeId } from "./InvoiceIssuing.ts"
import { branchesStopped } from "../branches/BranchMerging.ts"
import { applied } from "../policies/PolicyAggregate.ts"

/** The book with a change in its log, recorded by the worker; a stop ends later branches with it. */
export const recordedBy = (book: Book, draft: Draft, makeId: MakeId): Book => {
  const { policy } = book
  const branchId = policy.head.defaultBranchId
  const branches = branchesStopped(policy, [draft])
  const recorded = { command: jobName, changes: [{ branchId, draft }], branches }
  const nextId = (): Change["id"] => makeId("change")
  return { ...book, policy: applied(policy, recorded, jobName, nextId) }
}
