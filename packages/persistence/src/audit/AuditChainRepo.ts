/** What the audit trail is sealed with and verified by: its rows as texts, its head, what waits. */
import type { SealedEntry, UnsealedEntry } from "@quittance/domain/audit/ChainedEntry"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { StoredHash, SealedRow, UnsealedRow } from "./ChainedRow.ts"
import { IntColumn } from "../sql/Columns.ts"
import { tryTenantLock } from "../sql/TenantLock.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

/** What one row is given. */
export interface Seal {
  readonly id: string
  readonly storedAt: string
  readonly position: number
  readonly hash: string
}

const Head = Schema.Struct({ position: IntColumn, hash: Schema.String })
/** The end of a chain. */
export type Head = typeof Head.Type

/** Where a trail stands at one moment: its head, and where its rows begin and end: from 1 to 0 if there are none. */
export interface Standing {
  readonly head: Head | undefined
  readonly firstPosition: number
  readonly lastPosition: number
}

/** When one sealed row was recorded, and when sealed: seconds since 1970. */
export interface Sealing {
  readonly recordedAt: string
  readonly sealedAt: string
}

/** How many rows wait to be sealed, and since when. */
export interface Unsealed {
  readonly rows: number
  readonly oldest: string | undefined
}

/** Rows that wait although an earlier sealing should have found them; there is at least one. */
export interface Overdue {
  readonly rows: number
  readonly firstId: string
}

const decodeTenants = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ tenantId: TenantId }))
)
const decodeHeads = Schema.decodeUnknownEffect(Schema.Array(Head))
const decodeUnsealed = Schema.decodeUnknownEffect(Schema.Array(UnsealedRow))
const decodeSealed = Schema.decodeUnknownEffect(Schema.Array(SealedRow))
const decodeStanding = Schema.decodeUnknownEffect(
  Schema.Tuple([
    Schema.Struct({
      position: Schema.NullOr(IntColumn),
      hash: Schema.NullOr(Schema.String),
      firstPosition: IntColumn,
      lastPosition: IntColumn
    })
  ])
)
const decodeWaiting = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ rows: IntColumn, oldest: StoredHash })])
)
const decodeOverdue = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ rows: IntColumn, firstId: StoredHash })])
)

const unsafe = Number.MAX_SAFE_INTEGER

export class AuditChainRepo extends Context.Service<
  AuditChainRepo,
  {
    /** The tenants with rows that wait. */
    readonly tenants: Effect.Effect<ReadonlyArray<TenantId>>
    /** Makes the transaction the tenant's one sealer, unless there is one; `false` then. */
    readonly lock: Effect.Effect<boolean, never, CurrentTenant>
    readonly head: Effect.Effect<Head | undefined, never, CurrentTenant>
    /**
     * Takes the next rows to be sealed, the oldest first. Unless there are as many as the limit, nothing
     * of what could be seen waits afterwards.
     */
    take(limit: number): Effect.Effect<ReadonlyArray<UnsealedEntry>, never, CurrentTenant>
    /** The database's time, as it is hashed and as it is stored. */
    readonly now: Effect.Effect<
      { readonly hashed: string; readonly stored: string },
      never,
      CurrentTenant
    >
    /** Seals rows, the last of which is the head then. */
    seal(seals: ReadonlyArray<Seal>, sealedAt: string): Effect.Effect<void, never, CurrentTenant>
    readonly standing: Effect.Effect<Standing, never, CurrentTenant>
    /** The sealed rows after one position up to another, in order. */
    sealed(range: {
      readonly after: number
      readonly upTo: number
      readonly limit: number
    }): Effect.Effect<ReadonlyArray<SealedEntry>, never, CurrentTenant>
    readonly unsealed: Effect.Effect<Unsealed, never, CurrentTenant>
    /**
     * What waits though it says to have been recorded before a sealed row was, and by `lateness` seconds
     * or more before that one was sealed.
     */
    overdue(
      latest: Sealing,
      lateness: number
    ): Effect.Effect<Overdue | undefined, never, CurrentTenant>
  }
