/** Files of debits: made once, kept as they are, delivered once; what they collect pays invoices. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { openSchema } from "@quittance/bank/Schemas"
import { isNumber } from "@quittance/bank/References"
import type { PaymentFileId } from "@quittance/domain/collections/PaymentFile"
import { InvalidTransition } from "@quittance/domain/requests/RequestErrors"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { TreasuryLedgerRepo } from "@quittance/persistence/treasury/TreasuryLedgerRepo"
import { Effect, Layer } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { DebitSettling } from "../../src/collections/DebitSettling.ts"
import { DebitSteps } from "../../src/collections/DebitSteps.ts"
import { FileDelivery } from "../../src/collections/FileDelivery.ts"
import { FileRuns } from "../../src/collections/FileRuns.ts"
import { PaymentFiles } from "../../src/collections/PaymentFiles.ts"
import { Mandates } from "../../src/payments/Mandates.ts"
import { Payments } from "../../src/payments/Payments.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import * as Debited from "./Debited.ts"

const TestLayer = Layer.mergeAll(
  DebitSettling.layer,
  DebitSteps.layer,
  FileDelivery.layer,
  FileRuns.layer,
  Payments.layer,
  PaymentFiles.layer,
  TreasuryLedgerRepo.layer
).pipe(Layer.provideMerge(Debited.layer), Layer.provide(NodeServices.layer))

/** A debit of the policy's first invoices whose payer was told on 2 April, and its file's time. */
const notified = Effect.gen(function* () {
  const world = yield* World.make(World.at("2026-03-10T09:00:00Z"), [World.motor, Debited.product])
  const account = yield* Debited.opened(world)
  const contract = yield* Debited.signed(world)
  yield* Contracts.moveTo(world, "2026-04-02T09:00:00Z")
  const run = World.as(world, world.manager)
  const [debit] = yield* Debited.debits(world, contract)
  const told = yield* run(DebitSteps.use((all) => all.notify(debit!.id)))
  return { world, account, contract, run, debit: told }
})
type Notified = Effect.Success<typeof notified>

const page = { count: 100, page: 1 }

const files = ({ run }: Notified) =>
  Effect.map(run(PaymentFiles.use((all) => all.list({}, page))), ({ data }) => data)

const debitOf = ({ contract, debit, world }: Notified) =>
  Effect.map(Debited.debits(world, contract), (all) => all.find(({ id }) => id === debit.id)!)

/** An hour before the cut-off in Paris. */
const fileTime = (made: Notified) =>
  Contracts.moveTo(made.world, `${made.debit.submitOn}T12:00:00Z`)

const fileOf = Effect.fnUntraced(function* (made: Notified) {
  yield* fileTime(made)
  const [file] = yield* files(made)
  return file!
})

const contentOf = ({ run }: Notified, id: PaymentFileId) =>
  run(PaymentFiles.use((all) => all.content(id)))

const deliver = ({ run }: Notified, id: PaymentFileId) =>
  run(PaymentFiles.use((all) => all.markDelivered(id)))

const schemas = new URL("../../../../../../shared/samples/iso20022/", import.meta.url)

