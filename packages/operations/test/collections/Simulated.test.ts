/** The simulated bank answers files of sandboxes with files, by the tenant's clock, each once. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { testIban } from "@quittance/bank/TestAccounts"
import { assert, layer } from "@effect/vitest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer, Redacted } from "effect"
import { BankSimulation } from "../../src/collections/BankSimulation.ts"
import { SandboxBank } from "../../src/collections/SandboxBank.ts"
import { Contents } from "../../src/contents/Contents.ts"
import { PaymentFiles } from "../../src/collections/PaymentFiles.ts"
import { BankStatements } from "../../src/treasury/BankStatements.ts"
import { Treasury } from "../../src/treasury/Treasury.ts"
import * as Wiring from "../../src/Wiring.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as Bank from "../treasury/Bank.ts"
import * as World from "../World.ts"
import * as Debited from "./Debited.ts"
import * as Filed from "./Filed.ts"

const TestLayer = Layer.mergeAll(
  BankSimulation.layer,
  Contents.layer,
  SandboxBank.layer,
  Filed.layerUseCases,
  Debited.layerUseCases,
  Bank.layerStatements,
  Contracts.layerUseCases
).pipe(
  Layer.provideMerge(Wiring.layerWithBank),
  Layer.provideMerge(World.layer),
  Layer.provide(NodeServices.layer)
)

const page = { count: 100, page: 1 }

/** A policy whose payer pays from a test account, and is told of debits by letters. */
const sold = Effect.fnUntraced(function* (account: string) {
  const world = yield* World.make(World.at("2026-03-10T09:00:00Z"), [World.motor, Debited.product])
  const bank = yield* Debited.opened(world, { channel: "SIMULATED" })
  const contract = yield* Debited.signed(world, {
    iban: testIban(account),
    customer: { email: "camille@example.com" }
  })
  const run = World.as(world, world.manager)
  const debits = Debited.debits(world, contract)
  const statements = Effect.map(
    run(BankStatements.use((all) => all.list({}, page))),
    ({ data }) => data
  )
  return { world, bank, contract, run, debits, statements }
})
type Sold = Effect.Success<ReturnType<typeof sold>>

const answered = ({ bank, world }: Pick<Sold, "bank" | "world">) =>
  Effect.provideService(
    BankSimulation.use((job) => job.run(bank.id)),
    CurrentTenant,
    world.tenant
  )

