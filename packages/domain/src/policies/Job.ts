/** A job of the worker, as the test clock counts it. */
export type Job =
  | "startPolicies"
  | "issueInvoices"
  | "requoteOffers"
  | "renewPolicies"
  | "noticePayers"
  | "suspendPolicies"
  | "reactivatePolicies"
  | "terminatePolicies"
  | "dropPolicies"
