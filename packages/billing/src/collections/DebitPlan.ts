/** How the money of an invoice is to come, and which debit collects it. */
import type { InvoiceCollection } from "@quittance/domain/billing/InvoiceCollection"
import type { DebitItem } from "@quittance/domain/collections/Debit"
import type { PayerMandate } from "@quittance/domain/collections/PayerMandate"
import { isUsableOn } from "@quittance/domain/payments/Mandate"
import type { DirectDebitTerms } from "@quittance/domain/products/payments/ProductPayments"
import type { Currency } from "@quittance/domain/values/Amount"
import type {
  BankAccountId,
  CustomerId,
  InvoiceId,
  MandateId,
  PolicyId
} from "@quittance/domain/values/Ids"
import type { LocalDate } from "@quittance/domain/values/LocalDate"

/** The account that collects for a product. */
export interface CollectingAccount {
  readonly id: BankAccountId
  readonly currency: Currency
  readonly creditorIdentifier?: string | undefined
}

/** What the choice of a mode follows from. */
export interface CollectionFacts {
  /** Absent where the product is not collected by debit. */
  readonly terms: DirectDebitTerms | undefined
  readonly currency: Currency
  /** Whether the payer wants to be debited. */
  readonly wantsDebit: boolean
  /** The account that collects for the product. */
  readonly account: CollectingAccount | undefined
  /** Those on the payment method that the payer prefers; none where they prefer none. */
  readonly mandates: ReadonlyArray<PayerMandate>
  /** When it would be collected. */
  readonly collectOn: LocalDate
}

export interface CollectionChoice {
  readonly collection: InvoiceCollection
  /** The mandate that it is collected by; absent where it is to be transferred. */
  readonly mandate?: PayerMandate
}

/** By debit where a mandate can be used on the day; else by transfer, with the reason. */
export const collectionOf = (facts: CollectionFacts): CollectionChoice => {
  const { account, collectOn, currency, mandates, terms, wantsDebit } = facts
  if (terms === undefined || !wantsDebit) return { collection: { mode: "BANK_TRANSFER" } }
  if (currency !== "EUR") return transferred("CURRENCY")
  if (account?.creditorIdentifier === undefined || account.currency !== currency) {
    return transferred("NO_BANK_ACCOUNT")
  }
  const own = mandates.filter(
    ({ bankAccountId, scheme, status }) =>
      bankAccountId === account.id && terms.schemes.includes(scheme) && status !== "DRAFT"
  )
  if (own.length === 0) return transferred("NO_MANDATE")
  // The newest one says what the payer agreed to last.
  const mandate = own.findLast((one) => !one.isSpent && isUsableOn(one, collectOn))
  return mandate === undefined
    ? transferred("MANDATE_NOT_USABLE")
    : { collection: { mode: "DIRECT_DEBIT" }, mandate }
}

const transferred = (
  because: Exclude<InvoiceCollection["because"], undefined>
): CollectionChoice => ({ collection: { mode: "BANK_TRANSFER", because } })

/** What one debit is for: a policy, a payer, a mandate, a day. */
export interface DebitKey {
  readonly policyId: PolicyId
  readonly customerId: CustomerId
  readonly mandateId: MandateId
  readonly collectOn: LocalDate
}

/** An invoice that is to be collected. */
export interface Collectable extends DebitKey {
  readonly invoiceId: InvoiceId
  /** What is due of it, in minor units. */
  readonly amount: number
}

/** A debit that invoices may still join: it is planned, and its payer was not told of it yet. */
export interface OpenDebit extends DebitKey {
  readonly id: string
}

/** Which debits invoices join, and which are new: one for each policy, payer, mandate and day. */
export interface DebitPlan<C extends Collectable, D extends OpenDebit> {
  readonly joined: ReadonlyArray<{ readonly debit: D; readonly items: ReadonlyArray<DebitItem> }>
  readonly planned: ReadonlyArray<{
    /** The first of them, which says what the others have in common. */
    readonly first: C
    readonly items: ReadonlyArray<DebitItem>
  }>
}

export const debitPlan = <C extends Collectable, D extends OpenDebit>(
  invoices: ReadonlyArray<C>,
  open: ReadonlyArray<D>
): DebitPlan<C, D> => {
  const debits = new Map(open.map((debit) => [keyOf(debit), debit]))
  const groups = [
    ...Map.groupBy(
      invoices.filter(({ amount }) => amount > 0),
      keyOf
    )
  ]
  const itemsOf = (group: ReadonlyArray<C>) =>
    group.map(({ amount, invoiceId }): DebitItem => ({ invoiceId, notified: amount }))
  return {
    joined: groups.flatMap(([key, group]) => {
      const debit = debits.get(key)
      return debit === undefined ? [] : [{ debit, items: itemsOf(group) }]
    }),
    planned: groups.flatMap(([key, group]) =>
      // A group has at least one invoice.
      debits.has(key) ? [] : [{ first: group[0]!, items: itemsOf(group) }]
    )
  }
}

const keyOf = ({ collectOn, customerId, mandateId, policyId }: DebitKey): string =>
  [policyId, customerId, mandateId, collectOn].join(" ")
