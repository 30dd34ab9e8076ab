/** What falls due of records that belong to no one policy. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  type DueItem,
  DueItemKind,
  minutesAfter,
  mostAttempts
} from "@quittance/domain/requests/DueItem"
import { earliest, type Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"
import { DueDirectory } from "./DueDirectory.ts"

const Row = Schema.Struct({ kind: DueItemKind, recordId: Schema.String, dueAt: InstantColumn })
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

type Key = Pick<DueItem, "kind" | "recordId">
type Kinds = ReadonlyArray<DueItemKind>

/** A worker that died holds up what it had for so long. */
const claimSeconds = 60

export class DueItemsRepo extends Context.Service<
  DueItemsRepo,
  {
    /** Has records looked at by their times; an item that waits already comes at the earlier one. */
    schedule(items: ReadonlyArray<DueItem>): Effect.Effect<void, never, CurrentTenant>
    /** The next items of these kinds that are due by an instant; nothing is locked or claimed. */
    due(
      kinds: Kinds,
      by: Instant,
      limit: number
    ): Effect.Effect<ReadonlyArray<DueItem>, never, CurrentTenant>
    /** Takes items that are due, leaving out what others have. */
    claim(
      kinds: Kinds,
      by: Instant,
      token: string,
      limit: number
    ): Effect.Effect<ReadonlyArray<DueItem>, never, CurrentTenant>
    /** Takes one item, also from another worker; whether it still waits. */
    take(item: Key, token: string): Effect.Effect<boolean, never, CurrentTenant>
    /** Ends an item that the token still has. */
    finish(item: Key, token: string): Effect.Effect<void, never, CurrentTenant>
    /** Gives an item back that the token still has, to be looked at by an instant. */
    release(item: Key, token: string, dueAt: Instant): Effect.Effect<void, never, CurrentTenant>
    /** Gives an item back whose run has failed: each time it waits longer, in the end for people. */
    fail(
      item: Key,
      token: string,
      reason: string,
      now: Instant
    ): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/DueItemsRepo") {
  static readonly layer = Layer.effect(
    DueItemsRepo,
    Effect.gen(function* () {
      const directory = yield* DueDirectory
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const schedule = Effect.fn("DueItemsRepo.schedule")(function* (
        items: ReadonlyArray<DueItem>
      ) {
        const first = earliest(items.map(({ dueAt }) => dueAt))
        if (first === undefined) return
        yield* directory.announce(first)
        const rows = items.map((item) => ({ ...item, dueAt: toDate(item.dueAt).toISOString() }))
        // In one order, so that two writers of the same items wait for each other in turn.
        yield* tenantSql.write(sql`
          INSERT INTO due_item AS d (tenant_id, kind, record_id, due_at)
          SELECT ${yield* CurrentTenant}, i.kind, i."recordId", min(i."dueAt")
          FROM ${unnested(sql, rows, { kind: "text", recordId: "text", dueAt: "timestamptz" })} i
          GROUP BY i.kind, i."recordId" ORDER BY i.kind, i."recordId"
          ON CONFLICT (tenant_id, kind, record_id) DO UPDATE SET
            due_at = CASE WHEN d.claim IS NULL THEN least(d.due_at, excluded.due_at)
              ELSE excluded.due_at END,
            claim = NULL, claimed_until = NULL, attempts = 0, reason = NULL
        `)
      }, Effect.orDie)

      const due = Effect.fn("DueItemsRepo.due")(function* (
        kinds: Kinds,
        by: Instant,
        limit: number
      ) {
        const rows = yield* tenantSql.read(sql`
          SELECT kind, record_id, due_at FROM due_item
          WHERE tenant_id = ${yield* CurrentTenant} AND due_at <= ${toDate(by)}
            AND kind = ANY (${[...kinds]})
          ORDER BY due_at, kind, record_id LIMIT ${limit}
        `)
        return yield* decode(rows)
      }, Effect.orDie)

      const claimed = (token: string) => sql`claim = ${token},
        claimed_until = clock_timestamp() + make_interval(secs => ${claimSeconds})`

      const claim = Effect.fn("DueItemsRepo.claim")(function* (
        kinds: Kinds,
        by: Instant,
        token: string,
        limit: number
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          WITH free AS (
            SELECT kind, record_id FROM due_item
            WHERE tenant_id = ${tenantId} AND due_at <= ${toDate(by)} AND kind = ANY (${[...kinds]})
              AND (claimed_until IS NULL OR claimed_until <= clock_timestamp())
            ORDER BY due_at, kind, record_id LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
          ), taken AS (
            UPDATE due_item d SET ${claimed(token)} FROM free
            WHERE d.tenant_id = ${tenantId} AND d.kind = free.kind AND d.record_id = free.record_id
            RETURNING d.kind, d.record_id, d.due_at
          )
          SELECT * FROM taken ORDER BY due_at, kind, record_id
        `)
        return yield* decode(rows)
      }, Effect.orDie)

      const of = Effect.fnUntraced(function* ({ kind, recordId }: Key) {
        return sql`tenant_id = ${yield* CurrentTenant} AND kind = ${kind} AND record_id = ${recordId}`
      })

      const take = Effect.fn("DueItemsRepo.take")(function* (item: Key, token: string) {
        const taken = yield* tenantSql.write(sql`
          UPDATE due_item SET ${claimed(token)} WHERE ${yield* of(item)} RETURNING kind
        `)
        return taken.length > 0
      }, Effect.orDie)

      const finish = Effect.fn("DueItemsRepo.finish")(function* (item: Key, token: string) {
        yield* tenantSql.write(sql`
          DELETE FROM due_item WHERE ${yield* of(item)} AND claim = ${token}
        `)
      }, Effect.orDie)

      const release = Effect.fn("DueItemsRepo.release")(function* (
        item: Key,
        token: string,
        dueAt: Instant
      ) {
        yield* directory.announce(dueAt)
        yield* tenantSql.write(sql`
          UPDATE due_item SET due_at = ${toDate(dueAt)}, claim = NULL, claimed_until = NULL,
            attempts = 0, reason = NULL
          WHERE ${yield* of(item)} AND claim = ${token}
        `)
      }, Effect.orDie)

      const fail = Effect.fn("DueItemsRepo.fail")(function* (
        item: Key,
        token: string,
        reason: string,
        now: Instant
      ) {
        const mine = sql`${yield* of(item)} AND claim = ${token}`
        const [row] = yield* tenantSql.read(sql<{ readonly attempts: number }>`
          SELECT attempts + 1 AS attempts FROM due_item WHERE ${mine}
        `)
        if (row === undefined) return
        const { attempts } = row
        const again = sql`${toDate(now)}::timestamptz + make_interval(mins => ${minutesAfter(attempts)})`
        yield* tenantSql.write(sql`
          UPDATE due_item SET attempts = ${attempts}, reason = ${reason}, claim = NULL,
            claimed_until = NULL,
            due_at = ${attempts >= mostAttempts ? sql`'infinity'` : again}
          WHERE ${mine}
        `)
      }, Effect.orDie)

      return DueItemsRepo.of({ schedule, due, claim, take, finish, release, fail })
    })
  ).pipe(Layer.provide(DueDirectory.layer))
}