layer(TestLayer, { excludeTestServices: true })("a file of debits", (it) => {
  it.effect("is made an hour before the cut-off of its day, with what is due then", () =>
    Effect.gen(function* () {
      const made = yield* notified
      yield* Contracts.moveTo(made.world, `${made.debit.submitOn}T11:59:00Z`)
      assert.deepStrictEqual(yield* files(made), [])
      const file = yield* fileOf(made)
      const invoices = yield* Contracts.invoices(made.world, made.contract)
      const own = invoices.filter(({ id }) =>
        made.debit.items.some(({ invoiceId }) => invoiceId === id)
      )
      const sum = own.reduce((total, { amountDue }) => total + amountDue, 0)
      assert.isAbove(sum, 0)
      assert.deepInclude(file, { status: "FILLED", scheme: "CORE", run: 1, count: 1, sum })
      assert.isTrue(isNumber(file.messageId) && file.messageId.startsWith("QC"))
      assert.isTrue(own.every(({ status }) => status === "PAYMENT_IN_PROGRESS"))
      const filled = yield* debitOf(made)
      assert.deepInclude(filled, { status: "IN_FILE", amount: sum, paymentFileId: file.id })
      const items = yield* made.run(PaymentFiles.use((all) => all.items(file.id, page)))
      assert.deepStrictEqual(items.data, [filled])
    })
  )

  it.effect("has the same bytes ever after, as ISO's schema has them", () =>
    Effect.gen(function* () {
      const made = yield* notified
      const { id } = yield* fileOf(made)
      const [first, again] = yield* Effect.all([contentOf(made, id), contentOf(made, id)], {
        concurrency: 2
      })
      assert.deepStrictEqual(again, first)
      const text = Buffer.from(first.bytes).toString()
      assert.include(text, `<EndToEndId>${made.debit.endToEndId}</EndToEndId>`)
      assert.include(text, `<MndtId>${made.contract.mandate.umr}</MndtId>`)
      assert.include(text, `<ReqdColltnDt>${made.debit.collectOn}</ReqdColltnDt>`)
      assert.include(text, "<IBAN>FR7699999000010000000010106</IBAN>")
      const [sealed] = yield* files(made)
      assert.deepInclude(sealed, { status: "SEALED", faults: [] })
      assert.strictEqual(sealed!.groups[0]?.sum, sealed!.sum)
      const name = new URL("pain.008.001.08.xsd", schemas)
      if (!existsSync(name)) return
      const schema = yield* Effect.promise(() => openSchema(readFileSync(name, "utf8")))
      assert.deepStrictEqual(schema.faultsOf(text), [])
      schema.close()
    })
  )

  it.effect("is one, however many workers make it at once", () =>
    Effect.gen(function* () {
      const made = yield* notified
      yield* fileTime(made)
      const [before] = yield* files(made)
      yield* Effect.all(
        [1, 2, 3].map(() =>
          FileRuns.use(({ run }) => run(made.account.id)).pipe(
            Effect.provideService(CurrentTenant, made.world.tenant)
          )
        ),
        { concurrency: 3 }
      )
      assert.deepStrictEqual(yield* files(made), [before!])
    })
  )

  it.effect("that is delivered is presented, and pays invoices when its day begins", () =>
    Effect.gen(function* () {
      const made = yield* notified
      const { contract, debit, run, world } = made
      const { id } = yield* fileOf(made)
      const early = yield* Effect.flip(deliver(made, id))
      assert.instanceOf(early, InvalidTransition)
      yield* contentOf(made, id)
      const { status } = yield* deliver(made, id)
      assert.strictEqual(status, "DELIVERED")
      assert.strictEqual((yield* debitOf(made)).status, "SUBMITTED")
      const mandate = yield* run(Mandates.use((all) => all.get(contract.mandate.id)))
      assert.strictEqual(mandate.lastPresentedOn, debit.collectOn)
      const eve = `${debit.collectOn}T00:00:00+02:00`
      yield* Contracts.moveTo(world, new Date(Date.parse(eve) - 1).toISOString())
      assert.strictEqual((yield* debitOf(made)).status, "SUBMITTED")
      yield* Contracts.moveTo(world, new Date(eve).toISOString())
      const settled = yield* debitOf(made)
      assert.strictEqual(settled.status, "SETTLED")
      const invoices = yield* Contracts.invoices(world, contract)
      for (const { invoiceId } of debit.items) {
        const invoice = invoices.find((one) => one.id === invoiceId)
        assert.deepInclude(invoice, { status: "PAID", amountDue: 0 })
      }
      const { data } = yield* run(Payments.use((all) => all.listByPolicy(contract.policyId, page)))
      const payment = data.find((one) => one.id === settled.paymentId)
      assert.deepInclude(payment, { method: "DIRECT_DEBIT", reference: debit.endToEndId })
      // It is awaited on the account, as the file that its bank books as one.
      const cash = yield* TreasuryLedgerRepo.use((repo) => repo.cash).pipe(
        Effect.provideService(CurrentTenant, world.tenant)
      )
      assert.deepInclude(cash, { books: settled.amount!, journal: 0, awaited: settled.amount! })
      yield* Effect.provideService(
        DebitSettling.use((job) => job.run(id)),
        CurrentTenant,
        world.tenant
      )
      const after = yield* run(Payments.use((all) => all.listByPolicy(contract.policyId, page)))
      assert.deepStrictEqual(after.data, data)
    })
  )

  it.effect("that does not leave in time is cancelled, and its debits are planned anew", () =>
    Effect.gen(function* () {
      const made = yield* notified
      const { contract, debit, world } = made
      yield* fileOf(made)
      // The cut-off in Paris.
      yield* Contracts.moveTo(world, `${debit.submitOn}T13:00:00Z`)
      const [cancelled] = yield* files(made)
      assert.strictEqual(cancelled!.status, "CANCELLED")
      const debits = yield* Debited.debits(world, contract)
      assert.deepInclude(yield* debitOf(made), { status: "CANCELLED", cancellation: "TOO_LATE" })
      const anew = debits.find(({ replaces }) => replaces === debit.id)
      assert.deepInclude(anew, {
        status: "PLANNED",
        items: debit.items,
        attempt: 1,
        notifiedOn: LocalDate.make("2026-04-02")
      })
      assert.isAbove(Date.parse(anew!.collectOn), Date.parse(debit.collectOn))
      assert.notStrictEqual(anew!.endToEndId, debit.endToEndId)
      yield* Contracts.moveTo(world, `${anew!.submitOn}T12:00:00Z`)
      assert.deepStrictEqual(
        (yield* files(made)).map(({ count, status }) => [status, count]),
        [
          ["FILLED", 1],
          ["CANCELLED", 1]
        ]
      )
    })
  )

  it.effect("stays as it is once its bytes were handed out, since the bank may have them", () =>
    Effect.gen(function* () {
      const made = yield* notified
      const { contract, debit, run, world } = made
      const { id } = yield* fileOf(made)
      yield* contentOf(made, id)
      yield* Contracts.moveTo(world, `${debit.submitOn}T23:00:00Z`)
      assert.deepStrictEqual(
        (yield* files(made)).map(({ status }) => status),
        ["SEALED"]
      )
      assert.strictEqual((yield* debitOf(made)).status, "IN_FILE")
      assert.lengthOf(yield* Debited.debits(world, contract), 1)
      // People say that it never left.
      yield* run(PaymentFiles.use((all) => all.cancel(id)))
      yield* Contracts.moveTo(world, `${debit.submitOn}T23:30:00Z`)
      const debits = yield* Debited.debits(world, contract)
      assert.deepStrictEqual(debits.map(({ status }) => status).toSorted(), [
        "CANCELLED",
        "PLANNED"
      ])
    })
  )

  it.effect("leaves out what was paid otherwise, and what has no mandate any more", () =>
    Effect.gen(function* () {
      const paid = yield* notified
      const invoices = yield* Contracts.invoices(paid.world, paid.contract)
      for (const { amountDue, id } of invoices.filter((invoice) => invoice.amountDue > 0)) {
        yield* paid.run(
          Payments.use((all) =>
            all.record(id as InvoiceId, {
              amount: amountDue,
              method: "BANK_TRANSFER",
              reference: "T"
            })
          )
        )
      }
      yield* fileTime(paid)
      assert.deepInclude(yield* debitOf(paid), { status: "CANCELLED", cancellation: "NOTHING_DUE" })
      const withdrawn = yield* notified
      const { mandate } = withdrawn.contract
      yield* withdrawn.run(Mandates.use((all) => all.cancel(mandate.id)))
      yield* fileTime(withdrawn)
      const cancellation = "MANDATE_NOT_USABLE"
      assert.deepInclude(yield* debitOf(withdrawn), { status: "CANCELLED", cancellation })
      assert.deepStrictEqual(
        (yield* files(paid)).map(({ status }) => status),
        ["CANCELLED"]
      )
      assert.deepStrictEqual(yield* files(withdrawn), [])
    })
  )

  it.effect("is fetched by those alone who may see accounts", () =>
    Effect.gen(function* () {
      const made = yield* notified
      const { id } = yield* fileOf(made)
      const { world } = made
      const refused = yield* Effect.flip(
        World.as(world, world.auditor)(PaymentFiles.use((all) => all.content(id)))
      )
      assert.strictEqual(refused._tag, "Forbidden")
      const other = yield* World.make()
      const missing = yield* Effect.flip(
        World.as(other, other.manager)(PaymentFiles.use((all) => all.get(id)))
      )
      assert.strictEqual(missing._tag, "PaymentFileNotFound")
    })
  )
})
