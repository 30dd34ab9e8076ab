/** What people have to do about money, on policies of two firms. */
import { assert, layer } from "@effect/vitest"
import type { WorklistKind } from "@quittance/domain/accounting/Worklist"
import type { Invoice } from "@quittance/domain/billing/Invoice"
import type { Product } from "@quittance/domain/products/Product"
import type { Caller } from "@quittance/domain/requests/Caller"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { Worklists } from "../../src/accounting/Worklists.ts"
import { InvoiceAdjustments } from "../../src/billing/InvoiceAdjustments.ts"
import { Dunning } from "../../src/dunning/Dunning.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { PaymentReturns } from "../../src/payments/PaymentReturns.ts"
import { Refunds } from "../../src/payments/Refunds.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

const tolerance = 200
const product: Product = { ...World.motor, dunning: { ...World.motor.dunning, tolerance } }

const list = (
  world: World.World,
  caller: Caller = world.manager,
  kinds?: ReadonlyArray<WorklistKind>,
  page = { count: 100, page: 1 }
) =>
  World.as(
    world,
    caller
  )(Worklists.use((worklists) => worklists.list(kinds === undefined ? {} : { kinds }, page)))

const pay = (world: World.World, { amountDue, id }: Invoice, more: number) =>
  World.as(
    world,
    world.manager
  )(
    Payments.use(({ record }) =>
      // The first invoice of a policy is an invoice.
      record(id as InvoiceId, { amount: amountDue + more, method: "CARD", reference: "R" })
    )
  )

/** One policy of the north that was paid too much, one that lacks 2.00, and one of the south that lacks all. */
const open = Effect.gen(function* () {
  const world = yield* World.make(undefined, [product])
  const sell = (caller: Caller) => Contracts.signed(world, { caller, product })
  const rich = yield* sell(world.north)
  const close = yield* sell(world.north)
  const late = yield* sell(world.south)
  yield* Contracts.moveTo(world, "2026-04-05T12:00:00+02:00")
  const [paid] = yield* Contracts.invoices(world, rich)
  const surplus = yield* pay(world, paid!, 500)
  const [nearly] = yield* Contracts.invoices(world, close)
  yield* pay(world, nearly!, -tolerance)
  yield* Contracts.moveTo(world, "2026-04-25T12:00:00+02:00")
  return { world, rich, close, late, surplus, nearly: nearly! }
})

const TestLayer = Layer.mergeAll(
  Dunning.layer,
  InvoiceAdjustments.layer,
  PaymentReturns.layer,
  Refunds.layer,
  Worklists.layer
).pipe(Layer.provideMerge(Contracts.layer))

