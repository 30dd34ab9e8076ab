/**
 * A second opinion on histories: slow and obvious. It remembers who was billed what for every leaf and
 * every day, and after each step bills each day anew. It shares no code with what it checks, but the
 * calendar of terms and the splitting of an amount over shares.
 */
import { allocate } from "@quittance/domain/values/Allocation"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { QuoteLeaf } from "@quittance/domain/products/Quote"
import type { StopRefund } from "../src/billing/CoverageGaps.ts"
import { type Term, termOf } from "../src/periods/Term.ts"
import { type Agreed, type History, inForceOn, restOn, signedOnOf, termsOf } from "./History.ts"
import * as Model from "./Model.ts"
import { planPeriods, type Window, windowsOf } from "./ModelSchedule.ts"

/** Who owes how much for a leaf. */
export interface Owed {
  readonly leaf: string
  readonly payer: string
  readonly amount: number
}

/** What somebody owes for a leaf on a day, or once. */
export interface Item extends Owed {
  /** The term, the leaf, and the day or what it is charged once for. */
  readonly what: string
  /** Price and basis. */
  readonly as: string
  readonly day: string
  readonly term: Term
  readonly refundable: boolean
  readonly once: boolean
  /** The document that charges it. */
  readonly on?: string
  /** Taken back by hand: it is neither charged again nor given back once more. */
  readonly waived?: boolean
}

export interface Memory {
  readonly billed: ReadonlyArray<Item>
  /** The windows for which there was anything to bill. */
  readonly invoiced: ReadonlySet<string>
  /** What the present stop keeps by its short rate. */
  readonly kept?: { readonly on: string; readonly items: ReadonlyArray<Omit<Item, "as" | "day">> }
}

export const nothing: Memory = { billed: [], invoiced: new Set() }

