import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/**
 * What a command answered: a value as the wire shows it, absent where the answer has no body, with its
 * etag, or an encoded failure.
 */
export type Outcome =
  | { readonly value?: Schema.Json; readonly etag?: string }
  | { readonly error: Schema.Json }

/** How long an answer is given again. */
const retentionHours = 24

/** Answers that commands have given, by caller and key. Its time is real time, never a test clock's. */
export class IdempotencyRepo extends Context.Service<
  IdempotencyRepo,
  {
    /** Takes the key for this transaction; `false` while another one has it. */
    lock(callerId: string, key: string): Effect.Effect<boolean, never, CurrentTenant>
    find(
      callerId: string,
      key: string
    ): Effect.Effect<
      { readonly fingerprint: string; readonly outcome: Outcome } | undefined,
      never,
      CurrentTenant
    >
    store(answer: {
      readonly callerId: string
      readonly key: string
      readonly fingerprint: string
      readonly outcome: Outcome
    }): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/IdempotencyRepo") {
  static readonly layer = Layer.effect(
    IdempotencyRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const lock = Effect.fn("IdempotencyRepo.lock")(function* (callerId: string, key: string) {
        const tenantId = yield* CurrentTenant
        const name = `${tenantId} ${callerId} ${key}`
        const rows = yield* tenantSql.read(sql<{ readonly locked: boolean }>`
          SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS locked
        `)
        return rows[0]!.locked
      }, Effect.orDie)

      const find = Effect.fn("IdempotencyRepo.find")(function* (callerId: string, key: string) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<{
          readonly fingerprint: string
          readonly outcome: Outcome
        }>`
          SELECT fingerprint, outcome FROM idempotency
          WHERE tenant_id = ${tenantId} AND caller_id = ${callerId} AND key = ${key}
            AND recorded_at > clock_timestamp() - make_interval(hours => ${retentionHours})
        `)
        return rows[0]
      }, Effect.orDie)

      const store = Effect.fn("IdempotencyRepo.store")(function* (answer: {
        readonly callerId: string
        readonly key: string
        readonly fingerprint: string
        readonly outcome: Outcome
      }) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO idempotency (tenant_id, caller_id, key, fingerprint, outcome, recorded_at)
          VALUES (${tenantId}, ${answer.callerId}, ${answer.key}, ${answer.fingerprint},
            ${PgTypes.jsonb(answer.outcome)}, clock_timestamp())
          ON CONFLICT (tenant_id, caller_id, key) DO UPDATE
          SET fingerprint = excluded.fingerprint, outcome = excluded.outcome,
            recorded_at = excluded.recorded_at
        `)
      }, Effect.orDie)

      return IdempotencyRepo.of({ lock, find, store })
    })
  )
}
