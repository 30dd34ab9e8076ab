/**
 * What follows from the reason that a bank gives for a debit that failed. The codes are those of the
 * external code set of ISO 20022, as the SEPA rulebooks use them.
 */
import { Schema } from "effect"

/**
 * `RETRY` may be collected again by itself; `CUSTOMER` is for the payer to settle; `BLOCK` says that the
 * mandate or its account can't be used; `FILE` says that what we sent was wrong.
 */
export const ReasonClass = Schema.Literals(["RETRY", "CUSTOMER", "BLOCK", "FILE"]).annotate({
  identifier: "ReasonClass"
})
export type ReasonClass = typeof ReasonClass.Type

const codes: Readonly<Record<Exclude<ReasonClass, "CUSTOMER">, ReadonlySet<string>>> = {
  RETRY: new Set(["AM04", "MS03"]),
  BLOCK: new Set(["MD01", "MD02", "MD07", "AC01", "AC04", "AC06", "AC13", "AG01", "DNOR", "FRAD"]),
  FILE: new Set(["AG02", "BE05", "FF01", "FF05", "RC01", "RR01", "RR02", "RR03", "CNOR", "AM05"])
}

/**
 * The class of a bank's reason code. `MS02`, `MD06`, `SL01`, `RR04` and every code that is not known are
 * `CUSTOMER`: the mandate stays, and nothing is collected again by itself.
 *
 * @param code as the bank gives it, such as `AM04`; case and outer blanks do not count
 */
export const reasonClassOf = (code: string): ReasonClass => {
  const known = normalized(code)
  if (codes.RETRY.has(known)) return "RETRY"
  if (codes.BLOCK.has(known)) return "BLOCK"
  return codes.FILE.has(known) ? "FILE" : "CUSTOMER"
}

/** Whether a code says that nothing went wrong: some banks list what succeeded among their returns. */
export const isSuccess = (code: string): boolean => normalized(code) === "0000"

/** Whether the payer says that they never agreed: what was collected is then disputed. */
export const isDispute = (code: string): boolean => normalized(code) === "MD01"

const final = new Set(["MD01", "MD07", "AC04"])

/**
 * Whether nothing is ever collected by the mandate again: the payer says that there is none (`MD01`), they have died
 * (`MD07`), or their account is closed (`AC04`).
 */
export const isFinal = (code: string): boolean => final.has(normalized(code))

const normalized = (code: string): string => code.trim().toUpperCase()
