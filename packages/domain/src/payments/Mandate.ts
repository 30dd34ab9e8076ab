/** Mandates: what a debtor signs so that money may be collected from their account. */
import { Schema } from "effect"
import { addMonths, type LocalDate } from "../values/LocalDate.ts"

/** `CORE` is for everyone; `B2B` for companies alone, without a right of refund. */
export const DebitScheme = Schema.Literals(["CORE", "B2B"]).annotate({ identifier: "DebitScheme" })
export type DebitScheme = typeof DebitScheme.Type

export const MandateType = Schema.Literals(["RECURRENT", "ONE_OFF"]).annotate({
  identifier: "MandateType"
})
export type MandateType = typeof MandateType.Type

export const MandateStatus = Schema.Literals([
  "DRAFT",
  "AWAITING_BANK",
  "ACTIVE",
  "BLOCKED",
  "CANCELLED",
  "EXPIRED"
]).annotate({ identifier: "MandateStatus" })
export type MandateStatus = typeof MandateStatus.Type

/** `ACCOUNT`: another account of the debtor; `UMR`: another reference; `CREDITOR`: another creditor. */
export const AmendmentKind = Schema.Literals(["ACCOUNT", "UMR", "CREDITOR"]).annotate({
  identifier: "AmendmentKind"
})
export type AmendmentKind = typeof AmendmentKind.Type

/** `SENT` until the debit that carries it was rejected (`PENDING` again) or was not (`DONE`). */
export const AmendmentStatus = Schema.Literals(["PENDING", "SENT", "DONE"]).annotate({
  identifier: "AmendmentStatus"
})
export type AmendmentStatus = typeof AmendmentStatus.Type

/** Months without a debit after which a mandate may not be used any more (EPC rulebooks, 4.1). */
const unusedMonths = 36

/**
 * The last day on which a debit may be collected by a mandate: 36 months after the due day of the last
 * debit that was presented, whatever became of it, else after the signature. A month that lacks the day
 * has its last day.
 */
export const endsOn = (mandate: {
  readonly signedOn: LocalDate
  /** The due day of the last debit that a bank was given, rejected ones included. */
  readonly lastPresentedOn?: LocalDate | undefined
}): LocalDate => addMonths(mandate.lastPresentedOn ?? mandate.signedOn, unusedMonths)

/** What whether a mandate may be used depends on. */
export interface MandateStanding {
  readonly status: MandateStatus
  /** The last day of a collection; see {@link endsOn}. */
  readonly endsOn: LocalDate
}

/** Whether a debit may be collected by the mandate on a day. */
export const isUsableOn = (mandate: MandateStanding, collectOn: LocalDate): boolean =>
  mandate.status === "ACTIVE" && collectOn <= mandate.endsOn

/** Whether the 36 months are over on a day: the mandate then expires. */
export const isOverdue = (mandate: MandateStanding, today: LocalDate): boolean =>
  today > mandate.endsOn

/**
 * The form in which mandate references and creditor identifiers are compared and kept unique: banks give
 * them back in another case and with other blanks.
 */
export const comparableReference = (text: string): string =>
  text.replaceAll(/\s/gu, "").toUpperCase()
