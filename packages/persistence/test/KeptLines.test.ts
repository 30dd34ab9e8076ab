/** What rows keep of lines, amounts and leaves is what was put in, also of rows that were there before. */
import * as Amount from "@quittance/domain/values/Amount"
import { DocumentLine } from "@quittance/domain/billing/InvoiceLine"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import { QuoteLeaf } from "@quittance/domain/products/Quote"
import { PgTypes } from "@effect/sql-pg"
import { assert, describe, it, layer } from "@effect/vitest"
import { Arbitrary, Effect, Layer, Schema } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Database } from "../src/sql/Database.ts"
import { amountKept, keepAmount, KeptAmount } from "../src/values/AmountCodec.ts"
import { keepLeaves, KeptLeaves, leavesKept } from "../src/policies/PremiumItemsCodec.ts"
import { keepLines, KeptLines, linesKept } from "../src/billing/InvoiceLinesCodec.ts"
import * as Migrate from "../src/sql/Migrate.ts"
import * as Sql from "../src/sql/Sql.ts"
import * as PgTest from "../src/testing/PgTest.ts"
import * as TestServer from "../src/testing/TestServer.ts"
import { migrateBefore } from "./Earlier.ts"

const Suffix = Schema.Literals([alphabet[0]!.repeat(21), alphabet[1]!.repeat(21)])
const Money = Schema.Int.check(Schema.isBetween({ minimum: -1e12, maximum: 1e12 }))
const Name = Schema.Literals(["TSCA", "FGAO", "É « x » \\ \n", ""])
const charge = { id: Name, chargeType: Amount.ChargeType, amount: Money }
const Parts = Schema.Struct({
  net: Money,
  fees: Schema.Array(Schema.Struct({ ...charge, firm: Schema.NullOr(Suffix) })),
  taxes: Schema.Array(Schema.Struct(charge))
})
const Days = Schema.Literals(["2026-01-31", "2026-02-28", "2027-01-31"])
const Range = Schema.Struct({ start: Days, end: Days })

const amountOf = ({ fees, net, taxes }: typeof Parts.Type): Amount.Amount =>
  Amount.make(
    net,
    fees.map(({ firm, ...fee }) =>
      firm === null
        ? fee
        : { ...fee, brokerageFirmId: Amount.BrokerageFirmId.make(`brokerage_firm_test_${firm}`) }
    ),
    taxes
  )

const orNone = <K extends string, A>(key: K, value: A | null) =>
  // What a computed key makes has the key's name.
  value === null ? {} : ({ [key]: value } as Record<K, A>)

const DrawnLine = Schema.Struct({
  componentId: Name,
  label: Name,
  chargeType: Amount.ChargeType,
  slice: Range,
  amount: Parts,
  price: Parts,
  quote: Suffix,
  corrects: Schema.NullOr(Suffix),
  basis: Schema.NullOr(Schema.Struct({ term: Range, period: Range, amount: Schema.NullOr(Parts) })),
  nonRefundable: Schema.NullOr(Schema.Array(Name)),
  keptFrom: Schema.NullOr(Days),
  byHand: Schema.NullOr(Schema.Boolean)
})

const lineOf = (drawn: typeof DrawnLine.Type): DocumentLine => {
  const { amount, basis, byHand, corrects, keptFrom, nonRefundable, price, quote, ...line } = drawn
  return Schema.decodeUnknownSync(DocumentLine)({
    ...line,
    amount: amountOf(amount),
    price: amountOf(price),
    quoteId: `quote_test_${quote}`,
    ...orNone("corrects", corrects === null ? null : `invoice_test_${corrects}`),
    ...orNone(
      "basis",
      basis === null
        ? null
        : {
            term: basis.term,
            period: basis.period,
            ...orNone("amount", basis.amount === null ? null : amountOf(basis.amount))
          }
    ),
    ...orNone("nonRefundable", nonRefundable),
    ...orNone("keptFrom", keptFrom === null ? null : LocalDate.make(keptFrom)),
    ...orNone("byHand", byHand)
  })
}

const Lines = Arbitrary.map(Arbitrary.schema(Schema.Array(DrawnLine)), (drawn) => drawn.map(lineOf))

const Leaves = Arbitrary.map(
  Arbitrary.schema(
    Schema.Array(
      Schema.Struct({
        ...QuoteLeaf.fields,
        id: Name,
        componentId: Name,
        amount: Money,
        refId: Schema.optionalKey(Name),
        brokerageFirmId: Schema.Never.pipe(Schema.optionalKey),
        firm: Schema.NullOr(Suffix)
      })
    )
  ),
  (drawn) =>
    drawn.map(({ brokerageFirmId: _, firm, ...leaf }): QuoteLeaf =>
      // Only the fee of a firm names one.
      firm === null || leaf.refId === undefined
        ? leaf
        : { ...leaf, brokerageFirmId: Amount.BrokerageFirmId.make(`brokerage_firm_test_${firm}`) }
    )
)

/** As it comes back from a row. */
const stored = <A, I>(schema: Schema.Codec<A, I>, value: A): A =>
  Schema.decodeUnknownSync(schema)(JSON.parse(JSON.stringify(value)))

