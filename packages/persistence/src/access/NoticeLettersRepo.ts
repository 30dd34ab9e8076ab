import { UserId } from "@quittance/domain/requests/Caller"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { AccountNotice, WebhookNotice } from "@quittance/domain/mail/Notice"
import { WebhookId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { grantsSql } from "./GrantRow.ts"
import { dueLetters, pauseAfterClaim, pauseAfterFailure } from "./LetterRetries.ts"

/** A letter that is to be sent, of any tenant. */
const DueNotice = Schema.Struct({ tenantId: TenantId, id: Schema.String })
export type DueNotice = typeof DueNotice.Type

const common = {
  id: Schema.String,
  userId: UserId,
  email: Schema.String,
  firstName: Schema.String,
  happenedAt: InstantColumn,
  /** Whether its reader still has an account, and has not refused letters of its kind. */
  isWanted: Schema.Boolean,
  /** How often it was given out to be sent, this time included. */
  attempts: Schema.Int,
  claim: Schema.String
}

/** What a letter tells of whom, and the claim under which it was given out. */
const NoticeLetter = Schema.Union([
  Schema.Struct({ ...common, kind: AccountNotice }),
  Schema.Struct({ ...common, kind: WebhookNotice, webhookId: WebhookId })
])
export type NoticeLetter = typeof NoticeLetter.Type

const decode = Schema.decodeUnknownEffect(NoticeLetter)
const decodeDue = Schema.decodeUnknownEffect(Schema.Array(DueNotice))

export class NoticeLettersRepo extends Context.Service<
  NoticeLettersRepo,
  {
    /** Has users told of what has happened to their accounts. */
    tellUsers(
      notices: ReadonlyArray<{
        readonly kind: AccountNotice
        readonly userId: UserId
        readonly happenedAt: Instant
      }>
    ): Effect.Effect<void, never, CurrentTenant>
    /**
     * Has all active users told of a webhook who may manage the tenant's, and have not refused such letters.
     * The time is in milliseconds since 1970.
     */
    tellManagers(
      kind: WebhookNotice,
      webhookId: WebhookId,
      happenedAt: number
    ): Effect.Effect<void, never, CurrentTenant>
    /** Letters of all tenants that are due, each tenant's oldest first; not those of disabled tenants. */
    due(limit: number): Effect.Effect<ReadonlyArray<DueNotice>>
    /**
     * Claims a letter for sending; `undefined` when it is not due, or another sender has it. It falls due
     * again by itself unless it is removed: so no letter is lost when its sender dies.
     */
    claim(id: string): Effect.Effect<NoticeLetter | undefined, never, CurrentTenant>
    /** Removes a letter that was sent, is of no use, or is abandoned. */
    remove(letter: NoticeLetter): Effect.Effect<void, never, CurrentTenant>
    /** Lets a letter that was not sent be tried again after its pause. */
    retry(letter: NoticeLetter): Effect.Effect<void, never, CurrentTenant>
    /** Stores whether a user gets letters about webhooks. */
    setRefused(userId: UserId, isRefused: boolean): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/NoticeLettersRepo") {
  static readonly layer = Layer.effect(
    NoticeLettersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const { roleHas } = grantsSql(sql)

      const tellUsers = Effect.fn("NoticeLettersRepo.tellUsers")(function* (
        notices: ReadonlyArray<{
          readonly kind: AccountNotice
          readonly userId: UserId
          readonly happenedAt: Instant
        }>
      ) {
        if (notices.length === 0) return
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO notice_letter (tenant_id, kind, user_id, happened_at)
          SELECT ${tenantId}, n.kind, u.id, n.happened_at::timestamptz
          FROM unnest(
            ${notices.map(({ kind }) => kind)}::text[],
            ${notices.map(({ userId }) => userId)}::text[],
            ${notices.map(({ happenedAt }) => happenedAt)}::text[]
          ) AS n(kind, user_id, happened_at)
          JOIN app_user u ON u.tenant_id = ${tenantId} AND u.id = n.user_id
        `)
      }, Effect.orDie)

      const tellManagers = Effect.fn("NoticeLettersRepo.tellManagers")(function* (
        kind: WebhookNotice,
        webhookId: WebhookId,
        happenedAt: number
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO notice_letter (tenant_id, kind, user_id, webhook_id, happened_at)
          SELECT ${tenantId}, ${kind}, u.id, ${webhookId}, ${DateTime.toDateUtc(DateTime.makeUnsafe(happenedAt))} FROM app_user u
          WHERE u.tenant_id = ${tenantId} AND u.status = 'ACTIVE' AND EXISTS (
            SELECT FROM permission_grant g WHERE g.tenant_id = ${tenantId} AND g.subject_id = u.id
              AND g.kind = 'TENANT' AND ${roleHas("webhook.write")}
          ) AND NOT EXISTS (
            SELECT FROM letter_refusal r WHERE r.tenant_id = ${tenantId} AND r.user_id = u.id
          )
        `)
      }, Effect.orDie)

      const due = Effect.fn("NoticeLettersRepo.due")(function* (limit: number) {
        const rows = yield* tenantSql.unscoped(
          "notice_letter",
          dueLetters(sql, "notice_letter", "id", limit)
        )
        return yield* decodeDue(rows)
      }, Effect.orDie)

      const claim = Effect.fn("NoticeLettersRepo.claim")(function* (id: string) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          UPDATE notice_letter l SET attempts = l.attempts + 1,
            due_at = clock_timestamp() + ${pauseAfterClaim(sql, sql`l.attempts`)}
          FROM app_user u
          WHERE l.tenant_id = ${tenantId} AND l.id = ${id} AND l.due_at <= clock_timestamp()
            AND u.tenant_id = l.tenant_id AND u.id = l.user_id
          RETURNING l.id, l.kind, l.user_id, l.webhook_id, l.happened_at, u.email,
            u.first_name, l.attempts, l.due_at::text AS claim,
            u.status = 'ACTIVE' AND (l.webhook_id IS NULL OR NOT EXISTS (
              SELECT FROM letter_refusal r WHERE r.tenant_id = l.tenant_id AND r.user_id = l.user_id
            )) AS is_wanted
        `)
        return row === undefined ? undefined : yield* decode(withoutNulls(row))
      }, Effect.orDie)

      const remove = Effect.fn("NoticeLettersRepo.remove")(function* ({ claim, id }: NoticeLetter) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM notice_letter
          WHERE tenant_id = ${tenantId} AND id = ${id} AND due_at = ${claim}::timestamptz
        `)
      }, Effect.orDie)

      const retry = Effect.fn("NoticeLettersRepo.retry")(function* ({ claim, id }: NoticeLetter) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE notice_letter
          SET due_at = clock_timestamp() + ${pauseAfterFailure(sql, sql`attempts`)}
          WHERE tenant_id = ${tenantId} AND id = ${id} AND due_at = ${claim}::timestamptz
        `)
      }, Effect.orDie)

      const setRefused = Effect.fn("NoticeLettersRepo.setRefused")(function* (
        userId: UserId,
        isRefused: boolean
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(
          isRefused
            ? sql`
                INSERT INTO letter_refusal (tenant_id, user_id)
                SELECT ${tenantId}, id FROM app_user WHERE tenant_id = ${tenantId} AND id = ${userId}
                ON CONFLICT DO NOTHING
              `
            : sql`DELETE FROM letter_refusal WHERE tenant_id = ${tenantId} AND user_id = ${userId}`
        )
      }, Effect.orDie)

      return NoticeLettersRepo.of({
        tellUsers,
        tellManagers,
        due,
        claim,
        remove,
        retry,
        setRefused
      })
    })
  )
}
