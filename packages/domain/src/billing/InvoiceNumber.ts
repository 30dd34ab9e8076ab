/**
 * What makes an invoice's number: its series, and a counter of the tenant for that series without gaps.
 * `PolicyAccounts.write` takes the counters last in the transaction, in the order of the planned days, so
 * that no number is lost and numbers follow the dates.
 */
import type { InvoiceType } from "./Invoice.ts"

const digits = 6

/** The series of each type of invoice. */
export const seriesOf: Readonly<Record<InvoiceType, string>> = {
  INVOICE: "INV",
  CREDIT_NOTE: "CRN"
}

/** The number that people read: `INV-000042`. */
export const numberText = ({
  number,
  series
}: {
  readonly number: number
  readonly series: string
}): string => `${series}-${String(number).padStart(digits, "0")}`
