/** What the simulated bank books: collections, transfers, and what comes back of them. */
import { addDays, type LocalDate } from "@quittance/domain/values/LocalDate"
import type { BankAmount, BankEntry } from "./BankEntry.ts"
import type { DebitGroup, DebitOrder, TransferOrder } from "./PaymentOrders.ts"
import { addTargetDays, firstOpen } from "./Target.ts"
import type { TestOutcome } from "./TestAccounts.ts"

/** What the bank takes for each payment that comes back, in minor units. */
export const returnCharge = 300

/** An entry with its day. */
export type BookedEntry = BankEntry & { readonly bookedOn: LocalDate }

/** The day on which a payment comes back. */
const backOn = (phase: TestOutcome["phase"], settledOn: LocalDate): LocalDate => {
  if (phase === "T") return addTargetDays(settledOn, 2)
  return firstOpen(addDays(settledOn, phase === "W" ? 42 : 400))
}

const euros = (amount: number): BankAmount => ({ amount, currency: "EUR" })

const booked = (on: LocalDate, amount: number, more: Partial<BankEntry>): BookedEntry => ({
  status: "BOOK",
  direction: amount < 0 ? "DEBIT" : "CREDIT",
  isReversal: false,
  moved: euros(Math.abs(amount)),
  valueOn: on,
  domain: "PMNT",
  charges: 0,
  batches: [],
  details: [],
  ...more,
  bookedOn: on
})

/** A collection is credited as one sum, or debit by debit, as its group asks for. */
export const credits = (
  messageId: string,
  group: DebitGroup,
  taken: ReadonlyArray<DebitOrder>
): ReadonlyArray<BookedEntry> => {
  const { collectOn, paymentInformationId } = group
  const codes = { family: "IDDT", subFamily: group.scheme === "B2B" ? "BBDD" : "ESDD" }
  if (!group.batchBooking) {
    return taken.map(({ account, amount, debtor, endToEndId, umr }) =>
      booked(collectOn, amount, {
        ...codes,
        details: [
          {
            ...plainDetail(amount, endToEndId),
            mandateId: umr,
            debtor: { name: debtor.name, iban: account.iban }
          }
        ]
      })
    )
  }
  const sum = taken.reduce((total, { amount }) => total + amount, 0)
  return taken.length === 0
    ? []
    : [
        booked(collectOn, sum, {
          ...codes,
          batches: [{ messageId, paymentInformationId, count: taken.length }]
        })
      ]
}

const plainDetail = (amount: number, endToEndId: string) => ({
  moved: euros(amount),
  charges: 0,
  endToEndId,
  debtor: {},
  creditor: {},
  references: [],
  texts: []
})

/** A debit that comes back, with a charge. */
export const debitBack = (
  order: DebitOrder,
  { phase, reasonCode }: TestOutcome,
  settledOn: LocalDate
) => {
  const left = order.amount + returnCharge
  return booked(backOn(phase, settledOn), -left, {
    isReversal: true,
    family: "IDDT",
    subFamily: "UPDD",
    details: [
      {
        ...plainDetail(left, order.endToEndId),
        direction: "DEBIT",
        instructed: euros(order.amount),
        charges: returnCharge,
        mandateId: order.umr,
        debtor: { name: order.debtor.name, iban: order.account.iban },
        returnReason: reasonCode
      }
    ]
  })
}

const transferDetail = (order: TransferOrder) => ({
  ...plainDetail(order.amount, order.endToEndId),
  creditor: { name: order.creditor.name, iban: order.account.iban },
  texts: order.remittance === "" ? [] : [order.remittance]
})

/** A transfer that leaves. */
export const transferOut = (order: TransferOrder, on: LocalDate) =>
  booked(on, -order.amount, {
    family: "ICDT",
    subFamily: "ESCT",
    details: [{ ...transferDetail(order), direction: "DEBIT" }]
  })

/** A transfer that comes back. */
export const transferBack = (order: TransferOrder, outcome: TestOutcome, on: LocalDate) =>
  booked(backOn(outcome.phase, on), order.amount, {
    isReversal: true,
    family: "RCDT",
    subFamily: "RRTN",
    details: [{ ...transferDetail(order), direction: "CREDIT", returnReason: outcome.reasonCode }]
  })

/** A transfer that arrives, such as one of a sandbox. */
export const incomingTransfer = (transfer: {
  readonly on: LocalDate
  /** In minor units. */
  readonly amount: number
  readonly debtor: { readonly name: string; readonly iban: string }
  readonly reference?: string | undefined
  readonly text?: string | undefined
}): BookedEntry =>
  booked(firstOpen(transfer.on), transfer.amount, {
    family: "RCDT",
    subFamily: "ESCT",
    details: [
      {
        ...plainDetail(transfer.amount, "NOTPROVIDED"),
        endToEndId: undefined,
        debtor: transfer.debtor,
        references: transfer.reference === undefined ? [] : [transfer.reference],
        texts: transfer.text === undefined ? [] : [transfer.text]
      }
    ]
  })
