/** A debit that is with its bank, and what the bank says of it. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { writeStatusReport } from "@quittance/bank/Pain002Writer"
import type { DirectDebitTerms } from "@quittance/domain/products/payments/ProductPayments"
import type { PaymentFile } from "@quittance/domain/collections/PaymentFile"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { BankReports } from "../../src/collections/BankReports.ts"
import { DebitSteps } from "../../src/collections/DebitSteps.ts"
import { PaymentFiles } from "../../src/collections/PaymentFiles.ts"
import { Mandates } from "../../src/payments/Mandates.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { Reconciliation } from "../../src/reconciliation/Reconciliation.ts"
import { BankStatements } from "../../src/treasury/BankStatements.ts"
import { Treasury } from "../../src/treasury/Treasury.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as Bank from "../treasury/Bank.ts"
import * as World from "../World.ts"
import * as Debited from "./Debited.ts"

export const layerUseCases = Layer.mergeAll(
  BankReports.layer,
  DebitSteps.layer,
  Payments.layer,
  PaymentFiles.layer,
  Reconciliation.layer
)

export const TestLayer = layerUseCases.pipe(
  Layer.provideMerge(Layer.merge(Debited.layer, Bank.layer)),
  Layer.provide(NodeServices.layer)
)

const page = { count: 100, page: 1 }

/** The same product with other terms of its debits. */
export const productWith = (terms: Partial<DirectDebitTerms>) => ({
  ...Debited.product,
  payments: {
    ...Debited.product.payments!,
    directDebit: { ...Debited.product.payments!.directDebit!, ...terms }
  }
})

/** Days of a debit: those of the samples, or some that come before. */
const days = {
  made: "2026-03-10T09:00:00Z",
  startedAt: "2026-04-01T00:00:00+02:00",
  told: "2026-04-02T09:00:00Z",
  zone: "+02:00"
}
const daysOfSamples: typeof days = {
  made: "2026-10-20T09:00:00Z",
  startedAt: "2026-11-10T00:00:00+01:00",
  told: "2026-11-11T09:00:00Z",
  zone: "+01:00"
}

/** A file of one debit whose payer was told, with its bytes. */
export const sealed = Effect.fnUntraced(function* (product = Debited.product, at = days) {
  const world = yield* World.make(World.at(at.made), [World.motor, product])
  const account = yield* Debited.opened(world)
  const startedAt = World.at(at.startedAt)
  const contract = yield* Debited.signed(world, { product, startedAt })
  yield* Contracts.moveTo(world, at.told)
  const run = World.as(world, world.manager)
  const [planned] = yield* Debited.debits(world, contract)
  const debit = yield* run(DebitSteps.use((all) => all.notify(planned!.id)))
  // An hour before the cut-off.
  const fileTime = `${debit.submitOn}T14:00:00${at.zone}`
  yield* Contracts.moveTo(world, new Date(fileTime).toISOString())
  const { data } = yield* run(PaymentFiles.use((all) => all.list({}, page)))
  const file = data[0]!
  yield* run(PaymentFiles.use((all) => all.content(file.id)))
  return { world, account, contract, run, debit, file }
})
export type Filed = Effect.Success<ReturnType<typeof sealed>>

/** A file and a debit of the samples: of 80.00, with their numbers. */
export const ofSamples = Effect.fnUntraced(function* (endToEndId: string) {
  const made = yield* sealed(Debited.product, daysOfSamples)
  const { tenant } = made.world
  const messageId = "QC000000000157"
  const sql = yield* SuperuserSql
  yield* sql`UPDATE payment_file SET message_id = ${messageId}, sum = 8000 WHERE tenant_id = ${tenant}`
  yield* sql`
    UPDATE debit SET end_to_end_id = ${endToEndId}, amount = 8000
    WHERE tenant_id = ${tenant} AND id = ${made.debit.id}
  `
  const [first] = made.debit.items
  yield* sql`
    UPDATE debit_item SET notified = 8000,
      amount = CASE WHEN invoice_id = ${first!.invoiceId} THEN 8000 END
    WHERE tenant_id = ${tenant} AND debit_id = ${made.debit.id}
  `
  return { ...made, file: { ...made.file, messageId }, debit: { ...made.debit, endToEndId } }
})

/** The same with the bank. */
export const delivered = Effect.fnUntraced(function* (product = Debited.product) {
  const made = yield* sealed(product)
  yield* made.run(PaymentFiles.use((all) => all.markDelivered(made.file.id)))
  return made
})

/** Moves on to the begin of the debit's day, when it settles. */
export const settled = Effect.fnUntraced(function* (made: Filed) {
  yield* Contracts.moveTo(made.world, `${made.debit.collectOn}T06:00:00Z`)
})

export const fileOf = ({ file, run }: Filed) => run(PaymentFiles.use((all) => all.get(file.id)))

export const debitOf = ({ contract, debit, world }: Filed) =>
  Effect.map(Debited.debits(world, contract), (all) => all.find(({ id }) => id === debit.id)!)

/** The debit that tries the money once more. */
export const retryOf = ({ contract, debit, world }: Filed) =>
  Effect.map(Debited.debits(world, contract), (all) =>
    all.find(({ replaces }) => replaces === debit.id)
  )

