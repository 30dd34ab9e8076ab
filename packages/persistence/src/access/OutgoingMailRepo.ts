import {
  InvitationId,
  InvitationStatus,
  type LetterFailure,
  LinkPurpose
} from "@quittance/domain/access/Invitation"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { dueLetters, maximumAttempts, pauseAfterClaim, pauseAfterFailure } from "./LetterRetries.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

/** A letter that is to be sent, of any tenant. */
const DueLetter = Schema.Struct({ tenantId: TenantId, invitationId: InvitationId })
export type DueLetter = typeof DueLetter.Type

/** What a letter says, and the claim under which it was given out. */
export const OutgoingLetter = Schema.Struct({
  id: InvitationId,
  purpose: LinkPurpose,
  email: Schema.String,
  firstName: Schema.optionalKey(Schema.String),
  lastName: Schema.optionalKey(Schema.String),
  /** Who wants it sent, where that is a user. */
  inviterFirstName: Schema.optionalKey(Schema.String),
  inviterLastName: Schema.optionalKey(Schema.String),
  expiresAt: InstantColumn,
  /** Of the secret in its link. */
  tokenHash: Schema.Uint8Array,
  /** Of the link: a letter is of no use once it is anything but `PENDING`. */
  status: InvitationStatus,
  /** How often it was given out to be sent, this time included. */
  attempts: Schema.Int,
  claim: Schema.String
})
export type OutgoingLetter = typeof OutgoingLetter.Type

const decode = Schema.decodeUnknownEffect(OutgoingLetter)
const decodeDue = Schema.decodeUnknownEffect(Schema.Array(DueLetter))

export class OutgoingMailRepo extends Context.Service<
  OutgoingMailRepo,
  {
    /**
     * Letters of all tenants that are due: each tenant's oldest before any tenant's next. Those of a tenant
     * that is disabled wait until it no longer is.
     */
    due(limit: number): Effect.Effect<ReadonlyArray<DueLetter>>
    /**
     * Claims a letter for sending; `undefined` when it is not due, or another sender has it. It falls due
     * again by itself, later each time, unless it is removed: so no letter is lost when its sender dies.
     */
    claim(id: InvitationId): Effect.Effect<OutgoingLetter | undefined, never, CurrentTenant>
    /** Removes a letter that was sent or is of no use; one that was asked for again meanwhile stays. */
    remove(letter: Pick<OutgoingLetter, "claim" | "id">): Effect.Effect<void, never, CurrentTenant>
    /** Gives the link of a letter another secret: the one before opens nothing any more. */
    relink(id: InvitationId, tokenHash: Uint8Array): Effect.Effect<void, never, CurrentTenant>
    /** Stores why a letter has not left; with `giveUp` it is tried no more. */
    fail(
      letter: Pick<OutgoingLetter, "claim" | "id">,
      failure: LetterFailure,
      options: { readonly giveUp: boolean }
    ): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/OutgoingMailRepo") {
  static readonly layer = Layer.effect(
    OutgoingMailRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const due = Effect.fn("OutgoingMailRepo.due")(function* (limit: number) {
        const rows = yield* tenantSql.unscoped(
          "letter",
          dueLetters(sql, "letter", "invitation_id", limit)
        )
        return yield* decodeDue(rows)
      }, Effect.orDie)

      const claim = Effect.fn("OutgoingMailRepo.claim")(function* (id: InvitationId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          UPDATE letter l SET attempts = l.attempts + 1,
            due_at = CASE WHEN l.attempts + 1 >= ${maximumAttempts}::int THEN 'infinity'
              ELSE clock_timestamp() + ${pauseAfterClaim(sql, sql`l.attempts`)} END
          FROM invitation i
          LEFT JOIN app_user u ON u.tenant_id = i.tenant_id AND u.id = i.invited_by
          WHERE l.tenant_id = ${tenantId} AND l.invitation_id = ${id} AND l.due_at <= clock_timestamp()
            AND i.tenant_id = l.tenant_id AND i.id = l.invitation_id
          RETURNING i.id, i.purpose, i.email, i.first_name, i.last_name, i.expires_at,
            i.token_hash,
            u.first_name AS inviter_first_name, u.last_name AS inviter_last_name,
            CASE WHEN i.used_at IS NOT NULL THEN 'ACCEPTED' WHEN i.revoked_at IS NOT NULL THEN 'REVOKED'
              WHEN i.expires_at <= clock_timestamp() THEN 'EXPIRED' ELSE 'PENDING' END AS status,
            l.attempts, l.due_at::text AS claim
        `)
        return row === undefined ? undefined : yield* decode(withoutNulls(row))
      }, Effect.orDie)

      const relink = Effect.fn("OutgoingMailRepo.relink")(function* (
        id: InvitationId,
        tokenHash: Uint8Array
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE invitation SET token_hash = ${tokenHash} WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
      }, Effect.orDie)

      const remove = Effect.fn("OutgoingMailRepo.remove")(function* ({
        claim,
        id
      }: Pick<OutgoingLetter, "claim" | "id">) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM letter
          WHERE tenant_id = ${tenantId} AND invitation_id = ${id} AND due_at = ${claim}::timestamptz
        `)
      }, Effect.orDie)

      const fail = Effect.fn("OutgoingMailRepo.fail")(function* (
        { claim, id }: Pick<OutgoingLetter, "claim" | "id">,
        failure: LetterFailure,
        { giveUp }: { readonly giveUp: boolean }
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE letter SET failure = ${failure}, due_at = CASE WHEN ${giveUp} THEN 'infinity'
            ELSE clock_timestamp() + ${pauseAfterFailure(sql, sql`attempts`)} END
          WHERE tenant_id = ${tenantId} AND invitation_id = ${id} AND due_at = ${claim}::timestamptz
        `)
      }, Effect.orDie)

      return OutgoingMailRepo.of({ due, claim, relink, remove, fail })
    })
  )
}
