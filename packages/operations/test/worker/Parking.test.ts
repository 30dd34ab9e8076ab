import { assert, layer } from "@effect/vitest"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { DueRepo } from "@quittance/persistence/policies/DueRepo"
import { OwnerSql, SuperuserSql } from "@quittance/testing/PgTest"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect } from "effect"
import { DueSteps } from "../../src/worker/DueSteps.ts"
import * as Clones from "../Clones.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const started = Effect.fnUntraced(function* (count: number) {
  const world = yield* World.make()
  const { policyId } = yield* Contracts.signed(world)
  const clones = yield* Clones.make(world, policyId, count - 1)
  yield* Clones.onRealTime(world)
  const run = Effect.provideService(CurrentTenant, world.tenant)
  return { run, world, policyIds: [policyId, ...clones] }
})

const policiesWithInvoices = Effect.fnUntraced(function* (policyIds: ReadonlyArray<PolicyId>) {
  const invoices = yield* InvoicesRepo.use((repo) => repo.ofPolicies(policyIds))
  return new Set(invoices.map(({ policyId }) => policyId))
})

layer(Contracts.layer, { excludeTestServices: true })("a policy that cannot be billed", (it) => {
  it.effect(
    "is parked by a rule that fails for it alone, and billed once it is mended (swallowed-exception-640)",
    () =>
      Effect.gen(function* () {
        const { policyIds, run } = yield* started(20)
        const [, culprit, ...others] = policyIds
        const superuser = yield* SuperuserSql
        const [quote] = yield* superuser<{ readonly row: string }>`
        DELETE FROM quote WHERE policy_id = ${culprit!} RETURNING to_jsonb(quote)::text AS row
      `
        const due = yield* DueRepo
        const dueSteps = yield* DueSteps
        yield* run(dueSteps.runBatch())
        const [parked, ...more] = yield* run(due.parked)
        assert.deepStrictEqual([parked?.policyId, more.length], [culprit, 0])
        assert.include(parked?.reason, "accepted quote")
        const billed = yield* run(policiesWithInvoices(policyIds))
        assert.deepStrictEqual([...billed].sort(), [policyIds[0]!, ...others].sort())
        assert.deepStrictEqual(yield* run(dueSteps.runBatch()), { ran: {}, more: false })

        yield* superuser`
        INSERT INTO quote SELECT * FROM jsonb_populate_record(NULL::quote, ${quote!.row}::text::jsonb)
      `
        const { now } = yield* run(TenantClockRepo.use((clock) => clock.read))
        yield* run(TenantSql.use((sql) => sql.transaction(due.retry(culprit!, now))))
        yield* run(dueSteps.runBatch())
        assert.isTrue((yield* run(policiesWithInvoices([culprit!]))).has(culprit!))
        assert.deepStrictEqual(yield* run(due.parked), [])
      })
  )

  it.effect("is parked alone when the database refuses what was decided for it", () =>
    Effect.gen(function* () {
      const { policyIds, run } = yield* started(20)
      const [culprit, ...others] = policyIds
      const owner = yield* OwnerSql
      yield* owner`
        ALTER TABLE invoice ADD CONSTRAINT refused CHECK (policy_id <> ${owner.literal(`'${culprit!}'`)})
      `
      const due = yield* DueRepo
      const { ran } = yield* run(DueSteps.use((steps) => steps.runBatch()))
      assert.strictEqual(ran.startPolicies, others.length)
      const parked = yield* run(due.parked)
      assert.deepStrictEqual(
        parked.map(({ policyId }) => policyId),
        [culprit]
      )
      assert.include(parked[0]?.reason, "refused")
      assert.deepStrictEqual(
        [...(yield* run(policiesWithInvoices(policyIds)))].sort(),
        [...others].sort()
      )
      yield* owner`ALTER TABLE invoice DROP CONSTRAINT refused`
    })
  )

  it.effect("is not parked when it is the database that is at fault", () =>
    Effect.gen(function* () {
      const { policyIds, run } = yield* started(3)
      const owner = yield* OwnerSql
      yield* owner`ALTER TABLE entry RENAME COLUMN kind TO sort`
      const exit = yield* Effect.exit(run(DueSteps.use((steps) => steps.runBatch())))
      assert.strictEqual(exit._tag, "Failure")
      assert.deepStrictEqual(yield* run(DueRepo.use((due) => due.parked)), [])
      yield* owner`ALTER TABLE entry RENAME COLUMN sort TO kind`
      yield* run(DueSteps.use((steps) => steps.runBatch()))
      assert.strictEqual((yield* run(policiesWithInvoices(policyIds))).size, policyIds.length)
    })
  )

  it.effect(
    "is not parked when a batch is too much at once: its policies are done one by one",
    () =>
      Effect.gen(function* () {
        const { policyIds, run } = yield* started(5)
        const owner = yield* OwnerSql
        // The database cancels a statement that inserts more than one policy's invoices.
        yield* owner.unsafe(`
        CREATE FUNCTION give_up() RETURNS trigger LANGUAGE plpgsql AS
          'BEGIN IF (SELECT count(DISTINCT policy_id) FROM added) > 1 THEN
            RAISE EXCEPTION USING ERRCODE = ''57014''; END IF; RETURN NULL; END'
      `)
        yield* owner.unsafe(`
        CREATE TRIGGER slow AFTER INSERT ON invoice REFERENCING NEW TABLE AS added
        FOR EACH STATEMENT EXECUTE FUNCTION give_up()
      `)
        const { ran } = yield* run(DueSteps.use((steps) => steps.runBatch()))
        yield* owner.unsafe("DROP TRIGGER slow ON invoice")
        assert.strictEqual(ran.startPolicies, policyIds.length)
        assert.deepStrictEqual(yield* run(DueRepo.use((due) => due.parked)), [])
        assert.strictEqual((yield* run(policiesWithInvoices(policyIds))).size, policyIds.length)
      })
  )
})
