/** A debit comes back while people record the same, or two messages tell it at once: it is booked once. */
import { assert, layer } from "@effect/vitest"
import type { Debit } from "@quittance/domain/collections/Debit"
import { Ids } from "@quittance/persistence/sql/Ids"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { PaymentReturns } from "../../src/payments/PaymentReturns.ts"
import * as Bank from "../treasury/Bank.ts"
import * as Filed from "./Filed.ts"

const TestLayer = Layer.merge(PaymentReturns.layer, Ids.layer).pipe(
  Layer.provideMerge(Filed.TestLayer)
)

const rounds = 200

/** A file of many debits of one policy: all but the first are paid twice, and are the payer's credit. */
const many = Effect.gen(function* () {
  const made = yield* Filed.delivered()
  const sql = yield* SuperuserSql
  const ids = yield* Ids
  const { tenant } = made.world
  for (let index = 1; index < rounds; index++) {
    const id = ids.next("debit")
    yield* sql`
      INSERT INTO debit SELECT (jsonb_populate_record(d, jsonb_build_object('id', ${id}::text,
        'end_to_end_id', 'DD-' || ${id}::text))).*
      FROM debit d WHERE d.tenant_id = ${tenant} AND d.id = ${made.debit.id}
    `
    yield* sql`
      INSERT INTO debit_item SELECT (jsonb_populate_record(i,
        jsonb_build_object('debit_id', ${id}::text))).*
      FROM debit_item i WHERE i.tenant_id = ${tenant} AND i.debit_id = ${made.debit.id}
    `
  }
  yield* sql`
    UPDATE payment_file SET count = ${rounds}, sum = sum * ${rounds} WHERE tenant_id = ${tenant}
  `
  yield* Filed.settled(made)
  const debits = yield* Filed.ofFile(made)
  assert.deepStrictEqual([...new Set(debits.map(({ status }) => status))], ["SETTLED"])
  assert.lengthOf(debits, rounds)
  return { made, debits }
})

/** Each came back once, and the books explain the bank. */
const onceEach = Effect.fnUntraced(function* (made: Filed.Filed) {
  const debits = yield* Filed.ofFile(made)
  assert.deepStrictEqual([...new Set(debits.map(({ status }) => status))], ["RETURNED"])
  const payments = yield* Filed.returnsOf(made)
  assert.deepStrictEqual(payments, { payments: rounds, returned: rounds })
  assert.deepStrictEqual(yield* Filed.awaited(made), [])
  assert.isUndefined(yield* Filed.difference(made))
})

const told = (debit: Debit) => [{ endToEndId: debit.endToEndId, reasonCode: "MS02" }]

layer(TestLayer, { excludeTestServices: true, timeout: 600_000 })("a return", (it) => {
  it.effect("by hand and by the bank at once is one", () =>
    Effect.gen(function* () {
      const { debits, made } = yield* many
      for (const debit of debits) {
        const bytes = Filed.report(made.file, "PART", { payments: told(debit) })
        yield* Bank.take(made.world, made.account, bytes)
        yield* Effect.all(
          [
            Effect.exit(
              made.run(
                PaymentReturns.use((all) => all.record(debit.paymentId!, { reasonCode: "HAND" }))
              )
            ),
            Filed.followed(made)
          ],
          { concurrency: 2 }
        )
      }
      yield* onceEach(made)
    })
  )

  it.effect("that two workers follow at once is one", () =>
    Effect.gen(function* () {
      const { debits, made } = yield* many
      for (const debit of debits) {
        const bytes = Filed.report(made.file, "PART", { payments: told(debit) })
        yield* Bank.take(made.world, made.account, bytes)
        yield* Effect.all([Filed.followed(made), Filed.followed(made)], { concurrency: 2 })
      }
      yield* onceEach(made)
    })
  )
})
