/** Cash application: what rules book by themselves, and what people say of the rest. */
import { assert, layer } from "@effect/vitest"
import type { Invoice } from "@quittance/domain/billing/Invoice"
import { type BankEntry, InvalidAllocation } from "@quittance/domain/treasury/BankEntry"
import type { AllocateEntry } from "@quittance/domain/treasury/TreasuryRequests"
import type { BankEntryId, InvoiceId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { TreasuryLedgerRepo } from "@quittance/persistence/treasury/TreasuryLedgerRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { Payments } from "../../src/payments/Payments.ts"
import { Reconciliation } from "../../src/reconciliation/Reconciliation.ts"
import { Treasury } from "../../src/treasury/Treasury.ts"
import { BankEntries } from "../../src/treasury/BankEntries.ts"
import { EntryAllocations } from "../../src/treasury/EntryAllocations.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import * as Bank from "./Bank.ts"

/** A policy with four monthly invoices, and an account, on 15 July 2026. */
const made = Effect.gen(function* () {
  const world = yield* World.make()
  const contract = yield* Contracts.signed(world)
  yield* Contracts.moveTo(world, "2026-07-15T12:00:00Z")
  const invoices = yield* Contracts.invoices(world, contract)
  const account = yield* Bank.opened(world)
  return { world, contract, account, invoices }
})
type Made = Effect.Success<typeof made>

const run = <A, E, R>({ world }: Pick<Made, "world">, effect: Effect.Effect<A, E, R>) =>
  World.as(world, world.manager)(effect)

const standing = ({ contract, world }: Made) =>
  Effect.map(Contracts.invoices(world, contract), (invoices) =>
    invoices.map(({ amountDue, status }) => `${status} ${amountDue}`)
  )

/** Takes entries, and books what rules find of them. */
const came = Effect.fnUntraced(function* (
  at: Made,
  entries: ReadonlyArray<ReturnType<typeof Bank.entry>>,
  more: Parameters<typeof Bank.statement>[1] = {}
) {
  yield* Bank.take(at.world, at.account, Bank.statement(entries, more))
  yield* Bank.matched(at.world)
  return yield* Bank.entries(at.world)
})

const allocate = (
  at: Made,
  { id }: Pick<BankEntry, "id">,
  allocations: ReadonlyArray<readonly [Pick<Invoice, "id">, number]>,
  rest: AllocateEntry["rest"] = "SUSPENSE",
  request: Parameters<typeof World.as>[2] = {}
) => {
  const [first, ...others] = allocations.map(([invoice, amount]) => ({
    invoiceId: invoice.id as InvoiceId,
    amount
  }))
  return World.as(
    at.world,
    at.world.manager,
    request
  )(EntryAllocations.use((queue) => queue.allocate(id, { allocations: [first!, ...others], rest })))
}

const unallocate = (at: Made, id: BankEntryId) =>
  run(
    at,
    EntryAllocations.use((queue) => queue.unallocate(id))
  )

/** The three identities: the bank's balance, what is unexplained, and what is awaited. */
const identities = Effect.fnUntraced(function* (at: Made, closing: number) {
  const found = yield* Bank.balances(at.world, at.account)
  assert.strictEqual(found["bank"] ?? 0, closing)
  const open = (yield* Bank.entries(at.world)).filter(({ status }) => status !== "TOLD")
  const sum = open.reduce((total, { allocated, amount }) => total + amount - allocated, 0)
  assert.strictEqual(0 - (found["suspense"] ?? 0), sum)
  const cash = yield* TreasuryLedgerRepo.use((repo) => repo.cash).pipe(
    Effect.provideService(CurrentTenant, at.world.tenant)
  )
  const { sum: awaited } = yield* run(
    at,
    Treasury.use((treasury) => treasury.awaited(at.account.id, { count: 100, page: 1 }))
  )
  assert.deepStrictEqual([cash.books + cash.journal, cash.awaited], [awaited, awaited])
  const { difference } = yield* reconciled(at)
  assert.isUndefined(difference)
  return awaited
})

const reconciled = ({ world }: Made) =>
  Reconciliation.use(({ reconcile }) => reconcile).pipe(
    Effect.provideService(CurrentTenant, world.tenant)
  )

const TestLayer = Reconciliation.layer.pipe(Layer.provideMerge(Bank.layer))

layer(TestLayer, { excludeTestServices: true })("entries of statements", (it) => {
  it.effect("pay the invoices that they name, on the day of the bank", () =>
    Effect.gen(function* () {
      const at = yield* made
      const [first, second, third] = at.invoices
      const entries = yield* came(at, [
        Bank.entry(first!.amountDue, { references: [Bank.referenceOf(first!)] }),
        Bank.entry(second!.amountDue, { texts: [`merci ${second!.number}`] }),
        Bank.entry(100, { texts: [Bank.referenceOf(third!).replace("INV", "INV ")] }),
        Bank.entry(77, { texts: ["without a word"] })
      ])
      assert.sameMembers(
        entries.map(({ amount, rule = "", status }) => `${status} ${rule} ${amount}`),
        [
          `MATCHED REFERENCE ${first!.amountDue}`,
          `MATCHED INVOICE_NUMBER ${second!.amountDue}`,
          "MATCHED REFERENCE 100",
          "UNMATCHED  77"
        ]
      )
      assert.deepStrictEqual((yield* standing(at)).slice(0, 3), [
        "PAID 0",
        "PAID 0",
        `PARTIALLY_PAID ${third!.amountDue - 100}`
      ])
      const [paid] = yield* Contracts.invoices(at.world, at.contract)
      assert.strictEqual(paid!.paidAt, "2026-07-13T22:00:00.000Z")
      const all = first!.amountDue + second!.amountDue + 177
      assert.strictEqual(yield* identities(at, all), 0)
    })
  )

  it.effect("are held to the journal by the reconciliation, to the cent", () =>
    Effect.gen(function* () {
      const at = yield* made
      const sql = yield* SuperuserSql
      const [first] = at.invoices
      yield* came(at, [
        Bank.entry(first!.amountDue, { references: [Bank.referenceOf(first!)] }),
        Bank.entry(77)
      ])
      assert.isUndefined((yield* reconciled(at)).difference)
      const { tenant } = at.world
      const fieldAfter = Effect.fnUntraced(function* (
        change: Effect.Effect<unknown, unknown>,
        back: Effect.Effect<unknown, unknown>
      ) {
        yield* Effect.orDie(change)
        const { difference } = yield* reconciled(at)
        yield* Effect.orDie(back)
        return difference?.field
      })
      const closing = (by: number) => sql`
        UPDATE bank_statement SET closing = closing + ${by} WHERE tenant_id = ${tenant}`
      assert.strictEqual(
        yield* fieldAfter(closing(1), closing(-1)),
        "balance of the last statement"
      )
      const entered = (by: number) => sql`
        UPDATE bank_entry SET amount = amount + ${by}
        WHERE tenant_id = ${tenant} AND status = 'UNMATCHED'`
      assert.strictEqual(yield* fieldAfter(entered(1), entered(-1)), "entries of statements")
      const explained = (by: number) => sql`
        UPDATE bank_entry SET allocated = allocated + ${by}
        WHERE tenant_id = ${tenant} AND status = 'UNMATCHED'`
      assert.strictEqual(
        yield* fieldAfter(explained(1), explained(-1)),
        "entries that nothing explains"
      )
      const record = (tail: string, more: string) => sql`
        UPDATE treasury_entry SET record_id = rtrim(record_id, ${tail}) || ${more}
        WHERE tenant_id = ${tenant} AND record_id IS NOT NULL`
      assert.strictEqual(yield* fieldAfter(record("!", "!"), record("!", "")), "cash")
      assert.isUndefined((yield* reconciled(at)).difference)
    })
  )

  it.effect("flag a payment of what was paid, and link what people had recorded", () =>
    Effect.gen(function* () {
      const at = yield* made
      const [first] = at.invoices
      const amount = first!.amountDue
      yield* run(
        at,
        Payments.use((payments) =>
          payments.record(first!.id as InvoiceId, {
            amount,
            method: "BANK_TRANSFER",
            reference: "R-1",
            paidAt: World.at("2026-07-13T08:00:00Z")
          })
        )
      )
      assert.strictEqual(yield* identities(at, 0), amount)
      const told = { references: [Bank.referenceOf(first!)] }
      const entries = yield* came(at, [Bank.entry(amount, told), Bank.entry(amount, told)])
      assert.sameMembers(
        entries.map(({ flag = "", rule = "" }) => `${rule} ${flag}`),
        ["RECORDED ", "REFERENCE DOUBLE_PAYMENT"]
      )
      assert.strictEqual(yield* identities(at, 2 * amount), 0)
    })
  )

  it.effect("are suggested invoices, tried, allocated and undone by people", () =>
    Effect.gen(function* () {
      const at = yield* made
      const [first, second] = at.invoices
      const due = first!.amountDue
      const party = { debtor: { name: "MARTIN CAMILLE" } }
      const [entry] = yield* came(at, [Bank.entry(due + 50, party)])
      const { data } = yield* run(
        at,
        BankEntries.use((queue) => queue.suggestions(entry!.id))
      )
      assert.isAtLeast(data.length, 1)
      assert.deepStrictEqual([data[0]!.invoiceId, data[0]!.reasons], [first!.id, ["NAME"]])

      const tried = yield* allocate(at, entry!, [[first!, due]], "BALANCE", { dryRun: true })
      assert.deepStrictEqual(
        tried.payments.map(({ allocations }) => allocations.map(({ amount }) => amount)),
        [[due, 50]]
      )
      assert.strictEqual((yield* standing(at))[0], `ISSUED ${due}`)

      for (const [asked, reason] of [
        [[[first!, due + 51]], "MORE_THAN_OPEN"],
        [
          [
            [first!, 1],
            [first!, 1]
          ],
          "INVOICE_TWICE"
        ],
        [[[{ id: "invoice_test_346789ABCDEFGHJKLMNPQ" }, 1]], "INVOICE_NOT_FOUND"]
      ] as const) {
        const refused = yield* Effect.flip(allocate(at, entry!, asked as never))
        assert.isTrue(refused instanceof InvalidAllocation && refused.reason === reason, reason)
      }

      // One transfer for several invoices, what is left of it later.
      const part = yield* allocate(at, entry!, [
        [first!, due],
        [second!, 20]
      ])
      assert.deepStrictEqual(
        [part.status, part.allocated, part.rule],
        ["UNMATCHED", due + 20, "BY_HAND"]
      )
      const whole = yield* allocate(at, entry!, [[second!, 30]])
      assert.strictEqual(whole.status, "MATCHED")
      assert.deepStrictEqual((yield* standing(at)).slice(0, 2), [
        "PAID 0",
        `PARTIALLY_PAID ${second!.amountDue - 50}`
      ])
      yield* identities(at, due + 50)

      const open = yield* unallocate(at, entry!.id)
      assert.deepStrictEqual(
        [open.status, open.allocated, open.payments.length],
        ["UNMATCHED", 0, 0]
      )
      assert.deepStrictEqual((yield* standing(at)).slice(0, 2), [
        `PAYMENT_FAILED ${due}`,
        `PAYMENT_FAILED ${second!.amountDue}`
      ])
      assert.strictEqual(yield* identities(at, due + 50), 0)
    })
  )

  it.effect("manual-kept-43: no rule touches again what people decided", () =>
    Effect.gen(function* () {
      const at = yield* made
      const [first] = at.invoices
      const told = { references: [Bank.referenceOf(first!)] }
      const statement = Bank.statement([Bank.entry(100, told)], { id: "A" })
      yield* Bank.take(at.world, at.account, statement)
      yield* Bank.matched(at.world)
      const [entry] = yield* Bank.entries(at.world)
      yield* unallocate(at, entry!.id)
      // The same statement in other bytes, and the job again.
      const again = Bank.statement([Bank.entry(100, told), Bank.entry(5)], { id: "A" })
      yield* Bank.take(at.world, at.account, again)
      yield* Bank.matched(at.world)
      const after = (yield* Bank.entries(at.world)).find(({ id }) => id === entry!.id)
      assert.deepStrictEqual([after?.status, after?.allocated], ["UNMATCHED", 0])
      yield* identities(at, 105)
    })
  )

  it.effect("are ignored for a reason, and not any longer", () =>
    Effect.gen(function* () {
      const at = yield* made
      const [entry] = yield* came(at, [Bank.entry(-500)])
      const ignore = run(
        at,
        EntryAllocations.use((queue) =>
          queue.ignore(entry!.id, { account: "OTHER", reason: "Interest" })
        )
      )
      assert.strictEqual((yield* ignore).status, "IGNORED")
      assert.strictEqual((yield* Bank.balances(at.world, at.account))["other"], 500)
      assert.strictEqual((yield* Effect.flip(ignore))._tag, "InvalidTransition")
      yield* unallocate(at, entry!.id)
      assert.strictEqual((yield* Bank.balances(at.world, at.account))["other"], 0)
      const paid = yield* Effect.flip(allocate(at, entry!, [[at.invoices[0]!, 1]]))
      assert.isTrue(paid instanceof InvalidAllocation && paid.reason === "MONEY_LEFT")
      yield* identities(at, -500)
    })
  )

  it.effect("pay invoices whose numbers have seven digits", () =>
    Effect.gen(function* () {
      const at = yield* made
      const sql = yield* SuperuserSql
      const [long, short] = at.invoices
      yield* sql`UPDATE invoice SET number = 1234567 WHERE id = ${long!.id}`
      yield* sql`UPDATE invoice SET number = 123456 WHERE id = ${short!.id}`
      yield* came(at, [
        Bank.entry(300, { references: [Bank.referenceOf({ number: "INV-123456" })] }),
        Bank.entry(200, { references: [Bank.referenceOf({ number: "INV-1234567" })] })
      ])
      assert.deepStrictEqual((yield* standing(at)).slice(0, 2), [
        `PARTIALLY_PAID ${long!.amountDue - 200}`,
        `PARTIALLY_PAID ${short!.amountDue - 300}`
      ])
    })
  )

  it.effect("are not undone while others allocate them to a further policy", () =>
    Effect.gen(function* () {
      const at = yield* made
      const sql = yield* SuperuserSql
      const [other] = yield* Contracts.invoices(at.world, yield* Contracts.signed(at.world))
      const [entry] = yield* came(at, [Bank.entry(1000)])
      yield* allocate(at, entry!, [[at.invoices[0]!, 400]])
      const locked = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const holder = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT FROM policy WHERE id = ${at.invoices[0]!.policyId} FOR UPDATE`
            yield* Deferred.succeed(locked, undefined)
            yield* Deferred.await(go)
          })
        )
      )
      yield* Deferred.await(locked)
      const undoing = yield* Effect.forkChild(Effect.exit(unallocate(at, entry!.id)))
      const waiting = sql`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`
      yield* Effect.repeat(waiting, { until: (rows) => rows.length > 0 })
      yield* allocate(at, entry!, [[other!, 300]])
      yield* Deferred.succeed(go, undefined)
      assert.isTrue(Exit.isFailure(yield* Fiber.join(undoing)))
      yield* Fiber.join(holder)
      const [after] = yield* Bank.entries(at.world)
      assert.strictEqual(after!.allocated, 700)
      assert.strictEqual((yield* unallocate(at, entry!.id)).allocated, 0)
      yield* identities(at, 1000)
    })
  )

  it.effect("wait for the next round where the database ended the transaction", () =>
    Effect.gen(function* () {
      const at = yield* made
      const sql = yield* SuperuserSql
      const [first] = at.invoices
      yield* sql`CREATE FUNCTION lost() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = TG_ARGV[0]; END $$`
      const told = { references: [Bank.referenceOf(first!)] }
      yield* Bank.take(at.world, at.account, Bank.statement([Bank.entry(100, told)]))
      for (const code of ["40P01", "40001", "57P01", "55P03"]) {
        yield* sql`CREATE TRIGGER lost BEFORE INSERT ON bank_entry_payment
          FOR EACH ROW EXECUTE FUNCTION lost(${sql.literal(`'${code}'`)})`
        yield* Effect.ensuring(
          Bank.matched(at.world),
          Effect.orDie(sql`DROP TRIGGER lost ON bank_entry_payment`)
        )
        const [entry] = yield* Bank.entries(at.world)
        assert.deepStrictEqual([code, entry!.status], [code, "MATCHING"])
      }
      yield* sql`DROP FUNCTION lost`
      yield* Bank.matched(at.world)
      const [entry] = yield* Bank.entries(at.world)
      assert.deepStrictEqual([entry!.status, entry!.allocated], ["MATCHED", 100])
      yield* identities(at, 100)
    })
  )

  it.effect("are all booked where a statement has more than one round of them", () =>
    Effect.gen(function* () {
      const at = yield* made
      const cents = Array.from({ length: 101 }, (_, index) =>
        Bank.entry(1, { endToEndId: `CENT-${index}` })
      )
      yield* Bank.take(at.world, at.account, Bank.statement(cents))
      const sql = yield* SuperuserSql
      // As where what a rule had found of each is not so any more.
      yield* sql`UPDATE bank_entry SET status = 'MATCHING' WHERE tenant_id = ${at.world.tenant}`
      yield* sql`
        INSERT INTO bank_entry_match (tenant_id, bank_entry_id)
        SELECT tenant_id, id FROM bank_entry WHERE tenant_id = ${at.world.tenant}
      `
      yield* Bank.matched(at.world)
      assert.deepStrictEqual(yield* Bank.entries(at.world, { statuses: ["MATCHING"] }), [])
    })
  )

  it.effect("are allocated once by twenty people at a time", () =>
    Effect.gen(function* () {
      const at = yield* made
      const [first, second] = at.invoices
      const [entry] = yield* came(at, [Bank.entry(300)])
      const outcomes = yield* Effect.all(
        Array.from({ length: 20 }, (_, index) =>
          Effect.result(allocate(at, entry!, [[index % 2 === 0 ? first! : second!, 300]]))
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(outcomes.filter(({ _tag }) => _tag === "Success").length, 1)
      yield* identities(at, 300)
    })
  )
})