describe("what rows keep", () => {
  it.prop("of a document is its lines", [Lines], ([lines]) => {
    assert.deepStrictEqual(linesKept(stored(KeptLines, keepLines(lines))), lines)
  })

  it.prop("of an amount is what it consists of", [Arbitrary.schema(Parts)], ([parts]) => {
    const amount = amountOf(parts)
    assert.deepStrictEqual(amountKept(stored(KeptAmount, keepAmount(amount))), amount)
  })

  it.prop("of a quote is its leaves", [Leaves], ([leaves]) => {
    assert.deepStrictEqual(leavesKept(stored(KeptLeaves, keepLeaves(leaves))), leaves)
  })

  it.prop("is refused where a line names what is not there", [Lines], ([lines]) => {
    const kept = { ...keepLines(lines), quotes: [] }
    if (lines.length > 0) assert.throws(() => linesKept(kept), /in vain/u)
  })
})

const migrateUntilThen = migrateBefore("0150_keep_lines_short")

layer(PgTest.layer)("rows of before", (it) => {
  it.effect("are kept alike", () =>
    Effect.gen(function* () {
      const documents = yield* Arbitrary.sampleEffect(Lines, { count: 60, seed: 7 })
      const quotes = yield* Arbitrary.sampleEffect(Leaves, { count: 60, seed: 7 })
      const { superuserUrl: url } = yield* TestServer.database(inject("postgres"), "template0")
      const database = Layer.succeed(Database, Database.of({ url, ownerUrl: url }))
      const owner = Layer.fresh(Sql.layerOwner).pipe(Layer.provide(database))
      yield* Effect.provide(migrateUntilThen, owner)
      const superuser = yield* Sql.pool(url, "postgres")
      yield* Effect.provideService(fill(documents, quotes), SqlClient.SqlClient, superuser)
      yield* Effect.provide(Migrate.run, Layer.fresh(owner))
      const rows = yield* superuser`SELECT id, amount, lines FROM document ORDER BY id`
      const found = Schema.decodeUnknownSync(
        Schema.Array(Schema.Struct({ amount: KeptAmount, lines: KeptLines }))
      )(rows)
      assert.deepStrictEqual(
        found.map(({ lines }) => linesKept(lines)),
        [...documents]
      )
      assert.deepStrictEqual(
        found.map(({ amount }) => amountKept(amount)),
        documents.map((lines) => Amount.sum(lines.map(({ amount }) => amount)))
      )
      const leaves = yield* superuser`SELECT leaves, document FROM quote ORDER BY id`
      assert.deepStrictEqual(
        Schema.decodeUnknownSync(
          Schema.Array(Schema.Struct({ leaves: KeptLeaves, document: Schema.Unknown }))
        )(leaves).map(({ document, leaves }) => ({ document, leaves: leavesKept(leaves) })),
        quotes.map((leaves) => ({ document: { quote: 1 }, leaves }))
      )
    }).pipe(Effect.provide(Reactivity.layer), Effect.scoped)
  )
})

const fill = Effect.fnUntraced(function* (
  documents: ReadonlyArray<ReadonlyArray<DocumentLine>>,
  quotes: ReadonlyArray<ReadonlyArray<QuoteLeaf>>
) {
  const sql = yield* SqlClient.SqlClient
  const number = (index: number) => String(index).padStart(4, "0")
  const rows = documents.map((lines, index) => ({
    id: `invoice_${number(index)}`,
    number: index + 1,
    amount: Amount.sum(lines.map(({ amount }) => amount)),
    lines
  }))
  const quoted = quotes.map((leaves, index) => ({
    id: `quote_${number(index)}`,
    document: { quote: 1, leaves }
  }))
  yield* sql.withTransaction(
    Effect.all([
      // Policies, customers and branches are not what this is about.
      sql`SET LOCAL session_replication_role = replica`,
      sql`
        INSERT INTO tenant (tenant_id, name, environment, locale, currency, time_zone)
        VALUES ('acme', 'Acme', 'sandbox', 'fr-FR', 'EUR', 'Europe/Paris')
      `,
      sql`
        INSERT INTO document (tenant_id, id, policy_id, customer_id, type, series, number, status,
          currency, term, period_start, period_end, cause, is_first, planned_on, issued_at, due_on,
          total, paid, amount, lines)
        SELECT 'acme', id, id, 'customer', 'INVOICE', 'INV', number, 'ISSUED', 'EUR', 1,
          '2026-01-01', '2026-02-01', '', false, '2026-01-01', now(), '2026-01-01', 0, 0, amount,
          lines
        FROM jsonb_to_recordset(${PgTypes.jsonb(rows)}) AS d(
          id text, number bigint, amount jsonb, lines jsonb)
      `,
      sql`
        INSERT INTO quote (tenant_id, id, policy_id, branch_id, segment_from, priced_hash,
          created_at, expires_at, document)
        SELECT 'acme', id, 'policy', 'branch', now(), '', now(), now(), document
        FROM jsonb_to_recordset(${PgTypes.jsonb(quoted)}) AS q(id text, document jsonb)
      `
    ])
  )
})
