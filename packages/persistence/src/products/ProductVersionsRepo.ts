import type { Instant } from "@quittance/domain/values/Instant"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Product } from "@quittance/domain/products/Product"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Published = Schema.Struct({
  productId: Schema.String,
  version: Schema.String,
  publishedAt: InstantColumn
})
type Published = {
  readonly productId: string
  readonly version: string
  readonly publishedAt: Instant
}

const decodePage = Schema.decodeUnknownEffect(Schema.Array(Published))
const decodeDocument = Schema.decodeUnknownEffect(
  Schema.Struct({ ...Published.fields, definition: Product })
)

/** The versions of products as product managers list and read them. */
export class ProductVersionsRepo extends Context.Service<
  ProductVersionsRepo,
  {
    /** Makes publishers of one product take turns, until the transaction ends. */
    lock(productId: string): Effect.Effect<void, never, CurrentTenant>
    /** A version with its definition; the newest, unless it is said. */
    find(
      productId: string,
      version: string | undefined
    ): Effect.Effect<
      (Published & { readonly definition: Product }) | undefined,
      never,
      CurrentTenant
    >
    /** The newest first, and how many there are. */
    list(
      productId: string,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<Published>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/ProductVersionsRepo") {
  static readonly layer = Layer.effect(
    ProductVersionsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const lock = Effect.fn("ProductVersionsRepo.lock")(function* (productId: string) {
        const tenantId = yield* CurrentTenant
        const name = `quittance product ${tenantId} ${productId}`
        yield* tenantSql.write(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
      }, Effect.orDie)

      const find = Effect.fn("ProductVersionsRepo.find")(function* (
        productId: string,
        version: string | undefined
      ) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT product_id, version, published_at, definition FROM product_version
          WHERE tenant_id = ${tenantId} AND product_id = ${productId}
            ${version === undefined ? sql`` : sql`AND version = ${version}`}
          ORDER BY seq DESC LIMIT 1
        `)
        return row === undefined ? undefined : yield* decodeDocument(row)
      }, Effect.orDie)

      const list = Effect.fn("ProductVersionsRepo.list")(function* (
        productId: string,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const ofProduct = sql`
          FROM product_version WHERE tenant_id = ${tenantId} AND product_id = ${productId}
        `
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total ${ofProduct}
        `)
        const rows = yield* tenantSql.read(sql`
          SELECT product_id, version, published_at, seq ${ofProduct}
          ORDER BY seq DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        return { rows: yield* decodePage(rows), total: counted?.total ?? 0 }
      }, Effect.orDie)

      return ProductVersionsRepo.of({ lock, find, list })
    })
  )
}
