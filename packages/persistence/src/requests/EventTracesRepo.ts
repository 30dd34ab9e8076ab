/** Where in which traces events were recorded. */
import type { Id } from "@quittance/domain/values/PrefixedId"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

const decodeTraces = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ trace: Schema.String }))
)

export class EventTracesRepo extends Context.Service<
  EventTracesRepo,
  {
    /** The places of events, as `traceparent` writes them; those that were recorded in no trace have none. */
    of(ids: ReadonlyArray<Id<"event">>): Effect.Effect<ReadonlyArray<string>, never, CurrentTenant>
    /** That of the newest event of a record. */
    newestOf(subject: string): Effect.Effect<ReadonlyArray<string>, never, CurrentTenant>
  }
>()("@quittance/persistence/EventTracesRepo") {
  static readonly layer = Layer.effect(
    EventTracesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const of = Effect.fn("EventTracesRepo.of")(function* (ids: ReadonlyArray<Id<"event">>) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT DISTINCT trace FROM event
          WHERE tenant_id = ${tenantId} AND id = ANY (${ids}) AND trace IS NOT NULL ORDER BY trace
        `)
        return (yield* decodeTraces(rows)).map(({ trace }) => trace)
      }, Effect.orDie)

      const newestOf = Effect.fn("EventTracesRepo.newestOf")(function* (subject: string) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT trace FROM (
            SELECT trace FROM event WHERE tenant_id = ${tenantId} AND subject = ${subject}
            ORDER BY seq DESC LIMIT 1
          ) e WHERE trace IS NOT NULL
        `)
        return (yield* decodeTraces(rows)).map(({ trace }) => trace)
      }, Effect.orDie)

      return EventTracesRepo.of({ of, newestOf })
    })
  )
}
