import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { PaymentReturns } from "../../src/payments/PaymentReturns.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { Reconciliation } from "../../src/reconciliation/Reconciliation.ts"
import { InvoiceAdjustments } from "../../src/billing/InvoiceAdjustments.ts"
import { Refunds } from "../../src/payments/Refunds.ts"
import * as Clones from "../Clones.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Policies with invoices in every state, a returned debit, a surplus, a refund, a credit by hand. */
const busy = Effect.gen(function* () {
  const world = yield* World.make()
  const run = World.as(world, world.manager)
  const pay = (invoiceId: string, amount: number) =>
    run(
      Payments.use(({ record }) =>
        // Only invoices are named in these tests.
        record(invoiceId as InvoiceId, { amount, method: "CARD", reference: "r" })
      )
    )
  const contract = yield* Contracts.signed(world)
  const other = yield* Contracts.signed(world)
  yield* Contracts.moveTo(world, "2026-06-15T12:00:00Z")
  const [lost, credited] = yield* Contracts.invoices(world, other)
  for (const [command, { id }] of [
    ["write-off", lost!],
    ["credit", credited!]
  ] as const) {
    // Only invoices are named in these tests.
    yield* run(InvoiceAdjustments.use((one) => one.run(command, id as InvoiceId, { reason: "x" })))
  }
  const [first, second, third] = yield* Contracts.invoices(world, contract)
  const returned = yield* pay(first!.id, first!.amountDue)
  yield* run(PaymentReturns.use(({ record }) => record(returned.id, { reasonCode: "AM04" })))
  yield* pay(second!.id, second!.amountDue)
  yield* pay(third!.id, 100)
  const owed = first!.amountDue + third!.amountDue - 100
  yield* pay(first!.id, owed + 5_000)
  const { policyId } = contract
  const refund = { amount: 2_000, method: "BANK_TRANSFER", reference: "r" } as const
  yield* run(Refunds.use(({ record }) => record(policyId, refund)))
  // The balance that is left settles some of the next one.
  yield* Contracts.moveTo(world, "2026-07-15T12:00:00Z")
  return { world, contract }
})

const reconcile = (world: World.World) =>
  Reconciliation.use((books) => books.reconcile).pipe(
    Effect.provideService(CurrentTenant, world.tenant)
  )

const TestLayer = Layer.mergeAll(
  PaymentReturns.layer,
  InvoiceAdjustments.layer,
  Reconciliation.layer,
  Refunds.layer
).pipe(Layer.provideMerge(Contracts.layer))

/** One row of the tenant damaged, by a superuser; the constraints that would refuse it are off. */
type Damage = (sql: SqlClient.SqlClient, tenant: string) => Effect.Effect<unknown, unknown>

const one = (table: string, condition = "true") =>
  `ctid = (SELECT ctid FROM ${table} WHERE tenant_id = '$T' AND ${condition} ORDER BY 1 LIMIT 1)`

