/** That nothing is collected by a mandate, and what to do then. */
import { Schema } from "effect"
import { MandateId } from "../values/Ids.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { MandateStatus } from "./Mandate.ts"
import { isFinal } from "./ReturnReason.ts"

export class MandateNotUsable extends Schema.TaggedError<MandateNotUsable>()("MandateNotUsable", {
  mandateId: MandateId,
  status: MandateStatus,
  endsOn: Schema.optionalKey(LocalDate),
  /** What a bank said of a debit. */
  reasonCode: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    const isOver = this.reasonCode !== undefined && isFinal(this.reasonCode)
    if (isOver) {
      return `Nothing is collected by mandate ${this.mandateId} any more (${this.reasonCode}); have a new mandate signed, or let the payer transfer.`
    }
    if (this.status === "BLOCKED") {
      return `A bank has blocked mandate ${this.mandateId}; unblock it once the payer's bank takes debits again.`
    }
    return this.status === "ACTIVE"
      ? `The account or the last day of mandate ${this.mandateId} does not allow this debit; amend the mandate, or have a new one signed.`
      : `Mandate ${this.mandateId} is ${this.status}; have a new mandate signed, or let the payer transfer.`
  }
}