export const mandateOf = ({ contract, run }: Filed) =>
  run(Mandates.use((all) => all.get(contract.mandate.id)))

/** The invoices that the debit collects. */
export const invoicesOf = ({ contract, debit, world }: Filed) =>
  Effect.map(Contracts.invoices(world, contract), (all) =>
    all.filter(({ id }) => debit.items.some(({ invoiceId }) => invoiceId === id))
  )

export const paymentsOf = ({ contract, run }: Filed) =>
  Effect.map(
    run(Payments.use((all) => all.listByPolicy(contract.policyId, page))),
    ({ data }) => data
  )

let reports = 0

/** What a bank says of the file, and of debits in it. */
export const report = (
  { messageId }: Pick<PaymentFile, "messageId">,
  code: string,
  {
    payments = [],
    reasonCode
  }: {
    readonly reasonCode?: string
    readonly payments?: ReadonlyArray<{ readonly endToEndId: string; readonly reasonCode: string }>
  } = {}
) =>
  Buffer.from(
    writeStatusReport({
      id: `R${++reports}`,
      createdAt: "2026-04-15T08:00:00",
      messageId,
      message: "pain.008.001.08",
      count: 1,
      code,
      reasonCode,
      groups:
        payments.length === 0
          ? []
          : [
              {
                paymentInformationId: `${messageId}-1`,
                code: "PART",
                payments: payments.map((payment) => ({ ...payment, code: "RJCT" }))
              }
            ]
    })
  )

type Told = Parameters<typeof Bank.entry>[1]

/** The credit of the file, as one sum. */
export const credit = ({ debit: { collectOn }, file: { messageId } }: Filed, sum: number) =>
  Bank.entry(
    sum,
    {},
    {
      bookedOn: collectOn,
      family: "IDDT",
      subFamily: "ESDD",
      batches: [{ messageId, count: 1 }],
      details: []
    }
  )

/** The debit that comes back, with the charge of the bank. */
export const back = (
  { debit: { endToEndId } }: Pick<Filed, "debit">,
  amount: number,
  {
    charge = 300,
    on = "2026-04-30",
    reason = "AM04",
    told: more = {}
  }: {
    readonly charge?: number
    readonly on?: string
    readonly reason?: string
    readonly told?: Told
  } = {}
) =>
  Bank.entry(
    -(amount + charge),
    {
      endToEndId,
      instructed: { amount, currency: "EUR" },
      charges: charge,
      returnReason: reason,
      direction: "DEBIT",
      ...more
    },
    { bookedOn: LocalDate.make(on), isReversal: true, family: "IDDT", subFamily: "UPDD" }
  )

/** What the account's bank is awaited to tell. */
export const awaited = ({ account, run }: Filed) =>
  Effect.map(run(Treasury.use((treasury) => treasury.awaited(account.id, page))), ({ data }) =>
    data.map(({ amount, recordId }) => [recordId, amount])
  )

/** Money that people say came by transfer. */
export const transferred = (invoiceId: string, amount: number) =>
  Payments.use((all) =>
    all.record(invoiceId as InvoiceId, { amount, method: "BANK_TRANSFER", reference: "T" })
  )

/** People book what contradicts itself, as it does where days come in another order. */
export const acceptHeld = Effect.gen(function* () {
  const statements = yield* BankStatements
  const { data } = yield* statements.list({ statuses: ["HELD"] }, page)
  for (const { id } of data.toReversed()) yield* statements.accept(id, { reason: "By telephone" })
})

/** All debits of the file. */
export const ofFile = ({ file, run }: Filed) =>
  Effect.map(
    run(PaymentFiles.use((all) => all.items(file.id, { count: 1000, page: 1 }))),
    ({ data }) => data
  )

/** How many payments there are, and how many were returned. */
export const returnsOf = Effect.fnUntraced(function* ({ world: { tenant } }: Filed) {
  const sql = yield* SuperuserSql
  const [row] = yield* sql<{ readonly payments: number; readonly returned: number }>`
    SELECT (SELECT count(*)::int FROM payment WHERE tenant_id = ${tenant}) AS payments,
      (SELECT count(*)::int FROM payment_return WHERE tenant_id = ${tenant}) AS returned
  `
  return row!
})

/** Lets follow what follows from reports, as a worker does. */
export const followed = ({ file, world }: Filed) =>
  Effect.provideService(
    BankReports.use((job) => job.run(file.id)),
    CurrentTenant,
    world.tenant
  )

/** Sends a file of the bank, and lets follow what follows. */
export const told = Effect.fnUntraced(function* (made: Filed, bytes: Uint8Array) {
  const outcome = yield* Bank.take(made.world, made.account, bytes)
  const now = yield* Contracts.now(made.world)
  yield* Contracts.moveTo(made.world, new Date(Date.parse(now.now) + 60_000).toISOString())
  yield* Bank.matched(made.world)
  return outcome
})

/** The first difference in the books; absent where they agree. */
export const difference = ({ world }: Filed) =>
  Reconciliation.use(({ reconcile }) => reconcile).pipe(
    Effect.map((reconciled) => reconciled.difference),
    Effect.provideService(CurrentTenant, world.tenant)
  )
