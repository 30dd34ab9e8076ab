import type { DueItemKind } from "../requests/DueItem.ts"

/** A job of the worker, as the test clock counts it. */
export type Job =
  | DueItemKind
  | "startPolicies"
  | "issueInvoices"
  | "requoteOffers"
  | "renewPolicies"
  | "noticePayers"
  | "suspendPolicies"
  | "reactivatePolicies"
  | "terminatePolicies"
  | "dropPolicies"

/** How often each job ran. */
export type JobCounts = Readonly<Partial<Record<Job, number>>>

/** Each job once for each time that it is named. */
export const count = (jobs: ReadonlyArray<Job>): JobCounts =>
  sum(jobs.map((name) => ({ [name]: 1 })))

/** Adds up how often each job ran. */
export const sum = (runs: ReadonlyArray<JobCounts>): JobCounts => {
  const total: Partial<Record<Job, number>> = {}
  for (const ran of runs) {
    // Its keys are jobs.
    for (const name of Object.keys(ran) as Array<Job>) {
      total[name] = (total[name] ?? 0) + ran[name]!
    }
  }
  return total
}
