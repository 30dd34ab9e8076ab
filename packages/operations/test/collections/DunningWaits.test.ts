/** No formal notice is written over what a debit is about to pay, and none waits longer than for its outcome. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { outcomeAwaitedUntil } from "@quittance/bank/DebitDays"
import type { Product } from "@quittance/domain/products/Product"
import { addDays } from "@quittance/domain/values/LocalDate"
import { startOfDay, TimeZone } from "@quittance/domain/values/TimeZone"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { DebitSteps } from "../../src/collections/DebitSteps.ts"
import { PaymentFiles } from "../../src/collections/PaymentFiles.ts"
import { Dunning } from "../../src/dunning/Dunning.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import * as Debited from "./Debited.ts"

const TestLayer = Layer.mergeAll(DebitSteps.layer, Dunning.layer, PaymentFiles.layer).pipe(
  Layer.provideMerge(Debited.layer),
  Layer.provide(NodeServices.layer)
)

const paris = TimeZone.make("Europe/Paris")

const { payments } = Debited.product
/** Its notices may be written before a bank's last word on a debit of the due day. */
const product: Product = {
  ...Debited.product,
  productId: "motor-debited-soon",
  dunning: { ...Debited.product.dunning, grace: { amount: 3, unit: "DAY" } },
  payments: { ...payments!, directDebit: { ...payments!.directDebit!, notificationDays: 5 } }
}

/** A debit of the first invoices that a file has, whose bytes were handed out. */
const inFile = Effect.gen(function* () {
  const products = [World.motor, Debited.product, product]
  const world = yield* World.make(World.at("2026-03-10T09:00:00Z"), products)
  yield* Debited.opened(world)
  const contract = yield* Debited.signed(world, { product })
  const run = World.as(world, world.manager)
  yield* Contracts.moveTo(world, "2026-04-02T09:00:00Z")
  const [planned] = yield* Debited.debits(world, contract)
  const debit = yield* run(DebitSteps.use((all) => all.notify(planned!.id)))
  yield* Contracts.moveTo(world, `${debit.submitOn}T12:00:00Z`)
  const { data } = yield* run(PaymentFiles.use((all) => all.list({}, { count: 10, page: 1 })))
  const { id } = data[0]!
  yield* run(PaymentFiles.use((all) => all.content(id)))
  const until = startOfDay(addDays(outcomeAwaitedUntil(debit.collectOn), 1), paris)
  return { world, contract, run, debit, fileId: id, until }
})
type Made = Effect.Success<typeof inFile>

/** The invoices of the debit that a notice names. */
const noticed = Effect.fnUntraced(function* ({ contract, debit, run }: Made) {
  const { data } = yield* run(
    Dunning.use((dunning) => dunning.notices(contract.policyId, { count: 100, page: 1 }))
  )
  const named = new Set(data.flatMap(({ invoiceIds }) => invoiceIds.map(String)))
  return debit.items.filter(({ invoiceId }) => named.has(invoiceId)).length
})

/** When the worker looks at the policy next. */
const nextDue = ({ contract, world }: Made) =>
  SuperuserSql.use(
    (sql) => sql<{ readonly at: Date }>`SELECT next_due_at AS at FROM policy
      WHERE tenant_id = ${world.tenant} AND id = ${contract.policyId}`
  ).pipe(Effect.map(([head]) => head!.at.toISOString()))

const before = (instant: string) => new Date(Date.parse(instant) - 1).toISOString()

layer(TestLayer, { excludeTestServices: true })("dunning", (it) => {
  it.effect("waits to the fifth TARGET day after the collection for a word of the bank", () =>
    Effect.gen(function* () {
      const made = yield* inFile
      const { debit, until, world } = made
      yield* Contracts.moveTo(world, `${debit.collectOn}T09:00:00Z`)
      assert.strictEqual(yield* noticed(made), 0)
      yield* Contracts.moveTo(world, before(until))
      assert.strictEqual(yield* noticed(made), 0)
      // The worker looks at the policy then, whatever the clock jumps over.
      assert.isAtMost(Date.parse(yield* nextDue(made)), Date.parse(until))
      yield* Contracts.moveTo(world, until)
      assert.strictEqual(yield* noticed(made), debit.items.length)
    })
  )

  it.effect("writes none over what has settled, in one jump over all of it", () =>
    Effect.gen(function* () {
      const made = yield* inFile
      const { fileId, run, until, world } = made
      yield* run(PaymentFiles.use((all) => all.markDelivered(fileId)))
      yield* Contracts.moveTo(world, until)
      assert.strictEqual(yield* noticed(made), 0)
      const [debit] = yield* Debited.debits(world, made.contract)
      assert.strictEqual(debit!.status, "SETTLED")
    })
  )

  it.effect("goes on once the file was cancelled, as if its debit had never been", () =>
    Effect.gen(function* () {
      const made = yield* inFile
      const { contract, debit, fileId, run, until, world } = made
      yield* run(PaymentFiles.use((all) => all.cancel(fileId)))
      yield* Contracts.moveTo(world, `${debit.submitOn}T23:00:00Z`)
      for (const { id, status } of yield* Debited.debits(world, contract)) {
        if (status === "PLANNED") yield* run(DebitSteps.use((all) => all.cancel(id)))
      }
      yield* Contracts.moveTo(world, until)
      assert.strictEqual(yield* noticed(made), debit.items.length)
    })
  )
})
