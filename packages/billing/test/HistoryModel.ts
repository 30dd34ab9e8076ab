/**
 * A second opinion on histories: slow and obvious. It remembers who was billed what for every premium item and
 * every day, and after each step bills each day anew. It shares no code with what it checks, but the
 * calendar of terms and the splitting of an amount over shares.
 */
import { allocate } from "@quittance/domain/values/Allocation"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { PremiumItem } from "@quittance/domain/products/Quote"
import type { StopRefund } from "../src/billing/CoverageGaps.ts"
import { type Term, termOf } from "../src/periods/Term.ts"
import { type Agreed, type History, inForceOn, restOn, signedOnOf, termsOf } from "./History.ts"
import * as Model from "./Model.ts"
import { nextDay, planPeriods, type Window, windowsOf } from "./ModelSchedule.ts"

/** Who owes how much for a premium item. */
export interface Owed {
  readonly premiumItem: string
  readonly payer: string
  readonly amount: number
}

/** What a payer owes for a premium item on a day, or once. */
export interface Item extends Owed {
  /** The term, the premium item, and the day or what it is charged once for. */
  readonly what: string
  /** Price and basis. */
  readonly as: string
  readonly day: string
  readonly term: Term
  readonly refundable: boolean
  readonly once: boolean
  /** The invoice that charges it. */
  readonly on?: string
  /** Credited manually: it is neither charged again nor credited again. */
  readonly waived?: boolean
}

export interface Memory {
  readonly billed: ReadonlyArray<Item>
  /** The windows for which there was anything to bill. */
  readonly invoiced: ReadonlySet<string>
  /** The first days after windows on the grid that were invoiced, each with the number of its term. */
  readonly billedTo: ReadonlySet<string>
  /** What the present stop keeps by its short rate. */
  readonly kept?: { readonly on: string; readonly items: ReadonlyArray<Omit<Item, "as" | "day">> }
}

export const nothing: Memory = { billed: [], invoiced: new Set(), billedTo: new Set() }

