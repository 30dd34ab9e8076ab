import { assert, layer } from "@effect/vitest"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { Effect, Layer } from "effect"
import { PolicyLifecycle as ContractsOf } from "../../src/lifecycle/PolicyLifecycle.ts"
import { InvoiceAdjustments } from "../../src/billing/InvoiceAdjustments.ts"
import { Reconciliation } from "../../src/reconciliation/Reconciliation.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(InvoiceAdjustments.layer, Reconciliation.layer).pipe(
  Layer.provideMerge(PolicyLifecycle.layer)
)

layer(TestLayer, { excludeTestServices: true })("an invoice that was written off", (it) => {
  it.effect("owes its payer nothing where a stop gives days of it back", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const contract = yield* PolicyLifecycle.signed(world)
      const { policyId } = contract
      yield* PolicyLifecycle.moveTo(world, "2026-05-15T12:00:00Z")
      for (const { id } of yield* PolicyLifecycle.invoices(world, contract)) {
        // Nothing but invoices was issued by then.
        const invoiceId = id as InvoiceId
        yield* run(
          InvoiceAdjustments.use((one) => one.run("write-off", invoiceId, { reason: "x" }))
        )
      }
      yield* run(ContractsOf.use((lifecycle) => lifecycle.stop({ policyId }, { reason: "SALE" })))
      const sums = new Map(
        (yield* Effect.provideService(
          EntriesRepo.use((entries) => entries.sums([policyId], "")),
          CurrentTenant,
          world.tenant
        )).map(({ account, sum }) => [account.split(":")[0]!, Number(sum)])
      )
      const invoices = yield* PolicyLifecycle.invoices(world, contract)
      const invoiced = invoices.reduce((sum, { total }) => sum + total.amountWithFeesAndTaxes, 0)
      assert.isTrue(invoices.some(({ type }) => type === "CREDIT_NOTE"))
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
