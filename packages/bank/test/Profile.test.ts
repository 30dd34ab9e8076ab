import { assert, describe, it } from "@effect/vitest"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Effect } from "effect"
import { writeTransfers } from "../src/Pain001.ts"
import { writeCollection } from "../src/Pain008.ts"
import type {
  CollectionFile,
  DebitGroup,
  DebitOrder,
  TransferFile,
  TransferGroup
} from "../src/PaymentOrders.ts"
import type { ProfileRule } from "../src/Profile.ts"
import { Draw } from "@quittance/testing/Draw"
import { drawCollection, drawTransfer, drawTransfers, limits, totalsOf } from "./Orders.ts"
import { schemaFaults } from "./Schemas.ts"

const sound = drawCollection(new Draw(3))
const groups = [...sound.groups]
const first = groups[0]!
const orders = [...first.orders]

/** A collection of one group of the orders, with the totals that they have. */
const fileOf = (
  changed: ReadonlyArray<DebitOrder>,
  group: Partial<DebitGroup> = {}
): CollectionFile => {
  const totals = totalsOf(changed)
  const only = { ...first, ...totals, orders: changed, ...group }
  return { ...sound, ...totals, groups: [only] }
}

const withDebit = (change: Partial<DebitOrder>) => fileOf([{ ...orders[0]!, ...change }])
const withGroup = (change: Partial<DebitGroup>) => fileOf(orders, change)
const withDebtor = (change: Partial<DebitOrder["debtor"]>) =>
  withDebit({ debtor: { ...orders[0]!.debtor, ...change } })

/** Files that the schema takes, and the rule by which a bank refuses each. */
const refused: ReadonlyArray<readonly [ProfileRule, string, CollectionFile]> = [
  ["TOTALS", "a sum that is not that of the debits", { ...fileOf(orders), sum: 1 }],
  ["TOTALS", "a count that is not theirs", { ...fileOf(orders), count: 99 }],
  ["TOTALS", "a group's sum that is not theirs", withGroup({ sum: 7 })],
  ["TOO_MANY", "more payments than the account allows", { ...fileOf(orders), count: 100_001 }],
  ["DUPLICATE", "a debit twice", fileOf([orders[0]!, orders[0]!])],
  [
    "DUPLICATE",
    "two groups of one number",
    {
      ...sound,
      count: first.count * 2,
      sum: first.sum * 2,
      groups: [
        first,
        {
          ...first,
          orders: orders.map((order) => ({ ...order, endToEndId: `${order.endToEndId}B` }))
        }
      ]
    }
  ],
  [
    "MIXED",
    "Core beside B2B",
    {
      ...sound,
      groups: [
        { ...first, scheme: "CORE" as const },
        { ...first, scheme: "B2B" as const, paymentInformationId: "OTHER" }
      ].map((group, index) => ({
        ...group,
        orders: orders.map((order) => ({ ...order, endToEndId: `${order.endToEndId}${index}` }))
      })),
      count: first.count * 2,
      sum: first.sum * 2
    }
  ],
  ["IDENTIFIER", "a message id that begins with a slash", { ...fileOf(orders), messageId: "/QC1" }],
  ["IDENTIFIER", "an EndToEndId that ends with a slash", withDebit({ endToEndId: "DD1/" })],
  ["IDENTIFIER", "two slashes in a row", withDebit({ umr: "A//B" })],
  ["IDENTIFIER", "an underscore in a UMR", withDebit({ umr: "mandate_1" })],
  ["IDENTIFIER", "an amended UMR with an accent", withDebit({ amendment: { originalUmr: "É1" } })],
  ["NAME", "a name of 71 characters", withDebtor({ name: "A".repeat(71) })],
  ["NAME", "a creditor of 140 characters", withGroup({ creditor: { name: "A".repeat(140) } })],
  ["CHARACTERS", "an accent", withDebtor({ name: "José" })],
  [
    "CHARACTERS",
    "an accent in a street",
    withDebtor({ address: { street: "Été", town: "Lyon", country: "FR" } })
  ],
  ["CHARACTERS", "an initiator with an ampersand", { ...fileOf(orders), initiator: "A & B" }],
  ["CHARACTERS", "a remittance text with a semicolon", withDebit({ remittance: "a;b" })],
  ["ADDRESS", "an address without a town", withDebtor({ address: { town: "", country: "FR" } })],
  [
    "ADDRESS_NEEDED",
    "a Swiss account without an address",
    fileOf([
      { ...orders[0]!, debtor: { name: "Anna" }, account: { iban: "CH9300762011623852957" } }
    ])
  ],
  ["CURRENCY", "francs", withDebit({ currency: "CHF" })],
  ["AMOUNT", "nothing", withDebit({ amount: 0 })],
  ["AMOUNT", "a thousand million", withDebit({ amount: 100_000_000_000 })],
  [
    "IBAN",
    "an IBAN with wrong check digits",
    withDebit({ account: { iban: "FR7699999000010000000000116" } })
  ],
  [
    "IBAN",
    "a creditor IBAN with wrong check digits",
    withGroup({ account: { iban: "FR7699999000010000000000116" } })
  ],
  ["CREDITOR_IDENTIFIER", "wrong check digits", withGroup({ creditorIdentifier: "FR73ZZZ123456" })],
  ["DAY", "a Sunday", withGroup({ collectOn: LocalDate.make("2026-12-06") })],
  ["DAY", "Good Friday", withGroup({ collectOn: LocalDate.make("2027-03-26") })],
  [
    "SIGNATURE_DAY",
    "a mandate of the day after",
    withDebit({ signedOn: LocalDate.make("2031-01-01") })
  ]
]

