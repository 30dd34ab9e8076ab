/** The link of each signer: its number, the hash of its secret, and the letter that brings it. */
import { PgTypes } from "@effect/sql-pg"
import type { RequestLetterKind } from "@quittance/domain/mail/SignerRequestLetter"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { SignerReminders } from "@quittance/domain/signatures/Reminders"
import { SignatureId, type SignerId } from "@quittance/domain/values/Ids"
import { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

/** The link of a signer, by which they are found again. */
export interface StoredSignerLink {
  readonly signatureId: SignatureId
  /** Counts the links of a signer; 0 where they had none. */
  readonly number: number
  readonly tokenHash: Uint8Array | null
}

const decode = Schema.decodeUnknownEffect(
  Schema.Struct({
    signatureId: SignatureId,
    number: Schema.Int,
    tokenHash: Schema.NullOr(Schema.Uint8Array)
  })
)

const decodeReminders = Schema.decodeUnknownEffect(
  Schema.Struct({ remindAt: Schema.Array(Instant), remindedAt: Schema.Array(Instant) })
)

export class SignerLinksRepo extends Context.Service<
  SignerLinksRepo,
  {
    find(id: SignerId): Effect.Effect<StoredSignerLink | undefined, never, CurrentTenant>
    /** Makes a link the signer's; the one before opens nothing any more. */
    set(
      id: SignerId,
      link: { readonly number: number; readonly tokenHash: Uint8Array }
    ): Effect.Effect<void, never, CurrentTenant>
    /** A letter with the link leaves once the transaction is committed. */
    send(id: SignerId, kind: RequestLetterKind): Effect.Effect<void, never, CurrentTenant>
    /** When a signer is to be asked once more, and when they were. */
    reminders(id: SignerId): Effect.Effect<SignerReminders, never, CurrentTenant>
    setReminders(
      id: SignerId,
      reminders: SignerReminders
    ): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/SignerLinksRepo") {
  static readonly layer = Layer.effect(
    SignerLinksRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const find = Effect.fn("SignerLinksRepo.find")(function* (id: SignerId) {
        const [row] = yield* tenantSql.read(sql`
          SELECT signature_id, link_number AS number, link_hash AS token_hash FROM signature_signer
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
        return row === undefined ? undefined : yield* decode(row)
      }, Effect.orDie)

      const set = Effect.fn("SignerLinksRepo.set")(function* (
        id: SignerId,
        { number, tokenHash }: { readonly number: number; readonly tokenHash: Uint8Array }
      ) {
        yield* tenantSql.write(sql`
          UPDATE signature_signer SET link_number = ${number}, link_hash = ${tokenHash}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
      }, Effect.orDie)

      const send = Effect.fn("SignerLinksRepo.send")(function* (
        id: SignerId,
        kind: RequestLetterKind
      ) {
        yield* tenantSql.write(sql`
          INSERT INTO signer_request_letter (tenant_id, signer_id, kind)
          VALUES (${yield* CurrentTenant}, ${id}, ${kind})
          ON CONFLICT (tenant_id, signer_id)
          DO UPDATE SET kind = excluded.kind, due_at = clock_timestamp(), attempts = 0
        `)
      }, Effect.orDie)

      const reminders = Effect.fn("SignerLinksRepo.reminders")(function* (id: SignerId) {
        const [row] = yield* tenantSql.read(sql`
          SELECT remind_at, reminded_at FROM signature_signer
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
        return yield* decodeReminders(row)
      }, Effect.orDie)

      const setReminders = Effect.fn("SignerLinksRepo.setReminders")(function* (
        id: SignerId,
        { remindAt, remindedAt }: SignerReminders
      ) {
        yield* tenantSql.write(sql`
          UPDATE signature_signer SET remind_at = ${PgTypes.jsonb(remindAt)},
            reminded_at = ${PgTypes.jsonb(remindedAt)}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
      }, Effect.orDie)

      return SignerLinksRepo.of({ find, set, send, reminders, setReminders })
    })
  )
}
