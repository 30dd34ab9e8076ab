/** Bank files: taken once, held where they contradict themselves, and each entry booked once. */
import { assert, layer } from "@effect/vitest"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Draw } from "@quittance/testing/Draw"
import { Effect } from "effect"
import { gzipSync } from "node:zlib"
import { BankStatements } from "../../src/treasury/BankStatements.ts"
import { BankEntries } from "../../src/treasury/BankEntries.ts"
import { Treasury } from "../../src/treasury/Treasury.ts"
import { onFirm, person } from "../People.ts"
import * as World from "../World.ts"
import * as Bank from "./Bank.ts"

/** A tenant with an account, after the days of the samples. */
const made = Effect.gen(function* () {
  const world = yield* World.make(World.at("2026-12-05T09:00:00Z"), [])
  return { world, account: yield* Bank.opened(world) }
})

const accept = (world: World.World, id: string) =>
  World.as(
    world,
    world.manager
  )(BankStatements.use((statements) => statements.accept(id as never, { reason: "By telephone" })))

const told = ({ known, statements }: Effect.Success<ReturnType<typeof Bank.take>>) => ({
  known,
  statements: statements.map(({ known: before, new: isNew, reasons, status }) => [
    status,
    reasons.join(" "),
    isNew,
    before
  ])
})

const tagOf = <A, E extends { readonly _tag: string }, R>(attempt: Effect.Effect<A, E, R>) =>
  Effect.match(attempt, { onFailure: ({ _tag }) => _tag, onSuccess: () => "Success" })

