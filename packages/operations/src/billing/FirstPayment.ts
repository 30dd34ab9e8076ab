/** Cover that waits for its first payment, where the product has it wait. */
import { unreverted } from "@quittance/domain/policies/ChangeView"
import { undo } from "@quittance/domain/policies/LifecycleCommands"
import { type Instant, max } from "@quittance/domain/values/Instant"
import { unpaidStatuses } from "@quittance/domain/billing/Invoice"
import { firstPayment } from "@quittance/domain/policies/PolicyCommands"
import { isGated } from "@quittance/domain/policies/PolicyView"
import type { DocumentHead } from "@quittance/persistence/billing/InvoicesRepo"
import type { Book } from "./PolicyAccount.ts"
import type { MakeId } from "./InvoiceIssuing.ts"
import { recordedBy } from "./SystemChange.ts"
import { trunkState } from "../policies/BaseTimeline.ts"

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
      ({ id, paidAt, status }) =>
        (status === "PAID" ? paidAt : creditByHandOf(documents, id)?.issuedAt) ?? []
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

/**
 * Whether what is charged now belongs to the first premium, without which cover does not begin: until the
 * gate opens all does, and where there is no cover before that premium what replaces it, unpaid.
 */
export const isOfFirstPremium = (book: Book): boolean => {
  const { documents, dunning, policy } = book
  const state = trunkState(policy)
  const product = policy.productOf(state)
  if (product.activation.firstPayment === "GATE") return isGated(product, state)
  const first = firstInvoices(book)
  const isReplaced = ({ id, status }: DocumentHead) =>
    status === "CREDITED" && creditByHandOf(documents, id) === undefined
  // What was paid once had its effect, whatever a bank has taken back since.
  const wasPaid = ({ id, status }: DocumentHead) =>
    status === "PAID" || dunning.allocations.some(({ invoiceId }) => invoiceId === id)
  return (
    product.dunning.firstPremium === "NO_COVER" &&
    first.length > 0 &&
    (first.some(({ status }) => unpaid.has(status)) || first.every(isReplaced)) &&
    !first.some(wasPaid)
  )
}

const unpaid: ReadonlySet<string> = new Set(unpaidStatuses)

const creditByHandOf = (documents: Book["documents"], invoiceId: DocumentHead["id"]) =>
  documents.find(({ cause }) => cause === invoiceId)

const firstInvoices = ({ documents }: Book): ReadonlyArray<DocumentHead> =>
  documents.filter(({ isFirst, type }) => isFirst && type === "INVOICE")

const isSettled = ({ status }: DocumentHead): boolean => status === "PAID" || status === "CREDITED"