/** Each kind of damage, and the field in which it shows. */
const damages: ReadonlyArray<readonly [name: string, statement: string, field: RegExp]> = [
  ["an entry that is gone", `DELETE FROM entry WHERE ${one("entry")}`, /entries of/u],
  [
    "an entry written twice",
    `INSERT INTO entry SELECT (jsonb_populate_record(e, jsonb_build_object('id', 'entry_copy'))).*
      FROM entry e WHERE ${one("entry", "kind = 'DOCUMENT'")}`,
    /entries of DOCUMENT/u
  ],
  [
    "an amount of an entry, balanced as before",
    `UPDATE entry SET amounts = ARRAY(SELECT a * 2 FROM unnest(amounts) a) WHERE ${one("entry")}`,
    /receivable|premium|cash|balance/u
  ],
  [
    "an entry on another account",
    `UPDATE entry SET accounts = array_replace(accounts, 'premium', 'write_off')
      WHERE ${one("entry", "kind = 'DOCUMENT'")}`,
    /premium/u
  ],
  [
    "the use of a balance that is gone",
    `DELETE FROM entry WHERE ${one("entry", "kind = 'BALANCE_USED'")}`,
    /sum/u
  ],
  [
    "an entry that moves premium to a tax",
    `INSERT INTO entry SELECT (jsonb_populate_record(e, jsonb_build_object('id', 'entry_moved',
        'accounts', '["premium", "tax:X"]'::jsonb, 'amounts', '[5, -5]'::jsonb))).*
      FROM entry e WHERE ${one("entry", "kind = 'BALANCE_USED'")}`,
    /sum/u
  ],
  [
    "the currency of the use of a balance",
    `UPDATE entry SET currency = 'USD' WHERE ${one("entry", "kind = 'BALANCE_USED'")}`,
    /currency/u
  ],
  [
    "the total of an invoice",
    `UPDATE invoice SET total = total + 1 WHERE ${one("invoice")}`,
    /total/u
  ],
  [
    "an amount of an invoice",
    `UPDATE invoice SET amount = jsonb_set(amount::jsonb, '{0}', '7')
      WHERE ${one("invoice")}`,
    /amount/u
  ],
  [
    "a line of an invoice",
    `UPDATE invoice SET lines = jsonb_set(lines::jsonb, '{lines}', (lines::jsonb -> 'lines') - 0)
      WHERE ${one("invoice")}`,
    /amount/u
  ],
  [
    "what is paid of an invoice",
    `UPDATE invoice SET paid = paid - 1
      WHERE ${one("invoice", "type = 'INVOICE' AND status = 'PAID'")}`,
    /paid|status/u
  ],
  [
    "what is paid of a credit note",
    `UPDATE invoice SET paid = paid - 1 WHERE ${one("invoice", "type = 'CREDIT_NOTE'")}`,
    /paid/u
  ],
  [
    "the state of a credit note",
    `UPDATE invoice SET status = 'ISSUED' WHERE ${one("invoice", "type = 'CREDIT_NOTE'")}`,
    /status/u
  ],
  [
    "the state of an invoice",
    `UPDATE invoice SET status = 'PAID' WHERE ${one("invoice", "status = 'ISSUED'")}`,
    /status/u
  ],
  [
    "the payer of an invoice",
    `UPDATE invoice SET customer_id = (SELECT max(id) FROM customer WHERE tenant_id = '$T'
        AND id <> customer_id) WHERE ${one("invoice")}`,
    /receivable|accounts/u
  ],
  ["an invoice that is gone", `DELETE FROM invoice WHERE ${one("invoice")}`, /source|numbers/u],
  [
    "a number that was skipped",
    `UPDATE invoice SET number = number + 100 WHERE ${one("invoice")}`,
    /numbers/u
  ],
  ["a counter that was moved", "UPDATE counter SET value = 99 WHERE series = 'INV'", /numbers/u],
  [
    "the amount of a payment",
    `UPDATE payment SET amount = amount + 1 WHERE ${one("payment")}`,
    /amount/u
  ],
  ["a payment that is gone", `DELETE FROM payment WHERE ${one("payment")}`, /source/u],
  [
    "a return that is gone",
    "DELETE FROM payment_return WHERE tenant_id = '$T'",
    /paid|entries of RETURN/u
  ],
  [
    "the amount of a refund",
    "UPDATE refund SET amount = 1 WHERE tenant_id = '$T'",
    /cash|balance/u
  ],
  [
    "what is kept of a balance",
    "UPDATE owed_balance SET amount = amount + 1 WHERE tenant_id = '$T'",
    /amount/u
  ],
  ["a row of the summary that is gone", "DELETE FROM receivable WHERE tenant_id = '$T'", /row/u],
  [
    "a row of the summary too many",
    `INSERT INTO receivable SELECT (jsonb_populate_record(r, jsonb_build_object('policy_id',
        (SELECT p.id FROM policy p WHERE p.tenant_id = '$T' AND p.id <> r.policy_id)))).*
      FROM receivable r WHERE ${one("receivable")}`,
    /row/u
  ],
  ...[
    ["unpaid_count", "unpaid_count = unpaid_count + 1"],
    ["oldest_issued_at", "oldest_issued_at = oldest_issued_at - interval '1 second'"],
    ["status", "status = 'POLICY_STOPPED'"],
    ["stop_reason", "stop_reason = 'SALE'"],
    ["customer_name", "customer_name = 'another person'"],
    ["search", "search = ''"],
    ["last_formal_notice_sent_at", "last_formal_notice_sent_at = now()"]
  ].map(
    ([field, set]) =>
      [
        `${field} of a row of the summary`,
        `UPDATE receivable SET ${set} WHERE ${one("receivable")}`,
        new RegExp(`^${field}$`, "u")
      ] as const
  )
]

const damage =
  (statement: string): Damage =>
  (sql, tenant) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`SET LOCAL session_replication_role = replica`
        yield* sql.unsafe(statement.replaceAll("$T", tenant))
      })
    )

layer(TestLayer, { excludeTestServices: true })("the books of a tenant", (it) => {
  it.effect("agree after everything that moves money, and in more than one page", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* busy
      yield* Clones.make(world, contract.policyId, 210)
      const { difference, entries, policies } = yield* reconcile(world)
      assert.isUndefined(difference)
      assert.strictEqual(policies, 212)
      assert.isAbove(entries, 8)
    })
  )

  for (const [name, statement, field] of damages) {
    it.effect(`show ${name}`, () =>
      Effect.gen(function* () {
        const { world } = yield* busy
        const superuser = yield* SuperuserSql
        for (const check of ["entry", "invoice", "payment", "receivable"]) yield* unchecked(check)
        yield* damage(statement)(superuser, world.tenant)
        const { difference } = yield* reconcile(world)
        assert.match(difference?.field ?? "no difference", field)
      })
    )
  }
})

/** Drops a table's own checks, as an attacker would. */
const unchecked = Effect.fnUntraced(function* (table: string) {
  const superuser = yield* SuperuserSql
  const checks = yield* superuser<{ readonly name: string }>`
    SELECT conname AS name FROM pg_constraint
    WHERE conrelid = ${table}::text::regclass AND contype = 'c'
  `
  for (const { name } of checks) {
    yield* superuser`ALTER TABLE ${superuser(table)} DROP CONSTRAINT ${superuser(name)}`
  }
})
