import type { QuoteRecord } from "@quittance/domain/policies/aggregate/QuoteRecord"
import { Money } from "@quittance/domain/values/Amount"
import type { Instant } from "@quittance/domain/values/Instant"
import { QuoteResult, type StoredQuote } from "@quittance/domain/products/Quote"
import type { PageRequest } from "@quittance/domain/values/Page"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { encodePremiumItems, PremiumItemsCodec, decodePremiumItems } from "./PremiumItemsCodec.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { BranchId, PolicyId, QuoteId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Stored = Schema.Struct({
  id: QuoteId,
  policyId: PolicyId,
  branchId: BranchId,
  segmentFrom: InstantColumn,
  pricedHash: Schema.String,
  createdAt: InstantColumn,
  expiresAt: InstantColumn,
  content: QuoteResult,
  premiumItems: PremiumItemsCodec
})
const decodeStored = Schema.decodeUnknownEffect(Schema.Array(Stored))
const decode = (rows: ReadonlyArray<unknown>) =>
  Effect.map(decodeStored(rows), (stored) =>
    stored.map(({ content, premiumItems, ...row }): QuoteRecord => ({
      ...row,
      content: { ...content, premiumItems: decodePremiumItems(premiumItems) }
    }))
  )

const decodeItems = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: QuoteId, premiumItems: PremiumItemsCodec }))
)

/** A quote's price with fees and taxes in minor units, and the instant from which on it is in force. */
export interface QuotedPremium {
  readonly segmentFrom: Instant
  readonly premium: number
}
const decodePremiums = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ id: QuoteId, segmentFrom: InstantColumn, premium: Money }))
)

/** Which quotes of a policy are meant: of one branch or of all, given by an instant or by now. */
export interface GivenQuote {
  readonly policyId: PolicyId
  readonly branchId: BranchId | undefined
  readonly until: Instant | undefined
}

export class QuotesRepo extends Context.Service<
  QuotesRepo,
  {
    insert(quote: QuoteRecord): Effect.Effect<void, never, CurrentTenant>
    find(id: QuoteId): Effect.Effect<QuoteRecord | undefined, never, CurrentTenant>
    findMany(
      ids: ReadonlyArray<QuoteId>
    ): Effect.Effect<ReadonlyArray<QuoteRecord>, never, CurrentTenant>
    /** What billing works on of some quotes. */
    premiumItemsOf(
      ids: ReadonlyArray<QuoteId>
    ): Effect.Effect<ReadonlyMap<QuoteId, StoredQuote["premiumItems"]>, never, CurrentTenant>
    /** What is paid for a whole term by some quotes, and from when on. */
    premiumsOf(
      ids: ReadonlyArray<QuoteId>
    ): Effect.Effect<ReadonlyMap<QuoteId, QuotedPremium>, never, CurrentTenant>
    /** The quotes of a policy, the newest first. */
    listByPolicy(
      given: GivenQuote,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<QuoteRecord>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/QuotesRepo") {
  static readonly layer = Layer.effect(
    QuotesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = sql`id, policy_id, branch_id, segment_from, priced_hash, created_at,
        expires_at, content, premium_items`

      const insert = Effect.fn("QuotesRepo.insert")(function* (quote: QuoteRecord) {
        const tenantId = yield* CurrentTenant
        const { premiumItems, ...content } = quote.content
        const row = {
          tenantId,
          ...quote,
          segmentFrom: toDate(quote.segmentFrom),
          createdAt: toDate(quote.createdAt),
          expiresAt: toDate(quote.expiresAt),
          content: PgTypes.jsonb(content),
          premiumItems: PgTypes.json(encodePremiumItems(premiumItems))
        }
        yield* tenantSql.write(sql`INSERT INTO quote ${sql.insert(row)}`)
      }, Effect.orDie)

      const findMany = Effect.fn("QuotesRepo.findMany")(function* (ids: ReadonlyArray<QuoteId>) {
        if (ids.length === 0) return []
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM quote WHERE tenant_id = ${tenantId} AND id = ANY(${[...ids]})
        `)
        return yield* decode(rows)
      }, Effect.orDie)

      const premiumItemsOf = Effect.fn("QuotesRepo.premiumItemsOf")(function* (
        ids: ReadonlyArray<QuoteId>
      ) {
        if (ids.length === 0) return new Map()
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT id, premium_items FROM quote
          WHERE tenant_id = ${tenantId} AND id = ANY(${[...ids]})
        `)
        return new Map(
          (yield* decodeItems(rows)).map(({ id, premiumItems }) => [
            id,
            decodePremiumItems(premiumItems)
          ])
        )
      }, Effect.orDie)

      const premiumsOf = Effect.fn("QuotesRepo.premiumsOf")(function* (
        ids: ReadonlyArray<QuoteId>
      ) {
        if (ids.length === 0) return new Map()
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT id, segment_from,
            content #> '{quote,totalPremium,amountWithFeesAndTaxes}' AS premium
          FROM quote WHERE tenant_id = ${tenantId} AND id = ANY(${[...ids]})
        `)
        return new Map((yield* decodePremiums(rows)).map(({ id, ...row }) => [id, row]))
      }, Effect.orDie)

      const listByPolicy = Effect.fn("QuotesRepo.listByPolicy")(function* (
        { branchId, policyId, until }: GivenQuote,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const given = sql`tenant_id = ${tenantId} AND policy_id = ${policyId}
          ${branchId === undefined ? sql`` : sql`AND branch_id = ${branchId}`}
          ${until === undefined ? sql`` : sql`AND created_at <= ${toDate(until)}`}`
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM quote WHERE ${given}
          ORDER BY created_at DESC, id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const totals = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM quote WHERE ${given}
        `)
        return { rows: yield* decode(rows), total: totals[0]!.total }
      }, Effect.orDie)

      return QuotesRepo.of({
        insert,
        findMany,
        premiumItemsOf,
        premiumsOf,
        find: (id) => Effect.map(findMany([id]), (rows) => rows[0]),
        listByPolicy
      })
    })
  )
}
