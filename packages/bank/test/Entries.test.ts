import { assert, describe, it } from "@effect/vitest"
import type { BankEntry } from "../src/BankEntry.ts"
import {
  cameBack,
  isBooked,
  likeness,
  otherParty,
  partsOf,
  returnCharge,
  signedAmount
} from "../src/Entries.ts"
import { numbersOf } from "../src/EntryNumbers.ts"
import { testIban } from "../src/TestAccounts.ts"
import type { Draw } from "@quittance/testing/Draw"
import { ownIban } from "./Orders.ts"
import { property } from "./Property.ts"
import { entriesOf, eventsOf, sample } from "./Sample.ts"
import { detail, entry, statementText } from "./Statement.ts"

/** What an account keeps of its statements: each entry once. */
class Account {
  readonly entries = new Map<string, BankEntry>()
  readonly #ids = new Set<string>()
  #closing: number | undefined

  /** Books a statement, and tells how many of its entries were new. */
  book(id: string, opening: number | undefined, entries: ReadonlyArray<BankEntry>): number {
    const booked = entriesOf(
      eventsOf(statementText(entries, { id, opening: opening ?? 0 }))
    ).filter(isBooked)
    const alike = booked.map((one) => ({
      likeness: likeness(ownIban, one),
      amount: signedAmount(one)!
    }))
    const numbers = numbersOf(alike, {
      known: (of) => [...this.entries.keys()].filter((key) => key.startsWith(of)).length,
      opening,
      lastClosing: this.#closing,
      isKnown: this.#ids.has(id)
    })
    const before = this.entries.size
    for (const [index, one] of booked.entries()) {
      this.entries.set(`${alike[index]!.likeness}#${numbers[index]}`, one)
    }
    this.#ids.add(id)
    if (this.entries.size > before && opening !== undefined) {
      this.#closing = alike.reduce((sum, { amount }) => sum + amount, opening)
    }
    return this.entries.size - before
  }
}

const drawRun = (draw: Draw): ReadonlyArray<BankEntry> =>
  Array.from({ length: draw.int(1, 14) }, () =>
    entry(draw.pick([5000, 5000, 15_000]), draw.chance(0.3) ? { bankReference: "B1" } : {})
  )

const sumOf = (entries: ReadonlyArray<BankEntry>) =>
  entries.reduce((sum, one) => sum + signedAmount(one)!, 0)

describe("the identity of an entry", () => {
  property("books a statement that is cut into two overlapping ones as one", (draw) => {
    const run = drawRun(draw)
    const to = draw.int(0, run.length)
    const from = draw.int(0, to)
    const account = new Account()
    account.book("A", 0, run.slice(0, to))
    account.book("B", sumOf(run.slice(0, from)), run.slice(from))
    assert.strictEqual(account.entries.size, run.length)
  })

  property("adds nothing for a statement that comes again, under its id or another", (draw) => {
    const runs = [drawRun(draw), drawRun(draw), drawRun(draw)]
    const account = new Account()
    let opening = 0
    for (const [index, run] of runs.entries()) {
      assert.strictEqual(account.book(`S${index}`, opening, run), run.length)
      assert.strictEqual(account.book(`S${index}`, opening, run), 0)
      assert.strictEqual(account.book(`again ${index}`, opening, run), 0)
      opening += sumOf(run)
    }
  })

  it("keeps two equal payments two (equal-entries-475, identical-rows-542)", () => {
    const account = new Account()
    const [one] = entriesOf(eventsOf(statementText([entry(5000)])))
    assert.strictEqual(account.book("A", 0, [one!, one!]), 2)
    assert.strictEqual(account.book("B", 10_000, [one!]), 1)
    assert.strictEqual(account.book("B", 10_000, [one!]), 0)
  })

  it("is not the bank's reference alone (ref-not-unique-711)", () => {
    const account = new Account()
    const twice = [entry(100, { bankReference: "1" }), entry(200, { bankReference: "1" })]
    assert.strictEqual(account.book("A", 0, twice), 2)
  })

  it("is not the EndToEndId alone (same-end-to-end-11055)", () => {
    const account = new Account()
    const payment = (amount: number) =>
      entry(amount, { details: [detail({ endToEndId: "MONTHLY" })] })
    assert.strictEqual(account.book("A", 0, [payment(100), payment(200), payment(100)]), 3)
  })

  it("is the same in each version of a message, and however texts are wrapped", () => {
    const identities = (name: string) =>
      entriesOf(eventsOf(sample(name))).map((one) => likeness(ownIban, one))
    for (const name of ["statement-1.camt.053.001", "statement-2-return.camt.053.001"]) {
      assert.deepStrictEqual(identities(`${name}.02`), identities(`${name}.08`))
    }
    const text = sample("statement-1.camt.053.001.08").toString()
    const wrapped = text.replace("Frais de tenue de compte", "Frais de\n  tenue de COMPTE")
    assert.deepStrictEqual(
      entriesOf(eventsOf(wrapped)).map((one) => likeness(ownIban, one)),
      identities("statement-1.camt.053.001.08")
    )
  })

  it("differs by account, day, amount, direction and currency", () => {
    const base = entry(100)
    const others = [
      entry(101),
      entry(-100),
      entry(100, { moved: { amount: 100, currency: "USD" } }),
      { ...base, bookedOn: undefined, valueOn: undefined },
      entry(100, { text: "x" })
    ].map((one) => likeness(ownIban, one))
    const all = [likeness(ownIban, base), likeness(testIban("00000000101"), base), ...others]
    assert.strictEqual(new Set(all).size, all.length)
  })
})