/** What each payer was billed for each leaf, all in all. */
export const totalsOf = ({ billed, kept }: Memory): ReadonlyMap<string, number> => {
  const totals = new Map<string, number>()
  for (const { amount, leaf, payer } of [...billed, ...(kept?.items ?? [])]) {
    const name = `${payer} ${leaf}`
    totals.set(name, (totals.get(name) ?? 0) + amount)
  }
  return new Map(
    [...totals].filter(([, amount]) => amount !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
  )
}

/** What is billed together: by the number of the term, what causes it if not the grid, and its first day. */
export interface WindowItems {
  readonly name: string
  readonly issueOn: string
  readonly items: ReadonlyArray<Item>
}

/** What a step bills, beside what was billed before. */
export interface Step {
  readonly memory: Memory
  /** What was invoiced before and is charged or given back by corrections. */
  readonly charged: ReadonlyArray<Owed>
  readonly givenBack: ReadonlyArray<Owed>
  /** The windows that are invoiced for the first time. */
  readonly issued: ReadonlyArray<WindowItems>
}

/** What a document charges anew that one before it did, of one visit with several steps. */
export const chargedOn = (
  memory: Memory,
  document: string,
  isOn: (item: Item) => boolean
): Memory => ({
  ...memory,
  billed: memory.billed.map((item) => (isOn(item) ? { ...item, on: document } : item))
})

/** Takes back by hand all that a document still charges. */
export const takenBack = (
  memory: Memory,
  document: string
): { readonly memory: Memory; readonly givenBack: ReadonlyArray<Owed> } => {
  const isOn = ({ on, waived }: Item) => on === document && waived !== true
  const billed = memory.billed.map((item) => (isOn(item) ? { ...item, waived: true } : item))
  return { memory: { ...memory, billed }, givenBack: memory.billed.filter(isOn) }
}

/** After a step: what was invoiced is made right, then what is due by today is invoiced. */
export const settle = (
  history: History,
  agreed: Agreed,
  memory: Memory,
  today: LocalDate | undefined
): Memory => stepOf(history, agreed, memory, today).memory

/** The same, with what the step bills; `visit` names its corrections, one for each payer. */
export const stepOf = (
  history: History,
  agreed: Agreed,
  memory: Memory,
  today: LocalDate | undefined,
  visit = "now"
): Step => {
  const windows = desired(history, agreed)
  const textOf = ({ as, payer, what }: Item) => `${what} ${as} ${payer}`
  const isInvoiced = ({ name }: WindowItems) => memory.invoiced.has(name)
  const now = windows.filter(isInvoiced).flatMap(({ items }) => items)
  const free = Map.groupBy(now, textOf)
  const gone: Array<Item> = []
  const billed: Array<Item> = []
  for (const item of memory.billed) {
    const same = free.get(textOf(item))?.shift()
    if (same !== undefined || item.waived === true || isFrozen(agreed, item)) billed.push(item)
    else gone.push(item)
  }
  const onDocument = (name: string) => (item: Item) => ({ ...item, on: `${name} ${item.payer}` })
  const added = [...free.values()].flat().map(onDocument(correctionOf(visit)))
  const issued = allowed(windows, agreed).filter(
    (window) =>
      today !== undefined &&
      window.issueOn <= today &&
      window.items.length > 0 &&
      !isInvoiced(window)
  )
  billed.push(...added, ...issued.flatMap(({ items, name }) => items.map(onDocument(name))))
  const kept = keptBy(history, agreed, memory, gone)
  const isNew = kept !== memory.kept
  return {
    memory: {
      billed,
      invoiced: new Set([...memory.invoiced, ...issued.map(({ name }) => name)]),
      ...(kept === undefined ? {} : { kept })
    },
    charged: [...added, ...((isNew && kept?.items) || [])],
    givenBack: [...gone, ...((isNew && memory.kept?.items) || [])],
    issued
  }
}

/** What the corrections of a visit are called; with its payer it names one of them. */
export const correctionOf = (visit: string): string => `the correction at ${visit}`

/** When the next window after a day is planned that nobody was invoiced for. */
export const nextPlanned = (history: History, agreed: Agreed, memory: Memory): string | undefined =>
  allowed(desired(history, agreed), agreed)
    .filter(({ items, name }) => items.length > 0 && !memory.invoiced.has(name))
    .map(({ issueOn }) => issueOn)
    .sort()[0]

/** The windows that may be invoiced: before the first payment that a product waits for, the first. */
const allowed = (windows: ReadonlyArray<WindowItems>, { onlyFirst }: Agreed) =>
  onlyFirst === true ? windows.slice(0, 1) : windows

/** Every leaf of every day and every leaf charged once, by the window that bills it. */
const desired = (history: History, agreed: Agreed): ReadonlyArray<WindowItems> => {
  const known = wanted.get(agreed)
  if (known !== undefined) return known
  const all = windowItems(history, agreed)
  wanted.set(agreed, all)
  return all
}

/** Of each agreement, which belongs to one history. */
const wanted = new WeakMap<Agreed, ReadonlyArray<WindowItems>>()

const windowItems = (history: History, agreed: Agreed): ReadonlyArray<WindowItems> => {
  const { policy, quotes } = history
  const brought = { quotes: new Set<string>(), inPolicy: new Set<string>() }
  const { stop } = agreed
  const prices = stop === undefined ? agreed.prices : upTo(agreed.prices, stop.on)
  const payers = stop === undefined ? agreed.payers : upTo(agreed.payers, stop.on)
  const result: Array<WindowItems> = []
  for (let number = 1; number <= termsOf(policy, agreed); number++) {
    const term = termOf(policy.rule, number)
    const inTerm = new Set<string>()
    const { windows, costOf, text } = layoutOf(history, agreed, term)
    let before: string | undefined
    const items = new Map<Window, Array<Item>>(windows.map((window) => [window, []]))
    const windowOn = new Map(windows.flatMap((window) => window.days.map((day) => [day, window])))
    for (const day of Model.daysOf(term.start, term.end) as ReadonlyArray<LocalDate>) {
      const price = inForceOn(prices, day)
      const window = windowOn.get(day)
      const page = window === undefined ? [] : items.get(window)!
      const leaves = quotes[price.quote]!
      const { split } = inForceOn(payers, day)
      const item = (
        leaf: QuoteLeaf,
        more: Pick<Item, "amount" | "as" | "once" | "what">
      ): Item => ({
        ...more,
        leaf: nameOf(leaf),
        payer: split.byComponent.get(leaf.componentId) ?? split.defaultPayerId,
        day,
        term,
        refundable: leaf.refundable
      })
      if (restOn(agreed, day) === undefined) {
        for (const leaf of leaves.filter(({ chargeType }) => chargeType === "RECURRING")) {
          const what = `${number} ${nameOf(leaf)} ${day}`
          page.push(
            item(leaf, { what, as: text(leaf, day), amount: costOf(leaf, day), once: false })
          )
        }
      }
      if (price.id === before) continue
      before = price.id
      for (const leaf of leaves) {
        const { amount, chargeType, everyTerm } = leaf
        const name = nameOf(leaf)
        if (chargeType === "SPOT" && !brought.quotes.has(price.id)) {
          const what = `${number} ${name} ${price.id}`
          page.push(item(leaf, { what, as: String(amount), amount, once: true }))
        }
        if (chargeType !== "ONE_TIME") continue
        if (!(everyTerm ? inTerm : brought.inPolicy).has(name)) {
          page.push(
            item(leaf, { what: `${number} ${name}`, as: String(amount), amount, once: true })
          )
        }
        inTerm.add(name)
        brought.inPolicy.add(name)
      }
      brought.quotes.add(price.id)
    }
    result.push(
      ...windows.map((window) => ({
        name: `${number} ${window.name}`,
        issueOn: window.issueOn,
        items: items.get(window)!
      }))
    )
  }
  return result
}

/** The windows of a term up to the stop, and what each day costs. */
const layoutOf = ({ policy }: History, { invoicing, stop }: Agreed, term: Term) => {
  const first = invoicing[0]!
  const own = term.number === 1 ? first : inForceOn(invoicing, term.start)
  const agreement = {
    invoicing: own.invoicing,
    settings: policy.settings,
    signedOn: signedOnOf(policy)
  }
  const isUndone =
    stop !== undefined &&
    (stop.on <= term.start || (stop.refund.refund === "FULL" && stop.on < term.end))
  const whole = windowsOf(agreement, term)
  const paysFirst = whole[0]!.name.startsWith("FIRST_PAYMENT")
  const earliest = paysFirst ? whole[0]!.issueOn : agreement.signedOn
  const windows = isUndone
    ? []
    : whole
        .map((window) => cut(window, stop?.on, agreement.invoicing.timing, earliest))
        .filter(({ days }) => days.length > 0)
  const periods = planPeriods(agreement, term)
  const costs = new Map<number, ReturnType<typeof plan>>()
  const plan = (price: number) => ({
    amounts: Model.amountsOf(periods, price),
    byDay: Model.dayCosts(periods, price)
  })
  const costsOf = (price: number) => {
    const known = costs.get(price) ?? plan(price)
    costs.set(price, known)
    return known
  }
  const periodOn = new Map(
    periods.flatMap((period, index) => period.days.map((day) => [day, { ...period, index }]))
  )
  return {
    windows,
    costOf: ({ amount }: QuoteLeaf, day: string) => costsOf(amount).byDay.get(day)!,
    text: ({ amount }: QuoteLeaf, day: string) => {
      const { end, index, start } = periodOn.get(day)!
      return `${amount} ${start} ${end} ${costsOf(amount).amounts[index]}`
    }
  }
}

/** A window that a stop cuts short; in arrear it is planned for the day of the stop. */
const cut = (
  window: Window,
  on: LocalDate | undefined,
  timing: "IN_ADVANCE" | "IN_ARREAR",
  earliest: string
): Window => {
  if (on === undefined || window.days.at(-1)! < on) return window
  const days = window.days.filter((day) => day < on)
  const isMoved = timing === "IN_ARREAR" && !window.name.startsWith("FIRST_PAYMENT")
  return {
    ...window,
    days,
    issueOn: isMoved && on > earliest ? on : isMoved ? earliest : window.issueOn
  }
}

const nameOf = ({ chargeType, componentId, kind, refId = "" }: QuoteLeaf): string =>
  `${componentId} ${chargeType} ${kind} ${refId}`

/** Whether a stop leaves with the insurer what is not wanted any more. */
const isFrozen = (agreed: Agreed, { day, once, refundable, term }: Item): boolean => {
  const rest = restOn(agreed, day as LocalDate)
  if (rest?.stop === undefined) return false
  if (rest.stop.refund === "FULL" && rest.isFinal) return false
  if (term.number > 1 && term.start >= rest.from) return false
  return rest.stop.refund === "NONE" || once || !refundable
}

/** What a short-rate stop keeps of what it gives back. */
const keptBy = (
  history: History,
  agreed: Agreed,
  memory: Memory,
  gone: ReadonlyArray<Item>
): Memory["kept"] => {
  const { stop } = agreed
  if (stop === undefined || stop.refund.refund !== "SHORT_RATE") return undefined
  if (memory.kept?.on === stop.on) return memory.kept
  const own = gone.filter(
    ({ day, once, term }) => !once && day >= stop.on && stop.on >= term.start && stop.on < term.end
  )
  const whole = recurring(desired(history, asIfNotStopped(agreed, stop.on)))
  const covered = recurring(desired(history, agreed))
  const items: Array<Omit<Item, "as" | "day">> = []
  for (const leaf of new Set(own.map((item) => item.leaf))) {
    const ofLeaf = own.filter((item) => item.leaf === leaf)
    const { term } = ofLeaf[0]!
    const sum = (list: ReadonlyArray<Item>) =>
      list
        .filter((item) => item.leaf === leaf && item.term.number === term.number)
        .reduce((all, { amount }) => all + amount, 0)
    const earned = partOf(sum(whole), stop.refund, usedDays(term, stop.on)) - sum(covered)
    const payers = [...new Set(ofLeaf.map(({ payer }) => payer))]
    const given = payers.map((payer) => sum(ofLeaf.filter((item) => item.payer === payer)))
    const total = given.reduce((all, each) => all + each, 0)
    const sign = total < 0 ? -1 : 1
    const amount = Math.min(Math.max(0, sign * earned), sign * total)
    if (amount === 0) continue
    const shares = allocate(
      sign * amount,
      given.map((each) => Math.max(0, sign * each))
    )
    payers.forEach((payer, index) =>
      items.push({ ...ofLeaf[0]!, what: `kept ${leaf}`, payer, amount: shares[index]! })
    )
  }
  return { on: stop.on, items }
}

/** What was agreed for the days before a stop goes on; what would have come after it is hidden. */
const asIfNotStopped = (agreed: Agreed, on: LocalDate): Agreed => ({
  ...agreed,
  stop: undefined,
  prices: upTo(agreed.prices, on),
  payers: upTo(agreed.payers, on),
  suspensions: agreed.suspensions
    .filter(({ from }) => from < on)
    .map(({ from, to }) => ({ from, to: to < on ? to : on }))
})

const upTo = <A extends { readonly from: LocalDate }>(entries: ReadonlyArray<A>, on: LocalDate) =>
  entries.filter(({ from }, index) => index === 0 || from < on)

const recurring = (windows: ReadonlyArray<WindowItems>): ReadonlyArray<Item> =>
  windows.flatMap(({ items }) => items).filter(({ once }) => !once)

const usedDays = (term: Term, on: string): number => Model.daysOf(term.start, on).length

const partOf = (price: number, { shortRate = [] }: StopRefund, used: number): number => {
  const row = shortRate.find(({ upToDays }) => upToDays >= used)
  if (row === undefined) return price
  const [numerator, denominator] = row.kept.split("/").map(Number)
  return Model.roundedPart(price, numerator!, denominator!)
}
