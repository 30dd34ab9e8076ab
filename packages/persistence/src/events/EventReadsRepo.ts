/** Events as they are read by others: parts of the feed, of one policy, and one by itself. */
import { knownKinds } from "@quittance/domain/events/EventFilter"
import type { EventId, StoredEvent } from "@quittance/domain/events/Event"
import type { FeedPart, PlacedEvent } from "@quittance/domain/events/EventPage"
import type { EventKind } from "@quittance/domain/EventType"
import { CurrentTenant, Environment, TenantId } from "@quittance/domain/requests/Tenancy"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { IntColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { decodeStoredEvents, EventRow } from "./EventRow.ts"

/**
 * How many positions one read looks at whose types are few: what that costs stays the same however rare they
 * are, and the reader goes on from there.
 */
const window = 2000

/** Which events of the feed are read. */
export interface FeedQuery {
  readonly after: number
  readonly count: number
  /** All kinds, where it is absent. */
  readonly kinds: ReadonlyArray<EventKind> | undefined
  readonly subject: string | undefined
}

const { environment: _environment, tenant: _tenant, ...facts } = EventRow.fields
const Facts = Schema.Struct({ position: IntColumn, ...facts })
const decodeFacts = Schema.decodeUnknownEffect(Schema.Array(Facts))
const decodeFeeds = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ environment: Environment, epoch: Schema.String, head: IntColumn })])
)
const decodeHeads = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ tenantId: TenantId, position: IntColumn }))
)

