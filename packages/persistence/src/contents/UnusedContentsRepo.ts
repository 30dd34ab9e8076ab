/** Contents that no record has: what refers to one is asked of the database, so no table can be forgotten. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

/** A column that has addresses of contents. */
interface Reference {
  readonly table: string
  readonly column: string
}

export class UnusedContentsRepo extends Context.Service<
  UnusedContentsRepo,
  {
    /** Addresses after one that no record has had for a day, in their order. */
    page(after: string, limit: number): Effect.Effect<ReadonlyArray<string>, never, CurrentTenant>
    /**
     * Destroys the key of a content that no record has, and leaves its bytes to be removed. Answers whether it
     * did: one that was put again or came into use meanwhile stays.
     */
    destroy(address: string): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/persistence/UnusedContentsRepo") {
  static readonly layer = Layer.effect(
    UnusedContentsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const references = tenantSql.read(sql<Reference>`
        SELECT f.conrelid::regclass::text AS "table", a.attname::text AS "column"
        FROM pg_constraint f
        JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = f.conkey[2]
        WHERE f.contype = 'f' AND f.confrelid = 'content'::regclass
        ORDER BY 1, 2
      `)

      const isUnused = Effect.gen(function* () {
        const unused = (yield* references).map(
          ({ column, table }) => sql`NOT EXISTS (SELECT FROM ${sql(table)} r
            WHERE r.tenant_id = c.tenant_id AND r.${sql(column)} = c.address)`
        )
        return sql.and([sql`c.touched_at < clock_timestamp() - interval '1 day'`, ...unused])
      })

      const page = Effect.fn("UnusedContentsRepo.page")(function* (after: string, limit: number) {
        const rows = yield* tenantSql.read(sql<{ readonly address: string }>`
          SELECT c.address FROM content c
          WHERE c.tenant_id = ${yield* CurrentTenant} AND c.address > ${after}
            AND ${yield* isUnused}
          ORDER BY c.address LIMIT ${limit}
        `)
        return rows.map(({ address }) => address)
      }, Effect.orDie)

      // The row is locked first, so what refers to it from now on waits, and what did is seen.
      const destroy = Effect.fn("UnusedContentsRepo.destroy")(
        function* (address: string) {
          const tenantId = yield* CurrentTenant
          yield* tenantSql.write(sql`
            SELECT FROM content WHERE tenant_id = ${tenantId} AND address = ${address} FOR UPDATE
          `)
          const gone = yield* tenantSql.write(sql`
            WITH gone AS (
              DELETE FROM content c
              WHERE c.tenant_id = ${tenantId} AND c.address = ${address} AND ${yield* isUnused}
              RETURNING c.tenant_id, c.name, c.store
            ) INSERT INTO content_removal (tenant_id, name, store) SELECT * FROM gone RETURNING name
          `)
          return gone.length > 0
        },
        tenantSql.transaction,
        Effect.orDie
      )

      return UnusedContentsRepo.of({ page, destroy })
    })
  )
}
