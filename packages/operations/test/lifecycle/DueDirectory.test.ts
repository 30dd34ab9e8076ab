import { assert, layer } from "@effect/vitest"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { DueRepo } from "@quittance/persistence/policies/DueRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { DueDirectory } from "@quittance/persistence/tenants/DueDirectory"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import * as Clones from "../Clones.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.provideMerge(
  Layer.merge(DueDirectory.layer, PoliciesRepo.layer),
  PolicyLifecycle.layer
)

const inTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  TenantSql.use((sql) => sql.transaction(effect))

/** When the directory sends a worker to the tenant, and when the first policy wants one. */
const entry = Effect.fnUntraced(function* (world: World.World) {
  const superuser = yield* SuperuserSql
  const [row] = yield* superuser<{ readonly entry: Date | null; readonly first: Date | null }>`
    SELECT (SELECT next_due_at FROM due_tenant WHERE tenant_id = ${world.tenant}) AS entry,
      (SELECT min(next_due_at) FROM policy WHERE tenant_id = ${world.tenant}) AS first
  `
  return row!
})

layer(TestLayer, { excludeTestServices: true })("the directory of due tenants", (it) => {
  it.effect("never points later than the first policy is due, under concurrent writes", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const { policyId } = yield* PolicyLifecycle.signed(world)
      const policyIds = [policyId, ...(yield* Clones.make(world, policyId, 3))]
      const directory = yield* DueDirectory
      const due = yield* DueRepo
      const heads = yield* Effect.provideService(
        PoliciesRepo.use((repo) => repo.findMany(policyIds)),
        CurrentTenant,
        world.tenant
      )
      for (let round = 0; round < 200; round++) {
        // Instants that move forward and back, so that each writer is at times the earliest.
        const writers = heads.map((head, index) => {
          const day = 1 + ((round * 7 + index * 11) % 28)
          const dueAt = World.at(`2027-02-${String(day).padStart(2, "0")}T00:00:00Z`)
          return inTransaction(due.advance([{ head, dueAt }]))
        })
        const settling = inTransaction(directory.settle)
        yield* Effect.all([settling, ...writers, settling, settling], {
          concurrency: "unbounded",
          discard: true
        }).pipe(Effect.provideService(CurrentTenant, world.tenant))
        const { entry: pointed, first } = yield* entry(world)
        assert.isTrue(pointed !== null && first !== null && pointed <= first, `round ${round}`)
      }
      yield* Effect.provideService(inTransaction(directory.settle), CurrentTenant, world.tenant)
      const settled = yield* entry(world)
      assert.deepStrictEqual(settled.entry, settled.first)
    })
  )

  it.effect("forgets a tenant in which nothing is due any more", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const full = {
        frequency: "MONTHLY",
        timing: "IN_ADVANCE",
        firstPayment: "FULL_AT_SIGNATURE"
      } as const
      const { policyId } = yield* PolicyLifecycle.signed(world, {
        policy: { invoicingConfig: full }
      })
      assert.isNotNull((yield* entry(world)).entry)
      yield* PolicyLifecycle.moveTo(world, "2026-04-02T00:00:00Z")
      // A policy in force has the end of its term before it.
      const stop = ContractSteps.use((steps) => steps.stop({ policyId }, { reason: "SALE" }))
      yield* World.as(world, world.manager)(stop)
      const settle = inTransaction(DueDirectory.use((directory) => directory.settle))
      yield* Effect.provideService(settle, CurrentTenant, world.tenant)
      assert.deepStrictEqual(yield* entry(world), { entry: null, first: null })
    })
  )
})

layer(TestLayer, { excludeTestServices: true })("the numbers of invoices", (it) => {
  it.effect(
    "have no gap when many sign at once, some of them only to see what would be (lock-fail-1555)",
    () =>
      Effect.gen(function* () {
        const world = yield* World.make()
        const full = {
          frequency: "MONTHLY",
          timing: "IN_ADVANCE",
          firstPayment: "FULL_AT_SIGNATURE"
        } as const
        const lifecycle = yield* Effect.forEach(Array.from({ length: 24 }), () =>
          PolicyLifecycle.confirmed(world, { policy: { invoicingConfig: full } })
        )
        const tried = (contract: PolicyLifecycle.Contract) =>
          World.as(world, world.manager, { dryRun: true })(
            Sales.use((sales) =>
              sales.sign(
                { policyId: contract.policyId },
                {
                  signer: { firstName: "A", lastName: "B", email: "a@b.test" },
                  consent: { textId: "SUBSCRIPTION_TERMS", accepted: true }
                }
              )
            )
          )
        yield* Effect.forEach(
          lifecycle,
          (contract) => Effect.andThen(tried(contract), PolicyLifecycle.sign(world, contract)),
          { concurrency: 8 }
        )
        const invoices = yield* InvoicesRepo.use((repo) =>
          repo.ofPolicies(lifecycle.map(({ policyId }) => policyId))
        ).pipe(Effect.provideService(CurrentTenant, world.tenant))
        assert.deepStrictEqual(
          invoices.map(({ number }) => number).sort((a, b) => a - b),
          lifecycle.map((_, index) => index + 1)
        )
      })
  )
})
