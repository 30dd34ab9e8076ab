/** Cover that waits for its first payment, where the product has it wait. */
import { unreverted } from "@quittance/domain/ChangeView"
import { undo } from "@quittance/domain/ContractCommands"
import { type Instant, max } from "@quittance/domain/Instant"
import { firstPayment } from "@quittance/domain/PolicyCommands"
import { isGated } from "@quittance/domain/PolicyView"
import type { DocumentHead } from "@quittance/persistence/DocumentsRepo"
import type { Book } from "./BillingView.ts"
import type { MakeId } from "./Issuing.ts"
import { recordedBy } from "./Recording.ts"
import { trunkState } from "./Trunk.ts"

/**
 * Records the first payment that a product waits for, once nothing of the first invoice is asked for any
 * more: it is paid, or was taken back by hand, after which no payment could come.
 */
export const openGate = (book: Book, makeId: MakeId): Book => {
  const { documents, policy } = book
  const state = trunkState(policy)
  if (!isGated(policy.productOf(state), state)) return book
  const first = firstInvoices(book)
  const settledAt = first
    .flatMap(
      ({ id, paidAt }) => paidAt ?? documents.find(({ cause }) => cause === id)?.issuedAt ?? []
    )
    .sort()
    .at(-1)
  return settledAt !== undefined && first.every(isSettled)
    ? recordedBy(book, firstPayment(settledAt), makeId)
    : book
}

/**
 * Takes the first payment back where a bank did before cover began, and it is asked for again. Cover that
 * has begun stays: that its premium is unpaid is for dunning.
 */
export const closeGate = (book: Book, returnedAt: Instant, makeId: MakeId): Book => {
  const { changes, head } = book.policy
  const { contract, firstPaidAt, signedAt, startedAt } = trunkState(book.policy)
  const hasBegun = contract !== "NOT_STARTED" || returnedAt >= max(startedAt, signedAt ?? startedAt)
  if (firstPaidAt === undefined || hasBegun || firstInvoices(book).every(isSettled)) return book
  const opening = unreverted(changes, { branchId: head.defaultBranchId }).findLast(
    ({ kind }) => kind === "FIRST_PAYMENT"
  )
  return opening === undefined ? book : recordedBy(book, undo(opening), makeId)
}

const firstInvoices = ({ documents }: Book): ReadonlyArray<DocumentHead> =>
  documents.filter(({ isFirst, type }) => isFirst && type === "INVOICE")

const isSettled = ({ status }: DocumentHead): boolean => status === "PAID" || status === "CREDITED"
