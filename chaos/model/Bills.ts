/**
 * Which invoices a policy must have: its log is lived through once more, visit by visit, each billed by
 * the slow model. A visit is an instant at which something was recorded or issued; what a worker
 * issued at one must be just what was due by its day.
 */
import type { Product } from "@quittance/domain/products/Product"
import type { BilledLine } from "@quittance/domain/billing/InvoiceLine"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import * as Model from "../../packages/billing/test/HistoryModel.ts"
import { isCharge } from "./Charges.ts"
import { after, type Agreement, dayOf } from "./Agreement.ts"
import type { Document, Facts } from "./Facts.ts"
import { millis } from "./Fold.ts"

/** What an invoice is held to, as texts that name it and say what is on it. */
type Sheet = ReadonlyMap<string, string>

export interface Billed {
  /** The first difference between what the policy has and what it must have. */
  readonly difference?: string
  /** When it has to be looked at again for the next window, at the latest. */
  readonly nextPlanned: string | undefined
}

export const check = (facts: Facts, product: Product, now: string): Billed => {
  const { timeZone } = product
  const signed = facts.changes.find(({ kind }) => kind === "SIGN")!
  const visits = [
    ...new Set([
      ...facts.changes.map(({ recordedAt }) => millis(recordedAt)),
      ...facts.invoices.map(({ issuedAt }) => millis(issuedAt)),
      millis(now)
    ])
  ]
    .filter((at) => at >= millis(signed.recordedAt))
    .sort((a, b) => a - b)
  let memory = Model.nothing
  let agreement: Agreement | undefined
  for (const at of visits) {
    const seq = facts.changes.findLast(({ recordedAt }) => millis(recordedAt) <= at)!.seq
    if (agreement?.seq !== seq) agreement = after(facts, product, seq)
    const today = dayOf(new Date(at).toISOString(), timeZone)
    const all = facts.invoices.filter(
      (invoice) => millis(invoice.issuedAt) === at && !isCharge(invoice)
    )
    const byHand = creditManually(facts, memory, at)
    const visit = String(at)
    const step = Model.stepOf(agreement.history, agreement.agreed, byHand.memory, today, visit)
    const issued = all.filter((invoice) => !isByHand(invoice))
    memory = issued
      .filter(isCorrection)
      .reduce(
        (sofar, invoice) => Model.chargedOn(sofar, nameOf(invoice), isChargedBy(invoice)),
        step.memory
      )
    const difference =
      firstDifference(byHand.sheet, creditSheetOf(all.filter(isByHand))) ??
      firstDifference(expectedSheet(step, product, today), sheetOf(issued)) ??
      firstDifference(expectedTotals(step), totalsOf(issued.filter(isCorrection))) ??
      disorder(issued)
    if (difference !== undefined) {
      return {
        difference: `at ${new Date(at).toISOString()}: ${difference}`,
        nextPlanned: undefined
      }
    }
  }
  const { agreed, history } = agreement!
  return { nextPlanned: Model.nextPlanned(history, agreed, memory) }
}

/** What one visit catches up is numbered in the order in which it was planned. */
const disorder = (issued: ReadonlyArray<Document>): string | undefined => {
  const planned = issued
    .filter((invoice) => !isCorrection(invoice))
    .toSorted((a, b) => a.number - b.number)
  const early = planned.find(
    ({ plannedOn, type }, index) =>
      index > 0 && type === planned[index - 1]!.type && plannedOn < planned[index - 1]!.plannedOn
  )
  return early && `${early.number} is planned on ${early.plannedOn}, before the number before it`
}

/** Manual credits at an instant: of all that the invoice still charges, by a note of its own. */
const creditManually = (facts: Facts, before: Model.Memory, at: number) => {
  const sheet = new Map<string, string>()
  let memory = before
  for (const { invoiceId, recordedAt } of facts.credits) {
    const invoice = facts.invoices.find(({ id }) => id === invoiceId)
    if (millis(recordedAt) !== at || invoice === undefined) continue
    const taken = Model.creditedManually(memory, nameOf(invoice))
    memory = taken.memory
    const owed = isCharge(invoice) ? invoice.lines.flatMap(owedBy("")) : taken.givenBack
    const given = leavesText(owed.map((each) => ({ ...each, amount: 0 - each.amount })))
    sheet.set(`the credit of ${invoiceId}`, `to ${invoice.customerId}${given}`)
  }
  return { memory, sheet }
}