export class EventReadsRepo extends Context.Service<
  EventReadsRepo,
  {
    /** The next events after a position that fit, in order. */
    part(query: FeedQuery): Effect.Effect<FeedPart, never, CurrentTenant>
    /** The events of a policy after one of them, in order. */
    ofPolicy(
      policyId: PolicyId,
      after: number,
      limit: number
    ): Effect.Effect<ReadonlyArray<StoredEvent>, never, CurrentTenant>
    find(id: EventId): Effect.Effect<StoredEvent | undefined, never, CurrentTenant>
    /** The last positions of the feeds of some tenants. */
    heads(tenants: ReadonlyArray<TenantId>): Effect.Effect<ReadonlyMap<TenantId, number>>
    /** Draws the feed's epoch again: readers see that the database was restored. */
    readonly renewEpoch: Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/EventReadsRepo") {
  static readonly layer = Layer.effect(
    EventReadsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const columns = sql`e.id, e.kind, e.policy_id, e.occurred_at AS timestamp, e.recorded_at, e.payload`

      /** The number of the event before one, in a stream of some kinds: in the part, or before it. */
      const previous = (tenantId: TenantId, kinds: FeedQuery["kinds"]) =>
        kinds === undefined
          ? sql`f.seq - 1`
          : sql`coalesce(
              lag(f.seq) OVER (PARTITION BY f.subject ORDER BY f.position),
              (SELECT p.seq FROM event p WHERE p.tenant_id = ${tenantId} AND p.subject = f.subject
                AND p.seq < f.seq AND p.kind = ANY(${[...kinds]}) ORDER BY p.seq DESC LIMIT 1),
              0)`

      const placesOf = (tenantId: TenantId, { after, count, kinds, subject }: FeedQuery) =>
        subject === undefined
          ? sql`
              SELECT position, subject, seq FROM event_feed
              WHERE tenant_id = ${tenantId} AND position > ${after}
                AND position <= ${after + (kinds === undefined ? count : Math.max(count, window))}
            `
          : sql`
              SELECT position, subject, seq FROM event_feed
              WHERE tenant_id = ${tenantId} AND subject = ${subject} AND position > ${after}
            `

      const part = Effect.fn("EventReadsRepo.part")(function* (query: FeedQuery) {
        const tenantId = yield* CurrentTenant
        const { after, count, kinds, subject } = query
        // What a newer release has recorded is read too: the stream ends there for this one.
        const wanted =
          kinds === undefined
            ? sql`true`
            : sql`(e.kind = ANY(${[...kinds]}) OR e.kind <> ALL(${[...knownKinds]}))`
        // One question, so that the feed's head and its events are of one instant; without an event the
        // row says the head alone.
        const rows = yield* tenantSql.read(sql<{ readonly position: bigint | null }>`
          WITH feed AS MATERIALIZED (
            SELECT t.environment, t.event_epoch AS epoch, coalesce(h.position, 0) AS head
            FROM tenant t LEFT JOIN event_head h ON h.tenant_id = t.tenant_id
            WHERE t.tenant_id = ${tenantId}
          )
          SELECT feed.environment, feed.epoch, feed.head, n.* FROM feed LEFT JOIN LATERAL (
            SELECT f.position, f.subject, f.seq AS sequence, ${previous(tenantId, kinds)} AS previous_sequence,
              ${sql.literal("f.id, f.kind, f.policy_id, f.timestamp, f.recorded_at, f.payload")}
            FROM (
              SELECT p.position, p.subject, p.seq, ${columns}
              FROM (${placesOf(tenantId, query)}) p CROSS JOIN LATERAL (
                SELECT id, kind, policy_id, occurred_at, recorded_at, payload FROM event
                WHERE tenant_id = ${tenantId} AND subject = p.subject AND seq = p.seq OFFSET 0
              ) e
              WHERE p.position <= feed.head AND ${wanted} ORDER BY p.position LIMIT ${count}
            ) f
          ) n ON true ORDER BY n.position
        `)
        const [{ environment, epoch, head }] = yield* decodeFeeds(rows.slice(0, 1))
        if (after >= head) return { events: [], reached: head, head, epoch }
        const found = rows[0]?.position === null ? [] : rows
        const events = (yield* decodeFacts(found)).map((row): PlacedEvent => ({
          ...row,
          tenant: tenantId,
          environment
        }))
        const lookedAt =
          subject === undefined && kinds !== undefined ? after + Math.max(count, window) : head
        const reached = events.length === count ? events.at(-1)!.position : Math.min(lookedAt, head)
        return { events, reached, head, epoch }
      }, Effect.orDie)

      const single = (tenantId: TenantId) => sql`
        SELECT t.tenant_id AS tenant, t.environment, e.subject, e.seq AS sequence,
          e.seq - 1 AS previous_sequence, ${columns}
        FROM event e JOIN tenant t ON t.tenant_id = e.tenant_id WHERE e.tenant_id = ${tenantId}
      `

      const ofPolicy = Effect.fn("EventReadsRepo.ofPolicy")(function* (
        policyId: PolicyId,
        after: number,
        limit: number
      ) {
        const tenantId = yield* CurrentTenant
        return yield* decodeStoredEvents(
          yield* tenantSql.read(sql`
            ${single(tenantId)} AND e.subject = ${policyId} AND e.seq > ${after}
            ORDER BY e.seq LIMIT ${limit}
          `)
        )
      }, Effect.orDie)

      const find = Effect.fn("EventReadsRepo.find")(function* (id: EventId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`${single(tenantId)} AND e.id = ${id}`)
        return (yield* decodeStoredEvents(rows))[0]
      }, Effect.orDie)

      const heads = Effect.fn("EventReadsRepo.heads")(function* (tenants: ReadonlyArray<TenantId>) {
        const rows = yield* tenantSql.unscoped(
          "event_head",
          sql`SELECT tenant_id, position FROM event_head WHERE tenant_id = ANY(${[...tenants]})`
        )
        const found = yield* decodeHeads(rows)
        return new Map(found.map(({ position, tenantId }) => [tenantId, position]))
      }, Effect.orDie)

      const renewEpoch = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE tenant SET event_epoch = gen_random_uuid()::text WHERE tenant_id = ${tenantId}
        `)
      }).pipe(Effect.orDie, Effect.withSpan("EventReadsRepo.renewEpoch"))

      return EventReadsRepo.of({ part, ofPolicy, find, heads, renewEpoch })
    })
  )
}
