/** The view `invoice_line` beside the codec of lines, over random lives that billing itself has billed. */
import { assert, layer } from "@effect/vitest"
import type { BilledLine } from "@quittance/domain/billing/InvoiceLine"
import type { StoredInvoice } from "@quittance/domain/billing/StoredInvoice"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import {
  type BrokerageFirmId,
  ChangeId,
  type CustomerId,
  type PolicyId
} from "@quittance/domain/values/Ids"
import { fromEpochMillis, toEpochMillis } from "@quittance/domain/values/Instant"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Arbitrary, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { payerB } from "../../../billing/test/Drawn.ts"
import {
  afterStep,
  agreedAtFirst,
  Histories,
  type History,
  viewOf
} from "../../../billing/test/History.ts"
import { change, giveBack, lifeOf, pay, run as work } from "../../../billing/test/Life.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { Policies } from "../../src/policies/Policies.ts"
import * as World from "../World.ts"

const day = 86_400_000
const far = fromEpochMillis(Date.parse("2100-01-01T00:00:00Z"))

/** Every other fee is what a firm earns. */
const withFirm = (history: History, brokerageFirmId: BrokerageFirmId): History => ({
  ...history,
  quotes: history.quotes.map((quote) =>
    quote.map((item) =>
      item.kind === "FEE" && Number(item.componentId.slice(1)) % 2 === 0
        ? { ...item, brokerageFirmId }
        : item
    )
  )
})

/** All that a policy was invoiced in its life. */
const livedOf = (history: History) => {
  let agreed = agreedAtFirst(history)
  let now = history.policy.signedAt
  let life = lifeOf(viewOf(history, agreed, { issued: [], toStart: false }))
  for (const [number, { step, wait }] of history.steps.entries()) {
    now = fromEpochMillis(toEpochMillis(now) + wait * day)
    life = work(life, now)
    if (step.kind === "PAY") life = pay(life, step.invoice, step.amount, now)
    if (step.kind === "RETURN") life = giveBack(life, step.which, now)
    const next = afterStep(history, agreed, step, number)
    if (next === agreed) continue
    agreed = next
    const cause = ChangeId.make(`change_test_${alphabet[number]!.repeat(21)}`)
    life = change(life, viewOf(history, agreed, life.view), cause, now)
  }
  return work(life, far).kept
}

type Kept = ReturnType<typeof livedOf>[number]

const rowOf = (
  { draft: { currency, dueOn, issuedAt, key, lines, period, total }, invoice: { id } }: Kept,
  number: number
): Omit<StoredInvoice, "customerId" | "policyId"> => ({
  id,
  type: key.type,
  series: "LIVES",
  number,
  status: "ISSUED",
  collection: null,
  currency,
  term: key.term,
  periodStart: key.periodStart,
  periodEnd: period.end,
  cause: key.cause,
  isFirst: false,
  plannedOn: dueOn,
  issuedAt,
  dueOn,
  total: total.amountWithFeesAndTaxes,
  paid: 0,
  paidAt: null,
  creditedInvoiceId: null,
  amount: total,
  lines
})

/** A tenant whose policies are these lives, and who pays in them. */
class Scene extends Context.Service<
  Scene,
  { readonly world: World.World; readonly payers: readonly [CustomerId, CustomerId] }
>()("test/Scene") {
  static readonly layer = Layer.effect(
    Scene,
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const { id: policyId } = yield* run(Policies.use((x) => x.create({ productId: "motor-fr" })))
      const payer = (name: string) =>
        run(Customers.use((x) => x.addToPolicy({ policyId }, { role: "PAYER", name })))
      const [a, b] = [yield* payer("A"), yield* payer("B")]
      return Scene.of({ world, payers: [a.customerId, b.customerId] })
    })
  )
}

/** Writes a life's invoices on a policy of its own. */
const written = Effect.fnUntraced(function* (history: History) {
  const { payers, world } = yield* Scene
  const { id: policyId } = yield* World.as(
    world,
    world.manager
  )(Policies.use((x) => x.create({ productId: "motor-fr" })))
  const ids = yield* Ids
  const rows = livedOf(withFirm(history, world.firms.north)).map((kept, index) => ({
    ...rowOf(kept, index + 1),
    // Each life numbers its invoices from the beginning.
    id: ids.next("invoice"),
    series: policyId,
    policyId,
    customerId: payers[kept.draft.key.payerCustomerId === payerB ? 1 : 0]
  }))
  yield* TenantSql.use((sql) =>
    sql.transaction(InvoicesRepo.use((repo) => repo.insert(rows)))
  ).pipe(Effect.provideService(CurrentTenant, world.tenant))
  return policyId
})

/** The premium items of a line, as the codec has read it. */
const itemsOf = (line: BilledLine, number: number) => {
  const { amount, componentId, corrects = null, quoteId, slice } = line
  const ofLine = {
    line: number,
    componentId,
    sliceStart: slice.start as string,
    sliceEnd: slice.end as string,
    quoteId,
    correctedInvoiceId: corrects
  }
  const net = { chargeType: line.chargeType, refId: null, brokerageFirmId: null }
  return [
    { ...ofLine, ...net, kind: "NET", amount: amount.amountPreFeesAndTaxes },
    ...amount.fees.map(({ amount, brokerageFirmId = null, chargeType, id }) => ({
      ...ofLine,
      kind: "FEE",
      refId: id,
      chargeType,
      brokerageFirmId,
      amount
    })),
    ...amount.taxes.map(({ amount, chargeType, id }) => ({
      ...ofLine,
      kind: "TAX",
      refId: id,
      chargeType,
      brokerageFirmId: null,
      amount
    }))
  ]
}

