/** What is charged by itself: by hand, for a payment that came back, for a notice that was sent. */
import type { Product } from "@quittance/domain/products/Product"
import { dayOf, payersOf } from "./Agreement.ts"
import type { Document, Facts } from "./Facts.ts"
import { millis, coverIntervals } from "./Fold.ts"

/** One of these is beside what was agreed, whatever becomes of that. */
export const isCharge = ({ cause }: Document): boolean => /^(?:charge|formal_notice)_/u.test(cause)

/** What asks for a refund back whose money a bank took away: it is owed to the balance. */
export const isRepayment = ({ lines }: Pick<Document, "lines">): boolean =>
  lines.some(({ componentId }) => componentId === "REFUND/RETURNED")

/** What a payer has to be charged, once. */
interface Asked {
  readonly what: string
  readonly payer: string
  readonly componentId: string
  readonly amount: number
  readonly recordedAt: string
}

/** The first charge that has not its one invoice, or the first such invoice without a charge. */
export const check = (facts: Facts, product: Product): string | undefined => {
  // The balances say whether a refund has to be asked for back.
  const left = new Set(
    facts.invoices.filter((invoice) => isCharge(invoice) && !isRepayment(invoice))
  )
  const nameless = (invoice: Document) => !facts.charges.some(({ id }) => id === invoice.cause)
  const expected: ReadonlyArray<readonly [Asked, (invoice: Document) => boolean]> = [
    ...byHand(facts, product, left).map(
      (asked) => [asked, ({ cause }: Document) => cause === asked.what] as const
    ),
    ...returns(facts).map((asked) => [asked, nameless] as const),
    ...notices(facts, product).map(
      (asked) => [asked, ({ cause }: Document) => cause === asked.what] as const
    )
  ]
  for (const [asked, isFor] of expected) {
    const { payer, recordedAt, what } = asked
    const found = [...left].filter(
      (invoice) => isFor(invoice) && textOf(invoice, product) === askedText(asked, product)
    )
    if (found.length === 0) {
      return `${payer} is not charged for ${what}, ${askedText(asked, product)} of ${recordedAt}`
    }
    left.delete(found[0]!)
  }
  const [stray] = left
  return stray && `${stray.id} charges ${textOf(stray, product)}, which is not owed`
}

/** What its label says that it charges, to the payer of its component on its day. */
const byHand = (
  facts: Facts,
  { timeZone }: Product,
  invoices: ReadonlySet<Document>
): ReadonlyArray<Asked> =>
  facts.charges.map(({ id, recordedAt }) => {
    const line = [...invoices].find(({ cause }) => cause === id)?.lines[0]
    const seq = facts.changes.findLast((change) => millis(change.recordedAt) <= millis(recordedAt))
    const today = dayOf(recordedAt, timeZone)
    // Of a day on which that changes, who pays from then on.
    const { state } = coverIntervals(facts, seq!.seq).findLast(
      ({ from }) => millis(from) < 0 || dayOf(from, timeZone) <= today
    )!
    const { byComponent, defaultPayerId } = payersOf(state)
    const [amount, componentId] = (line?.label ?? "").split(" of ")
    return {
      what: id,
      payer: byComponent.get(componentId!) ?? defaultPayerId,
      componentId: componentId!,
      amount: Number(amount),
      recordedAt
    }
  })

const returns = ({ payments }: Facts): ReadonlyArray<Asked> =>
  payments.flatMap(({ customerId, fee, id, returnedAt }) =>
    returnedAt === null || fee === null
      ? []
      : [
          {
            what: `the return of ${id}`,
            payer: customerId,
            componentId: "RETURNED_PAYMENT",
            amount: fee,
            recordedAt: returnedAt
          }
        ]
  )

const notices = (facts: Facts, { dunning }: Product): ReadonlyArray<Asked> =>
  dunning.feesRebilled === 0
    ? []
    : facts.notices.flatMap(({ customerId, id, sentAt }) =>
        sentAt === null
          ? []
          : [
              {
                what: id,
                payer: customerId,
                componentId: "FORMAL_NOTICE",
                amount: dunning.feesRebilled,
                recordedAt: sentAt
              }
            ]
      )

/** One fee of the component, at once, due as any other invoice of its day is. */
const askedText = (
  { amount, componentId, payer, recordedAt }: Asked,
  { invoicing, timeZone }: Product
): string => {
  const today = dayOf(recordedAt, timeZone)
  const dueOn = Temporal.PlainDate.from(today).add({ days: invoicing.dueDays })
  return `${payer} INVOICE ${today} ${dueOn} ${componentId} SPOT ${amount}`
}

const textOf = (
  { customerId, dueOn, issuedAt, lines, periodStart, plannedOn, type }: Document,
  { timeZone }: Product
): string => {
  const [line, ...others] = lines
  const today = dayOf(issuedAt, timeZone)
  const { amount, chargeType, componentId } = line!
  const isPlain =
    others.length === 0 &&
    plannedOn === today &&
    periodStart === today &&
    amount.amountPreFeesAndTaxes === 0 &&
    amount.taxes.length === 0 &&
    amount.fees.every(({ id }) => id === componentId)
  const fee = amount.fees.reduce((sum, each) => sum + each.amount, 0)
  const text = `${customerId} ${type} ${today} ${dueOn} ${componentId} ${chargeType} ${fee}`
  return isPlain ? text : `${text} and more`
}
