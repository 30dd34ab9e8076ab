/** What was found of brokers in their registers; the last row of a firm counts. */
import { Registration } from "@quittance/domain/compliance/Registration"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const Row = Schema.Struct({
  ...Registration.fields,
  checkedAt: InstantColumn,
  recordedAt: InstantColumn
})
const decode = Schema.decodeUnknownEffect(Row)

export class RegistrationsRepo extends Context.Service<
  RegistrationsRepo,
  {
    find(id: BrokerageFirmId): Effect.Effect<Registration | undefined, never, CurrentTenant>
    /** Adds what was found; the firm is locked. */
    insert(registration: Registration): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/RegistrationsRepo") {
  static readonly layer = Layer.effect(
    RegistrationsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const find = Effect.fn("RegistrationsRepo.find")(function* (id: BrokerageFirmId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT brokerage_firm_id, register, number, categories, valid_until::text, checked_at,
            evidence, recorded_at, author
          FROM firm_registration WHERE tenant_id = ${tenantId} AND brokerage_firm_id = ${id}
          ORDER BY seq DESC LIMIT 1
        `)
        return row === undefined ? undefined : yield* decode(row)
      }, Effect.orDie)

      const insert = Effect.fn("RegistrationsRepo.insert")(function* (row: Registration) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO firm_registration (tenant_id, brokerage_firm_id, seq, register, number,
            categories, valid_until, checked_at, evidence, recorded_at, author)
          SELECT ${tenantId}, ${row.brokerageFirmId}, coalesce(max(seq), 0) + 1, ${row.register},
            ${row.number}, ${[...row.categories]}::text[], ${row.validUntil}::date,
            ${toDate(row.checkedAt)}, ${row.evidence}, ${toDate(row.recordedAt)}, ${row.author}
          FROM firm_registration
          WHERE tenant_id = ${tenantId} AND brokerage_firm_id = ${row.brokerageFirmId}
        `)
      }, Effect.orDie)

      return RegistrationsRepo.of({ find, insert })
    })
  )
}
