/**
 * Balanced entries. A debit is positive, a credit negative; the postings of an entry sum to zero. The
 * chart of accounts is in `docs/billing.md`.
 */
import type { Amount, Currency } from "@quittance/domain/values/Amount"
import type { Account, Entry, Posting } from "@quittance/domain/billing/Entry"
import type { CustomerId } from "@quittance/domain/values/Ids"

export const cash: Account = "cash"
export const premium: Account = "premium"
/** Write-offs of what customers owe. */
export const writeOff: Account = "write_off"
/** What a customer owes. */
export const receivable = (customerId: CustomerId): Account => `receivable:${customerId}`
/** What is owed to a customer: payments and credits that no invoice took. */
export const balance = (customerId: CustomerId): Account => `balance:${customerId}`
/** What is owed to who earns a fee; a brokerage firm's apart from the policy's own. */
export const feePayable = (feeId: string, brokerageFirmId?: string): Account =>
  brokerageFirmId === undefined ? `fee:${feeId}` : `fee:${feeId}:${brokerageFirmId}`
/** What is owed to the state. */
export const taxPayable = (taxId: string): Account => `tax:${taxId}`

/**
 * An invoice: the payer owes its total, which falls to premium, fees and taxes. A credit note has a
 * negative total, and what it gives back is owed to the payer.
 */
export const forInvoice = (payer: CustomerId, total: Amount, currency: Currency): Entry => {
  const owed = total.amountWithFeesAndTaxes
  return {
    kind: "DOCUMENT",
    currency,
    postings: merged([
      { account: owed < 0 ? balance(payer) : receivable(payer), amount: owed },
      { account: premium, amount: -total.amountPreFeesAndTaxes },
      ...total.fees.map(({ amount, brokerageFirmId, id }) => ({
        account: feePayable(id, brokerageFirmId),
        amount: -amount
      })),
      ...total.taxes.map(({ amount, id }) => ({ account: taxPayable(id), amount: -amount }))
    ])
  }
}

/** An invoice for a refund that its payer owes back: what their balance lacked is asked for. */
export const forRepayment = (payer: CustomerId, owed: number, currency: Currency): Entry => ({
  kind: "DOCUMENT",
  currency,
  postings: merged([
    { account: receivable(payer), amount: owed },
    { account: balance(payer), amount: -owed }
  ])
})

/** Money received: what invoices took is no longer owed, the rest is the payer's credit balance. */
export const forPayment = (
  payer: CustomerId,
  settled: number,
  surplus: number,
  currency: Currency
): Entry => ({
  kind: "PAYMENT",
  currency,
  postings: merged([
    { account: cash, amount: settled + surplus },
    { account: receivable(payer), amount: -settled },
    { account: balance(payer), amount: -surplus }
  ])
})

/** A credit balance that settles an invoice. */
export const forBalanceUsed = (payer: CustomerId, used: number, currency: Currency): Entry => ({
  kind: "BALANCE_USED",
  currency,
  postings: merged([
    { account: balance(payer), amount: used },
    { account: receivable(payer), amount: -used }
  ])
})

/** The bank returned a payment: the receivable is open again, and the surplus leaves the credit balance. */
export const forReturn = (
  payer: CustomerId,
  settled: number,
  surplus: number,
  currency: Currency
): Entry => ({
  kind: "RETURN",
  currency,
  postings: merged([
    { account: receivable(payer), amount: settled },
    { account: balance(payer), amount: surplus },
    { account: cash, amount: -settled - surplus }
  ])
})

/** Reverses a use of credit balance that the payer did not really have. */
export const forBalanceRestored = (
  payer: CustomerId,
  restored: number,
  currency: Currency
): Entry => ({
  kind: "BALANCE_RESTORED",
  currency,
  postings: merged([
    { account: receivable(payer), amount: restored },
    { account: balance(payer), amount: -restored }
  ])
})

/** The unpaid rest of an invoice is written off. */
export const forWriteOff = (payer: CustomerId, amount: number, currency: Currency): Entry => ({
  kind: "WRITE_OFF",
  currency,
  postings: merged([
    { account: writeOff, amount },
    { account: receivable(payer), amount: -amount }
  ])
})

/** What was written off is owed again. */
export const forWriteOffReversed = (
  payer: CustomerId,
  amount: number,
  currency: Currency
): Entry => ({
  kind: "WRITE_OFF_REVERSED",
  currency,
  postings: merged([
    { account: receivable(payer), amount },
    { account: writeOff, amount: -amount }
  ])
})

/** A credit balance that is paid out. */
export const forRefund = (payer: CustomerId, amount: number, currency: Currency): Entry => ({
  kind: "REFUND",
  currency,
  postings: merged([
    { account: balance(payer), amount },
    { account: cash, amount: -amount }
  ])
})

/** A refund that came back, or never left: the credit balance is there again. */
export const forRefundReturned = (
  payer: CustomerId,
  amount: number,
  currency: Currency
): Entry => ({
  kind: "REFUND_RETURNED",
  currency,
  postings: merged([
    { account: cash, amount },
    { account: balance(payer), amount: -amount }
  ])
})

/** One posting for each account that moves, in order of appearance. */
const merged = (postings: ReadonlyArray<Posting>): ReadonlyArray<Posting> => {
  const amounts = new Map<Account, number>()
  for (const { account, amount } of postings) {
    amounts.set(account, (amounts.get(account) ?? 0) + amount)
  }
  return [...amounts]
    .filter(([, amount]) => amount !== 0)
    .map(([account, amount]) => ({ account, amount }))
}
