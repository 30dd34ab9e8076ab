import { assert, describe, it } from "@effect/vitest"
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import { localDate } from "@quittance/domain/values/TimeZone"
import { dueMinusInvoiced } from "../../src/billing/DueMinusInvoiced.ts"
import { lineItemsOf } from "../../src/billing/LineItem.ts"
import {
  type Agreed,
  afterStep,
  agreedAtFirst,
  Histories,
  type History,
  viewOf
} from "../History.ts"
import * as Model from "../HistoryModel.ts"
import { change, giveBack, issuedBy, ledger, type Life, lifeOf, pay, run } from "../Life.ts"
import { ChangeId } from "@quittance/domain/values/Ids"

/** `HISTORIES=20000 HISTORIES_SEED=7` looks at more and at others. */
const runs = {
  arbitrary: {
    runs: Number(process.env.HISTORIES ?? 500),
    seed: process.env.HISTORIES_SEED ?? "histories"
  },
  timeout: 600_000
}

const day = 86_400_000
const far = fromEpochMillis(Date.parse("2100-01-01T00:00:00Z"))

/** What each payer was billed for each premium item, all in all. */
const totalsOf = ({ kept }: Life): ReadonlyMap<string, number> => {
  const totals = new Map<string, number>()
  for (const { draft } of kept) {
    for (const line of draft.lines) {
      for (const { amount, fee, tax } of lineItemsOf(line)) {
        const kind =
          fee !== undefined ? `FEE ${fee.id}` : tax !== undefined ? `TAX ${tax.id}` : "NET "
        const name = `${draft.key.payerCustomerId} ${line.componentId} ${line.chargeType} ${kind}`
        totals.set(name, (totals.get(name) ?? 0) + amount)
      }
    }
  }
  return new Map(
    [...totals].filter(([, amount]) => amount !== 0).sort(([a], [b]) => (a < b ? -1 : 1))
  )
}

/** No day of a premium item is charged twice, or given back more often than it was charged. */
const assertOnce = ({ kept }: Life): void => {
  const moves = new Map<string, Map<string, number>>()
  for (const line of kept.flatMap(({ draft }) => draft.lines)) {
    if (line.basis === undefined) continue
    for (const { name } of lineItemsOf(line)) {
      const premiumItem = `${line.componentId} ${name}`
      const ofLeaf = moves.get(premiumItem) ?? new Map<string, number>()
      const by = line.corrects === undefined ? 1 : -1
      ofLeaf.set(line.slice.start, (ofLeaf.get(line.slice.start) ?? 0) + by)
      ofLeaf.set(line.slice.end, (ofLeaf.get(line.slice.end) ?? 0) - by)
      moves.set(premiumItem, ofLeaf)
    }
  }
  for (const [premiumItem, ofLeaf] of moves) {
    let charged = 0
    for (const [from, by] of [...ofLeaf].sort(([a], [b]) => (a < b ? -1 : 1))) {
      charged += by
      assert.isTrue(
        charged === 0 || charged === 1,
        `${premiumItem} is charged ${charged} times on ${from}`
      )
    }
  }
}

const assertBalanced = (life: Life): void => {
  for (const { postings } of life.entries) {
    assert.isAbove(postings.length, 1)
    assert.strictEqual(
      postings.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
      0n
    )
  }
  const books = ledger(life)
  assert.strictEqual(books.get("cash") ?? 0n, BigInt(life.received))
  for (const payer of new Set(life.kept.map(({ draft }) => draft.key.payerCustomerId))) {
    const own = life.kept.filter(({ invoice }) => invoice.payerCustomerId === payer)
    const owed = own.reduce(
      (sum, { invoice }) => sum + Math.max(0, invoice.total) - Math.max(0, invoice.amountPaid),
      0
    )
    assert.strictEqual(books.get(`receivable:${payer}`) ?? 0n, BigInt(owed))
    const balance = life.balances.get(payer) ?? 0
    assert.isAtLeast(balance, 0)
    assert.strictEqual(books.get(`balance:${payer}`) ?? 0n, BigInt(0 - balance))
  }
  for (const { invoice } of life.kept) {
    assert.isTrue(invoice.amountPaid >= 0 && invoice.amountPaid <= Math.max(0, invoice.total))
    const isPaid = invoice.status === "PAID" || invoice.status === "CREDITED"
    assert.strictEqual(isPaid, invoice.amountPaid >= invoice.total)
  }
}

const causeOf = (number: number): ChangeId =>
  ChangeId.make(`change_test_${alphabet[number]!.repeat(21)}`)

interface Lived {
  readonly life: Life
  readonly agreed: Agreed
  readonly memory: Model.Memory
  readonly now: Instant
}

const begin = (history: History): Lived => {
  const agreed = agreedAtFirst(history)
  const life = lifeOf(viewOf(history, agreed, { issued: [], toStart: false }))
  return { life, agreed, memory: Model.nothing, now: history.policy.signedAt }
}

const today = ({ policy }: History, now: Instant) => localDate(now, policy.rule.timeZone)

/** A worker looks in, and the model bills what is due by then. */
const work = (history: History, { agreed, life, memory }: Lived, now: Instant): Lived => ({
  life: run(life, now),
  agreed,
  memory: Model.settle(history, agreed, memory, today(history, now)),
  now
})

const live = (history: History, lived: Lived, number: number): Lived => {
  const { step, wait } = history.steps[number]!
  const worked = work(history, lived, fromEpochMillis(toEpochMillis(lived.now) + wait * day))
  const { life, memory, now } = worked
  if (step.kind === "PAY") return { ...worked, life: pay(life, step.invoice, step.amount, now) }
  if (step.kind === "RETURN") return { ...worked, life: giveBack(life, step.which, now) }
  const agreed = afterStep(history, worked.agreed, step, number)
  if (agreed === worked.agreed) return worked
  const view = viewOf(history, agreed, life.view)
  const corrected = change(life, view, causeOf(number), now)
  assert.deepStrictEqual(dueMinusInvoiced(view, issuedBy(corrected)).corrections, [])
  return {
    life: corrected,
    agreed,
    memory: Model.settle(history, agreed, memory, undefined),
    now
  }
}

const assertAsModel = ({ life, memory }: Lived): void => {
  assert.deepStrictEqual(totalsOf(life), Model.totalsOf(memory))
  assertOnce(life)
  assertBalanced(life)
}

describe("a history of changes, stops, reverts, payments and returns", () => {
  it.prop(
    "is billed what each day of cover costs, nothing twice, and its books balance",
    [Histories],
    ([history]) => {
      let lived = begin(history)
      for (let number = 0; number < history.steps.length; number++) {
        lived = live(history, lived, number)
        assertAsModel(lived)
      }
      lived = work(history, lived, far)
      assertAsModel(lived)
      assert.deepStrictEqual(dueMinusInvoiced(lived.life.view, issuedBy(lived.life)), {
        corrections: [],
        toCome: []
      })
    },
    runs
  )
})