const decoded = Effect.fnUntraced(function* (policyId: PolicyId) {
  const invoices = yield* InvoicesRepo
  const { rows } = yield* invoices.listByPolicy(policyId, { page: 1, count: 1000 })
  return rows.flatMap(({ id, lines }) =>
    lines.flatMap((line, index) =>
      itemsOf(line, index + 1).map((item) => ({ ...item, invoiceId: id }))
    )
  )
})

/** What lines are grouped by: an expression of the view, and the same of what the codec reads. */
type Item = Effect.Success<ReturnType<typeof decoded>>[number]
const groupings: Readonly<Record<string, (item: Item) => string>> = {
  invoice_id: ({ invoiceId }) => invoiceId,
  component_id: ({ componentId }) => componentId,
  "CASE kind WHEN 'FEE' THEN ref_id END": ({ kind, refId }) => (kind === "FEE" ? refId! : "none"),
  "CASE kind WHEN 'TAX' THEN ref_id END": ({ kind, refId }) => (kind === "TAX" ? refId! : "none"),
  brokerage_firm_id: ({ brokerageFirmId }) => brokerageFirmId ?? "none",
  "kind || charge_type": ({ chargeType, kind }) => kind + chargeType,
  "to_char(slice_start, 'YYYY-MM')": ({ sliceStart }) => sliceStart.slice(0, 7)
}

const sumsOf = (items: ReadonlyArray<Item>, keyOf: (item: Item) => string) => {
  const sums = new Map<string, bigint>()
  for (const item of items) {
    const key = keyOf(item)
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(item.amount))
  }
  return Object.fromEntries([...sums].map(([key, sum]) => [key, String(sum)]))
}

const inOrder = (rows: ReadonlyArray<object>) =>
  rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort()

const Live = Scene.layer.pipe(
  Layer.provideMerge(Layer.mergeAll(Customers.layer, InvoicesRepo.layer, Policies.layer)),
  Layer.provideMerge(World.layer)
)

layer(Live, { excludeTestServices: true })("invoice lines in SQL", (it) => {
  it.effect.prop(
    "are what the codec reads, row by row and in every sum",
    [Histories],
    ([history]) =>
      Effect.gen(function* () {
        const { world } = yield* Scene
        const policyId = yield* written(history)
        const sql = yield* SqlClient.SqlClient
        const tenantSql = yield* TenantSql
        yield* Effect.gen(function* () {
          const items = yield* decoded(policyId)
          const rows = yield* tenantSql.read(sql<object>`
            SELECT invoice_id, line, component_id, slice_start::text, slice_end::text, quote_id,
              corrected_invoice_id, kind, ref_id, charge_type, brokerage_firm_id, amount::float8
            FROM invoice_line WHERE policy_id = ${policyId}
          `)
          assert.deepStrictEqual(inOrder(rows), inOrder(items))
          for (const [expression, keyOf] of Object.entries(groupings)) {
            const sums = yield* tenantSql.read(sql<{ readonly key: string; readonly sum: string }>`
              SELECT coalesce(${sql.literal(expression)}, 'none') AS key, sum(amount)::text AS sum
              FROM invoice_line WHERE policy_id = ${policyId} GROUP BY 1
            `)
            assert.deepStrictEqual(
              Object.fromEntries(sums.map(({ key, sum }) => [key, sum])),
              sumsOf(items, keyOf),
              expression
            )
          }
          const apart = yield* tenantSql.read(sql`
            SELECT i.id FROM invoice i LEFT JOIN invoice_line l ON l.invoice_id = i.id
            WHERE i.policy_id = ${policyId} GROUP BY i.tenant_id, i.id, i.total
            HAVING sum(l.amount) IS DISTINCT FROM i.total AND i.total <> 0
          `)
          assert.deepStrictEqual(apart, [])
        }).pipe(Effect.provideService(CurrentTenant, world.tenant))
      }),
    { arbitrary: { runs: Number(process.env.HISTORIES ?? 25) }, timeout: 600_000 }
  )

  it.effect("are of every kind in lives, and seen by no other tenant", () =>
    Effect.gen(function* () {
      const { world } = yield* Scene
      const other = yield* World.make()
      const lives = yield* Arbitrary.sampleEffect(Histories, { seed: "kinds of lines", count: 10 })
      yield* Effect.forEach(lives, written)
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const kindsOf = (tenant: TenantId) =>
        tenantSql
          .read(
            sql<object>`
            SELECT kind, bool_or(brokerage_firm_id IS NOT NULL) AS firm,
              bool_or(corrected_invoice_id IS NOT NULL) AS corrects, bool_or(amount < 0) AS credits
            FROM invoice_line GROUP BY kind ORDER BY kind`
          )
          .pipe(Effect.provideService(CurrentTenant, tenant))
      const all = { corrects: true, credits: true }
      assert.deepStrictEqual(yield* kindsOf(world.tenant), [
        { kind: "FEE", firm: true, ...all },
        { kind: "NET", firm: false, ...all },
        { kind: "TAX", firm: false, ...all }
      ])
      assert.deepStrictEqual(yield* kindsOf(other.tenant), [])
    })
  )
})
