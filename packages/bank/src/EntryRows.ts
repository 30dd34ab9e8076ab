/** The payments of an entry as they are kept, before it is known what they are. */
import { seriesOf } from "@quittance/domain/billing/InvoiceNumber"
import { lastFourOf } from "@quittance/domain/payments/Iban"
import type { EntryIdentity, ReadEntry } from "@quittance/domain/treasury/NewEntry"
import { Currency } from "@quittance/domain/values/Amount"
import type { BankAccountId, BankStatementId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import type { MakeId } from "@quittance/domain/values/PrefixedId"
import type { BankEntry } from "./BankEntry.ts"
import { type Clues, cluesOf } from "./Clues.ts"
import { cameBack, entryDay, otherParty, partsOf, returnCharge } from "./Entries.ts"

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
  readonly row: ReadEntry
  readonly clues: Clues
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
