/** What is recorded on the way of unpaid premiums: formal notices, and times without dunning. */
import { Schema } from "effect"
import { Instant } from "../values/Instant.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { CustomerId, FormalNoticeId, HoldId, InvoiceId } from "../values/Ids.ts"

const Text = Schema.NonEmptyString.check(Schema.isMaxLength(500))

/** How a notice goes out; the simulated post is the sandbox's, and carries nothing. */
export const NoticeChannel = Schema.Literals([
  "REGISTERED_LETTER",
  "LETTER",
  "EMAIL",
  "SIMULATED_POST"
])
export type NoticeChannel = typeof NoticeChannel.Type

/** Who sends the notices of a tenant: people, who record it, or the sandbox's simulated post. */
export const NoticeDispatch = Schema.Literals(["BY_HAND", "SIMULATED_POST"])
export type NoticeDispatch = typeof NoticeDispatch.Type

/**
 * What proves that a notice was dispatched: the insurer has to prove the dispatch, not that it arrived
 * (art. R113-1 code des assurances).
 */
export const NoticeEvidence = Schema.Struct({
  carrier: Text,
  /** The carrier's number of the letter. */
  reference: Text,
  /** The address that was written to. */
  address: Schema.optionalKey(Text),
  /** SHA-256 of what was sent, in hexadecimal; filled in where the notice has a document. */
  documentHash: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(/^[0-9a-f]{64}$/u, { message: "Expected 64 hexadecimal digits" })
    )
  )
}).annotate({ identifier: "NoticeEvidence" })
export type NoticeEvidence = typeof NoticeEvidence.Type

export const NoticeStatus = Schema.Literals(["TO_SEND", "SENT"])
export type NoticeStatus = typeof NoticeStatus.Type

/** A formal notice with the instants that follow from it as things stand. */
export const FormalNotice = Schema.Struct({
  id: FormalNoticeId,
  policyId: PrefixedId.schema("policy"),
  payerCustomerId: CustomerId,
  invoiceIds: Schema.Array(InvoiceId),
  status: NoticeStatus,
  channel: NoticeChannel,
  createdAt: Instant,
  sentAt: Schema.optionalKey(Instant),
  evidence: Schema.optionalKey(NoticeEvidence),
  /** Whether it says that the contract ends by itself when it stays unpaid. */
  announcesTermination: Schema.Boolean,
  /** The first instant without cover; absent where it is paid before. */
  suspendedAt: Schema.optionalKey(Instant),
  /** From then on the contract may be ended; absent where it is paid before. */
  terminableAt: Schema.optionalKey(Instant),
  /** The first instant with cover again. */
  reactivatedAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "FormalNotice" })
export type FormalNotice = typeof FormalNotice.Type

/** A time in which no step of dunning is taken on a policy: `[from, to)`, or until it is lifted. */
export const Hold = Schema.Struct({
  id: HoldId,
  policyId: PrefixedId.schema("policy"),
  from: Instant,
  to: Schema.optionalKey(Instant),
  reason: Schema.String
}).annotate({ identifier: "Hold" })
export type Hold = typeof Hold.Type

/** A stop for unpaid premiums before the product's rule of dunning lets the contract end. */
export class TerminationNotPossible extends Schema.TaggedError<TerminationNotPossible>()(
  "TerminationNotPossible",
  { reason: Schema.String, earliest: Schema.optionalKey(Instant) }
) {
  override get message() {
    return this.earliest === undefined
      ? `Nothing unpaid lets this contract end for ${this.reason} now: send a formal notice where the product has one, and see in GET /billing/policies/{policyId}/formal-notices from when on it may; or stop it for another reason.`
      : `This contract may end for ${this.reason} from ${this.earliest} on, if the premium is still unpaid; stop it then, or for another reason.`
  }
}

export class HoldNotFound extends Schema.TaggedError<HoldNotFound>()("HoldNotFound", {
  holdId: Schema.String
}) {
  override get message() {
    return `There is no hold ${this.holdId} that could still be lifted; check the identifier.`
  }
}
