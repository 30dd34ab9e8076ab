/** What requests about formal notices and holds say. */
import { Schema } from "effect"
import { CustomerId, InvoiceId } from "../values/Ids.ts"
import { InstantFromString } from "../values/Instant.ts"
import { NoticeEvidence } from "./Dunning.ts"

/** The dispatch of a formal notice, as it is recorded. */
export const RecordNotice = Schema.Struct({
  invoiceIds: Schema.NonEmptyArray(InvoiceId).check(Schema.isMaxLength(100)),
  payerCustomerId: CustomerId,
  sentAt: InstantFromString,
  channel: Schema.Literals(["REGISTERED_LETTER", "LETTER", "EMAIL"]),
  evidence: NoticeEvidence,
  /** Absent: whether the product's notices do. */
  announcesTermination: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "RecordNotice" })
export type RecordNotice = typeof RecordNotice.Type

/** A hold to be put on a policy, from now on unless it says otherwise. */
export const PlaceHold = Schema.Struct({
  from: Schema.optionalKey(InstantFromString),
  to: Schema.optionalKey(InstantFromString),
  reason: Schema.NonEmptyString.check(Schema.isMaxLength(500))
}).annotate({ identifier: "PlaceHold" })
export type PlaceHold = typeof PlaceHold.Type
