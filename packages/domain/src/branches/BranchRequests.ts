/** What requests about branches say. */
import { Schema } from "effect"
import { InstantFromString } from "../values/Instant.ts"
import { Text } from "../values/Text.ts"
import { Resolution } from "./Merge.ts"

/** A branch to be opened; the service itself opens renewals and repricings. */
export const OpenBranch = Schema.Struct({
  branchType: Schema.Literals(["NEW_BUSINESS", "MTA"]),
  name: Schema.optionalKey(Text),
  /** Absent: `whenAt` of the query, else now. */
  effectiveAt: Schema.optionalKey(InstantFromString)
}).annotate({ identifier: "OpenBranch" })
export type OpenBranch = typeof OpenBranch.Type

export const ForkBranch = Schema.Struct({ name: Schema.optionalKey(Text) }).annotate({
  identifier: "ForkBranch"
})
export type ForkBranch = typeof ForkBranch.Type

/** Why a caller gives a branch up; the other reasons are the service's own. */
export const InvalidateBranch = Schema.Struct({
  reason: Schema.Literals([
    "BROKER_REQUEST",
    "CUSTOMER_REQUEST",
    "FORKED",
    "QUOTE_INVALIDATED",
    "RENEWAL_REFUSED"
  ])
}).annotate({ identifier: "InvalidateBranch" })
export type InvalidateBranch = typeof InvalidateBranch.Type

/** A decision for each conflict; none are needed where there is no conflict. */
export const RebaseBranch = Schema.Struct({
  resolutions: Schema.Array(Resolution).check(Schema.isMaxLength(10_000))
}).annotate({ identifier: "RebaseBranch" })
export type RebaseBranch = typeof RebaseBranch.Type
