/** What banks tell of payouts: found by their number, paid, rejected, or given back, each once. */
import { assert, layer } from "@effect/vitest"
import { writeStatusReport } from "@quittance/bank/Pain002Writer"
import type { Payout } from "@quittance/domain/payouts/Payout"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { TreasuryLedgerRepo } from "@quittance/persistence/treasury/TreasuryLedgerRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { Payouts } from "../../src/payouts/Payouts.ts"
import { Treasury } from "../../src/treasury/Treasury.ts"
import * as Bank from "../treasury/Bank.ts"
import * as PaidOut from "./PaidOut.ts"

const TestLayer = Layer.mergeAll(PaidOut.TestLayer, Bank.layer)

const today = LocalDate.make("2026-04-15")

/** Money of a payout that leaves, or comes back. */
const entryOf = ({ amount, endToEndId }: Payout, back?: { readonly reason: string }) =>
  back === undefined
    ? Bank.entry(-amount, { endToEndId }, { bookedOn: today })
    : Bank.entry(
        amount,
        { endToEndId, returnReason: back.reason },
        { bookedOn: today, isReversal: true, subFamily: "RRTN" }
      )

const taken = Effect.fnUntraced(function* (
  made: PaidOut.PaidOut,
  entries: ReadonlyArray<ReturnType<typeof Bank.entry>>,
  more: Parameters<typeof Bank.statement>[1] = {}
) {
  const bytes = Bank.statement(entries, { day: today, ...more })
  const outcome = yield* Bank.take(made.world, made.account, bytes)
  yield* Bank.matched(made.world)
  return outcome
})

const now = (made: PaidOut.PaidOut, { id }: Payout) =>
  PaidOut.as(made)(Payouts.use((payouts) => payouts.get(id)))

/** What the account's bank is awaited to tell; both journals have the same on `cash`. */
const awaited = Effect.fnUntraced(function* (made: PaidOut.PaidOut) {
  const listed = yield* PaidOut.as(made)(
    Treasury.use((treasury) => treasury.awaited(made.account.id, { count: 10, page: 1 }))
  )
  const cash = yield* TreasuryLedgerRepo.use((repo) => repo.cash).pipe(
    Effect.provideService(CurrentTenant, made.world.tenant)
  )
  assert.strictEqual(cash.books + cash.journal, cash.awaited)
  return listed.data.map(({ amount, recordId }) => [recordId, amount])
})

const rejection = ({ endToEndId }: Payout) =>
  Buffer.from(
    writeStatusReport({
      id: `R-${endToEndId}`,
      createdAt: "2026-04-15T08:00:00",
      messageId: "PORTAL-1",
      message: "pain.001.001.09",
      count: 1,
      code: "PART",
      groups: [
        {
          paymentInformationId: "PORTAL-1-1",
          code: "PART",
          payments: [{ endToEndId, code: "RJCT", reasonCode: "AC01" }]
        }
      ]
    })
  )

