/** The endpoints of a tenant, as those who look after them see and change them. */
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { Action } from "@quittance/domain/requests/Action"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { PageRequest } from "@quittance/domain/values/Page"
import type { Instant } from "@quittance/domain/values/Instant"
import type { WebhookId } from "@quittance/domain/values/Ids"
import {
  type DisabledReason,
  Webhook,
  WebhookNotFound,
  WebhookSecret,
  type WebhookSettings
} from "@quittance/domain/webhooks/Webhook"
import { FilterFrom } from "@quittance/domain/webhooks/WebhookFilter"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const Row = Schema.Struct({
  ...Webhook.fields,
  position: IntColumn,
  createdAt: InstantColumn,
  failingSince: Schema.optionalKey(InstantColumn),
  // Made by the statement, in their form on the wire.
  secrets: Schema.Array(WebhookSecret)
})
const decodeRow = Schema.decodeUnknownEffect(Row)

const State = Schema.Struct({
  filters: Schema.Array(FilterFrom),
  position: IntColumn,
  head: IntColumn
})
/** What counts for an endpoint, and how far it and the feed have come. */
export type WebhookState = typeof State.Type
const decodeState = Schema.decodeUnknownEffect(State)

/** An endpoint on which the caller may do `action`; only `authorize` makes one. */
export interface AuthorizedWebhook<A extends Action = Action> {
  readonly action: A
  readonly webhook: Webhook
}

/** A new endpoint; `from` is the position after which events are for it. */
export interface NewWebhook extends WebhookSettings {
  readonly id: WebhookId
  readonly from: number
  readonly createdAt: Instant
}

