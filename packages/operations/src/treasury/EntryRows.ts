/** Entries of a statement as rows, with what each posts when it comes. */
import type { BankEntry } from "@quittance/bank/BankEntry"
import { cluesOf } from "@quittance/bank/Clues"
import { cameBack, entryDay, otherParty, partsOf, returnCharge } from "@quittance/bank/Entries"
import { type Decided, match, type MatchFacts } from "@quittance/billing/treasury/Matching"
import {
  forArrival,
  forBankCharge,
  forOwn,
  type TreasuryFact
} from "@quittance/billing/treasury/TreasuryPostings"
import { seriesOf } from "@quittance/domain/billing/InvoiceNumber"
import { lastFourOf } from "@quittance/domain/payments/Iban"
import type { TreasuryEntry } from "@quittance/domain/treasury/TreasuryEntry"
import { Currency } from "@quittance/domain/values/Amount"
import type { BankAccountId, BankStatementId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import type { MakeId } from "@quittance/domain/values/PrefixedId"
import type { EntryIdentity, NewBankEntry } from "@quittance/persistence/treasury/EntryBookingRepo"

/** What all rows of a statement have in common. */
export interface RowFrame {
  readonly bankAccountId: BankAccountId
  readonly statementId: BankStatementId
  readonly iban: string
  readonly currency: string
  readonly recordedAt: Instant
  readonly printOf: (iban: string) => string
  readonly makeId: MakeId
  /** Whether it moves money, and does not only tell of it. */
  readonly movesMoney: boolean
}

/** A new payment on a statement, before it is known what it is. */
export interface ReadRow {
  readonly row: Omit<NewBankEntry, "allocated" | "isPending" | "recordId" | "rule" | "status">
  readonly clues: ReturnType<typeof cluesOf>
}

/** The payments of an entry; none where it can't be booked: it has no exact amount, no day or another currency. */
export const rowsOf = (
  entry: BankEntry,
  { likeness, nth }: Omit<EntryIdentity, "part">,
  frame: RowFrame
): ReadonlyArray<ReadRow> => {
  const bookedOn = entryDay(entry)
  const { amount, currency } = entry.moved
  if (bookedOn === undefined || amount === undefined || currency !== frame.currency) return []
  return partsOf(entry).map((part, index) => {
    const clues = cluesOf(entry, part, seriesOf.INVOICE)
    const { detail } = part
    const party = detail === undefined ? undefined : otherParty(entry, detail, frame.iban)
    const isReturn = cameBack(entry, detail)
    return {
      clues,
      row: {
        id: frame.makeId("bank_entry"),
        bankAccountId: frame.bankAccountId,
        statementId: frame.statementId,
        likeness,
        nth,
        part: index,
        bookedOn,
        ...present("valueOn", entry.valueOn),
        amount: part.amount,
        charge: isReturn && part.amount < 0 ? returnCharge(entry, part) : 0,
        currency: Currency.make(currency),
        partyName: party?.name,
        partyLast4: party?.iban === undefined ? undefined : lastFourOf(party.iban),
        partyPrint: party?.iban === undefined ? undefined : frame.printOf(party.iban),
        ...present("endToEndId", detail?.endToEndId),
        ...present("bankReference", entry.bankReference),
        ...present("family", entry.family),
        ...present("subFamily", entry.subFamily),
        ...present("returnReason", detail?.returnReason),
        cameBack: isReturn,
        clues,
        references: detail?.references ?? [],
        texts: [...(detail?.texts ?? []), ...(entry.text === undefined ? [] : [entry.text])],
        recordedAt: frame.recordedAt
      }
    }
  })
}

const present = <const K extends string, A>(key: K, value: A | undefined) =>
  // An absent member is no member.
  (value === undefined ? {} : { [key]: value }) as { readonly [Key in K]?: A }

/** A row as it is written, and what it posts; a message that moves no money posts nothing. */
export const decidedRow = (
  { clues, row }: ReadRow,
  facts: MatchFacts,
  frame: RowFrame
): { readonly row: NewBankEntry; readonly posted: ReadonlyArray<TreasuryEntry> } => {
  const decided = match(
    {
      amount: row.amount,
      currency: row.currency,
      bookedOn: row.bookedOn,
      family: row.family ?? "",
      subFamily: row.subFamily ?? "",
      cameBack: row.cameBack,
      clues,
      payerPrint: row.partyPrint
    },
    facts
  )
  if (!frame.movesMoney) {
    const isPending = decided !== undefined && "record" in decided
    const standing = { status: "TOLD", allocated: 0, isPending } as const
    return { row: { ...row, ...standing, ...matchedAs(decided) }, posted: [] }
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
  return { row: { ...row, ...standing, ...matchedAs(decided) }, posted: [posted] }
}

const matchedAs = (decided: Decided) => ({
  ...(decided === undefined ? {} : { rule: decided.rule }),
  ...(decided !== undefined && "record" in decided ? { recordId: decided.record.recordId } : {})
})

const arrivalOf = (
  { amount, bankAccountId, cameBack: isReturn, charge }: ReadRow["row"],
  decided: Decided
): {
  readonly fact: TreasuryFact
  readonly recordId?: string
  readonly standing: Pick<NewBankEntry, "allocated" | "isPending" | "status">
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
    // What came back is undone in the books a moment later; the bank's side is as it is.
    const standing = isReturn ? ({ ...done, status: "MATCHING", isPending: true } as const) : done
    const { cashRecordId } = decided.record
    return { fact: forOwn(bankAccountId, amount, charge), recordId: cashRecordId, standing }
  }
  const standing = { status: "MATCHING", allocated: 0, isPending: true } as const
  return { fact: forArrival(bankAccountId, amount), standing }
}
