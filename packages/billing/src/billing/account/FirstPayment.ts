/** Cover that waits for its first payment, where the product has it wait. */
import type { InvoiceSummary } from "@quittance/domain/billing/StoredInvoice"
import { unreverted } from "@quittance/domain/policies/ChangeView"
import { undo } from "@quittance/domain/policies/LifecycleCommands"
import { type Instant, max } from "@quittance/domain/values/Instant"
import { unpaidStatuses } from "@quittance/domain/billing/Invoice"
import { firstPayment } from "@quittance/domain/policies/PolicyCommands"
import { awaitsFirstPayment } from "@quittance/domain/policies/PolicyView"
import type { PolicyAccount } from "./PolicyAccount.ts"
import type { MakeId } from "@quittance/domain/values/PrefixedId"
import { recordSystemChange } from "./SystemChange.ts"
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"

/**
 * Records the first payment that a product waits for, once nothing of the first invoice is asked for any
 * more: it is paid, or was credited manually, after which no payment can come.
 */
export const recordFirstPayment = <A extends PolicyAccount>(account: A, makeId: MakeId): A => {
  const { invoices, policy } = account
  const state = baseState(policy)
  if (!awaitsFirstPayment(policy.productOf(state), state)) return account
  const first = firstInvoices(account)
  const settledAt = first
    .flatMap(
      ({ id, paidAt, status }) =>
        (status === "PAID" ? paidAt : creditByHandOf(invoices, id)?.issuedAt) ?? []
    )
    .sort()
    .at(-1)
  return settledAt !== undefined && first.every(isSettled)
    ? recordSystemChange(account, firstPayment(settledAt), makeId)
    : account
}

/**
 * Takes the first payment back where a bank did before cover began, and it is asked for again. Cover that
 * has begun stays: that its premium is unpaid is for dunning.
 */
export const reverseFirstPayment = <A extends PolicyAccount>(
  account: A,
  returnedAt: Instant,
  makeId: MakeId
): A => {
  const { changes, head } = account.policy
  const { contract, firstPaidAt, signedAt, startedAt } = baseState(account.policy)
  const hasBegun = contract !== "NOT_STARTED" || returnedAt >= max(startedAt, signedAt ?? startedAt)
  if (firstPaidAt === undefined || hasBegun || firstInvoices(account).every(isSettled))
    return account
  const opening = unreverted(changes, { branchId: head.defaultBranchId }).findLast(
    ({ kind }) => kind === "FIRST_PAYMENT"
  )
  return opening === undefined ? account : recordSystemChange(account, undo(opening), makeId)
}

/**
 * Whether what is charged now belongs to the first premium, without which cover does not begin: until the
 * gate opens all does, and where there is no cover before that premium what replaces it, unpaid.
 */
export const isOfFirstPremium = (account: PolicyAccount): boolean => {
  const { invoices, settled, policy } = account
  const state = baseState(policy)
  const product = policy.productOf(state)
  if (product.activation.firstPayment === "GATE") return awaitsFirstPayment(product, state)
  const first = firstInvoices(account)
  const isReplaced = ({ id, status }: InvoiceSummary) =>
    status === "CREDITED" && creditByHandOf(invoices, id) === undefined
  // A first payment has had its effect, even if a bank has returned it since.
  const wasPaid = ({ id, status }: InvoiceSummary) =>
    status === "PAID" ||
    settled.allocations.some(({ invoiceId, returnedAt }) => invoiceId === id && returnedAt !== null)
  return (
    product.dunning.firstPremium === "NO_COVER" &&
    first.length > 0 &&
    (first.some(({ status }) => unpaid.has(status)) || first.every(isReplaced)) &&
    !first.some(wasPaid)
  )
}

const unpaid: ReadonlySet<string> = new Set(unpaidStatuses)

const creditByHandOf = (invoices: PolicyAccount["invoices"], invoiceId: InvoiceSummary["id"]) =>
  invoices.find(({ cause }) => cause === invoiceId)

const firstInvoices = ({ invoices }: PolicyAccount): ReadonlyArray<InvoiceSummary> =>
  invoices.filter(({ isFirst, type }) => isFirst && type === "INVOICE")

const isSettled = ({ status }: InvoiceSummary): boolean =>
  status === "PAID" || status === "CREDITED"
