/** The contents of a tenant: where the bytes of each are, and its key. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { StoreKind } from "@quittance/domain/contents/StoreKind"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { IntColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

/** A content, as it is on record. */
export interface ContentRecord {
  readonly address: string
  readonly sha256: Uint8Array
  readonly size: number
  readonly store: StoreKind
  /** What the bytes are called in their store. */
  readonly name: string
  readonly sealedKey: string
  /** Whether all bytes are in their store. */
  readonly isStored: boolean
}

const Row = Schema.Struct({
  address: Schema.String,
  sha256: Schema.Uint8Array,
  size: IntColumn,
  store: StoreKind,
  name: Schema.String,
  sealedKey: Schema.String,
  isStored: Schema.Boolean
})
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

/** Bytes that are still to be taken out of their store. */
export interface ContentRemoval {
  readonly store: StoreKind
  readonly name: string
}

export class ContentsRepo extends Context.Service<
  ContentsRepo,
  {
    /** The sealed key of the tenant that addresses are made with. */
    readonly tenantKey: Effect.Effect<string | undefined, never, CurrentTenant>
    /** Keeps a key where the tenant has none; answers the one that it has then. */
    addTenantKey(sealedKey: string): Effect.Effect<string, never, CurrentTenant>
    find(address: string): Effect.Effect<ContentRecord | undefined, never, CurrentTenant>
    /**
     * Puts a content on record whose bytes are about to be stored, or finds the one that has its
     * address already. It is not collected for a day from now.
     */
    reserve(
      content: Omit<ContentRecord, "isStored">
    ): Effect.Effect<ContentRecord, never, CurrentTenant>
    /** Says that all bytes are in their store. Answers whether the content was still on record. */
    markStored(address: string, name: string): Effect.Effect<boolean, never, CurrentTenant>
    /** Destroys the key of a content, and leaves its bytes to be removed; nothing where it is not there. */
    destroy(address: string): Effect.Effect<void, never, CurrentTenant>
    /** Bytes to be removed, the oldest first. */
    removals(limit: number): Effect.Effect<ReadonlyArray<ContentRemoval>, never, CurrentTenant>
    /** Forgets bytes that were removed. */
    removed(name: string): Effect.Effect<void, never, CurrentTenant>
    /** Contents after an address, in their order. */
    page(
      after: string | undefined,
      limit: number
    ): Effect.Effect<ReadonlyArray<ContentRecord>, never, CurrentTenant>
    /** Those of the names that some content has, or that are about to be removed. */
    known(names: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string>, never, CurrentTenant>
  }
>()("@quittance/persistence/ContentsRepo") {
  static readonly layer = Layer.effect(
    ContentsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = sql`address, sha256, size, store, name, sealed_key,
        stored_at IS NOT NULL AS is_stored`

      const tenantKey = Effect.gen(function* () {
        const [row] = yield* tenantSql.read(sql<{ readonly sealedKey: string }>`
          SELECT sealed_key FROM content_key WHERE tenant_id = ${yield* CurrentTenant}
        `)
        return row?.sealedKey
      }).pipe(Effect.orDie, Effect.withSpan("ContentsRepo.tenantKey"))

      const addTenantKey = Effect.fn("ContentsRepo.addTenantKey")(function* (sealedKey: string) {
        const tenantId = yield* CurrentTenant
        // An update of nothing answers the key of the faster writer.
        const [row] = yield* tenantSql.write(sql<{ readonly sealedKey: string }>`
          INSERT INTO content_key (tenant_id, sealed_key) VALUES (${tenantId}, ${sealedKey})
          ON CONFLICT (tenant_id) DO UPDATE SET sealed_key = content_key.sealed_key
          RETURNING sealed_key
        `)
        return row!.sealedKey
      }, tenantSql.transaction)

      const find = Effect.fn("ContentsRepo.find")(function* (address: string) {
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM content
          WHERE tenant_id = ${yield* CurrentTenant} AND address = ${address}
        `)
        return (yield* decode(rows))[0]
      }, Effect.orDie)

      const reserve = Effect.fn("ContentsRepo.reserve")(
        function* (content: Omit<ContentRecord, "isStored">) {
          const tenantId = yield* CurrentTenant
          const { address, name, sealedKey, sha256, size, store } = content
          const rows = yield* tenantSql.write(sql`
            INSERT INTO content (tenant_id, address, sha256, size, store, name, sealed_key)
            VALUES (${tenantId}, ${address}, ${sha256}, ${size}, ${store}, ${name}, ${sealedKey})
            ON CONFLICT (tenant_id, address) DO UPDATE SET touched_at = clock_timestamp()
            RETURNING ${columns}
          `)
          return (yield* decode(rows))[0]!
        },
        tenantSql.transaction,
        Effect.orDie
      )

      const markStored = Effect.fn("ContentsRepo.markStored")(function* (
        address: string,
        name: string
      ) {
        const rows = yield* tenantSql.write(sql`
          UPDATE content SET stored_at = coalesce(stored_at, clock_timestamp())
          WHERE tenant_id = ${yield* CurrentTenant} AND address = ${address} AND name = ${name}
          RETURNING address
        `)
        return rows.length > 0
      }, tenantSql.transaction)

      const destroy = Effect.fn("ContentsRepo.destroy")(function* (address: string) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          WITH gone AS (
            DELETE FROM content WHERE tenant_id = ${tenantId} AND address = ${address}
            RETURNING tenant_id, name, store
          ) INSERT INTO content_removal (tenant_id, name, store) SELECT * FROM gone
        `)
      }, tenantSql.transaction)

      const removals = Effect.fn("ContentsRepo.removals")(function* (limit: number) {
        return yield* tenantSql.read(sql<ContentRemoval>`
          SELECT store, name FROM content_removal WHERE tenant_id = ${yield* CurrentTenant}
          ORDER BY created_at, name LIMIT ${limit}
        `)
      }, Effect.orDie)

      const removed = Effect.fn("ContentsRepo.removed")(function* (name: string) {
        yield* tenantSql.write(sql`
          DELETE FROM content_removal WHERE tenant_id = ${yield* CurrentTenant} AND name = ${name}
        `)
      }, tenantSql.transaction)

      const page = Effect.fn("ContentsRepo.page")(function* (
        after: string | undefined,
        limit: number
      ) {
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM content
          WHERE tenant_id = ${yield* CurrentTenant} AND address > ${after ?? ""}
          ORDER BY address LIMIT ${limit}
        `)
        return yield* decode(rows)
      }, Effect.orDie)

      const known = Effect.fn("ContentsRepo.known")(function* (names: ReadonlyArray<string>) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<{ readonly name: string }>`
          SELECT name FROM content WHERE tenant_id = ${tenantId} AND name = ANY(${[...names]})
          UNION
          SELECT name FROM content_removal
          WHERE tenant_id = ${tenantId} AND name = ANY(${[...names]})
        `)
        return new Set(rows.map(({ name }) => name))
      }, Effect.orDie)

      return ContentsRepo.of({
        tenantKey,
        addTenantKey,
        find,
        reserve,
        markStored,
        destroy,
        removals,
        removed,
        page,
        known
      })
    })
  )
}
