import type { Instant } from "@quittance/domain/values/Instant"
import { Product, UnknownProduct } from "@quittance/domain/products/Product"
import { PgTypes } from "@effect/sql-pg"
import { Cache, Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"

const decode = Schema.decodeUnknownEffect(Product)

/** Versions kept in memory: they are immutable, so nothing has to be forgotten but for room. */
const cachedVersions = 1_000

export class ProductsRepo extends Context.Service<
  ProductsRepo,
  {
    /** The version that is sold now. */
    current(productId: string): Effect.Effect<Product, UnknownProduct, CurrentTenant>
    /** A version that a policy pins; there once it has been published. */
    version(productId: string, version: string): Effect.Effect<Product, never, CurrentTenant>
    /** The current version of each product of the tenant, by product id. */
    list: Effect.Effect<ReadonlyArray<Product>, never, CurrentTenant>
    /** Adds a version. */
    publish(product: Product, publishedAt: Instant): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/ProductsRepo") {
  static readonly layer = Layer.effect(
    ProductsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const load = Effect.fnUntraced(function* (productId: string, version: string) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<{ readonly definition: unknown }>`
          SELECT definition FROM product_version
          WHERE tenant_id = ${tenantId} AND product_id = ${productId} AND version = ${version}
        `)
        return yield* decode(rows[0]?.definition)
      }, Effect.orDie)

      const versions = yield* Cache.make({
        capacity: cachedVersions,
        lookup: (key: string) => {
          // The three parts are slugs and versions: none has a space.
          const [tenantId, productId, version] = key.split(" ") as [TenantId, string, string]
          return Effect.provideService(load(productId, version), CurrentTenant, tenantId)
        }
      })

      const version = Effect.fn("ProductsRepo.version")(function* (
        productId: string,
        version: string
      ) {
        const tenantId = yield* CurrentTenant
        return yield* Cache.get(versions, `${tenantId} ${productId} ${version}`)
      })

      const currentVersions = Effect.fnUntraced(function* () {
        const tenantId = yield* CurrentTenant
        return yield* tenantSql.read(sql<{ readonly productId: string; readonly version: string }>`
          SELECT DISTINCT ON (product_id) product_id, version FROM product_version
          WHERE tenant_id = ${tenantId} ORDER BY product_id, seq DESC
        `)
      }, Effect.orDie)

      const current = Effect.fn("ProductsRepo.current")(function* (productId: string) {
        const tenantId = yield* CurrentTenant
        const rows = yield* Effect.orDie(
          tenantSql.read(sql<{ readonly version: string }>`
            SELECT version FROM product_version
            WHERE tenant_id = ${tenantId} AND product_id = ${productId} ORDER BY seq DESC LIMIT 1
          `)
        )
        if (rows[0] === undefined) return yield* new UnknownProduct({ productId })
        return yield* version(productId, rows[0].version)
      })

      const list = Effect.gen(function* () {
        const rows = yield* currentVersions()
        return yield* Effect.forEach(rows, (row) => version(row.productId, row.version))
      }).pipe(Effect.withSpan("ProductsRepo.list"))

      const publish = Effect.fn("ProductsRepo.publish")(function* (
        product: Product,
        publishedAt: Instant
      ) {
        const tenantId = yield* CurrentTenant
        const { productId, version } = product
        yield* tenantSql.write(sql`
          INSERT INTO product_version (tenant_id, product_id, version, seq, definition, published_at)
          SELECT ${tenantId}, ${productId}, ${version}, coalesce(max(seq), 0) + 1,
            ${PgTypes.jsonb(product)}, ${toDate(publishedAt)}
          FROM product_version WHERE tenant_id = ${tenantId} AND product_id = ${productId}
        `)
      }, Effect.orDie)

      return ProductsRepo.of({ current, version, list, publish })
    })
  )
}