layer(TestLayer, { excludeTestServices: true })("the simulated bank", (it) => {
  it.effect(
    "returns the first debit of an account, collects the next, and explains the balance",
    () =>
      Effect.gen(function* () {
        const made = yield* sold("0SIMT10AM04")
        yield* Contracts.moveTo(made.world, "2026-04-01T09:00:00Z")
        const [first] = yield* made.debits
        const bookedOn = LocalDate.make("2026-04-17")
        assert.strictEqual(first!.collectOn, LocalDate.make("2026-04-15"))
        yield* Contracts.moveTo(made.world, "2026-06-30T21:00:00Z")
        const debits = yield* made.debits
        const failed = debits.find(({ id }) => id === first!.id)
        assert.deepInclude(failed, { status: "RETURNED", reasonCode: "AM04", failedOn: bookedOn })
        const again = debits.find(({ replaces }) => replaces === first!.id)
        assert.deepInclude(again, { status: "SETTLED", attempt: 2 })

        const { data: files } = yield* made.run(PaymentFiles.use((all) => all.list({}, page)))
        const given = files.filter(({ deliveredAt }) => deliveredAt !== undefined)
        for (const { status } of given) assert.strictEqual(status, "ACCEPTED")
        const statements = yield* made.statements
        assert.deepStrictEqual([...new Set(statements.map(({ status }) => status))].toSorted(), [
          "BOOKED",
          "TOLD"
        ])
        const settled = debits.filter(({ status }) => status === "SETTLED")
        const collected = settled.reduce((sum, { amount }) => sum + amount!, 0)
        const sums = yield* Bank.balances(made.world, made.bank)
        assert.deepInclude(sums, { bank: collected - 300, bank_charges: 300 })
        const { data: awaited } = yield* made.run(
          Treasury.use((treasury) => treasury.awaited(made.bank.id, page))
        )
        assert.deepStrictEqual(awaited, [])

        yield* answered(made)
        assert.strictEqual((yield* made.statements).length, statements.length)
      })
  )

  it.effect("rejects a debit by a report, and books nothing of it", () =>
    Effect.gen(function* () {
      const made = yield* sold("0SIMR00AC01")
      yield* Contracts.moveTo(made.world, "2026-04-30T21:00:00Z")
      const [first] = yield* made.debits
      assert.deepInclude(first, { status: "REJECTED", reasonCode: "AC01" })
      const { data: files } = yield* made.run(PaymentFiles.use((all) => all.list({}, page)))
      assert.strictEqual(files[0]!.status, "REJECTED")
      assert.deepStrictEqual(yield* made.statements, [])
    })
  )

  it.effect("tells a day once, also where several ask at once", () =>
    Effect.gen(function* () {
      const made = yield* sold("00000000101")
      yield* Contracts.moveTo(made.world, "2026-04-15T17:59:00Z")
      assert.deepStrictEqual(yield* made.statements, [])
      const clock = yield* TenantClockRepo
      yield* TenantSql.use(({ transaction }) =>
        transaction(clock.set(World.at("2026-04-15T18:00:00Z")))
      ).pipe(Effect.provideService(CurrentTenant, made.world.tenant))
      const asked = Array.from({ length: 4 }, () => answered(made))
      yield* Effect.all(asked, { concurrency: "unbounded" })
      const [day, ...others] = yield* made.statements
      assert.deepInclude(day, { status: "BOOKED", sequence: 1, newEntries: 1 })
      assert.deepStrictEqual(others, [])
    })
  )

  it.effect("answers no file that its account gave to another bank", () =>
    Effect.gen(function* () {
      const made = yield* Filed.delivered()
      const bank = yield* Debited.opened(made.world, { channel: "SIMULATED" })
      assert.strictEqual(yield* answered({ ...made, bank }), "DONE")
    })
  )

  it.effect("leaves a file to people that it can't read, and goes on", () =>
    Effect.gen(function* () {
      const made = yield* Filed.delivered()
      const bank = yield* Debited.opened(made.world, { channel: "SIMULATED" })
      const { tenant } = made.world
      const put = Contents.use((contents) => contents.put(Buffer.from("no file of payments")))
      const { address } = yield* Effect.provideService(put, CurrentTenant, tenant)
      const sql = yield* SuperuserSql
      yield* sql`
        UPDATE payment_file SET is_simulated = true, content_address = ${address}
        WHERE tenant_id = ${tenant}
      `
      yield* made.run(
        SandboxBank.use((simulated) =>
          simulated.transfer({
            bankAccountId: bank.id,
            amount: 4200,
            debtorName: "Camille Martin",
            debtorIban: Redacted.make(testIban("00000000101"))
          })
        )
      )
      assert.property(yield* answered({ ...made, bank }), "again")
      const { faults } = yield* Filed.fileOf(made)
      assert.deepStrictEqual(
        faults.map(({ rule }) => rule),
        ["SIMULATED_BANK"]
      )
    })
  )

  it.effect("has nothing to do with production", () =>
    Effect.gen(function* () {
      const made = yield* sold("00000000101")
      yield* Contracts.moveTo(made.world, "2026-04-13T13:30:00Z")
      // It has a file, and a report to send.
      assert.property(yield* answered(made), "again")
      const sql = yield* SuperuserSql
      yield* sql`
        UPDATE tenant SET environment = 'production', notice_dispatch = 'BY_HAND', test_clock = NULL
        WHERE tenant_id = ${made.world.tenant}
      `
      assert.strictEqual(yield* answered(made), "DONE")
    })
  )
})
