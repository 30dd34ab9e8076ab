import type { BrokerageFirmId } from "@quittance/domain/Amount"
import { BrokerageFirmNotFound, Firm } from "@quittance/domain/Firm"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "./Columns.ts"
import { present } from "./Rows.ts"
import { TenantSql } from "./TenantSql.ts"

const Row = Schema.Struct({ ...Firm.fields, createdAt: InstantColumn })
const decode = Schema.decodeUnknownEffect(Row)

export class FirmsRepo extends Context.Service<
  FirmsRepo,
  {
    find(id: BrokerageFirmId): Effect.Effect<Firm | undefined, never, CurrentTenant>
    /** The firm and every firm above it, nearest first; `undefined` when the tenant has no such firm. */
    path(
      id: BrokerageFirmId
    ): Effect.Effect<ReadonlyArray<BrokerageFirmId> | undefined, never, CurrentTenant>
    /** Those of the firms that the tenant has. */
    existing(
      ids: ReadonlyArray<BrokerageFirmId>
    ): Effect.Effect<ReadonlySet<BrokerageFirmId>, never, CurrentTenant>
    /** Stores a firm below its parent. */
    insert(firm: Omit<Firm, "createdAt">): Effect.Effect<void, BrokerageFirmNotFound, CurrentTenant>
  }
>()("@quittance/persistence/FirmsRepo") {
  static readonly layer = Layer.effect(
    FirmsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const find = Effect.fn("FirmsRepo.find")(function* (id: BrokerageFirmId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT id, name, firm_type, parent_brokerage_firm_id, custom_fields, created_at
          FROM brokerage_firm WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
        return row === undefined ? undefined : yield* decode(present(row))
      }, Effect.orDie)

      const path = Effect.fn("FirmsRepo.path")(function* (id: BrokerageFirmId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql<{ path: ReadonlyArray<BrokerageFirmId> }>`
          SELECT path FROM brokerage_firm WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
        return row?.path
      }, Effect.orDie)

      const existing = Effect.fn("FirmsRepo.existing")(function* (
        ids: ReadonlyArray<BrokerageFirmId>
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<{ id: BrokerageFirmId }>`
          SELECT id FROM brokerage_firm WHERE tenant_id = ${tenantId} AND id = ANY(${[...ids]})
        `)
        return new Set(rows.map(({ id }) => id))
      }, Effect.orDie)

      const insert = Effect.fn("FirmsRepo.insert")(function* (firm: Omit<Firm, "createdAt">) {
        const tenantId = yield* CurrentTenant
        const parent = firm.parentBrokerageFirmId
        const above = parent === undefined ? [] : yield* path(parent)
        if (above === undefined) return yield* missing(parent)
        yield* Effect.orDie(
          tenantSql.write(sql`
            INSERT INTO brokerage_firm (tenant_id, id, name, firm_type, parent_brokerage_firm_id,
              path, custom_fields)
            VALUES (${tenantId}, ${firm.id}, ${firm.name}, ${firm.firmType}, ${parent ?? null},
              ${[firm.id, ...above]}, ${PgTypes.jsonb(firm.customFields ?? [])})
          `)
        )
      })

      return FirmsRepo.of({ find, path, existing, insert })
    })
  )
}

const missing = (parent: BrokerageFirmId | undefined) =>
  parent === undefined
    ? Effect.die(new Error("FirmsRepo: a firm without a parent has no path to miss"))
    : new BrokerageFirmNotFound({ brokerageFirmId: parent })
