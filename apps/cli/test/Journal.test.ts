/** `quittance billing journal` as a process, on the books of a policy of which a payment was returned. */
import { assert, layer } from "@effect/vitest"
import type { FecChart } from "@quittance/domain/accounting/Fec"
import { EntryKind } from "@quittance/domain/billing/Entry"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { PaymentReturns } from "@quittance/operations/payments/PaymentReturns"
import { Payments } from "@quittance/operations/payments/Payments"
import { Database } from "@quittance/persistence/sql/Database"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, FileSystem, Layer, Redacted } from "effect"
import { NodeFileSystem } from "@effect/platform-node"
import { spawnSync } from "node:child_process"
import * as Contracts from "../../../packages/operations/test/SoldPolicies.ts"
import * as World from "../../../packages/operations/test/World.ts"

const main = new URL("../src/main.ts", import.meta.url).pathname
const TestLayer = Layer.mergeAll(Payments.layer, PaymentReturns.layer, NodeFileSystem.layer).pipe(
  Layer.provideMerge(Contracts.layer)
)

const entryOf = { code: "OD", label: "Opérations diverses", entryLabel: "Écriture" }
const accounts = {
  receivable: { number: "411000", label: "Clients" },
  balance: { number: "419100", label: "Clients, avances" },
  cash: { number: "512000", label: "Banque" },
  premium: { number: "706000", label: "Primes" },
  fee: { number: "708000", label: "Frais" },
  tax: { number: "447000", label: "Taxe sur les conventions d'assurance" },
  write_off: { number: "654000", label: "Pertes sur créances" }
}

const chartWith = (named: FecChart["accounts"]) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const journals = Object.fromEntries(EntryKind.literals.map((kind) => [kind, entryOf]))
    const file = yield* fs.makeTempFile()
    yield* fs.writeFileString(file, JSON.stringify({ accounts: named, journals }))
    return file
  })

const books = Effect.gen(function* () {
  const { url } = yield* Database
  const world = yield* World.make()
  const contract = yield* Contracts.signed(world)
  yield* Contracts.moveTo(world, "2026-06-15T12:00:00Z")
  const [first] = yield* Contracts.invoices(world, contract)
  const paid = yield* World.as(
    world,
    world.manager
  )(
    Payments.use((payments) =>
      payments.record(first!.id as InvoiceId, {
        amount: first!.amountDue + 1234,
        method: "BANK_TRANSFER",
        reference: "R-1"
      })
    )
  )
  const returned = World.as(
    world,
    world.manager
  )(PaymentReturns.use((returns) => returns.record(paid.id, { reasonCode: "AM04" })))
  const journal = (...flags: ReadonlyArray<string>) =>
    Effect.sync(() => {
      const of = ["billing", "journal", "--tenant", world.tenant, ...flags]
      const { status, stderr, stdout } = spawnSync(
        process.execPath,
        ["--conditions=@quittance/source", main, ...of],
        {
          encoding: "utf8",
          env: { PATH: process.env["PATH"], DATABASE_URL: Redacted.value(url), NO_COLOR: "1" }
        }
      )
      return { status, stderr, lines: stdout.replace(/\n$/u, "").split("\n") }
    })
  return { world, first: first!, returned, journal }
})

const cents = (text: string): number => Math.round(Number(text.replace(",", ".")) * 100)

layer(TestLayer, { excludeTestServices: true })("quittance billing journal", (it) => {
  it.effect("sums to the ledger, account by account, and is the same when more was recorded", () =>
    Effect.gen(function* () {
      const { journal, returned, world } = yield* books
      const sql = yield* SuperuserSql
      yield* Contracts.moveTo(world, "2026-06-16T12:00:00Z")
      const period = ["--from", "2026-01-01", "--to", "2026-06-15"]
      const before = yield* journal(...period)
      assert.strictEqual(before.status, 0, before.stderr)
      const sums = new Map<string, number>()
      for (const line of before.lines.slice(1)) {
        const [account, debit, credit] = line.split(",").slice(8)
        sums.set(account!, (sums.get(account!) ?? 0) + cents(debit!) - cents(credit!))
      }
      const ledger = yield* sql<{ readonly account: string; readonly sum: number }>`
        SELECT p.account, sum(p.amount)::int AS sum FROM entry e
        CROSS JOIN LATERAL unnest(e.accounts, e.amounts) AS p(account, amount)
        WHERE e.tenant_id = ${world.tenant} GROUP BY 1
      `
      assert.deepStrictEqual(sums, new Map(ledger.map(({ account, sum }) => [account, sum])))
      yield* returned
      yield* Contracts.moveTo(world, "2026-06-18T12:00:00Z")
      assert.deepStrictEqual(yield* journal(...period), before)
      const later = yield* journal("--from", "2026-06-16", "--to", "2026-06-16")
      const last = Number(before.lines.at(-1)!.split(",")[0])
      assert.deepStrictEqual(
        [...new Set(later.lines.slice(1).map((line) => Number(line.split(",")[0])))],
        [last + 1]
      )
    })
  )

  it.effect("is a FEC of eighteen columns whose entries are balanced and numbered", () =>
    Effect.gen(function* () {
      const { first, journal, world } = yield* books
      yield* Contracts.moveTo(world, "2026-06-16T12:00:00Z")
      const flags = ["--from", "2026-01-01", "--to", "2026-06-15", "--format", "FEC"]
      const { lines, status, stderr } = yield* journal(
        ...flags,
        "--chart",
        yield* chartWith(accounts)
      )
      assert.strictEqual(status, 0, stderr)
      const rows = lines.map((line) => line.split("\t"))
      assert.isTrue(rows.every((row) => row.length === 18))
      const entries = Map.groupBy(rows.slice(1), (row) => Number(row[2]))
      assert.deepStrictEqual(
        [...entries.keys()],
        Array.from({ length: entries.size }, (_, index) => index + 1)
      )
      for (const own of entries.values()) {
        assert.strictEqual(
          own.reduce((sum, row) => sum + cents(row[11]!) - cents(row[12]!), 0),
          0
        )
      }
      const pieces = rows.slice(1).map((row) => row[8])
      assert.include(pieces, first.number)
      assert.isTrue(rows.slice(1).every((row) => /^\d{8}$/u.test(row[3]!)))
    })
  )

  it.effect("names the account that a chart lacks, and the days that it can't be of", () =>
    Effect.gen(function* () {
      const { journal } = yield* books
      const flags = ["--from", "2026-01-01", "--to", "2026-06-14", "--format", "FEC"]
      const { premium: _, ...lacking } = accounts
      const chart = yield* journal(...flags, "--chart", yield* chartWith(lacking))
      assert.strictEqual(chart.status, 1)
      assert.match(chart.stderr, /add `premium` to the accounts/u)
      const open = yield* journal("--from", "2026-06-01", "--to", "2026-06-15")
      assert.strictEqual(open.status, 1)
      assert.match(open.stderr, /2026-06-14 at the latest/u)
    })
  )
})
