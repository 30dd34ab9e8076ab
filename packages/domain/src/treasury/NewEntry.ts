/** Payments on statements as they are read, before it is known what they are. */
import type { BankEntry } from "./BankEntry.ts"

/** What an entry is among all that banks ever sent. */
export interface EntryIdentity {
  readonly likeness: string
  /** Which of equal ones, from 1. */
  readonly nth: number
  /** Which payment of the entry, from 0. */
  readonly part: number
}

/** A payment that was read. */
export interface ReadEntry
  extends
    Omit<BankEntry, "allocated" | "flag" | "ignored" | "party" | "recordId" | "rule" | "status">,
    EntryIdentity {
  readonly partyName: string | undefined
  readonly partyLast4: string | undefined
  /** Of their account, in hexadecimal. */
  readonly partyPrint: string | undefined
}

/** The same with what it is taken for. */
export interface NewEntry
  extends ReadEntry, Pick<BankEntry, "allocated" | "recordId" | "rule" | "status"> {
  readonly clues: object
  /** Whether something is to follow from it. */
  readonly isPending: boolean
}
