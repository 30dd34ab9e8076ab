import { assert, layer } from "@effect/vitest"
import type { InvoiceId } from "@quittance/domain/billing/Invoice"
import { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { Effect, Layer } from "effect"
import { Contracts as ContractsOf } from "../src/lifecycle/PolicyLifecycle.ts"
import { Receivables } from "../src/billing/InvoiceAdjustments.ts"
import { Reconciliation } from "../src/reconciliation/Reconciliation.ts"
import * as Contracts from "./Contracts.ts"
import * as World from "./World.ts"

const TestLayer = Layer.mergeAll(Receivables.layer, Reconciliation.layer).pipe(
  Layer.provideMerge(Contracts.layer)
)

layer(TestLayer, { excludeTestServices: true })("an invoice that was written off", (it) => {
  it.effect("owes its payer nothing where a stop gives days of it back", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const contract = yield* Contracts.signed(world)
      const { policyId } = contract
      yield* Contracts.moveTo(world, "2026-05-15T12:00:00Z")
      for (const { id } of yield* Contracts.invoices(world, contract)) {
        // Nothing but invoices was issued by then.
        const invoiceId = id as InvoiceId
        yield* run(Receivables.use((one) => one.run("write-off", invoiceId, { reason: "x" })))
      }
      yield* run(ContractsOf.use((contracts) => contracts.stop({ policyId }, { reason: "SALE" })))
      const sums = new Map(
        (yield* Effect.provideService(
          EntriesRepo.use((entries) => entries.sums([policyId], "")),
          CurrentTenant,
          world.tenant
        )).map(({ account, sum }) => [account.split(":")[0]!, sum])
      )
      const documents = yield* Contracts.invoices(world, contract)
      const invoiced = documents.reduce((sum, { total }) => sum + total.amountWithFeesAndTaxes, 0)
      assert.isTrue(documents.some(({ type }) => type === "CREDIT_NOTE"))
      assert.deepStrictEqual(
        [sums.get("balance") ?? 0, sums.get("receivable"), sums.get("write_off")],
        [0, 0, invoiced]
      )
      const { difference } = yield* Reconciliation.use((books) => books.reconcile).pipe(
        Effect.provideService(CurrentTenant, world.tenant)
      )
      assert.isUndefined(difference)
    })
  )
})