layer(TestLayer, { excludeTestServices: true })("a payout that banks tell of", (it) => {
  it.effect("is paid once a statement shows that it left, and explains the bank's balance", () =>
    Effect.gen(function* () {
      const made = yield* PaidOut.make
      const payout = yield* PaidOut.request(made, { amount: 300 })
      assert.deepStrictEqual(yield* awaited(made), [[payout.refundId, -300]])
      yield* taken(made, [entryOf(payout)])
      const [entry] = yield* Bank.entries(made.world)
      assert.deepInclude(entry, { status: "MATCHED", rule: "OWN_PAYOUT", recordId: payout.id })
      const paid = yield* now(made, payout)
      assert.strictEqual(paid.status, "PAID")
      // The day's first instant is before the payout was asked for.
      assert.strictEqual(paid.outcome?.at, payout.requestedAt)
      assert.deepStrictEqual(yield* awaited(made), [])
      assert.strictEqual((yield* Bank.balances(made.world, made.account))["bank"], -300)
      yield* taken(made, [entryOf(payout)], { id: "again" })
      assert.strictEqual((yield* Bank.entries(made.world)).length, 1)
      assert.isUndefined(yield* PaidOut.difference(made))
    })
  )

  it.effect("is on the balance again once, though two messages tell that it came back", () =>
    Effect.gen(function* () {
      const made = yield* PaidOut.make
      const payout = yield* PaidOut.request(made, { amount: 300 })
      yield* taken(made, [entryOf(payout)])
      const back = entryOf(payout, { reason: "AC04" })
      yield* taken(made, [back], { message: "camt.054" })
      const failed = yield* now(made, payout)
      assert.deepInclude(failed, { status: "FAILED" })
      assert.strictEqual(failed.outcome?.reasonCode, "AC04")
      assert.strictEqual(yield* PaidOut.balance(made), 500)
      assert.deepStrictEqual(yield* awaited(made), [[payout.refundId, 300]])
      yield* taken(made, [back], { opening: -300 })
      assert.strictEqual(yield* PaidOut.balance(made), 500)
      assert.deepStrictEqual(yield* awaited(made), [])
      assert.strictEqual((yield* Bank.balances(made.world, made.account))["bank"], 0)
      assert.isUndefined(yield* PaidOut.difference(made))
    })
  )

  it.effect("failed where its own bank rejects it, and once", () =>
    Effect.gen(function* () {
      const made = yield* PaidOut.make
      const payout = yield* PaidOut.request(made)
      const other = yield* PaidOut.make
      yield* Bank.take(other.world, other.account, rejection(payout))
      assert.strictEqual((yield* now(made, payout)).status, "APPROVED")
      yield* Bank.take(made.world, made.account, rejection(payout))
      const failed = yield* now(made, payout)
      assert.deepInclude(failed.outcome, { reasonCode: "AC01" })
      assert.strictEqual(yield* PaidOut.balance(made), 500)
      const repeated = Buffer.concat([rejection(payout), Buffer.from("\n")])
      assert.isFalse((yield* Bank.take(made.world, made.account, repeated)).known)
      assert.strictEqual(yield* PaidOut.balance(made), 500)
      assert.deepStrictEqual(yield* awaited(made), [])
      assert.isUndefined(yield* PaidOut.difference(made))
    })
  )

  it.effect("is paid as the bank says it, though a name was not confirmed", () =>
    Effect.gen(function* () {
      const made = yield* PaidOut.make
      const sql = yield* SuperuserSql
      yield* sql`
        UPDATE payment_method SET holder_name = 'Camille Martin CLOSEMATCH'
        WHERE tenant_id = ${made.world.tenant}
      `
      const payout = yield* PaidOut.request(made)
      yield* taken(made, [entryOf(payout)])
      assert.strictEqual((yield* now(made, payout)).status, "PAID")
    })
  )

  it.effect("waits for people where it left though it was cancelled", () =>
    Effect.gen(function* () {
      const made = yield* PaidOut.make
      const cancel = (payout: Payout) =>
        PaidOut.as(made)(Payouts.use((payouts) => payouts.cancel(payout.id)))
      const [first, second] = [
        yield* PaidOut.request(made, { amount: 200 }),
        yield* PaidOut.request(made, { amount: 300 })
      ]
      yield* cancel(first)
      const both = Bank.statement([entryOf(first), entryOf(second)], { day: today })
      yield* Bank.take(made.world, made.account, both)
      // It is cancelled between the statement and what follows from it.
      yield* cancel(second)
      yield* Bank.matched(made.world)
      const entries = yield* Bank.entries(made.world)
      assert.sameMembers(
        entries.map(({ amount, status }) => `${status} ${amount}`),
        ["UNMATCHED -200", "MATCHED -300"]
      )
      assert.strictEqual((yield* now(made, second)).status, "CANCELLED")
      assert.deepStrictEqual(yield* awaited(made), [[second.refundId, 300]])
      assert.isUndefined(yield* PaidOut.difference(made))
    })
  )
})