describe("the profile of banks", () => {
  it("takes a sound file", () => {
    const faults = [...writeCollection(fileOf(orders), "pain.008.001.08", limits)].flatMap(
      (slice) => slice.faults
    )
    assert.deepStrictEqual(faults, [])
  })

  for (const [rule, what, file] of refused) {
    it.effect(`refuses ${what} (${rule}), which the schema takes`, () =>
      Effect.promise(async () => {
        const slices = [...writeCollection(file, "pain.008.001.08", limits)]
        const text = slices.map((slice) => slice.text).join("")
        assert.deepStrictEqual(await schemaFaults("pain.008.001.08", text), [])
        const faults = slices.flatMap((slice) => slice.faults)
        assert.include(
          faults.map((fault) => fault.rule),
          rule
        )
        // Where a file has two faults the other follows from what was changed.
        assert.isAtMost(new Set(faults.map((fault) => fault.rule)).size, 2)
        assert.notMatch(faults.map(({ message }) => message).join(), /FR\d{2}|CH\d{2}|Jos/u)
      })
    )
  }

  it("refuses what the schema refuses too: a remittance text of 141 characters, a BIC of 7, no payment", () => {
    const rules = (file: CollectionFile) =>
      [...writeCollection(file, "pain.008.001.08", limits)].flatMap(({ faults }) =>
        faults.map(({ rule }) => rule)
      )
    assert.deepStrictEqual(rules(withDebit({ remittance: "A".repeat(141) })), ["REMITTANCE"])
    assert.deepStrictEqual(
      rules(withDebit({ account: { ...orders[0]!.account, bic: "QTTSFR9" } })),
      ["BIC"]
    )
    assert.deepStrictEqual(rules(fileOf([])), ["EMPTY", "EMPTY"])
  })

  it("takes accents where the bank does, but never in a number", () => {
    const utf8 = { ...limits, characters: "UTF8" as const }
    const rules = (file: CollectionFile) =>
      [...writeCollection(file, "pain.008.001.08", utf8)].flatMap(({ faults }) =>
        faults.map(({ rule }) => rule)
      )
    assert.deepStrictEqual(rules(withDebtor({ name: "José 王" })), [])
    assert.deepStrictEqual(rules(withDebit({ umr: "É1" })), ["IDENTIFIER"])
  })

  it("holds for transfers: no instant one beside others, and no standard one on a closed day", () => {
    const file = drawTransfers(new Draw(5))
    const [group] = [...file.groups]
    const order = drawTransfer(new Draw(6), 7)
    const one = (change: Partial<TransferGroup>): TransferGroup => ({
      ...group!,
      count: 1,
      sum: order.amount,
      orders: [order],
      ...change
    })
    const rules = (all: ReadonlyArray<TransferGroup>) => {
      const changed: TransferFile = {
        ...file,
        count: all.length,
        sum: order.amount * all.length,
        groups: all
      }
      return [...writeTransfers(changed, "pain.001.001.09", limits)].flatMap(({ faults }) =>
        faults.map(({ rule }) => rule)
      )
    }
    const sunday = LocalDate.make("2026-12-06")
    assert.deepStrictEqual(rules([one({ speed: "STANDARD" })]), [])
    assert.deepStrictEqual(rules([one({ speed: "STANDARD", executeOn: sunday })]), ["DAY"])
    assert.deepStrictEqual(rules([one({ speed: "INSTANT", executeOn: sunday })]), [])
    const other = { paymentInformationId: "X", orders: [{ ...order, endToEndId: "PO2" }] }
    assert.deepStrictEqual(
      rules([one({ speed: "INSTANT" }), one({ speed: "STANDARD", ...other })]),
      ["MIXED"]
    )
  })
})