/** Whether an invoice charges something by one of its lines. */
const isChargedBy =
  ({ customerId, lines }: Document) =>
  ({ day, premiumItem, once, payer, waived }: Model.Item): boolean =>
    waived !== true &&
    payer === customerId &&
    lines.some((line) => {
      const { corrects, keptFrom, slice } = line
      const isOn = once ? day === slice.start : slice.start <= day && day < slice.end
      return (
        corrects === undefined &&
        keptFrom === undefined &&
        isOn &&
        owedBy("")(line).some((owed) => owed.premiumItem === premiumItem && owed.amount !== 0)
      )
    })

const isByHand = ({ cause }: Document): boolean => cause.startsWith("invoice_")

const creditSheetOf = (invoices: ReadonlyArray<Document>): Sheet =>
  new Map(
    invoices.map(({ cause, customerId, lines }) => {
      const isOther = lines.some(({ corrects }) => corrects !== cause)
      const given = leavesText(lines.flatMap(owedBy("")))
      return [`the credit of ${cause}`, `to ${customerId}${isOther ? " of another" : ""}${given}`]
    })
  )

/** What the model calls the invoice that charges something. */
const nameOf = (invoice: Document): string => {
  const { cause, customerId, issuedAt, periodStart, term } = invoice
  return isCorrection(invoice)
    ? `${Model.correctionOf(String(millis(issuedAt)))} ${customerId}`
    : `${term} ${cause} ${periodStart} ${customerId}`
}

const isCorrection = ({ cause }: Document) => cause !== "" && cause !== "FIRST_PAYMENT"

const firstDifference = (expected: Sheet, found: Sheet): string | undefined => {
  for (const name of new Set([...expected.keys(), ...found.keys()])) {
    const [a, b] = [expected.get(name), found.get(name)]
    if (a !== b) return `${name} has to be ${a ?? "nothing"}, but is ${b ?? "nothing"}`
  }
  return undefined
}

/** An invoice for each payer of each window, with when it is planned and due, and its premium items. */
const expectedSheet = ({ issued }: Model.Step, { invoicing }: Product, today: LocalDate): Sheet =>
  new Map(
    issued.flatMap(({ issueOn, items, name }) =>
      [...Map.groupBy(items, ({ payer }) => payer)].map(([payer, owed]): [string, string] => {
        const due = Temporal.PlainDate.from(issueOn > today ? issueOn : today)
          .add({ days: invoicing.dueDays })
          .toString()
        return [`${name} ${payer}`, `planned on ${issueOn} due on ${due}${leavesText(owed)}`]
      })
    )
  )

const sheetOf = (invoices: ReadonlyArray<Document>): Sheet =>
  new Map(
    invoices
      .filter((invoice) => !isCorrection(invoice))
      .map(({ cause, customerId, dueOn, lines, periodStart, plannedOn, term }) => [
        `${term} ${cause} ${periodStart} ${customerId}`,
        `planned on ${plannedOn} due on ${dueOn}${leavesText(lines.flatMap(owedBy("")))}`
      ])
  )

/** What corrections charge and give back in all, for each payer. */
const expectedTotals = ({ charged, givenBack }: Model.Step): Sheet =>
  byPayer([...charged, ...givenBack.map((owed) => ({ ...owed, amount: 0 - owed.amount }))])

const totalsOf = (invoices: ReadonlyArray<Document>): Sheet =>
  byPayer(invoices.flatMap(({ customerId, lines }) => lines.flatMap(owedBy(customerId))))

const byPayer = (all: ReadonlyArray<Model.Owed>): Sheet =>
  new Map(
    [...Map.groupBy(all, ({ payer }) => payer)]
      .map(([payer, owed]): [string, string] => [`the correction for ${payer}`, leavesText(owed)])
      .filter(([, text]) => text !== "")
  )

/** The sum of each premium item; those that come to nothing are left out. */
const leavesText = (owed: ReadonlyArray<Model.Owed>): string =>
  [...Map.groupBy(owed, ({ premiumItem }) => premiumItem)]
    .map(([premiumItem, parts]): [string, number] => [
      premiumItem,
      parts.reduce((sum, { amount }) => sum + amount, 0)
    ])
    .filter(([, amount]) => amount !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([premiumItem, amount]) => `; ${premiumItem} ${amount}`)
    .join("")

/** The premium items of a line. */
const owedBy =
  (payer: string) =>
  ({ amount, chargeType, componentId }: BilledLine): ReadonlyArray<Model.Owed> => {
    const owed = (kind: string, refId: string, value: number): Model.Owed => ({
      premiumItem: `${componentId} ${chargeType} ${kind} ${refId}`,
      payer,
      amount: value
    })
    return [
      owed("NET", "", amount.amountPreFeesAndTaxes),
      ...amount.fees.map((fee) => owed("FEE", fee.id, fee.amount)),
      ...amount.taxes.map((tax) => owed("TAX", tax.id, tax.amount))
    ]
  }
