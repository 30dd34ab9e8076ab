/** Audit trails of tenants that have nothing else, and the hands that tamper with them. */
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import * as PgTest from "@quittance/testing/PgTest"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Actor } from "../src/requests/Actor.ts"
import { AuditSealer } from "../src/audit/AuditSealer.ts"
import { AuditTrail } from "../src/requests/AuditTrail.ts"
import { AuditVerification } from "../src/audit/AuditVerification.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

export const layer = Layer.mergeAll(
  AuditSealer.layer,
  AuditTrail.layer,
  AuditVerification.layer,
  TenantsRepo.layer
).pipe(Layer.provideMerge(PgTest.layer))

export const actor: Actor = { kind: "USER", id: "user_1", requestId: "request-1" }

let count = 0

/** Runs an effect in the name of a tenant that has nothing yet. */
export const inNewTenant = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const id = TenantId.make(`trail-${process.pid}-${++count}`)
    const tenants = yield* TenantsRepo
    const insert = tenants.insert(sandboxTenant(id))
    return yield* Effect.andThen(transaction(insert), effect).pipe(
      Effect.provideService(CurrentTenant, id)
    )
  })

export const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  TenantSql.use((sql) => sql.transaction(effect))

const write = (recordId: string) => ({
  action: "thing.write",
  recordId,
  before: { is: "old" },
  after: { is: recordId },
  detail: { changeIds: [`change of ${recordId}`] }
})

/** Records writes on these records, in the transaction around. */
export const record = (...recordIds: ReadonlyArray<string>) =>
  AuditTrail.use((audit) => audit.recordAll(actor, recordIds.map(write)))

/** Seals until nothing waits. */
export const seal = Effect.gen(function* () {
  const sealer = yield* AuditSealer
  while ((yield* sealer.sealBatch).more);
})

/** Six sealed rows, r1 to r6, of three batches. */
export const sixRows = Effect.gen(function* () {
  for (const [first, second] of [
    ["r1", "r2"],
    ["r3", "r4"],
    ["r5", "r6"]
  ]) {
    yield* transaction(record(first!, second!))
    yield* seal
  }
})

type Statements = (
  sql: SqlClient.SqlClient,
  tenant: TenantId
) => ReadonlyArray<Effect.Effect<unknown, SqlError.SqlError>>

/** Does what is forbidden, as a superuser without triggers. */
export const tamper = (statements: Statements) =>
  Effect.gen(function* () {
    const sql = yield* PgTest.SuperuserSql
    const tenant = yield* CurrentTenant
    yield* Effect.andThen(
      sql`SET LOCAL session_replication_role = replica`,
      Effect.forEach(statements(sql, tenant), (statement) => statement, { discard: true })
    ).pipe(sql.withTransaction, Effect.orDie)
  })

interface Row {
  readonly id: string
  readonly recordId: string
  readonly position: number | null
  readonly hash: string | null
}

/** All rows of the tenant as a superuser sees them, by the order in which they were written. */
export const rows = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  return yield* sql<Row>`
    SELECT id, record_id, position::int AS position, encode(hash, 'hex') AS hash FROM audit
    WHERE tenant_id = ${yield* CurrentTenant} ORDER BY recorded_at, id
  `
})

export const verify = (anchor?: { readonly position: number; readonly hash: string }) =>
  AuditVerification.use((verification) => verification.verify(anchor))
