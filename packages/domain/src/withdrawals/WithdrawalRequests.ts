/** What requests about withdrawals say. */
import { Schema } from "effect"
import { Email } from "../values/Email.ts"
import { Text } from "../values/Text.ts"

/** Who withdraws, and where the acknowledgement goes. Nothing else may be asked for (art. 11a(2)). */
export const RequestWithdrawal = Schema.Struct({
  name: Text,
  email: Email,
  /** The number of the policy in the tenant, or its external identifier. */
  policyNumber: Schema.optionalKey(Text)
}).annotate({ identifier: "RequestWithdrawal" })
export type RequestWithdrawal = typeof RequestWithdrawal.Type
