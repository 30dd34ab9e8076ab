/** Debits that failed, and that people collect once more. */
import { assert, layer } from "@effect/vitest"
import { DebitNotRetriable } from "@quittance/domain/collections/Debit"
import { MandateNotUsable } from "@quittance/domain/payments/MandateNotUsable"
import { InvalidTransition } from "@quittance/domain/requests/RequestErrors"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { DebitRetrying } from "../../src/collections/DebitRetrying.ts"
import { DebitSteps } from "../../src/collections/DebitSteps.ts"
import { Mandates } from "../../src/payments/Mandates.ts"
import * as Bank from "../treasury/Bank.ts"
import * as World from "../World.ts"
import * as Filed from "./Filed.ts"

const TestLayer = Layer.provideMerge(DebitRetrying.layer, Filed.TestLayer)

/** A debit that its bank has rejected. */
const rejected = Effect.fnUntraced(function* (reasonCode: string) {
  const made = yield* Filed.delivered()
  const payments = [{ endToEndId: made.debit.endToEndId, reasonCode }]
  yield* Filed.told(made, Filed.report(made.file, "PART", { payments }))
  return made
})

const retry = ({ debit, run }: Filed.Filed) => run(DebitRetrying.use((all) => all.retry(debit.id)))

const unblock = ({ contract, run }: Filed.Filed) =>
  run(
    Mandates.use((all) =>
      all.unblock(contract.mandate.id, { reason: "A wrong digit", evidence: "Letter" })
    )
  )

layer(TestLayer, { excludeTestServices: true })("a failed debit", (it) => {
  it.effect("is retried by hand once its mandate is unblocked, and only while it is owed", () =>
    Effect.gen(function* () {
      const made = yield* rejected("AC01")
      const refused = yield* Effect.flip(retry(made))
      assert.instanceOf(refused, MandateNotUsable)
      assert.include(refused.message, "unblock it")
      assert.isUndefined(yield* Filed.retryOf(made))

      assert.strictEqual((yield* unblock(made)).status, "ACTIVE")
      const again = yield* retry(made)
      assert.deepInclude(again, { status: "PLANNED", attempt: 2, replaces: made.debit.id })
      assert.notProperty(again, "notifiedOn")
      assert.notStrictEqual(again.endToEndId, made.debit.endToEndId)
      for (const { collection } of yield* Filed.invoicesOf(made)) {
        assert.deepStrictEqual(collection, { mode: "DIRECT_DEBIT" })
      }
      const twice = yield* Effect.flip(retry(made))
      assert.instanceOf(twice, DebitNotRetriable)
      assert.strictEqual(twice.reason, "BEING_COLLECTED")

      yield* made.run(DebitSteps.use((all) => all.cancel(again.id)))
      for (const invoice of yield* Filed.invoicesOf(made)) {
        yield* made.run(Filed.transferred(invoice.id, invoice.total.amountWithFeesAndTaxes))
      }
      const paid = yield* Effect.flip(retry(made))
      assert.instanceOf(paid, DebitNotRetriable)
      assert.strictEqual(paid.reason, "NOTHING_DUE")
    })
  )

  it.effect("whose payer refuses it is retried for what is left, and told anew", () =>
    Effect.gen(function* () {
      const made = yield* rejected("MS02")
      const [first] = yield* Filed.invoicesOf(made)
      yield* made.run(Filed.transferred(first!.id, 100))
      const again = yield* retry(made)
      const item = again.items.find(({ invoiceId }) => invoiceId === first!.id)
      assert.strictEqual(item!.notified, first!.total.amountWithFeesAndTaxes - 100)
    })
  )

  it.effect("is not retried beside the one that the bank has, nor before a later try of it", () =>
    Effect.gen(function* () {
      const doubled = yield* Effect.flip(retry(yield* rejected("AM05")))
      assert.instanceOf(doubled, DebitNotRetriable)
      assert.strictEqual(doubled.reason, "KNOWN_TO_BANK")

      const made = yield* rejected("MS02")
      const again = yield* retry(made)
      const sql = yield* SuperuserSql
      yield* sql`UPDATE debit d SET status = o.status, reason_code = o.reason_code,
        failed_on = o.failed_on, payment_file_id = o.payment_file_id, sequence = o.sequence,
        notified_on = o.notified_on, amount = o.amount
        FROM debit o WHERE d.tenant_id = ${made.world.tenant} AND d.id = ${again.id}
          AND o.tenant_id = d.tenant_id AND o.id = d.replaces`
      const older = yield* Effect.flip(retry(made))
      assert.instanceOf(older, DebitNotRetriable)
      assert.strictEqual(older.reason, "RETRIED")
    })
  )

  it.effect("is never retried where its mandate is over", () =>
    Effect.gen(function* () {
      for (const reasonCode of ["MD01", "MD07", "AC04"]) {
        const made = yield* rejected(reasonCode)
        for (const refused of [
          yield* Effect.flip(retry(made)),
          yield* Effect.flip(unblock(made))
        ]) {
          assert.instanceOf(refused, MandateNotUsable, reasonCode)
          assert.include(refused.message, "have a new mandate signed")
        }
      }
      const made = yield* rejected("MS02")
      yield* made.run(Mandates.use((all) => all.cancel(made.contract.mandate.id)))
      assert.instanceOf(yield* Effect.flip(retry(made)), MandateNotUsable)
    })
  )

  it.effect("is not retried by a mandate for one debit that was collected", () =>
    Effect.gen(function* () {
      const made = yield* Filed.delivered()
      yield* Filed.settled(made)
      const { amount } = yield* Filed.debitOf(made)
      const back = Filed.back(made, amount!, { reason: "MS02" })
      yield* Filed.told(made, Bank.statement([Filed.credit(made, amount!), back]))
      const sql = yield* SuperuserSql
      yield* sql`UPDATE mandate SET type = 'ONE_OFF' WHERE tenant_id = ${made.world.tenant}`
      const refused = yield* Effect.flip(retry(made))
      assert.instanceOf(refused, MandateNotUsable)
      assert.strictEqual(refused.status, "EXPIRED")
    })
  )

  it.effect("has its mandate unblocked by those who collect, not by its payer", () =>
    Effect.gen(function* () {
      const made = yield* rejected("AC01")
      const { contract, world } = made
      const payer = world.north
      if (payer._tag !== "User") return assert.fail("It is a person")
      const onPolicy = { kind: "RECORD", recordId: contract.policyId } as const
      const give = GrantsRepo.use((grants) =>
        grants.give(payer.userId, { role: "POLICYHOLDER", on: onPolicy })
      )
      yield* TenantSql.use(({ transaction }) => transaction(give)).pipe(
        Effect.provideService(CurrentTenant, world.tenant)
      )
      const run = World.as(world, payer)
      yield* run(Mandates.use((all) => all.get(contract.mandate.id)))
      const refused = yield* Effect.flip(unblock({ ...made, run }))
      assert.strictEqual(refused._tag, "Forbidden")
      assert.strictEqual((yield* unblock(made)).status, "ACTIVE")
    })
  )

  it.effect("is one that failed, for those who may collect", () =>
    Effect.gen(function* () {
      const made = yield* Filed.delivered()
      const early = yield* Effect.flip(retry(made))
      assert.instanceOf(early, InvalidTransition)
      const mine = yield* Effect.flip(
        World.as(
          made.world,
          made.world.auditor
        )(DebitRetrying.use((all) => all.retry(made.debit.id)))
      )
      assert.strictEqual(mine._tag, "Forbidden")
    })
  )
})
