/** A mandate that is withdrawn takes with it what is planned on it, at once; what a file has stays. */
import { assert, layer } from "@effect/vitest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Currency } from "@quittance/domain/values/Amount"
import type { BankAccountId } from "@quittance/domain/values/Ids"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import type { Debit } from "@quittance/domain/collections/Debit"
import { PaymentFilesRepo } from "@quittance/persistence/collections/PaymentFilesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { DebitFilling } from "../../src/collections/DebitFilling.ts"
import { Debits } from "../../src/collections/Debits.ts"
import { DebitSteps } from "../../src/collections/DebitSteps.ts"
import { Billing } from "../../src/billing/Billing.ts"
import { ManualCharges } from "../../src/billing/ManualCharges.ts"
import { Mandates } from "../../src/payments/Mandates.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import * as Debited from "./Debited.ts"

const TestLayer = Layer.mergeAll(DebitFilling.layer, DebitSteps.layer, PaymentFilesRepo.layer).pipe(
  Layer.provideMerge(Debited.layer)
)

const made = Effect.gen(function* () {
  const world = yield* World.make(World.at("2026-03-10T09:00:00Z"), [World.motor, Debited.product])
  const account = yield* Debited.opened(world)
  const contract = yield* Debited.signed(world)
  yield* Contracts.moveTo(world, "2026-04-02T09:00:00Z")
  return { world, account, contract, run: World.as(world, world.manager) }
})
type Made = Effect.Success<typeof made>

const cancelled = { status: "CANCELLED", cancellation: "MANDATE_NOT_USABLE" } as const
const transferred = { mode: "BANK_TRANSFER", because: "MANDATE_NOT_USABLE" } as const

const withdraw = ({ contract, world }: Made, dryRun = false) =>
  World.as(world, world.manager, { dryRun })(Mandates.use((all) => all.cancel(contract.mandate.id)))

const notify = ({ run }: Made, { id }: Pick<Debit, "id">) =>
  run(DebitSteps.use((all) => all.notify(id)))

layer(TestLayer, { excludeTestServices: true })("a withdrawn mandate", (it) => {
  it.effect(
    "cancels its planned debits, and says on their invoices that they are transferred",
    () =>
      Effect.gen(function* () {
        const one = yield* made
        const before = yield* Debited.debits(one.world, one.contract)
        assert.isAbove(before.length, 0)
        assert.isTrue(before.every(({ status }) => status === "PLANNED"))
        yield* notify(one, before[0]!)
        yield* withdraw(one)
        const after = yield* Debited.debits(one.world, one.contract)
        for (const debit of after) assert.deepInclude(debit, cancelled)
        assert.lengthOf(after, before.length)
        const own = new Set<string>(before.flatMap(({ items }) => items.map((i) => i.invoiceId)))
        for (const invoice of yield* Contracts.invoices(one.world, one.contract)) {
          if (own.has(invoice.id)) assert.deepStrictEqual(invoice.collection, transferred)
        }
      })
  )

  it.effect("leaves what a file has, and the debits of other mandates", () =>
    Effect.gen(function* () {
      const one = yield* made
      const other = yield* Debited.signed(one.world)
      const [first] = yield* Debited.debits(one.world, one.contract)
      const told = yield* notify(one, first!)
      yield* Contracts.moveTo(one.world, `${told.submitOn}T12:00:00Z`)
      yield* withdraw(one)
      const debits = yield* Debited.debits(one.world, one.contract)
      assert.strictEqual(debits.find(({ id }) => id === told.id)?.status, "IN_FILE")
      for (const { id, status } of debits)
        if (id !== told.id) assert.strictEqual(status, "CANCELLED")
      const others = yield* Debited.debits(one.world, other)
      assert.isTrue(others.every(({ status }) => status === "PLANNED"))
    })
  )

  it.effect("that is only tried changes no debit", () =>
    Effect.gen(function* () {
      const one = yield* made
      const before = yield* Debited.debits(one.world, one.contract)
      yield* withdraw(one, true)
      assert.deepStrictEqual(yield* Debited.debits(one.world, one.contract), before)
    })
  )

  it.effect("leaves no debit planned, whatever a file, a step or an invoice does meanwhile", () =>
    Effect.gen(function* () {
      const { account, contract, run, world } = yield* made
      const fileId = yield* openFile(world, account.id)
      const charge = { componentId: "COPY", label: "Copy", amount: 500 }
      const charged = run(ManualCharges.use((all) => all.make(contract.policyId, charge)))
      const planned = { policyId: contract.policyId, statuses: ["PLANNED"] } as const
      const page = { count: 100, page: 1 }
      const seen = new Map<string, number>()
      for (let round = 0; round < 200; round++) {
        const mandate = yield* run(
          Mandates.use((all) =>
            all.importSigned(contract.method.id, {
              productId: Debited.product.productId,
              umr: `RACE-${round}`,
              signedOn: LocalDate.make("2026-01-12"),
              evidence: "Box 12"
            })
          )
        )
        const { invoiceId } = yield* charged
        const { data } = yield* run(Debits.use((all) => all.list(planned, page)))
        const { id } = data.find(({ mandateId }) => mandateId === mandate.id)!
        if (round % 2 === 0) yield* run(DebitSteps.use((all) => all.notify(id)))
        const others = [
          DebitFilling.use((all) => all.fill(id, fileId)).pipe(
            Effect.provideService(CurrentTenant, world.tenant)
          ),
          Effect.ignore(run(DebitSteps.use((all) => all.notify(id)))),
          charged
        ]
        const end = run(Mandates.use((all) => all.cancel(mandate.id)))
        // In two rounds one after the other, each of them first; from then on at once.
        yield* Effect.all(round === 0 ? [...others, end] : [end, ...others], {
          concurrency: round < 2 ? 1 : "unbounded",
          discard: true
        })
        const after = yield* run(Debits.use((all) => all.get(id)))
        const invoice = yield* run(Billing.use((all) => all.invoice(invoiceId)))
        seen.set(after.status, (seen.get(after.status) ?? 0) + 1)
        const left = yield* run(Debits.use((all) => all.list(planned, page)))
        assert.isTrue(left.data.every((debit) => debit.mandateId !== mandate.id))
        if (after.status === "CANCELLED") assert.deepStrictEqual(invoice?.collection, transferred)
        else assert.deepStrictEqual([after.status, invoice?.status], ["IN_FILE", inProgress])
      }
      // Each of them has won, if only in the rounds in which it came first.
      assert.deepStrictEqual([...seen.keys()].toSorted(), ["CANCELLED", "IN_FILE"])
    })
  )
})

const inProgress = "PAYMENT_IN_PROGRESS"

/** A file that takes debits. */
const openFile = Effect.fnUntraced(function* (world: World.World, bankAccountId: BankAccountId) {
  const id = (yield* Ids).next("payment_file")
  const insert = PaymentFilesRepo.use((files) =>
    files.insert({
      id,
      bankAccountId,
      submitOn: LocalDate.make("2026-04-02"),
      run: 1,
      kind: "COLLECTION",
      scheme: "CORE",
      message: "pain.008.001.08",
      currency: Currency.make("EUR"),
      messageId: "QC-RACE",
      status: "OPEN",
      count: 0,
      sum: 0,
      groups: [],
      faults: [],
      answers: [],
      openedAt: World.at("2026-04-02T09:00:00Z")
    })
  )
  yield* TenantSql.use(({ transaction }) => transaction(insert)).pipe(
    Effect.provideService(CurrentTenant, world.tenant)
  )
  return id
})