/** What each payer was billed for each premium item, all in all. */
export const totalsOf = ({ billed, kept }: Memory): ReadonlyMap<string, number> => {
  const totals = new Map<string, number>()
  for (const { amount, premiumItem, payer } of [...billed, ...(kept?.items ?? [])]) {
    const name = `${payer} ${premiumItem}`
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
  readonly term: number
  /** Its days. */
  readonly days: ReadonlyArray<string>
  /** In arrear: before when no part of it is planned, each of which follows its own days. */
  readonly inArrearFrom?: string | undefined
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

/** What an invoice charges anew that one before it did, of one visit with several steps. */
export const chargedOn = (
  memory: Memory,
  invoice: string,
  isOn: (item: Item) => boolean
): Memory => ({
  ...memory,
  billed: memory.billed.map((item) => (isOn(item) ? { ...item, on: invoice } : item))
})

/** Credits all that an invoice still charges, manually. */
export const creditedManually = (
  memory: Memory,
  invoice: string
): { readonly memory: Memory; readonly givenBack: ReadonlyArray<Owed> } => {
  const isOn = ({ on, waived }: Item) => on === invoice && waived !== true
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
  const windows = parted(desired(history, agreed), memory)
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
  const onInvoice = (name: string) => (item: Item) => ({ ...item, on: `${name} ${item.payer}` })
  const added = [...free.values()].flat().map(onInvoice(correctionOf(visit)))
  const issued = allowed(windows, agreed).filter(
    (window) =>
      today !== undefined &&
      window.issueOn <= today &&
      window.items.length > 0 &&
      !isInvoiced(window)
  )
  billed.push(...added, ...issued.flatMap(({ items, name }) => items.map(onInvoice(name))))
  const kept = keptBy(history, agreed, memory, gone)
  const isNew = kept !== memory.kept
  return {
    memory: {
      billed,
      invoiced: new Set([...memory.invoiced, ...issued.map(({ name }) => name)]),
      billedTo: new Set([...memory.billedTo, ...issued.filter(isOnGrid).map(endText)]),
      ...(kept === undefined ? {} : { kept })
    },
    charged: [...added, ...((isNew && kept?.items) || [])],
    givenBack: [...gone, ...((isNew && memory.kept?.items) || [])],
    issued
  }
}

/** What the corrections of a visit are called; with its payer it names one of them. */
export const correctionOf = (visit: string): string => `the correction at ${visit}`

/** When the next window without an invoice after a day is planned. */
export const nextPlanned = (history: History, agreed: Agreed, memory: Memory): string | undefined =>
  allowed(parted(desired(history, agreed), memory), agreed)
    .filter(({ items, name }) => items.length > 0 && !memory.invoiced.has(name))
    .map(({ issueOn }) => issueOn)
    .sort()[0]

const isOnGrid = ({ name }: WindowItems): boolean => !name.includes("FIRST_PAYMENT")

const endText = ({ days, term }: WindowItems): string => `${term} ${nextDay(days.at(-1)!)}`

/** In arrear what was billed up to a stop that counts no more is a window, and what follows it another. */
const parted = (
  windows: ReadonlyArray<WindowItems>,
  { billedTo }: Memory
): ReadonlyArray<WindowItems> =>
  windows.flatMap((window) => {
    const { days, inArrearFrom, issueOn, items, term } = window
    if (inArrearFrom === undefined) return [window]
    const starts = days.filter((day, index) => index === 0 || billedTo.has(`${term} ${day}`))
    return starts.map((start, index): WindowItems => {
      const end = starts[index + 1]
      const isIn = (day: string) => start <= day && (end === undefined || day < end)
      return {
        ...window,
        name: `${term}  ${start}`,
        issueOn: end === undefined ? issueOn : end > inArrearFrom ? end : inArrearFrom,
        items: items.filter(({ day }) => isIn(day)),
        days: days.filter(isIn)
      }
    })
  })

/** The windows that may be invoiced: before the first payment that a product waits for, the first. */
const allowed = (windows: ReadonlyArray<WindowItems>, { onlyFirst }: Agreed) =>
  onlyFirst === true ? windows.slice(0, 1) : windows

/** Every premium item of every day and every premium item charged once, by the window that bills it. */
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
    const { costOf, inArrearFrom, text, windows } = layoutOf(history, agreed, term)
    let before: string | undefined
    const items = new Map<Window, Array<Item>>(windows.map((window) => [window, []]))
    const windowOn = new Map(windows.flatMap((window) => window.days.map((day) => [day, window])))
    for (const day of Model.daysOf(term.start, term.end) as ReadonlyArray<LocalDate>) {
      const price = inForceOn(prices, day)
      const window = windowOn.get(day)
      const page = window === undefined ? [] : items.get(window)!
      const premiumItems = quotes[price.quote]!
      const { split } = inForceOn(payers, day)
      const item = (
        premiumItem: PremiumItem,
        more: Pick<Item, "amount" | "as" | "once" | "what">
      ): Item => ({
        ...more,
        premiumItem: nameOf(premiumItem),
        payer: split.byComponent.get(premiumItem.componentId) ?? split.defaultPayerId,
        day,
        term,
        refundable: premiumItem.refundable
      })
      if (restOn(agreed, day) === undefined) {
        for (const premiumItem of premiumItems.filter(
          ({ chargeType }) => chargeType === "RECURRING"
        )) {
          const what = `${number} ${nameOf(premiumItem)} ${day}`
          page.push(
            item(premiumItem, {
              what,
              as: text(premiumItem, day),
              amount: costOf(premiumItem, day),
              once: false
            })
          )
        }
      }
      if (price.id === before) continue
      before = price.id
      for (const premiumItem of premiumItems) {
        const { amount, chargeType, everyTerm } = premiumItem
        const name = nameOf(premiumItem)
        if (chargeType === "SPOT" && !brought.quotes.has(price.id)) {
          const what = `${number} ${name} ${price.id}`
          page.push(item(premiumItem, { what, as: String(amount), amount, once: true }))
        }
        if (chargeType !== "ONE_TIME") continue
        if (!(everyTerm ? inTerm : brought.inPolicy).has(name)) {
          page.push(
            item(premiumItem, { what: `${number} ${name}`, as: String(amount), amount, once: true })
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
        items: items.get(window)!,
        term: number,
        days: window.days,
        inArrearFrom: window.name.startsWith("FIRST_PAYMENT") ? undefined : inArrearFrom
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
    inArrearFrom: own.invoicing.timing === "IN_ARREAR" ? earliest : undefined,
    costOf: ({ amount }: PremiumItem, day: string) => costsOf(amount).byDay.get(day)!,
    text: ({ amount }: PremiumItem, day: string) => {
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

const nameOf = ({ chargeType, componentId, kind, refId = "" }: PremiumItem): string =>
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
  for (const premiumItem of new Set(own.map((item) => item.premiumItem))) {
    const ofLeaf = own.filter((item) => item.premiumItem === premiumItem)
    const { term } = ofLeaf[0]!
    const sum = (list: ReadonlyArray<Item>) =>
      list
        .filter((item) => item.premiumItem === premiumItem && item.term.number === term.number)
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
      items.push({ ...ofLeaf[0]!, what: `kept ${premiumItem}`, payer, amount: shares[index]! })
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
