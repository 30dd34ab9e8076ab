/** What a bank says of money: entries of statements and notifications, as they are read. */
import type { StatementMessage } from "@quittance/domain/treasury/BankStatement"
import type { LocalDate } from "@quittance/domain/values/LocalDate"

/** A sum with its currency; the amount is absent where it has a fraction of a cent, or is no number. */
export interface BankAmount {
  /** In minor units, 0 or more. */
  readonly amount: number | undefined
  readonly currency: string | undefined
}

/** A party of a payment as the bank names it. */
export interface BankParty {
  readonly name?: string | undefined
  readonly iban?: string | undefined
}

/** One payment within an entry. */
export interface EntryDetail {
  readonly direction?: "CREDIT" | "DEBIT" | undefined
  /** What moved on the account for this payment. */
  readonly moved?: BankAmount | undefined
  /** What the payment was of, before charges. */
  readonly instructed?: BankAmount | undefined
  /** What the bank took for it, in minor units. */
  readonly charges: number
  /** Absent where the payer gave none. */
  readonly endToEndId?: string | undefined
  readonly messageId?: string | undefined
  readonly paymentInformationId?: string | undefined
  readonly mandateId?: string | undefined
  readonly debtor: BankParty
  readonly creditor: BankParty
  /** Structured references of the creditor. */
  readonly references: ReadonlyArray<string>
  /** All other texts, in their order. */
  readonly texts: ReadonlyArray<string>
  /** Why money came back, such as `AM04`; absent where nothing did. */
  readonly returnReason?: string | undefined
  /** Whether it stands among returns though nothing came back: some banks list what went well there. */
  readonly isSuccess?: boolean
}

/** A batch that an entry stands for. */
export interface EntryBatch {
  readonly messageId?: string | undefined
  readonly paymentInformationId?: string | undefined
  readonly count?: number | undefined
}

export interface BankEntry {
  /** `BOOK` moves money; `PDNG`, `INFO` and others announce it. */
  readonly status: string
  readonly direction: "CREDIT" | "DEBIT"
  /** Whether it reverses an earlier entry. */
  readonly isReversal: boolean
  readonly moved: BankAmount
  readonly bookedOn?: LocalDate | undefined
  readonly valueOn?: LocalDate | undefined
  /** The bank's own reference: some banks give one to many entries. */
  readonly bankReference?: string | undefined
  /** `PMNT/RCDT/ESCT`, or a code of the bank's own. */
  readonly domain?: string | undefined
  readonly family?: string | undefined
  readonly subFamily?: string | undefined
  /** What the bank took beside, in minor units. */
  readonly charges: number
  readonly batches: ReadonlyArray<EntryBatch>
  readonly details: ReadonlyArray<EntryDetail>
  readonly text?: string | undefined
}

/** Which account a statement is of. */
export interface StatementHead {
  readonly id: string
  readonly sequence?: number | undefined
  readonly iban?: string | undefined
  /** An account number that is no IBAN. */
  readonly otherAccount?: string | undefined
  readonly currency?: string | undefined
}

export interface Balance extends BankAmount {
  /** `OPBD`, `CLBD`, `PRCD`, `ITBD`, `OPAV`, …; banks' own names as they are. */
  readonly type: string
  readonly direction: "CREDIT" | "DEBIT"
  readonly on?: LocalDate | undefined
}

/** What a reader of bank files tells, in the order of the file. */
export type BankFileEvent =
  | {
      readonly kind: "MESSAGE"
      readonly message: StatementMessage | "pain.002"
      /** Such as `camt.053.001.08`, where the file says it. */
      readonly version?: string | undefined
      readonly id?: string | undefined
    }
  | { readonly kind: "STATEMENT"; readonly statement: StatementHead }
  | { readonly kind: "ENTRY"; readonly entry: BankEntry }
  | {
      readonly kind: "STATEMENT_END"
      readonly statement: StatementHead
      readonly balances: ReadonlyArray<Balance>
    }
  | { readonly kind: "STATUS"; readonly status: PaymentStatusReport }

/** What became of a file, a group of it or one payment, by a pain.002. */
export interface PaymentStatusReport {
  readonly level: "FILE" | "GROUP" | "PAYMENT"
  /** The message id, the group's id or the EndToEndId. */
  readonly id: string
  /** The file that it is about. */
  readonly messageId: string
  /** The group that a payment is of, where the bank says it. */
  readonly paymentInformationId?: string | undefined
  /** As the bank gives it: `ACCP`, `RJCT`, `PART`, … */
  readonly code: string
  /** `WAITING` changes nothing: the bank has received it, or what matters is told below. */
  readonly outcome: "REJECTED" | "ACCEPTED" | "WAITING"
  /** Absent where the bank gives none, or says that nothing went wrong. */
  readonly reasonCode?: string | undefined
  /** What the payee's bank says of the name of a payee. */
  readonly payeeCheck?: "MATCH" | "CLOSE_MATCH" | "NO_MATCH" | "NOT_POSSIBLE" | undefined
  /** The bank's own words, such as the name that the payee's bank has. */
  readonly texts: ReadonlyArray<string>
}