const euros = (amount: number) => ({ amount, currency: "EUR" })

describe("what an entry stands for", () => {
  it("is split where its payments sum to it (split-batch-307)", () => {
    const details = [100, 250].map((amount) =>
      detail({ moved: euros(amount), endToEndId: `E${amount}` })
    )
    const amounts = (one: BankEntry) => partsOf(one).map(({ amount }) => amount)
    assert.deepStrictEqual(amounts(entry(350, { details })), [100, 250])
    assert.deepStrictEqual(amounts(entry(-350, { details })), [-100, -250])
    assert.deepStrictEqual(amounts(entry(351, { details })), [351])
    assert.deepStrictEqual(amounts(entry(100, { details: [detail(), detail()] })), [100])
    const mixed = [detail({ moved: euros(400) }), detail({ moved: euros(50), direction: "DEBIT" })]
    assert.deepStrictEqual(amounts(entry(350, { details: mixed })), [400, -50])
    const foreign = [
      detail({ moved: { amount: 350, currency: "USD" } }),
      detail({ moved: euros(0) })
    ]
    assert.deepStrictEqual(amounts(entry(350, { details: foreign })), [350])
  })

  it("is one payment with the entry's own amount where there is one detail", () => {
    const one = entry(100, { details: [detail({ moved: euros(999) })] })
    assert.deepStrictEqual(partsOf(one), [{ amount: 100, detail: one.details[0] }])
  })

  it("is the return of a debit with its charge, in each message and version", () => {
    for (const name of [
      "statement-2-return.camt.053.001.08",
      "statement-2-return.camt.053.001.02",
      "returns.camt.054.001.08"
    ]) {
      const [one] = entriesOf(eventsOf(sample(name)))
      const [part] = partsOf(one!)
      assert.strictEqual(part!.amount, -8300)
      assert.strictEqual(returnCharge(one!, part!), 300)
      assert.strictEqual(part!.detail?.endToEndId, "DD000000000311")
      assert.strictEqual(part!.detail?.returnReason, "AM04")
      assert.isTrue(cameBack(one!, part!.detail))
    }
  })

  it("has the charge that is told, where what was instructed is not", () => {
    const charged = (more: Parameters<typeof detail>[0], whole = {}) => {
      const one = entry(-8300, { ...whole, details: [detail(more)] })
      return returnCharge(one, partsOf(one)[0]!)
    }
    assert.strictEqual(charged({ charges: 300 }), 300)
    assert.strictEqual(charged({}, { charges: 250 }), 250)
    assert.strictEqual(charged({ instructed: euros(8300), charges: 300 }), 0)
    assert.strictEqual(charged({}), 0)
  })

  it("is of the other party, never of the account itself (creditor-iban-as-debtor-1131)", () => {
    const [payer, payee] = [testIban("00000000101"), testIban("00000000202")]
    const ibanOf = (one: BankEntry, more: Parameters<typeof detail>[0]) =>
      otherParty(one, detail(more), ownIban).iban
    const both = { debtor: { iban: payer }, creditor: { iban: payee } }
    assert.strictEqual(ibanOf(entry(100), both), payer)
    assert.strictEqual(ibanOf(entry(-100), both), payee)
    assert.strictEqual(ibanOf(entry(-100, { isReversal: true }), both), payer)
    assert.strictEqual(ibanOf(entry(100, { isReversal: true }), both), payee)
    const wrongWayRound = { debtor: { iban: ownIban }, creditor: { iban: payer } }
    assert.strictEqual(ibanOf(entry(100), wrongWayRound), payer)
    assert.strictEqual(
      ibanOf(entry(-100), { debtor: { iban: payee }, creditor: { iban: ownIban } }),
      payee
    )
  })
})