layer(TestLayer, { excludeTestServices: true })("the worklist", (it) => {
  it.effect("finds what is to be done, each with its command, the longest first", () =>
    Effect.gen(function* () {
      const { close, late, nearly, rich, world } = yield* open
      const worklist = yield* list(world)
      assert.deepStrictEqual(worklist.counts, {
        NOTICE_TO_SEND: 1,
        BALANCE_TO_PAY_BACK: 1,
        PARKED_POLICY: 0,
        SMALL_BALANCE: 1,
        DEBIT_TO_ANNOUNCE: 0
      })
      assert.strictEqual(worklist.totalCount, 3)
      const { recordId: noticeId, ...notice } = worklist.data[2]!
      assert.match(noticeId ?? "", /^formal_notice_/u)
      assert.deepStrictEqual(
        [...worklist.data.slice(0, 2), notice],
        [
          {
            kind: "SMALL_BALANCE",
            policyId: close.policyId,
            customerId: close.customerId,
            recordId: nearly.id,
            amount: tolerance,
            currency: "EUR",
            since: nearly.issuedAt!,
            permitted: true,
            command: {
              method: "POST",
              path: `/billing/invoices/${nearly.id}/write-off`,
              action: "billing.write"
            }
          },
          {
            kind: "BALANCE_TO_PAY_BACK",
            policyId: rich.policyId,
            customerId: rich.customerId,
            amount: 500,
            currency: "EUR",
            since: World.at("2026-04-05T12:00:00+02:00"),
            permitted: true,
            command: {
              method: "POST",
              path: `/payments/policies/${rich.policyId}/refunds`,
              action: "payment.write"
            }
          },
          {
            kind: "NOTICE_TO_SEND",
            policyId: late.policyId,
            customerId: late.customerId,
            // Due on the 11th; ten days of grace end with the 21st.
            since: World.at("2026-04-22T00:00:00+02:00"),
            permitted: true,
            command: {
              method: "POST",
              path: `/billing/policies/${late.policyId}/formal-notices`,
              action: "billing.write"
            }
          }
        ]
      )
    })
  )

  it.effect("pages what is asked for, and counts every kind all the same", () =>
    Effect.gen(function* () {
      const { close, rich, world } = yield* open
      const kinds = ["BALANCE_TO_PAY_BACK", "SMALL_BALANCE"] as const
      const second = yield* list(world, world.manager, kinds, { count: 1, page: 2 })
      assert.deepStrictEqual(
        [second.totalCount, second.totalPages, second.data.map(({ policyId }) => policyId)],
        [2, 2, [rich.policyId]]
      )
      assert.strictEqual(second.counts.NOTICE_TO_SEND, 1)
      const twice = yield* list(world, world.manager, ["SMALL_BALANCE", "SMALL_BALANCE"])
      assert.deepStrictEqual(
        [twice.totalCount, twice.data.map(({ policyId }) => policyId)],
        [1, [close.policyId]]
      )
    })
  )

  it.effect("shows brokers their firm's policies, and says what each may do", () =>
    Effect.gen(function* () {
      const { late, world } = yield* open
      const south = yield* list(world, world.south)
      assert.deepStrictEqual(
        south.data.map(({ policyId, permitted }) => [policyId, permitted]),
        [[late.policyId, false]]
      )
      assert.strictEqual(south.counts.BALANCE_TO_PAY_BACK, 0)
      const auditor = yield* list(world, world.auditor)
      assert.deepStrictEqual(
        auditor.data.map(({ permitted }) => permitted),
        [false, false, false]
      )
      const other = yield* World.make()
      assert.strictEqual((yield* list(other)).totalCount, 0)
      const visitor = yield* World.visitor(world)
      assert.strictEqual((yield* Effect.flip(list(world, visitor)))._tag, "Forbidden")
    })
  )

  it.effect("drops what was done: a rest written off, a balance paid back, a notice held", () =>
    Effect.gen(function* () {
      const { late, nearly, rich, surplus, world } = yield* open
      const run = World.as(world, world.manager)
      const written = { reason: "Too small to ask for" }
      yield* run(
        InvoiceAdjustments.use((adjust) => adjust.run("write-off", nearly.id as InvoiceId, written))
      )
      const refund = { amount: 200, method: "BANK_TRANSFER", reference: "R" } as const
      yield* run(Refunds.use((refunds) => refunds.record(rich.policyId, refund)))
      yield* run(
        Dunning.use((dunning) =>
          dunning.placeHold(late.policyId, { reason: "The debt is disputed" })
        )
      )
      const left = yield* list(world)
      assert.deepStrictEqual(
        left.data.map(({ amount, kind, since }) => [kind, amount, since]),
        [["BALANCE_TO_PAY_BACK", 300, World.at("2026-04-05T12:00:00+02:00")]]
      )
      // The bank takes the surplus back with the payment: nothing is owed to them any more.
      yield* run(PaymentReturns.use(({ record }) => record(surplus.id, { reasonCode: "AC04" })))
      assert.strictEqual((yield* list(world)).counts.BALANCE_TO_PAY_BACK, 0)
    })
  )

  it.effect("keeps each balance as the ledger has it", () =>
    Effect.gen(function* () {
      const { world } = yield* open
      const sql = yield* SuperuserSql
      const rows = yield* sql<{ readonly kept: string; readonly ledger: string }>`
        SELECT o.amount::text AS kept, (-sum(p.amount))::text AS ledger
        FROM owed_balance o
        JOIN entry e ON e.tenant_id = o.tenant_id AND e.policy_id = o.policy_id
        CROSS JOIN LATERAL unnest(e.accounts, e.amounts) AS p(account, amount)
        WHERE o.tenant_id = ${world.tenant} AND p.account = 'balance:' || o.customer_id
        GROUP BY o.policy_id, o.customer_id, o.amount
      `
      assert.deepStrictEqual(rows, [{ kept: "500", ledger: "500" }])
    })
  )
})
