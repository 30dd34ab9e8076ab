import { assert, describe, it } from "@effect/vitest"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Instant } from "@quittance/domain/values/Instant"
import { TimeZone } from "@quittance/domain/values/TimeZone"
import { isValid } from "@quittance/identifiers/Identifier"
import { Effect } from "effect"
import { partsOf, returnCharge as chargeOf, signedAmount } from "../src/Entries.ts"
import { writeTransfers } from "../src/Pain001.ts"
import { writeCollection } from "../src/Pain008.ts"
import { readPaymentOrders } from "../src/PaymentOrderReader.ts"
import type { CollectionFile, DebitOrder } from "../src/PaymentOrders.ts"
import { numberText } from "../src/References.ts"
import { answer } from "../src/SimulatedBank.ts"
import { incomingTransfer, returnCharge } from "../src/SimulatedBookings.ts"
import { dayNotification, dayStatement, statementOf } from "../src/SimulatedDays.ts"
import { fails, outcomeOf, payeeCheckOf, testAccounts, testIban } from "../src/TestAccounts.ts"
import { Draw } from "@quittance/testing/Draw"
import { drawCollection, drawDebit, drawTransfers, limits, ownIban, totalsOf } from "./Orders.ts"
import { entriesOf, eventsOf, sample, statusesOf } from "./Sample.ts"
import { schemaFaults } from "./Schemas.ts"

const day = (text: string) => LocalDate.make(text)

const facts = { receivedOn: day("2026-11-27"), before: () => 0 }

const read = (slices: Iterable<{ readonly text: string }>) =>
  readPaymentOrders([...slices].map(({ text }) => Buffer.from(text)))

/** A collection of Tuesday, 1 December 2026, with a debit of 42.50 for each account number. */
const collectionOf = (accounts: ReadonlyArray<string>, batchBooking = true): CollectionFile => {
  const orders = accounts.map((account, index): DebitOrder => ({
    ...drawDebit(new Draw(1), index + 1),
    amount: 4250,
    account: { iban: testIban(account) }
  }))
  const [group] = [...drawCollection(new Draw(1)).groups]
  const totals = totalsOf(orders)
  const groups = [{ ...group!, ...totals, orders, batchBooking, collectOn: day("2026-12-01") }]
  return { ...drawCollection(new Draw(1)), ...totals, messageId: numberText("QC", 1), groups }
}

const answerTo = (accounts: ReadonlyArray<string>, batchBooking = true, before = () => 0) =>
  answer(read(writeCollection(collectionOf(accounts, batchBooking), "pain.008.001.08", limits)), {
    ...facts,
    before
  })

describe("test accounts", () => {
  it("are sound accounts of a bank that does not exist, each with its own fate", () => {
    assert.strictEqual(new Set(testAccounts.map(({ does }) => does)).size, testAccounts.length)
    for (const { iban } of testAccounts) assert.isTrue(isValid("iban", iban), iban)
    assert.deepStrictEqual(outcomeOf(testIban("0SIMT10AM04")), {
      phase: "T",
      times: 1,
      reasonCode: "AM04"
    })
    assert.isUndefined(outcomeOf(testIban("00000000101")))
    assert.isUndefined(outcomeOf("DE89370400440532013000"))
    assert.throws(() => testIban("0sim"), "11 capitals and digits")
  })

  it("fail always, or the first so many times", () => {
    const times = (account: string) =>
      [1, 2, 3].map((nth) => fails(outcomeOf(testIban(account))!, nth))
    assert.deepStrictEqual(times("0SIMT00AM04"), [true, true, true])
    assert.deepStrictEqual(times("0SIMT20MS03"), [true, true, false])
  })

  it("answer a payee check by the holder's name", () => {
    const checks = ["Paul Martin", "Paul NOMATCH", "Paul closematch", "Paul NOCHECK"].map(
      payeeCheckOf
    )
    assert.deepStrictEqual(checks, ["MATCH", "NO_MATCH", "CLOSE_MATCH", "NOT_POSSIBLE"])
  })
})

