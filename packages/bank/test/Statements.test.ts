import { assert, describe, it } from "@effect/vitest"
import type { BankFileEvent } from "../src/BankEntry.ts"
import { isBooked, likeness, signedAmount } from "../src/Entries.ts"
import { numbersOf } from "../src/EntryNumbers.ts"
import {
  addEntry,
  bookedBalances,
  heldReasons,
  isOfAccount,
  nothingSummed
} from "../src/Statements.ts"
import { ownIban } from "./Orders.ts"
import { entriesOf, eventsOf, sample } from "./Sample.ts"
import { detail, entry, statementText } from "./Statement.ts"

const openingBalance = 100_000

const account = { iban: ownIban, currency: "EUR" }

/** Reads statements one after the other into one account, and tells why each was held. */
const readAll = (texts: ReadonlyArray<string | Uint8Array>, openingBalance?: number) => {
  const kept = new Map<string, number>()
  const ids = new Set<string>()
  let last:
    | { readonly sequence?: number | undefined; readonly closing?: number | undefined }
    | undefined
  return texts.map((text) => {
    const events = eventsOf(text)
    const end = events.find(
      (event): event is Extract<BankFileEvent, { kind: "STATEMENT_END" }> =>
        event.kind === "STATEMENT_END"
    )!
    const { balances, statement } = end
    const booked = entriesOf(events).filter(isBooked)
    const sums = entriesOf(events).reduce((sum, one) => addEntry(sum, one, "EUR"), nothingSummed)
    const isKnown = ids.has(`${statement.id} ${statement.sequence}`)
    const { closing, opening } = bookedBalances(balances)
    const alike = booked.map((one) => ({
      likeness: likeness(ownIban, one),
      amount: signedAmount(one) ?? 0
    }))
    const numbers = numbersOf(alike, {
      known: (of) => kept.get(of) ?? 0,
      opening,
      lastClosing: last?.closing,
      isKnown
    })
    const fresh = alike.filter((one, index) => numbers[index]! > (kept.get(one.likeness) ?? 0))
    const held = heldReasons(
      {
        statement,
        balances,
        sums,
        newSum: fresh.reduce((sum, { amount }) => sum + amount, 0),
        newCount: fresh.length,
        last,
        isKnown,
        openingBalance
      },
      account
    )
    if (held.length === 0) {
      for (const one of fresh) kept.set(one.likeness, (kept.get(one.likeness) ?? 0) + 1)
      ids.add(`${statement.id} ${statement.sequence}`)
      if (fresh.length > 0 || last === undefined) last = { sequence: statement.sequence, closing }
    }
    return { held, fresh: fresh.length, sum: sums.sum, isOurs: isOfAccount(statement, account) }
  })
}

const heldOf = (texts: ReadonlyArray<string | Uint8Array>, openingBalance?: number) =>
  readAll(texts, openingBalance).map(({ held }) => held)

const samples = (...names: ReadonlyArray<string>) => names.map(sample)
const [first, second] = ["statement-1.camt.053.001.08", "statement-2-return.camt.053.001.08"]

describe("statements of the samples", () => {
  it("are booked: six entries of 1 December, one of the 3rd, nothing again", () => {
    const read = readAll(
      samples(first, second, first, second, "statement-1.camt.053.001.02"),
      openingBalance
    )
    assert.deepStrictEqual(read, [
      { held: [], fresh: 6, sum: 59_750, isOurs: true },
      { held: [], fresh: 1, sum: -8300, isOurs: true },
      { held: [], fresh: 0, sum: 59_750, isOurs: true },
      { held: [], fresh: 0, sum: -8300, isOurs: true },
      { held: [], fresh: 0, sum: 59_750, isOurs: true }
    ])
  })

  it("are held where they contradict themselves or what came before", () => {
    assert.deepStrictEqual(
      heldOf(samples(first, second, "bad-does-not-add.camt.053.001.08")).at(-1),
      ["DOES_NOT_ADD"]
    )
    assert.deepStrictEqual(heldOf(samples(first, second, "bad-gap.camt.053.001.08")).at(-1), [
      "GAP"
    ])
    assert.deepStrictEqual(heldOf(samples("bad-currency.camt.053.001.08")), [["CURRENCY"]])
  })

  it("are of another account", () => {
    assert.isFalse(readAll(samples("bad-other-account.camt.053.001.08"))[0]!.isOurs)
  })
})

describe("a statement", () => {
  const day = (id: string, opening: number, amounts: ReadonlyArray<number>, sequence?: number) =>
    statementText(
      amounts.map((amount) => entry(amount)),
      { id, opening, sequence }
    )

  it("is held for a fraction of a cent, whatever its balances say", () => {
    const text = day("A", 0, [1234]).replace(
      `<Ntry><Amt Ccy="EUR">12.34<`,
      `<Ntry><Amt Ccy="EUR">12.3456<`
    )
    assert.deepStrictEqual(heldOf([text]), [["AMOUNT", "DOES_NOT_ADD"]])
  })

  it("is held where its balance is not that which the tenant told before the first", () => {
    assert.deepStrictEqual(heldOf([day("A", 500, [100])], 500), [[]])
    assert.deepStrictEqual(heldOf([day("A", 500, [100])], 501), [["GAP"]])
  })

  it("is held where a number is left out, and not where a new year begins with 1", () => {
    assert.deepStrictEqual(heldOf([day("A", 0, [100], 7), day("B", 100, [100], 9)]), [[], ["GAP"]])
    assert.deepStrictEqual(heldOf([day("A", 0, [100], 7), day("B", 100, [100], 8)]), [[], []])
    assert.deepStrictEqual(heldOf([day("A", 0, [100], 231), day("B", 100, [100], 1)]), [[], []])
  })

  it("is held where it leaves money out between, or takes it twice", () => {
    assert.deepStrictEqual(heldOf([day("A", 0, [100]), day("B", 150, [200])]), [[], ["GAP"]])
    assert.deepStrictEqual(heldOf([day("A", 0, [100]), day("B", 50, [200])]), [[], ["GAP"]])
  })

  it("is sound where it overlaps the last one", () => {
    const [all, half] = [day("B", 0, [100, 200, 100]), day("A", 0, [100, 200])]
    assert.deepStrictEqual(
      readAll([half, all]).map(({ fresh, held }) => [fresh, held]),
      [
        [2, []],
        [1, []]
      ]
    )
  })

  it("may have no balances: then there is nothing to compare", () => {
    const text = statementText([entry(100)], { balances: [] })
    assert.deepStrictEqual(heldOf([day("A", 0, [50]), text]), [[], []])
  })

  it("counts what is booked alone", () => {
    const pending = entry(700, { status: "PDNG", moved: { amount: 700, currency: "USD" } })
    assert.deepStrictEqual(
      heldOf([statementText([entry(100), pending, entry(5, { status: "INFO" })])]),
      [[]]
    )
  })

  it("takes the first opening and the last closing balance of a day with several pages", () => {
    const text = day("A", 0, [100])
    const balances = /<Bal>.*<\/Bal>/su.exec(text)![0]
    assert.deepStrictEqual(heldOf([text.replace(balances, balances + balances)]), [[]])
    const overdrawn = statementText([entry(-900, { details: [detail()] })], { opening: 100 })
    assert.deepStrictEqual(heldOf([overdrawn]), [[]])
  })
})