>()("@quittance/persistence/AuditChainRepo") {
  static readonly layer = Layer.effect(
    AuditChainRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const chained = sql`id, extract(epoch FROM recorded_at)::text AS recorded_at,
        extract(epoch FROM business_at)::text AS business_at, actor_kind, actor_id, action, record_id,
        request_id, outcome, detail`

      // From each tenant to the next in the index: what waits of one tenant is not walked through.
      const tenants = Effect.gen(function* () {
        const rows = yield* tenantSql.unscoped(
          "audit_pending",
          sql`
            WITH RECURSIVE found AS (
              (SELECT tenant_id FROM audit_pending ORDER BY tenant_id LIMIT 1)
              UNION ALL
              SELECT (SELECT p.tenant_id FROM audit_pending p WHERE p.tenant_id > f.tenant_id
                ORDER BY p.tenant_id LIMIT 1)
              FROM found f WHERE f.tenant_id IS NOT NULL
            )
            SELECT tenant_id FROM found WHERE tenant_id IS NOT NULL
          `
        )
        return (yield* decodeTenants(rows)).map(({ tenantId }) => tenantId)
      }).pipe(Effect.orDie, Effect.withSpan("AuditChainRepo.tenants"))

      const head = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT position, encode(hash, 'hex') AS hash FROM audit_head WHERE tenant_id = ${tenantId}
        `)
        return (yield* decodeHeads(rows))[0]
      }).pipe(Effect.orDie, Effect.withSpan("AuditChainRepo.head"))

      const take = Effect.fn("AuditChainRepo.take")(function* (limit: number) {
        const tenantId = yield* CurrentTenant
        // First the signs, then the rows: a commit in between leaves its sign for the next round.
        yield* tenantSql.write(sql`DELETE FROM audit_pending WHERE tenant_id = ${tenantId}`)
        const rows = yield* tenantSql.read(sql`
          SELECT ${chained}, recorded_at::text AS stored_at FROM audit
          WHERE tenant_id = ${tenantId} AND position IS NULL ORDER BY audit.recorded_at, id LIMIT ${limit}
        `)
        const taken = yield* decodeUnsealed(rows)
        if (taken.length === limit) {
          yield* tenantSql.write(sql`
            INSERT INTO audit_pending (tenant_id, id) VALUES (${tenantId}, ${taken.at(-1)!.id})
            ON CONFLICT DO NOTHING
          `)
        }
        return taken
      }, Effect.orDie)

      const now = Effect.gen(function* () {
        const [row] = yield* tenantSql.read(sql<{
          readonly hashed: string
          readonly stored: string
        }>`
          SELECT extract(epoch FROM at)::text AS hashed, at::text AS stored
          FROM (SELECT clock_timestamp() AS at OFFSET 0) t
        `)
        return row!
      }).pipe(Effect.orDie, Effect.withSpan("AuditChainRepo.now"))

      const seal = Effect.fn("AuditChainRepo.seal")(function* (
        seals: ReadonlyArray<Seal>,
        sealedAt: string
      ) {
        const tenantId = yield* CurrentTenant
        const last = seals.at(-1)
        if (last === undefined) return
        // As JSON, of which PostgreSQL expects a hundred rows: so each is looked up, and no plan scans a trail
        // that has grown since it was last analysed.
        const [sealed] = yield* tenantSql.write(sql<{ readonly rows: number }>`
          WITH sealed AS (
            UPDATE audit a SET position = s.position, hash = decode(s.hash, 'hex'),
              sealed_at = ${sealedAt}::timestamptz
            FROM jsonb_to_recordset(${PgTypes.jsonb(seals)}) AS s(
              id text, "storedAt" timestamptz, position bigint, hash text)
            WHERE a.tenant_id = ${tenantId} AND a.recorded_at = s."storedAt" AND a.id = s.id
            RETURNING 1
          )
          SELECT count(*)::int AS rows FROM sealed
        `)
        if (sealed!.rows !== seals.length) {
          return yield* Effect.die(
            new Error("A row of the audit trail has gone while it was sealed")
          )
        }
        yield* tenantSql.write(sql`
          INSERT INTO audit_head (tenant_id, position, hash, sealed_at)
          VALUES (${tenantId}, ${last.position}, decode(${last.hash}, 'hex'), ${sealedAt}::timestamptz)
          ON CONFLICT (tenant_id) DO UPDATE SET position = excluded.position, hash = excluded.hash,
            sealed_at = excluded.sealed_at
        `)
      }, Effect.orDie)

      const standing = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        // No row has a position beyond the safe integers: it is only reported as present.
        const rows = yield* tenantSql.read(sql`
          SELECT least(h.position, ${unsafe}) AS position, encode(h.hash, 'hex') AS hash,
            greatest(a.first, ${-unsafe}) AS first_position,
            least(a.last, ${unsafe}) AS last_position
          FROM (
            SELECT coalesce(min(position), 1) AS first, coalesce(max(position), 0) AS last FROM audit
            WHERE tenant_id = ${tenantId} AND position IS NOT NULL
          ) a LEFT JOIN audit_head h ON h.tenant_id = ${tenantId}
        `)
        const [{ hash, position, ...standing }] = yield* decodeStanding(rows)
        const head = position === null || hash === null ? undefined : { position, hash }
        return { ...standing, head }
      }).pipe(Effect.orDie, Effect.withSpan("AuditChainRepo.standing"))

      const sealed = Effect.fn("AuditChainRepo.sealed")(function* ({
        after,
        limit,
        upTo
      }: {
        readonly after: number
        readonly upTo: number
        readonly limit: number
      }) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${chained}, position, encode(hash, 'hex') AS hash,
            extract(epoch FROM sealed_at)::text AS sealed_at
          FROM audit
          WHERE tenant_id = ${tenantId} AND position > ${after} AND position <= ${upTo}
          ORDER BY position LIMIT ${limit}
        `)
        return yield* decodeSealed(rows)
      }, Effect.orDie)

      const unsealed = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT count(*) AS rows, min(recorded_at)::text AS oldest FROM audit
          WHERE tenant_id = ${tenantId} AND position IS NULL
        `)
        const [{ oldest, rows: waiting }] = yield* decodeWaiting(rows)
        return { rows: waiting, oldest: oldest ?? undefined }
      }).pipe(Effect.orDie, Effect.withSpan("AuditChainRepo.unsealed"))

      const overdue = Effect.fn("AuditChainRepo.overdue")(function* (
        { recordedAt, sealedAt }: Sealing,
        lateness: number
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT count(*) AS rows, (array_agg(id ORDER BY recorded_at, id))[1] AS first_id FROM audit
          WHERE tenant_id = ${tenantId} AND position IS NULL
            AND extract(epoch FROM recorded_at) < ${recordedAt}::numeric
            AND extract(epoch FROM recorded_at) + ${lateness} <= ${sealedAt}::numeric
        `)
        const [{ firstId, rows: waiting }] = yield* decodeOverdue(rows)
        return firstId === null ? undefined : { rows: waiting, firstId }
      }, Effect.orDie)

      return AuditChainRepo.of({
        tenants,
        lock: tryTenantLock(sql, tenantSql, "audit"),
        head,
        take,
        now,
        seal,
        standing,
        sealed,
        unsealed,
        overdue
      })
    })
  )
}
