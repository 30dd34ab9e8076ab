/** The days of a policy that are not billed: suspensions, gaps, and what follows a stop. */
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { StopReason } from "@quittance/domain/products/ProductTerms"
import type { Term } from "../periods/Term.ts"

/** How a stop gives back, as its reason says. */
export type StopRefund = Pick<StopReason, "refund" | "shortRate">

/** The days `[from, to)` without cover; without `to` it does not come back. */
export interface CoverageGap {
  readonly from: LocalDate
  readonly to?: LocalDate | undefined
  /** What a stop gives back; absent where cover is only suspended, and everything is. */
  readonly stop?: StopRefund | undefined
}

/** A stop that was neither reverted nor reinstated. */
export interface FinalStop {
  /** The first day without cover. */
  readonly on: LocalDate
  readonly refund: StopRefund
}

export const finalStop = (coverageGaps: ReadonlyArray<CoverageGap>): FinalStop | undefined => {
  const last = coverageGaps.at(-1)
  return last?.stop === undefined || last.to !== undefined
    ? undefined
    : { on: last.from, refund: last.stop }
}

/** The coverage gaps without a stop for good: cover as it would have gone on. */
export const withoutFinalStop = (
  coverageGaps: ReadonlyArray<CoverageGap>
): ReadonlyArray<CoverageGap> =>
  finalStop(coverageGaps) === undefined ? coverageGaps : coverageGaps.slice(0, -1)

export const stopsIn = ({ on }: FinalStop, { end, start }: Term): boolean => start <= on && on < end

/** Whether a stop gives back all that was invoiced for a term. */
export const givesBackAll = (stop: FinalStop, term: Term): boolean =>
  stop.refund.refund === "FULL" && stopsIn(stop, term)

/** An invoiced charge that the present view no longer wants. */
export interface OverchargedDays {
  readonly start: LocalDate
  readonly end: LocalDate
  readonly termStart: LocalDate
  readonly inFirstTerm: boolean
  readonly refundable: boolean
}

/**
 * The coverage gaps in whose days an invoiced charge stays all the same: after a stop that gives nothing back,
 * or that a premium item is kept out of. What was invoiced for a later term is given back whatever the reason,
 * since that term never began.
 */
export const gapsKeepingCharges = (
  coverageGaps: ReadonlyArray<CoverageGap>,
  { end, inFirstTerm, refundable, start, termStart }: OverchargedDays
): ReadonlyArray<CoverageGap> =>
  coverageGaps.filter(
    (coverageGap) =>
      coverageGap.stop !== undefined &&
      (coverageGap.stop.refund === "NONE" || !refundable) &&
      !(coverageGap.stop.refund === "FULL" && coverageGap.to === undefined) &&
      (inFirstTerm || termStart < coverageGap.from) &&
      coverageGap.from < end &&
      (coverageGap.to === undefined || start < coverageGap.to)
  )
