/** What the members of a policy's steps, changes and timeline mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const lifecycleTerms = {
  "PolicyReason.reason": "Why the policy is suspended.",
  "PolicyReason.details": "Further facts about the step.",
  "StopPolicy.reason": "Why the policy is stopped: one of the product's stop reasons.",
  "StopPolicy.details": "Further facts about the stop.",
  "StopPolicy.receivedAt":
    "When the notice reached who has to have it, in UTC; default: now. The notice of the law runs from it.",
  "StopNotPossible.details.reason": "The reason to stop that was given.",
  "StopNotPossible.details.earliest": "The first instant at which the contract may end, in UTC.",
  "StopNotPossible.details.article": "The article of the law that says so.",
  gap: "Whether the time since the stop is covered, and paid, after all.",
  preview: "The effect of the step on the invoices; only in a dry run.",
  "InvoicePreview.refund":
    "The sum that credit notes would credit at once, in the minor unit of the currency.",
  "InvoicePreview.charge":
    "The sum that further invoices would charge at once, in the minor unit of the currency.",
  "InvoicePreview.invoices": "The invoices to come, without the step and with it.",
  segments: "The times of one state each, in order.",
  "TimelineSegment.from":
    "When the state begins, in UTC. The first segment has no beginning: it says `0001-01-01T00:00:00.000Z`.",
  "TimelineSegment.to": "When the state ends, in UTC; absent on the last segment.",
  "TimelineSegment.status": "The status of the sale or of the policy then.",
  "TimelineSegment.quote": "The accepted price of a whole term; absent where there is none.",
  changeIds: "The changes with which the time begins.",
  "Change.id": "The change, by its identifier.",
  seq: "The number of the change in the policy's log, from 1.",
  "Change.branchId": "The branch that the change was recorded on.",
  "Change.kind": "The kind of change.",
  "Change.effectiveAt":
    "When the change takes effect, in UTC. A sale before its signature says `0001-01-01T00:00:00.000Z`.",
  "Change.recordedAt": "When it was recorded, in UTC.",
  "Change.author": "The author: a person by identifier, a job by name.",
  patch: "The values that it sets and removes, in order.",
  "patch.value": "The value at the path from then on.",
  removed: "That nothing is at the path any more, nor below it.",
  reverts: "The change that this one reverts; absent where it reverts none."
}

const ofRevert = "Deletes nothing. The reverted change has no effect from its own instant on."

/** What the parameters of this area mean. */
export const lifecycleParameters: ParameterTerms = {
  "policyLifecycle.changes.branchId": {
    means:
      "The branch whose changes to list, with those in force where it forked; default: all branches."
  },
  changeId: { means: "The change to revert, by its identifier.", example: id("change") },
  "policyLifecycle.revert.whenAt": { means: ofRevert },
  "policyLifecycle.withdrawStop.whenAt": { means: ofRevert }
}
