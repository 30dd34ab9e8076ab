/**
 * The bank of sandboxes: what it does with a file of payments, and the files that it answers with. It decides
 * by account numbers alone (`TestAccounts.ts`), and its files go through the readers of every bank.
 */
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { writeTransfers } from "./Pain001.ts"
import { writeStatusReport } from "./Pain002Writer.ts"
import { writeCollection } from "./Pain008.ts"
import type { PaymentOrders } from "./PaymentOrderReader.ts"
import {
  type CollectionFile,
  collectionMessages,
  type DebitGroup,
  type TransferFile,
  type TransferGroup,
  transferMessages
} from "./PaymentOrders.ts"
import {
  type BookedEntry,
  credits,
  debitBack,
  transferBack,
  transferOut
} from "./SimulatedBookings.ts"
import { reportTime } from "./SimulatedDays.ts"
import { addTargetDays, firstOpen } from "./Target.ts"
import { fails, outcomeOf, type TestOutcome } from "./TestAccounts.ts"

/** What the bank knows beside the file. */
export interface BankFacts {
  /** The bank's day: a file that comes after `cutOff` or on a closed day is of the next open one. */
  readonly receivedOn: LocalDate
  /** How many payments with an account it was given before this file. */
  readonly before: (iban: string) => number
}

/** What the bank will do. */
export interface BankAnswer {
  /** The pain.002, ready to be read; told at {@link reportTime} of its day. */
  readonly report: { readonly on: LocalDate; readonly text: string }
  /** What it books, by day; returns are told by a camt.054 on their day, too. */
  readonly bookings: ReadonlyArray<BookedEntry>
}

/** What a bank does with a file that it was given. A file against the profile is rejected whole (FF01). */
export const answer = (orders: PaymentOrders, facts: BankFacts): BankAnswer => {
  const on = addTargetDays(facts.receivedOn, 1)
  const plan = isSound(orders) ? planOf(orders, facts) : undefined
  return {
    report: { on, text: reportOf(orders, on, plan) },
    bookings: plan === undefined ? [] : plan.flatMap(({ bookings }) => bookings)
  }
}

interface GroupPlan {
  readonly paymentInformationId: string
  readonly accepted: number
  readonly rejected: ReadonlyArray<{ readonly endToEndId: string; readonly reasonCode: string }>
  readonly bookings: ReadonlyArray<BookedEntry>
}

const isSound = (orders: PaymentOrders): boolean => {
  const limits = { characters: "SEPA_BASIC" as const, maxTransactions: 100_000 }
  const collection = collectionMessages.find((message) => message === orders.message)
  const transfer = transferMessages.find((message) => message === orders.message)
  const slices =
    orders.kind === "COLLECTION"
      ? collection && writeCollection(orders.file, collection, limits)
      : transfer && writeTransfers(orders.file, transfer, limits)
  if (slices === undefined) return false
  for (const { faults } of slices) if (faults.length > 0) return false
  return true
}

const planOf = (orders: PaymentOrders, { before, receivedOn }: BankFacts): Array<GroupPlan> => {
  const counts = new Map<string, number>()
  const outcomeFor = (iban: string): TestOutcome | undefined => {
    const nth = (counts.get(iban) ?? before(iban)) + 1
    counts.set(iban, nth)
    const outcome = outcomeOf(iban)
    return outcome !== undefined && fails(outcome, nth) ? outcome : undefined
  }
  return orders.kind === "COLLECTION"
    ? collectionPlan(orders.file, outcomeFor)
    : transferPlan(orders.file, receivedOn, outcomeFor)
}

type Outcome = (iban: string) => TestOutcome | undefined

const collectionPlan = (file: CollectionFile, outcomeFor: Outcome): Array<GroupPlan> =>
  [...file.groups].map((group) => {
    const judged = [...group.orders].map((order) => ({
      order,
      outcome: outcomeFor(order.account.iban)
    }))
    const taken = judged.filter(({ outcome }) => outcome?.phase !== "R")
    return {
      ...planHead(group, judged),
      bookings: [
        ...credits(
          file.messageId,
          group,
          taken.map(({ order }) => order)
        ),
        ...taken.flatMap(({ order, outcome }) =>
          outcome === undefined ? [] : [debitBack(order, outcome, group.collectOn)]
        )
      ]
    }
  })

const transferPlan = (
  file: TransferFile,
  receivedOn: LocalDate,
  outcomeFor: Outcome
): Array<GroupPlan> =>
  [...file.groups].map((group) => {
    const on = firstOpen(group.executeOn > receivedOn ? group.executeOn : receivedOn)
    const judged = [...group.orders].map((order) => ({
      order,
      outcome: outcomeFor(order.account.iban)
    }))
    const taken = judged.filter(({ outcome }) => outcome?.phase !== "R")
    return {
      ...planHead(group, judged),
      bookings: taken.flatMap(({ order, outcome }) => [
        transferOut(order, on),
        ...(outcome === undefined ? [] : [transferBack(order, outcome, on)])
      ])
    }
  })

const planHead = (
  { paymentInformationId }: DebitGroup | TransferGroup,
  judged: ReadonlyArray<{
    readonly order: { readonly endToEndId: string }
    readonly outcome: TestOutcome | undefined
  }>
) => {
  const rejected = judged.flatMap(({ order, outcome }) =>
    outcome?.phase === "R" ? [{ endToEndId: order.endToEndId, reasonCode: outcome.reasonCode }] : []
  )
  return { paymentInformationId, rejected, accepted: judged.length - rejected.length }
}

const reportOf = (
  { file, message }: PaymentOrders,
  on: LocalDate,
  plan: ReadonlyArray<GroupPlan> | undefined
): string => {
  const rejected = plan?.filter((group) => group.rejected.length > 0) ?? []
  const accepted = plan?.some((group) => group.accepted > 0) === true
  const code = plan === undefined || !accepted ? "RJCT" : rejected.length > 0 ? "PART" : "ACCP"
  return writeStatusReport({
    id: `R${file.messageId}`,
    createdAt: `${on}T${reportTime}`,
    messageId: file.messageId,
    message,
    count: Number.isSafeInteger(file.count) ? file.count : 0,
    code,
    reasonCode: plan === undefined ? "FF01" : undefined,
    groups: rejected.map((group) => ({
      paymentInformationId: group.paymentInformationId,
      code: group.accepted === 0 ? "RJCT" : "PART",
      payments: group.rejected.map((payment) => ({ ...payment, code: "RJCT" }))
    }))
  })
}
