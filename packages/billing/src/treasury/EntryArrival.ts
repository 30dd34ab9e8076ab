/** What a payment on a statement is taken for when it comes, and what it posts. */
import type { NewEntry, ReadEntry } from "@quittance/domain/treasury/NewEntry"
import type { TreasuryEntry } from "@quittance/domain/treasury/TreasuryEntry"
import type { MakeId } from "@quittance/domain/values/PrefixedId"
import { type Decided, type EntryClues, match, type MatchFacts } from "./Matching.ts"
import { forArrival, forBankCharge, forOwn, type TreasuryFact } from "./TreasuryPostings.ts"

/** A payment that was read, and what its texts tell. */
export interface ReadPayment {
  readonly row: ReadEntry
  readonly clues: EntryClues
}

export interface ArrivalFrame {
  readonly makeId: MakeId
  /** Whether the message moves money, and does not only tell of it. */
  readonly movesMoney: boolean
}

/** A row as it is written, and what it posts; a message that moves no money posts nothing. */
export const decidedRow = (
  { clues, row: read }: ReadPayment,
  facts: MatchFacts,
  frame: ArrivalFrame
): { readonly row: NewEntry; readonly posted: ReadonlyArray<TreasuryEntry> } => {
  const decided = match(
    {
      amount: read.amount,
      currency: read.currency,
      bookedOn: read.bookedOn,
      family: read.family ?? "",
      subFamily: read.subFamily ?? "",
      cameBack: read.cameBack,
      clues,
      payerPrint: read.partyPrint
    },
    facts
  )
  const row = { ...read, charge: chargeOf(read, decided) }
  if (!frame.movesMoney) {
    const isPending = decided !== undefined && "record" in decided
    const standing = { status: "TOLD", allocated: 0, isPending } as const
    return { row: { ...row, clues, ...standing, ...matchedAs(decided) }, posted: [] }
  }
  const { fact, recordId, standing } = arrivalOf(row, decided)
  const posted: TreasuryEntry = {
    id: frame.makeId("entry"),
    bankAccountId: row.bankAccountId,
    ...fact,
    bankEntryId: row.id,
    ...(recordId === undefined ? {} : { recordId }),
    bookedOn: row.bookedOn,
    recordedAt: row.recordedAt,
    currency: row.currency
  }
  return { row: { ...row, clues, ...standing, ...matchedAs(decided) }, posted: [posted] }
}

const matchedAs = (decided: Decided) => ({
  ...(decided === undefined ? {} : { rule: decided.rule }),
  ...(decided !== undefined && "record" in decided ? { recordId: decided.record.recordId } : {})
})

/**
 * What a bank kept of a payment that came back. Of a debit it is what left beyond the debit, whatever the message
 * says: some banks tell a charge that they book apart.
 */
const chargeOf = ({ amount, cameBack, charge }: ReadEntry, decided: Decided): number => {
  if (!cameBack || decided === undefined || !("record" in decided)) return charge
  const { record } = decided
  return record.kind === "DEBIT" ? Math.max(0, Math.abs(amount) - record.amount) : charge
}

const arrivalOf = (
  { amount, bankAccountId, charge }: ReadEntry,
  decided: Decided
): {
  readonly fact: TreasuryFact
  readonly recordId?: string
  readonly standing: Pick<NewEntry, "allocated" | "isPending" | "status">
} => {
  const done = { status: "MATCHED", allocated: amount, isPending: false } as const
  if (decided === undefined) {
    const standing = { status: "UNMATCHED", allocated: 0, isPending: false } as const
    return { fact: forArrival(bankAccountId, amount), standing }
  }
  if (decided.rule === "BANK_CHARGE") {
    return { fact: forBankCharge(bankAccountId, amount), standing: done }
  }
  if ("record" in decided) {
    // The record learns of it a moment later; the bank's side is as it is.
    const standing = { ...done, status: "MATCHING", isPending: true } as const
    const { cashRecordId } = decided.record
    return { fact: forOwn(bankAccountId, amount, charge), recordId: cashRecordId, standing }
  }
  const standing = { status: "MATCHING", allocated: 0, isPending: true } as const
  return { fact: forArrival(bankAccountId, amount), standing }
}
