/** Payers of a sandbox transfer money, and its simulated bank tells it by statements. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import type { SendBankTransfer } from "@quittance/domain/collections/SimulatedTransfer"
import { BankAccountNotFound } from "@quittance/domain/payments/BankAccount"
import { InvalidReference } from "@quittance/domain/requests/RequestErrors"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer, Redacted } from "effect"
import { BankSimulation } from "../../src/collections/BankSimulation.ts"
import { SandboxBank } from "../../src/collections/SandboxBank.ts"
import { BankEntries } from "../../src/treasury/BankEntries.ts"
import { BankStatements } from "../../src/treasury/BankStatements.ts"
import * as Wiring from "../../src/Wiring.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as Bank from "../treasury/Bank.ts"
import * as World from "../World.ts"

const TestLayer = Layer.mergeAll(
  BankSimulation.layer,
  SandboxBank.layer,
  Bank.layerStatements,
  Contracts.layerUseCases
).pipe(
  Layer.provideMerge(Wiring.layerWithBank),
  Layer.provideMerge(World.layer),
  Layer.provide(NodeServices.layer)
)

/** A policy whose invoices are to be transferred, on Saturday 18 July 2026 at noon. */
const made = Effect.gen(function* () {
  const world = yield* World.make()
  const contract = yield* Contracts.signed(world)
  yield* Contracts.moveTo(world, "2026-07-18T10:00:00Z")
  const account = yield* Bank.opened(world, { channel: "SIMULATED" })
  const [invoice] = yield* Contracts.invoices(world, contract)
  return { world, contract, account, invoice: invoice!, run: World.as(world, world.manager) }
})
type Made = Effect.Success<typeof made>

const sent = (
  { account, run }: Pick<Made, "account" | "run">,
  more: Partial<SendBankTransfer> = {}
) =>
  run(
    SandboxBank.use((bank) =>
      bank.transfer({
        bankAccountId: account.id,
        amount: 4200,
        debtorName: "Camille Martin",
        debtorIban: Redacted.make("FR7699999000010000000010106"),
        ...more
      })
    )
  )

const statements = ({ run }: Made) =>
  Effect.map(
    run(BankStatements.use((all) => all.list({}, { count: 100, page: 1 }))),
    ({ data }) => data
  )

layer(TestLayer, { excludeTestServices: true })("a transfer of a payer", (it) => {
  it.effect("is refused in production, and on accounts that are not at the simulated bank", () =>
    Effect.gen(function* () {
      const at = yield* made
      const other = yield* made
      const foreign = yield* Effect.flip(sent({ ...at, account: other.account }))
      assert.instanceOf(foreign, BankAccountNotFound)
      for (const on of ["2026-07-17", "2027-07-20"]) {
        const day = yield* Effect.flip(sent(at, { on: LocalDate.make(on) }))
        assert.instanceOf(day, InvalidReference)
        assert.include(day.message, "a day from 2026-07-18 to 2027-07-19")
      }
      yield* Bank.opened(at.world, { channel: "NONE" })
      const real = yield* Effect.flip(sent(at))
      assert.instanceOf(real, InvalidReference)
      assert.include(real.message, "with the channel SIMULATED")
      const auditor = World.as(at.world, at.world.auditor)
      assert.strictEqual((yield* Effect.flip(sent({ ...at, run: auditor })))._tag, "Forbidden")
      const sql = yield* SuperuserSql
      yield* sql`
        UPDATE tenant SET environment = 'production', notice_dispatch = 'BY_HAND', test_clock = NULL
        WHERE tenant_id = ${at.world.tenant}
      `
      assert.strictEqual((yield* Effect.flip(sent(at)))._tag, "RouteNotFound")
    })
  )

  it.effect(
    "stands in the statement of its day, pays by its reference, or waits with a suggestion",
    () =>
      Effect.gen(function* () {
        const at = yield* made
        const named = yield* sent(at, { amount: 100, reference: Bank.referenceOf(at.invoice) })
        const toldAt = World.at("2026-07-20T18:00:00Z")
        // Banks are closed until Monday.
        assert.deepInclude(named, { bookedOn: LocalDate.make("2026-07-20"), toldAt })
        assert.deepInclude(named, { debtorLast4: "0106" })
        assert.notInclude(JSON.stringify(named), "FR76")
        yield* sent(at, { text: "Car <insurance> & more" })
        yield* Contracts.moveTo(at.world, "2026-07-20T17:59:00Z")
        assert.deepStrictEqual(yield* statements(at), [])

        yield* Contracts.moveTo(at.world, "2026-07-20T18:00:00Z")
        const [day, ...others] = yield* statements(at)
        assert.deepInclude(day, { status: "BOOKED", sequence: 1, newEntries: 2, closing: 4300 })
        assert.deepStrictEqual(others, [])
        const entries = yield* Bank.entries(at.world)
        const paid = entries.find(({ amount }) => amount === 100)
        assert.deepInclude(paid, { status: "MATCHED", rule: "REFERENCE", allocated: 100 })
        const waiting = entries.find(({ amount }) => amount === 4200)!
        assert.deepInclude(waiting, { status: "UNMATCHED", texts: ["Car <insurance> & more"] })
        const { data } = yield* at.run(BankEntries.use((queue) => queue.suggestions(waiting.id)))
        assert.isNotEmpty(data)
        assert.include(data[0]!.reasons, "NAME")

        // The statement of this day has left.
        const late = yield* sent(at)
        assert.strictEqual(late.bookedOn, LocalDate.make("2026-07-21"))
        yield* Contracts.moveTo(at.world, "2026-07-22T18:00:00Z")
        const [next] = yield* statements(at)
        assert.deepInclude(next, { status: "BOOKED", sequence: 2, newEntries: 1, closing: 8500 })
        const sql = yield* SuperuserSql
        const kept = yield* sql`SELECT FROM simulated_transfer WHERE tenant_id = ${at.world.tenant}`
        assert.lengthOf(kept, 0)
      })
  )
})
