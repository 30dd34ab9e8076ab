import type { StoredAsset } from "@quittance/domain/assets/StoredAsset"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { AssetId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** An asset apart from its state over time. */
const AssetRow = Schema.Struct({
  id: AssetId,
  policyId: PolicyId,
  createdAt: InstantColumn,
  lastModifiedAt: InstantColumn
})
const decode = Schema.decodeUnknownEffect(Schema.Array(AssetRow))

export class AssetsRepo extends Context.Service<
  AssetsRepo,
  {
    insertAll(assets: ReadonlyArray<StoredAsset>): Effect.Effect<void, never, CurrentTenant>
    find(id: AssetId): Effect.Effect<StoredAsset | undefined, never, CurrentTenant>
    findMany(
      ids: ReadonlyArray<AssetId>
    ): Effect.Effect<ReadonlyArray<StoredAsset>, never, CurrentTenant>
  }
>()("@quittance/persistence/AssetsRepo") {
  static readonly layer = Layer.effect(
    AssetsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = sql`id, policy_id, created_at, last_modified_at`

      const insertAll = Effect.fn("AssetsRepo.insertAll")(function* (
        assets: ReadonlyArray<StoredAsset>
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO asset (tenant_id, ${columns})
          SELECT ${tenantId}, id, "policyId", "createdAt", "lastModifiedAt"
          FROM jsonb_to_recordset(${PgTypes.jsonb(assets)}) AS a(
            id text, "policyId" text, "createdAt" timestamptz, "lastModifiedAt" timestamptz)
        `)
      }, Effect.orDie)

      const findMany = Effect.fn("AssetsRepo.findMany")(function* (ids: ReadonlyArray<AssetId>) {
        if (ids.length === 0) return []
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM asset WHERE tenant_id = ${tenantId} AND id = ANY(${[...ids]})
        `)
        return yield* decode(rows)
      }, Effect.orDie)

      return AssetsRepo.of({
        insertAll,
        find: (id) => Effect.map(findMany([id]), ([row]) => row),
        findMany
      })
    })
  )
}