export class WebhooksRepo extends Context.Service<
  WebhooksRepo,
  {
    /** Fetches an endpoint together with the permission on it; with `lock` it stays as it is. */
    authorize<A extends Action>(
      action: A,
      id: WebhookId,
      options?: { readonly lock?: boolean }
    ): Effect.Effect<
      AuthorizedWebhook<A>,
      WebhookNotFound | Forbidden,
      CurrentTenant | CurrentCaller
    >
    /** One page in the order of their making, and how many there are. */
    list(
      page: PageRequest
    ): Effect.Effect<
      { readonly webhooks: ReadonlyArray<Webhook>; readonly total: number },
      never,
      CurrentTenant
    >
    /** How many there are; adding another one waits until the transaction ends. */
    readonly countLocked: Effect.Effect<number, never, CurrentTenant>
    /** The last position of the tenant's feed; 0 before the first event. */
    readonly head: Effect.Effect<number, never, CurrentTenant>
    insert(webhook: NewWebhook): Effect.Effect<void, never, CurrentTenant>
    update(
      webhook: Webhook,
      filters: ReadonlyArray<FilterFrom>
    ): Effect.Effect<void, never, CurrentTenant>
    state(id: WebhookId): Effect.Effect<WebhookState, never, CurrentTenant>
    remove(id: WebhookId): Effect.Effect<void, never, CurrentTenant>
    disable(id: WebhookId, reason: DisabledReason): Effect.Effect<void, never, CurrentTenant>
    /**
     * Sends again: from where it stopped without a position, else a new stream of what comes after that
     * one, and what waited is forgotten.
     */
    enable(id: WebhookId, from: number | undefined): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/WebhooksRepo") {
  static readonly layer = Layer.effect(
    WebhooksRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo

      const wire = (column: string) =>
        sql.literal(`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`)
      const view = sql`w.id, w.url, w.description, w.types, w.brokerage_firm_id, w.ordering, w.signing,
        w.schema, s.concurrency, s.per_second, w.headers,
        CASE WHEN s.is_enabled THEN 'ENABLED' ELSE 'DISABLED' END AS status, w.failing_since,
        w.disabled_reason, s.position, w.created_at, (
          SELECT coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', k.id,
            'createdAt', ${wire("k.created_at")}, 'endsAt', ${wire("k.ends_at")}))
            ORDER BY k.created_at, k.id), '[]')
          FROM webhook_secret k WHERE k.tenant_id = w.tenant_id AND k.webhook_id = w.id
        ) AS secrets`
      const joined = sql`webhook w JOIN webhook_stream s
        ON s.tenant_id = w.tenant_id AND s.webhook_id = w.id`

      const authorize = Effect.fn("WebhooksRepo.authorize")(function* <A extends Action>(
        action: A,
        id: WebhookId,
        { lock = false }: { readonly lock?: boolean } = {}
      ) {
        const tenantId = yield* CurrentTenant
        if (lock) {
          // The stream first, as senders do; alone, so that the rest is read as its last holder left it.
          yield* Effect.orDie(
            tenantSql.write(sql`
              SELECT FROM webhook_stream WHERE tenant_id = ${tenantId} AND webhook_id = ${id}
              FOR UPDATE
            `)
          )
        }
        const granted = yield* grants.onTenant(action)
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql<{ granted: boolean }>`
            SELECT ${view}, ${granted} AS granted FROM ${joined}
            WHERE w.tenant_id = ${tenantId} AND w.id = ${id}
          `)
        )
        if (row === undefined) return yield* new WebhookNotFound({ webhookId: id })
        if (!row.granted) return yield* grants.refuse(action)
        return { action, webhook: yield* Effect.orDie(decodeRow(withoutNulls(row))) }
      })

      const list = Effect.fn("WebhooksRepo.list")(function* ({ count, page }: PageRequest) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${view} FROM ${joined} WHERE w.tenant_id = ${tenantId}
          ORDER BY w.created_at, w.id LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ total: number }>`
          SELECT count(*)::int AS total FROM webhook WHERE tenant_id = ${tenantId}
        `)
        return {
          webhooks: yield* Effect.forEach(rows, (row) => decodeRow(withoutNulls(row))),
          total: counted!.total
        }
      }, Effect.orDie)

      const countLocked = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          SELECT pg_advisory_xact_lock(hashtextextended(${`quittance webhooks ${tenantId}`}, 0))
        `)
        const [row] = yield* tenantSql.write(sql<{ total: number }>`
          SELECT count(*)::int AS total FROM webhook WHERE tenant_id = ${tenantId}
        `)
        return row!.total
      }).pipe(Effect.orDie)

      const headSql = (tenantId: string) =>
        sql`coalesce((SELECT position FROM event_head WHERE tenant_id = ${tenantId}), 0)`

      const head = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(
          sql<{ head: bigint }>`SELECT ${headSql(tenantId)} AS head`
        )
        return Number(row!.head)
      }).pipe(Effect.orDie)

      const insert = Effect.fn("WebhooksRepo.insert")(function* (webhook: NewWebhook) {
        const tenantId = yield* CurrentTenant
        const { brokerageFirmId, concurrency, createdAt, description, from, headers, id } = webhook
        const { ordering, perSecond, schema, signing, types, url } = webhook
        yield* tenantSql.write(sql`
          INSERT INTO webhook (tenant_id, id, url, description, types, brokerage_firm_id, ordering,
            signing, schema, headers, filters, created_at)
          VALUES (${tenantId}, ${id}, ${url}, ${description ?? null}, ${types},
            ${brokerageFirmId ?? null}, ${ordering}, ${signing}, ${schema},
            ${headers === undefined ? null : PgTypes.jsonb(headers)},
            ${PgTypes.jsonb([{ after: 0, types }])}, ${toDate(createdAt)})
        `)
        yield* tenantSql.write(sql`
          INSERT INTO webhook_stream (tenant_id, webhook_id, is_enabled, position, from_position,
            concurrency, allowed, per_second, paced_until, served_at)
          VALUES (${tenantId}, ${id}, true, ${from}, ${from}, ${concurrency}, ${concurrency},
            ${perSecond}, 'epoch', 'epoch')
        `)
      }, Effect.orDie)

      const update = Effect.fn("WebhooksRepo.update")(function* (
        { concurrency, description, headers, id, ordering, perSecond, types, url }: Webhook,
        filters: ReadonlyArray<FilterFrom>
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE webhook SET url = ${url}, description = ${description ?? null}, types = ${types},
            ordering = ${ordering}, filters = ${PgTypes.jsonb(filters)},
            headers = ${headers === undefined ? null : PgTypes.jsonb(headers)}
          WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
        yield* tenantSql.write(sql`
          UPDATE webhook_stream SET concurrency = ${concurrency}, per_second = ${perSecond},
            allowed = CASE WHEN allowed = concurrency THEN ${concurrency}
              ELSE least(allowed, ${concurrency}) END
          WHERE tenant_id = ${tenantId} AND webhook_id = ${id}
        `)
      }, Effect.orDie)

      const state = Effect.fn("WebhooksRepo.state")(function* (id: WebhookId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT w.filters, s.position, ${headSql(tenantId)} AS head FROM ${joined}
          WHERE w.tenant_id = ${tenantId} AND w.id = ${id}
        `)
        return yield* decodeState(row)
      }, Effect.orDie)

      const remove = Effect.fn("WebhooksRepo.remove")(function* (id: WebhookId) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(
          sql`DELETE FROM webhook WHERE tenant_id = ${tenantId} AND id = ${id}`
        )
      }, Effect.orDie)

      const disable = Effect.fn("WebhooksRepo.disable")(function* (
        id: WebhookId,
        reason: DisabledReason
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE webhook_stream SET is_enabled = false
          WHERE tenant_id = ${tenantId} AND webhook_id = ${id}
        `)
        yield* tenantSql.write(sql`
          UPDATE webhook SET disabled_reason = ${reason} WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
      }, Effect.orDie)

      const enable = Effect.fn("WebhooksRepo.enable")(function* (
        id: WebhookId,
        from: number | undefined
      ) {
        const tenantId = yield* CurrentTenant
        const of = sql`tenant_id = ${tenantId} AND webhook_id = ${id}`
        if (from !== undefined) {
          const live = sql`${of} AND replay_id = ''`
          yield* tenantSql.write(sql`DELETE FROM webhook_lane WHERE ${live} AND claim IS NULL`)
          // A sender may be at work: until its claim ends no other one sends, and it stores nothing.
          yield* tenantSql.write(sql`
            UPDATE webhook_lane SET done_seq = 0, last_seq = 0, previous = 0, first_seq = 0,
              due_at = NULL, attempts = 0, ahead = '{}', claim = 'ended' WHERE ${live}
          `)
        }
        yield* tenantSql.write(sql`
          UPDATE webhook_stream SET is_enabled = true, allowed = concurrency, successes = 0
            ${from === undefined ? sql`` : sql`, position = ${from}, from_position = ${from}`}
          WHERE ${of}
        `)
        // Real time: receivers check it. What waited for its next try is tried now.
        yield* tenantSql.write(sql`
          UPDATE webhook_lane SET due_at = clock_timestamp() WHERE ${of} AND due_at > clock_timestamp()
        `)
        yield* tenantSql.write(sql`
          UPDATE webhook SET disabled_reason = NULL, failing_since = NULL, failures = 0
          WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
      }, Effect.orDie)

      return WebhooksRepo.of({
        authorize,
        list,
        countLocked,
        head,
        insert,
        update,
        state,
        remove,
        disable,
        enable
      })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}
