import type { StoredLink } from "@quittance/domain/access/StoredLink"
import { UserId } from "@quittance/domain/requests/Caller"
import { Grant } from "@quittance/domain/access/Grant"
import type { Instant } from "@quittance/domain/values/Instant"
import {
  InvitationId,
  InvitationStatus,
  LetterFailure,
  LinkPurpose
} from "@quittance/domain/access/Invitation"

import type { PageRequest } from "@quittance/domain/values/Page"
import { normalizeEmail } from "@quittance/domain/access/User"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { maximumAttempts } from "./LetterRetries.ts"
import { CustomerId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { StoredEmail } from "@quittance/domain/values/Email"

const LinkRow = Schema.Struct({
  id: InvitationId,
  purpose: LinkPurpose,
  email: StoredEmail,
  firstName: Schema.NullOr(Schema.String),
  lastName: Schema.NullOr(Schema.String),
  userId: Schema.NullOr(UserId),
  customerId: Schema.NullOr(CustomerId),
  permissions: Schema.Array(Grant),
  invitedBy: Schema.String,
  status: InvitationStatus,
  /** Its letter, while that has not left. */
  letter: Schema.NullOr(
    Schema.Struct({ hasFailed: Schema.Boolean, failure: Schema.NullOr(LetterFailure) })
  ),
  createdAt: InstantColumn,
  expiresAt: InstantColumn
})

/** A link that is to be made; it ends so many seconds from now, or at an instant, in real time. */
export interface NewLink {
  readonly id: InvitationId
  readonly purpose: LinkPurpose
  readonly email: string
  readonly firstName?: string | undefined
  readonly lastName?: string | undefined
  readonly userId?: UserId | undefined
  readonly customerId?: CustomerId | undefined
  readonly permissions: ReadonlyArray<Grant>
  readonly invitedBy: string
  readonly tokenHash: Uint8Array
  readonly expires: { readonly inSeconds: number } | { readonly at: Instant }
}

/** A link that can still be used, with the hash of its secret. */
const OpenLink = Schema.Struct({
  id: InvitationId,
  tokenHash: Schema.Uint8Array,
  expiresAt: InstantColumn
})
export type OpenLink = typeof OpenLink.Type

/** A letter that is yet to be tried. */
const unsent = { hasFailed: false, failure: null }

const decode = Schema.decodeUnknownEffect(Schema.Array(LinkRow))
const decodeOpen = Schema.decodeUnknownEffect(Schema.Array(OpenLink))

export class InvitationsRepo extends Context.Service<
  InvitationsRepo,
  {
    /** Stores a link, and that its letter is to be sent. */
    insert(link: NewLink): Effect.Effect<StoredLink, never, CurrentTenant>
    /** A link of any kind; with `lock` it stays as it is until the transaction ends. */
    find(
      id: InvitationId,
      options?: { readonly lock?: boolean }
    ): Effect.Effect<StoredLink | undefined, never, CurrentTenant>
    /** The link that can still be used; nothing is used up. */
    usable(tokenHash: Uint8Array): Effect.Effect<StoredLink | undefined, never, CurrentTenant>
    /** The next links that can still be used, by identifier: those after one, the first without it. */
    open(
      after: InvitationId | undefined,
      limit: number
    ): Effect.Effect<ReadonlyArray<OpenLink>, never, CurrentTenant>
    /** Uses a link up. Of any number of callers at once exactly one gets the row. */
    use(tokenHash: Uint8Array): Effect.Effect<StoredLink | undefined, never, CurrentTenant>
    /** Ends a link that is open. */
    revoke(id: InvitationId): Effect.Effect<void, never, CurrentTenant>
    /** Ends the open links of a user, such as older resets of their password. */
    revokeOfUser(userId: UserId, purpose: LinkPurpose): Effect.Effect<void, never, CurrentTenant>
    /** Ends the open invitations of one inviter. */
    revokeBy(invitedBy: string): Effect.Effect<void, never, CurrentTenant>
    /** Has the letter of an open link sent again, and lets the link last so many seconds from now. */
    renew(id: InvitationId, seconds: number): Effect.Effect<StoredLink, never, CurrentTenant>
    /** Invitations, the newest first: all of them, or those of one inviter. */
    list(
      invitedBy: string | undefined,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<StoredLink>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/InvitationsRepo") {
  static readonly layer = Layer.effect(
    InvitationsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      // The previous release stored no reason for a failure: it failed at once only where no mail could be
      // sent.
      const unsaid = sql`CASE WHEN l.attempts < ${maximumAttempts}::int THEN 'ADDRESS' ELSE 'TRANSPORT' END`
      const columns = sql`id, purpose, email, first_name, last_name, user_id, customer_id,
        permissions, invited_by, created_at, expires_at,
        CASE WHEN used_at IS NOT NULL THEN 'ACCEPTED' WHEN revoked_at IS NOT NULL THEN 'REVOKED'
          WHEN expires_at <= clock_timestamp() THEN 'EXPIRED' ELSE 'PENDING' END AS status,
        (SELECT jsonb_build_object('hasFailed', l.due_at = 'infinity',
          'failure', coalesce(l.failure, CASE WHEN l.due_at = 'infinity' THEN ${unsaid} END))
          FROM letter l WHERE l.tenant_id = invitation.tenant_id AND l.invitation_id = invitation.id
        ) AS letter`
      const isOpen = sql`used_at IS NULL AND revoked_at IS NULL AND expires_at > clock_timestamp()`

      const send = Effect.fnUntraced(function* (id: InvitationId) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO letter (tenant_id, invitation_id) VALUES (${tenantId}, ${id})
          ON CONFLICT (tenant_id, invitation_id)
          DO UPDATE SET attempts = 0, due_at = clock_timestamp(), failure = NULL
        `)
      })

      const insert = Effect.fn("InvitationsRepo.insert")(function* (link: NewLink) {
        const tenantId = yield* CurrentTenant
        const { expires } = link
        const expiresAt =
          "at" in expires
            ? sql`${toDate(expires.at)}::timestamptz`
            : sql`clock_timestamp() + ${expires.inSeconds}::int * interval '1 second'`
        const rows = yield* tenantSql.write(sql`
          INSERT INTO invitation (tenant_id, id, purpose, email, first_name, last_name, user_id,
            customer_id, permissions, invited_by, token_hash, expires_at)
          VALUES (${tenantId}, ${link.id}, ${link.purpose}, ${normalizeEmail(link.email)},
            ${link.firstName ?? null}, ${link.lastName ?? null}, ${link.userId ?? null},
            ${link.customerId ?? null}, ${PgTypes.jsonb(link.permissions)}, ${link.invitedBy},
            ${link.tokenHash}, ${expiresAt})
          RETURNING ${columns}
        `)
        yield* send(link.id)
        return { ...(yield* decode(rows))[0]!, letter: unsent }
      }, Effect.orDie)

      const find = Effect.fn("InvitationsRepo.find")(function* (
        id: InvitationId,
        { lock = false }: { readonly lock?: boolean } = {}
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM invitation
          WHERE tenant_id = ${tenantId} AND id = ${id} ${lock ? sql`FOR UPDATE` : sql``}
        `)
        return (yield* decode(rows))[0]
      }, Effect.orDie)

      const usable = Effect.fn("InvitationsRepo.usable")(function* (tokenHash: Uint8Array) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM invitation
          WHERE tenant_id = ${tenantId} AND token_hash = ${tokenHash} AND ${isOpen}
        `)
        return (yield* decode(rows))[0]
      }, Effect.orDie)

      const open = Effect.fn("InvitationsRepo.open")(function* (
        after: InvitationId | undefined,
        limit: number
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT id, token_hash, expires_at FROM invitation
          WHERE tenant_id = ${tenantId} AND id > ${after ?? ""} AND ${isOpen}
          ORDER BY id LIMIT ${limit}
        `)
        return yield* decodeOpen(rows)
      }, Effect.orDie)

      const use = Effect.fn("InvitationsRepo.use")(function* (tokenHash: Uint8Array) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          UPDATE invitation SET used_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND token_hash = ${tokenHash} AND ${isOpen}
          RETURNING ${columns}
        `)
        return (yield* decode(rows))[0]
      }, Effect.orDie)

      const revoke = Effect.fn("InvitationsRepo.revoke")(function* (id: InvitationId) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE invitation SET revoked_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND id = ${id} AND used_at IS NULL AND revoked_at IS NULL
        `)
      }, Effect.orDie)

      const revokeOfUser = Effect.fn("InvitationsRepo.revokeOfUser")(function* (
        userId: UserId,
        purpose: LinkPurpose
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE invitation SET revoked_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND purpose = ${purpose}
            AND used_at IS NULL AND revoked_at IS NULL
        `)
      }, Effect.orDie)

      const revokeBy = Effect.fn("InvitationsRepo.revokeBy")(function* (invitedBy: string) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE invitation SET revoked_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND invited_by = ${invitedBy} AND purpose = 'INVITATION'
            AND used_at IS NULL AND revoked_at IS NULL
        `)
      }, Effect.orDie)

      const renew = Effect.fn("InvitationsRepo.renew")(function* (
        id: InvitationId,
        seconds: number
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          UPDATE invitation SET expires_at =
            greatest(expires_at, clock_timestamp() + ${seconds}::int * interval '1 second')
          WHERE tenant_id = ${tenantId} AND id = ${id}
          RETURNING ${columns}
        `)
        yield* send(id)
        return { ...(yield* decode(rows))[0]!, letter: unsent }
      }, Effect.orDie)

      const list = Effect.fn("InvitationsRepo.list")(function* (
        invitedBy: string | undefined,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const listed = sql`FROM invitation WHERE tenant_id = ${tenantId}
          AND purpose = 'INVITATION'
          ${invitedBy === undefined ? sql`` : sql`AND invited_by = ${invitedBy}`}`
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} ${listed}
          ORDER BY created_at DESC, id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total ${listed}
        `)
        return { rows: yield* decode(rows), total: counted?.total ?? 0 }
      }, Effect.orDie)

      return InvitationsRepo.of({
        insert,
        find,
        usable,
        open,
        use,
        revoke,
        revokeOfUser,
        revokeBy,
        renew,
        list
      })
    })
  )
}