describe("the simulated bank", () => {
  it("answers the sample of a collection: one rejected, one returned, one refunded, the rest credited", () => {
    const { bookings, report } = answer(
      readPaymentOrders([sample("collection.pain.008.001.08")]),
      facts
    )
    assert.strictEqual(report.on, "2026-11-30")
    const statuses = statusesOf(eventsOf(report.text)).map(({ code, id, level, reasonCode }) => [
      level,
      id,
      code,
      reasonCode
    ])
    assert.deepStrictEqual(statuses, [
      ["FILE", "QC000000000157", "PART", undefined],
      ["GROUP", "QC000000000157-1", "PART", undefined],
      ["PAYMENT", "DD000000000117", "RJCT", "AC01"]
    ])
    assert.deepStrictEqual(
      bookings.map((one) => [
        one.bookedOn,
        signedAmount(one),
        one.details[0]?.endToEndId,
        one.details[0]?.returnReason
      ]),
      [
        ["2026-12-01", 21_000, undefined, undefined],
        ["2026-12-03", -8300, "DD000000000311", "AM04"],
        ["2027-01-12", -301, "DD000000000408", "MD06"]
      ]
    )
  })

  it("fails an account the first so many times, counted over files", () => {
    const returned = (before: number) =>
      answerTo(["0SIMT10AM04"], true, () => before).bookings.filter(({ isReversal }) => isReversal)
        .length
    assert.strictEqual(returned(0), 1)
    assert.strictEqual(returned(1), 0)
    const twice = answerTo(["0SIMT10AM04", "0SIMT10AM04"]).bookings
    assert.strictEqual(twice.filter(({ isReversal }) => isReversal).length, 1)
  })

  it("credits debit by debit where the group asks for it", () => {
    const { bookings } = answerTo(["00000000101", "00000000202"], false)
    assert.deepStrictEqual(bookings.map(signedAmount), [4250, 4250])
    assert.deepStrictEqual(
      bookings.map(({ details }) => details[0]?.endToEndId),
      [numberText("DD", 1), numberText("DD", 2)]
    )
  })

  it("books a transfer on the first open day whose statement is still to come", () => {
    const bookedAt = (on: string, now: string) =>
      statementOf(day(on), Instant.make(now), TimeZone.make("Europe/Paris"))
    const friday = { bookedOn: "2026-11-27", toldAt: "2026-11-27T19:00:00.000Z" }
    const monday = { bookedOn: "2026-11-30", toldAt: "2026-11-30T19:00:00.000Z" }
    assert.deepEqual(bookedAt("2026-11-27", "2026-11-27T18:59:59.999Z"), friday)
    assert.deepEqual(bookedAt("2026-11-27", "2026-11-27T19:00:00.000Z"), monday)
    assert.deepEqual(bookedAt("2026-11-28", "2026-11-27T09:00:00.000Z"), monday)
  })

  it("credits nothing where everything is rejected", () => {
    const { bookings, report } = answerTo(["0SIMR00AC01"])
    assert.deepStrictEqual(bookings, [])
    assert.strictEqual(statusesOf(eventsOf(report.text))[0]?.outcome, "REJECTED")
  })

  it("rejects a file against the profile as a whole", () => {
    const text = sample("collection.pain.008.001.08").toString()
    const damages = [
      text.replace("<CtrlSum>252.50", "<CtrlSum>252.51"),
      text.replace("2026-12-01</ReqdColltnDt>", "2026-12-06</ReqdColltnDt>"),
      text.replace("<TwnNm>Lyon</TwnNm>", ""),
      text.replace("<TwnNm>Lyon</TwnNm><Ctry>FR</Ctry>", "<AdrLine>12 rue des Lilas</AdrLine>"),
      text.replace(`Ccy="EUR">42.50`, `Ccy="EUR">42.501`),
      text.replace("pain.008.001.08", "pain.008.001.11")
    ]
    for (const damaged of damages) {
      assert.notStrictEqual(damaged, text)
      const { bookings, report } = answer(readPaymentOrders([Buffer.from(damaged)]), facts)
      assert.deepStrictEqual(bookings, [])
      const [status] = statusesOf(eventsOf(report.text))
      assert.deepStrictEqual([status?.outcome, status?.reasonCode], ["REJECTED", "FF01"])
    }
  })

  it("pays transfers, and brings back what it returns", () => {
    const file = drawTransfers(new Draw(2))
    const [group] = [...file.groups]
    const [order] = [...group!.orders]
    const orders = [{ ...order!, amount: 85_000, account: { iban: testIban("0SIMT00AC04") } }]
    const groups = [{ ...group!, ...totalsOf(orders), orders, executeOn: day("2026-12-01") }]
    const written = writeTransfers(
      { ...file, ...totalsOf(orders), groups },
      "pain.001.001.09",
      limits
    )
    const { bookings } = answer(read(written), facts)
    assert.deepStrictEqual(
      bookings.map((one) => [one.bookedOn, signedAmount(one), one.isReversal]),
      [
        [day("2026-12-01"), -85_000, false],
        [day("2026-12-03"), 85_000, true]
      ]
    )
  })

  it.effect("tells of its days in files that keep ISO's schema and add up", () =>
    Effect.promise(async () => {
      const accounts = ["0SIMR00AC01", "00000000101", "0SIMT00AM04", "0SIMW00MD06", "0SIML00MD01"]
      const { bookings, report } = answerTo(accounts)
      assert.deepStrictEqual(await schemaFaults("pain.002.001.10", report.text), [])
      const transfer = incomingTransfer({
        on: day("2026-11-29"),
        amount: 9500,
        debtor: { name: "Paul Martin", iban: testIban("00000000101") },
        text: "sans reference"
      })
      const days = Map.groupBy([transfer, ...bookings], ({ bookedOn }) => bookedOn)
      let [opening, sequence] = [100_000, 0]
      for (const [on, entries] of [...days].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        sequence += 1
        const told = { iban: ownIban, on, sequence, entries }
        const statement = dayStatement(told, opening)
        assert.deepStrictEqual(await schemaFaults("camt.053.001.08", statement), [])
        assert.deepStrictEqual(await schemaFaults("camt.054.001.08", dayNotification(told)), [])
        const kept = entriesOf(eventsOf(statement))
        assert.deepStrictEqual(kept.map(signedAmount), entries.map(signedAmount))
        for (const one of kept.filter(({ isReversal }) => isReversal)) {
          assert.strictEqual(chargeOf(one, partsOf(one)[0]!), returnCharge)
        }
        opening = entries.reduce((sum, one) => sum + signedAmount(one)!, opening)
      }
      assert.strictEqual(sequence, 5)
      assert.strictEqual(opening, 100_000 + 9500 + 4250 - 900)
    })
  )
})
