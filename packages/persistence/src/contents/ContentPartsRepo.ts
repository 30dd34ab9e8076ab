/** Encrypted bytes in the database, in parts. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

/** Bytes of each part but the last. */
export const partSize = 1_048_576

/** Bytes that the database has under a name. */
export interface StoredParts {
  readonly name: string
  readonly size: number
  /** Milliseconds since the last of them was written. */
  readonly age: number
}

export class ContentPartsRepo extends Context.Service<
  ContentPartsRepo,
  {
    /** Stores a part, in the place of one that has its number. */
    put(name: string, number: number, bytes: Uint8Array): Effect.Effect<void, never, CurrentTenant>
    /** A part from its byte `start` up to and without `end`; `undefined` where there is none. */
    get(
      name: string,
      number: number,
      start: number,
      end: number
    ): Effect.Effect<Uint8Array | undefined, never, CurrentTenant>
    /** Bytes of all parts, `undefined` where there is none. */
    size(name: string): Effect.Effect<number | undefined, never, CurrentTenant>
    /** Deletes the parts of a number and those behind it. */
    delete(name: string, from: number): Effect.Effect<void, never, CurrentTenant>
    /** What there is in a folder after a name, in the order of names. */
    page(
      folder: string,
      after: string | undefined,
      limit: number
    ): Effect.Effect<ReadonlyArray<StoredParts>, never, CurrentTenant>
  }
>()("@quittance/persistence/ContentPartsRepo") {
  static readonly layer = Layer.effect(
    ContentPartsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const put = Effect.fn("ContentPartsRepo.put")(function* (
        name: string,
        number: number,
        bytes: Uint8Array
      ) {
        yield* tenantSql.write(sql`
          INSERT INTO content_part (tenant_id, name, number, bytes)
          VALUES (${yield* CurrentTenant}, ${name}, ${number}, ${bytes})
          ON CONFLICT (tenant_id, name, number) DO UPDATE SET bytes = excluded.bytes
        `)
      }, tenantSql.transaction)

      const get = Effect.fn("ContentPartsRepo.get")(function* (
        name: string,
        number: number,
        start: number,
        end: number
      ) {
        const [row] = yield* tenantSql.read(sql<{ readonly bytes: Uint8Array }>`
          SELECT substring(bytes FROM ${start + 1}::int FOR ${end - start}::int) AS bytes
          FROM content_part
          WHERE tenant_id = ${yield* CurrentTenant} AND name = ${name} AND number = ${number}
        `)
        return row?.bytes
      }, Effect.orDie)

      const size = Effect.fn("ContentPartsRepo.size")(function* (name: string) {
        const [row] = yield* tenantSql.read(sql<{ readonly size: number | null }>`
          SELECT sum(length(bytes))::float8 AS size FROM content_part
          WHERE tenant_id = ${yield* CurrentTenant} AND name = ${name}
        `)
        return row?.size ?? undefined
      }, Effect.orDie)

      const remove = Effect.fn("ContentPartsRepo.delete")(function* (name: string, from: number) {
        yield* tenantSql.write(sql`
          DELETE FROM content_part
          WHERE tenant_id = ${yield* CurrentTenant} AND name = ${name} AND number >= ${from}
        `)
      }, tenantSql.transaction)

      const page = Effect.fn("ContentPartsRepo.page")(function* (
        folder: string,
        after: string | undefined,
        limit: number
      ) {
        return yield* tenantSql.read(sql<StoredParts>`
          SELECT name, sum(length(bytes))::float8 AS size,
            extract(epoch FROM clock_timestamp() - max(created_at))::float8 * 1000 AS age
          FROM content_part
          WHERE tenant_id = ${yield* CurrentTenant} AND starts_with(name, ${`${folder}/`})
            AND name > ${after ?? ""}
          GROUP BY name ORDER BY name LIMIT ${limit}
        `)
      }, Effect.orDie)

      return ContentPartsRepo.of({ put, get, size, delete: remove, page })
    })
  )
}