layer(Bank.layer, { excludeTestServices: true })("bank files", (it) => {
  it.effect("are of the whole tenant: a firm's manager reads none of them", () =>
    Effect.gen(function* () {
      const { account, world } = yield* made
      const { statements } = yield* Bank.take(world, account, Bank.statement([Bank.entry(100)]))
      const [entry] = yield* Bank.entries(world)
      const { north } = world.firms
      const manager = yield* person(world, [{ role: "FIRM_MANAGER", on: onFirm(north) }], north)
      const page = { page: 1, count: 10 }
      const answers = Effect.all([
        tagOf(BankStatements.use((all) => all.list({}, page))),
        tagOf(BankStatements.use((all) => all.get(statements[0]!.id))),
        tagOf(BankEntries.use((queue) => queue.list({}, page))),
        tagOf(BankEntries.use((queue) => queue.get(entry!.id))),
        tagOf(BankEntries.use((queue) => queue.suggestions(entry!.id))),
        tagOf(Treasury.use((treasury) => treasury.ledger(account.id, page))),
        tagOf(Treasury.use((treasury) => treasury.awaited(account.id, page)))
      ])
      const refused = yield* World.as(world, manager)(answers)
      assert.deepStrictEqual([...new Set(refused)], ["Forbidden"])
      const answered = yield* World.as(world, world.manager)(answers)
      assert.deepStrictEqual([...new Set(answered)], ["Success"])
    })
  )

  it.effect("of the samples have their documented outcomes", () =>
    Effect.gen(function* () {
      const { account, world } = yield* made
      const outcome = (name: string) =>
        Effect.map(Bank.take(world, account, Bank.sample(name)), told)
      assert.deepStrictEqual(yield* outcome("statement-1.camt.053.001.08"), {
        known: false,
        statements: [["BOOKED", "", 6, 0]]
      })
      const closed = yield* Bank.balances(world, account)
      assert.deepStrictEqual([closed["bank"], closed["opening"]], [159_750, -100_000])
      assert.strictEqual(closed["bank_charges"], 1250)
      // The same bytes, the same in an older version, and the same packed.
      assert.deepStrictEqual(yield* outcome("statement-1.camt.053.001.08"), {
        known: true,
        statements: [["BOOKED", "", 0, 6]]
      })
      assert.deepStrictEqual(yield* outcome("statement-1.camt.053.001.02"), {
        known: false,
        statements: [["BOOKED", "", 0, 6]]
      })
      const packed = gzipSync(Bank.sample("statement-1.camt.053.001.08"))
      assert.deepStrictEqual(told(yield* Bank.take(world, account, packed)).statements, [
        ["BOOKED", "", 0, 6]
      ])
      // A notification tells of a return, and moves no money; the statement does.
      assert.deepStrictEqual(yield* outcome("returns.camt.054.001.08"), {
        known: false,
        statements: [["TOLD", "", 1, 0]]
      })
      assert.strictEqual((yield* Bank.balances(world, account))["bank"], 159_750)
      assert.deepStrictEqual(yield* outcome("statement-2-return.camt.053.001.08"), {
        known: false,
        statements: [["BOOKED", "", 1, 0]]
      })
      assert.strictEqual((yield* Bank.balances(world, account))["bank"], 151_450)
      for (const [name, reason] of [
        ["bad-does-not-add.camt.053.001.08", "DOES_NOT_ADD"],
        ["bad-gap.camt.053.001.08", "GAP"],
        ["bad-currency.camt.053.001.08", "CURRENCY"]
      ] as const) {
        const [statement] = (yield* outcome(name)).statements
        assert.deepStrictEqual([statement![0], statement![2]], ["HELD", 0], name)
        assert.include(String(statement![1]), reason)
      }
      assert.strictEqual((yield* Bank.balances(world, account))["bank"], 151_450)
      const other = yield* Effect.flip(outcome("bad-other-account.camt.053.001.08"))
      assert.strictEqual(other._tag, "StatementOfOtherAccount")
      const doctype = yield* Effect.flip(outcome("bad-doctype.camt.053.001.08"))
      assert.isTrue(doctype._tag === "InvalidBankFile" && doctype.reason === "DOCTYPE")
      const cut = yield* Effect.flip(Bank.take(world, account, packed.subarray(0, 100)))
      assert.strictEqual(cut._tag, "InvalidBankFile")
      // What a status report says is of no debit of ours.
      assert.deepStrictEqual(yield* outcome("status-partial.pain.002.001.10"), {
        known: false,
        statements: []
      })
    })
  )

  it.effect("equal-entries-475: equal entries stay as many as they are", () =>
    Effect.gen(function* () {
      const { account, world } = yield* made
      const two = [Bank.entry(5000), Bank.entry(5000)]
      yield* Bank.take(world, account, Bank.statement(two, { id: "A" }))
      // Sent again with a third one.
      const three = [...two, Bank.entry(5000)]
      const outcome = yield* Bank.take(world, account, Bank.statement(three, { id: "A" }))
      assert.deepStrictEqual(told(outcome).statements, [["BOOKED", "", 1, 2]])
      // The next statement of the day has two more.
      yield* Bank.take(world, account, Bank.statement(two, { id: "B", opening: 15_000 }))
      assert.strictEqual((yield* Bank.entries(world)).length, 5)
      assert.strictEqual((yield* Bank.balances(world, account))["bank"], 25_000)
    })
  )

  it.effect("split-batch-307: an entry is split where its payments sum to it, else it is one", () =>
    Effect.gen(function* () {
      const { account, world } = yield* made
      const payment = (amount: number) => Bank.detail({ moved: { amount, currency: "EUR" } })
      const sums = Bank.entry(900, {}, { details: [payment(400), payment(500)] })
      const doesNot = Bank.entry(900, {}, { details: [payment(400), payment(400)] })
      const outcome = yield* Bank.take(world, account, Bank.statement([sums, doesNot]))
      assert.deepStrictEqual(told(outcome).statements, [["BOOKED", "", 2, 0]])
      const amounts = (yield* Bank.entries(world)).map(({ amount }) => amount)
      assert.deepStrictEqual(amounts.toSorted(), [400, 500, 900])
    })
  )

  it.effect("ref-not-unique-711: a reference that a bank gives twice is no identity", () =>
    Effect.gen(function* () {
      const { account, world } = yield* made
      const ofBank = { bankReference: "SAME" }
      const entries = [Bank.entry(100, {}, ofBank), Bank.entry(200, {}, ofBank)]
      yield* Bank.take(world, account, Bank.statement(entries))
      assert.strictEqual((yield* Bank.entries(world)).length, 2)
    })
  )

  it.effect("same-end-to-end-11055: nor is what payers write", () =>
    Effect.gen(function* () {
      const { account, world } = yield* made
      const same = { endToEndId: "MONTHLY", texts: ["rent"] }
      const july = Bank.entry(100, same)
      const august = Bank.entry(100, same, { bookedOn: LocalDate.make("2026-08-14") })
      yield* Bank.take(world, account, Bank.statement([july, august], { day: "2026-08-14" }))
      assert.strictEqual((yield* Bank.entries(world)).length, 2)
    })
  )

  it.effect("that overlap book as one, in whatever pieces the bank sends them", () =>
    Effect.gen(function* () {
      for (let seed = 1; seed <= 8; seed++) {
        const draw = new Draw(seed)
        const { account, world } = yield* made
        const all = Array.from({ length: draw.int(2, 12) }, () =>
          Bank.entry(draw.pick([100, 100, 250, -100]), { texts: [draw.pick(["a", "b"])] })
        )
        const sum = (until: number) =>
          all
            .slice(0, until)
            .reduce(
              (total, one) => total + (one.direction === "DEBIT" ? -1 : 1) * one.moved.amount!,
              0
            )
        const [from, until] = [draw.int(0, all.length - 1), draw.int(1, all.length)]
        yield* Bank.take(world, account, Bank.statement(all.slice(0, until), { id: "first" }))
        const second = Math.min(from, until)
        const again = Bank.statement(all.slice(second), { id: "second", opening: sum(second) })
        yield* Bank.take(world, account, again)
        const found = yield* Bank.entries(world)
        assert.strictEqual(found.length, all.length, `seed ${seed}`)
        assert.strictEqual((yield* Bank.balances(world, account))["bank"] ?? 0, sum(all.length))
      }
    })
  )

  it.effect(
    "that are held are booked once a person accepts them, and the difference is posted",
    () =>
      Effect.gen(function* () {
        const { account, world } = yield* made
        yield* Bank.take(world, account, Bank.statement([Bank.entry(1000)], { sequence: 1 }))
        const later = Bank.statement([Bank.entry(70)], {
          sequence: 3,
          opening: 1500,
          day: "2026-07-16"
        })
        const held = yield* Bank.take(world, account, later)
        assert.deepStrictEqual(told(held).statements, [["HELD", "GAP", 0, 0]])
        const { id } = held.statements[0]!
        const booked = yield* accept(world, id)
        assert.deepStrictEqual(
          [booked.status, booked.newEntries, booked.closing],
          ["BOOKED", 1, 1570]
        )
        assert.strictEqual(booked.accepted?.reason, "By telephone")
        const after = yield* Bank.balances(world, account)
        assert.deepStrictEqual([after["bank"], after["difference"]], [1570, -500])
        const twice = yield* Effect.flip(accept(world, id))
        assert.strictEqual(twice._tag, "InvalidTransition")
        // What was missing comes later: it explains the difference, and the balance stays.
        const missing = Bank.statement(
          [Bank.entry(500, {}, { bookedOn: LocalDate.make("2026-07-15") })],
          {
            sequence: 2,
            opening: 1000,
            day: "2026-07-15"
          }
        )
        const [late] = (yield* Bank.take(world, account, missing)).statements
        yield* late!.status === "HELD" ? accept(world, late!.id) : Effect.void
        const whole = yield* Bank.balances(world, account)
        assert.deepStrictEqual([whole["bank"], whole["difference"]], [1570, 0])
      })
  )

  it.effect("any-entry-46725: identical-rows-542: the same file twenty times at once is one", () =>
    Effect.gen(function* () {
      const { account, world } = yield* made
      const bytes = Bank.statement([Bank.entry(100), Bank.entry(100)])
      const outcomes = yield* Effect.all(
        Array.from({ length: 20 }, () => Bank.take(world, account, bytes)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(outcomes.filter(({ known }) => !known).length, 1)
      assert.strictEqual((yield* Bank.entries(world)).length, 2)
    })
  )
})
