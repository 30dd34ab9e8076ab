import { assert, layer } from "@effect/vitest"
import type { InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import type { Product } from "@quittance/domain/products/Product"
import { QuotesRepo } from "@quittance/persistence/policies/QuotesRepo"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { Effect, Layer } from "effect"
import { Policies } from "../../src/policies/Policies.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.provideMerge(QuotesRepo.layer, Contracts.layer)

const frequencies = ["YEARLY", "HALF_YEARLY", "QUARTERLY", "MONTHLY", "BIENNIAL", "WEEKLY"] as const
const timings = ["IN_ADVANCE", "IN_ARREAR"] as const
const firstPayments = [
  "NONE",
  "EARLY_PAYMENT_AT_SIGNATURE",
  "FULL_AT_SIGNATURE",
  "EARLY_PAYMENT_AT_START_DATE",
  "FULL_AT_START_DATE"
] as const

/**
 * Each frequency, timing and first payment once. That the lines of all their combinations sum to the
 * price, `packages/billing/test/billing/Schedule.test.ts` holds without a database.
 */
const configs: ReadonlyArray<InvoicingConfig> = frequencies.map((frequency, index) => {
  const firstPayment = firstPayments[index % firstPayments.length]!
  return {
    frequency,
    timing: timings[index % timings.length]!,
    firstPayment,
    ...(firstPayment.startsWith("EARLY")
      ? { earlyPayment: { amount: 45, unit: "DAY" } as const }
      : {})
  }
})

/** What the invoices of a policy charge for each premium item, by the premium item's name in the quote. */
const chargedByLeaf = (invoices: ReadonlyArray<{ readonly lines: ReadonlyArray<Line> }>) => {
  const charged = new Map<string, number>()
  const add = (id: string, amount: number) => {
    if (amount !== 0) charged.set(id, (charged.get(id) ?? 0) + amount)
  }
  for (const { amount, chargeType, componentId } of invoices.flatMap(({ lines }) => lines)) {
    add(`${chargeType} ${componentId} net`, amount.amountPreFeesAndTaxes)
    for (const fee of amount.fees) add(`${chargeType} ${componentId} fee ${fee.id}`, fee.amount)
    for (const tax of amount.taxes) add(`${chargeType} ${componentId} tax ${tax.id}`, tax.amount)
  }
  return charged
}
type Line = Effect.Success<ReturnType<typeof Contracts.invoices>>[number]["lines"][number]

layer(TestLayer, { excludeTestServices: true })("a year of a policy under the test clock", (it) => {
  it.effect("bills each premium item's price exactly, however it is invoiced", () =>
    Effect.gen(function* () {
      const product: Product = {
        ...World.motor,
        renewal: { ...World.motor.renewal, mode: "NEVER" }
      }
      const world = yield* World.make(World.at("2026-03-10T09:00:00Z"), [product])
      const lifecycle = yield* Effect.forEach(configs, (invoicingConfig) =>
        Contracts.signed(world, { product, policy: { invoicingConfig } })
      )
      const { ran } = yield* Contracts.moveTo(world, "2027-04-02T00:00:00Z")
      assert.strictEqual(ran.startPolicies, configs.length)
      const quotes = yield* QuotesRepo
      for (const [index, contract] of lifecycle.entries()) {
        const name = JSON.stringify(configs[index])
        const invoices = yield* Contracts.invoices(world, contract)
        const { rows } = yield* World.as(
          world,
          world.manager
        )(
          quotes.listByPolicy(
            { policyId: contract.policyId, branchId: undefined, until: undefined },
            { count: 1, page: 1 }
          )
        )
        const expected = new Map(
          rows[0]!.content.premiumItems
            .filter(({ amount }) => amount !== 0)
            .map(({ amount, chargeType, componentId, kind, refId }) => [
              `${chargeType} ${componentId} ${kind === "NET" ? "net" : `${kind.toLowerCase()} ${refId}`}`,
              amount
            ])
        )
        const byName = (entries: ReadonlyMap<string, number>) => [...entries].sort()
        assert.deepStrictEqual(byName(chargedByLeaf(invoices)), byName(expected), name)
        const total = invoices.reduce((sum, { total }) => sum + total.amountWithFeesAndTaxes, 0)
        assert.strictEqual(total, contract.premium, name)
        assert.strictEqual(
          new Set(invoices.map(({ period }) => period.start)).size,
          invoices.length,
          name
        )
      }
    })
  )

  it.effect(
    "starts at its start and issues on the planned days, also when no worker runs for months",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make()
        const contract = yield* Contracts.signed(world)
        yield* Contracts.moveTo(world, "2026-07-15T12:00:00Z")
        const policy = yield* World.as(
          world,
          world.manager
        )(Policies.use((policies) => policies.get({ policyId: contract.policyId })))
        assert.deepStrictEqual(
          [policy.status, policy.startedAt],
          ["POLICY_STARTED", "2026-03-31T22:00:00.000Z"]
        )
        const invoices = yield* Contracts.invoices(world, contract)
        assert.deepStrictEqual(
          invoices.map(({ dueOn, issuedAt, number, period, status }) => [
            number,
            issuedAt,
            dueOn,
            period.start,
            status
          ]),
          [
            ["INV-000001", "2026-03-31T22:00:00.000Z", "2026-04-11", "2026-04-01", "ISSUED"],
            ["INV-000002", "2026-04-30T22:00:00.000Z", "2026-05-11", "2026-05-01", "ISSUED"],
            ["INV-000003", "2026-05-31T22:00:00.000Z", "2026-06-11", "2026-06-01", "ISSUED"],
            ["INV-000004", "2026-06-30T22:00:00.000Z", "2026-07-11", "2026-07-01", "ISSUED"]
          ]
        )
      })
  )

  it.effect("posts every invoice as one entry that sums to zero", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId } = yield* Contracts.signed(world)
      yield* Contracts.moveTo(world, "2026-07-15T12:00:00Z")
      const read = Effect.provideService(CurrentTenant, world.tenant)
      const { rows: entries } = yield* read(
        EntriesRepo.use((repo) => repo.listByPolicy(policyId, { page: 1, count: 1000 }))
      )
      const invoices = yield* read(InvoicesRepo.use((repo) => repo.ofPolicies([policyId])))
      assert.deepStrictEqual(
        entries.map(({ sourceId }) => sourceId).sort(),
        invoices.map(({ id }) => id).sort()
      )
      for (const { accounts, amounts } of entries) {
        assert.strictEqual(
          amounts.reduce((sum, amount) => sum + amount, 0),
          0
        )
        assert.strictEqual(new Set(accounts).size, accounts.length)
      }
    })
  )
})
