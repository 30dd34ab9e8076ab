/** The letters of ceremonies: one of each kind for a signer at most. It has identifiers alone. */
import { RequestLetterKind } from "@quittance/domain/mail/SignerRequestLetter"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { SignatureId, SignerId } from "@quittance/domain/values/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dueLetters, pauseAfterClaim, pauseAfterFailure } from "../access/LetterRetries.ts"
import { TenantSql } from "../sql/TenantSql.ts"

/** A table of letters: those with the last code of a signer, and those that ask them to sign. */
export type SignerQueue = "signer_letter" | "signer_request_letter"

/** A letter that is to be sent, of any tenant. */
const DueSignerLetter = Schema.Struct({ tenantId: TenantId, signerId: SignerId })
export type DueSignerLetter = typeof DueSignerLetter.Type

const Claimed = Schema.Struct({
  signerId: SignerId,
  signatureId: SignatureId,
  /** The number of the last code, or of the last link. */
  number: Schema.Int,
  /** Of a letter that asks to sign. */
  kind: Schema.NullOr(RequestLetterKind),
  /** How often it was given out to be sent, this time included. */
  attempts: Schema.Int,
  claim: Schema.String
})
export type ClaimedSignerLetter = typeof Claimed.Type & { readonly queue: SignerQueue }

const decode = Schema.decodeUnknownEffect(Claimed)
const decodeDue = Schema.decodeUnknownEffect(Schema.Array(DueSignerLetter))

export class SignerLettersRepo extends Context.Service<
  SignerLettersRepo,
  {
    /** Letters of all tenants that are due, each tenant's oldest first; not those of disabled tenants. */
    due(queue: SignerQueue, limit: number): Effect.Effect<ReadonlyArray<DueSignerLetter>>
    /**
     * Claims a letter for sending; `undefined` when it is not due, or another sender has it. It falls due
     * again by itself unless it is removed: so no letter is lost when its sender dies.
     */
    claim(
      queue: SignerQueue,
      id: SignerId
    ): Effect.Effect<ClaimedSignerLetter | undefined, never, CurrentTenant>
    /** Removes a letter that was sent, unless another one was asked for meanwhile; whether it was there. */
    remove(letter: ClaimedSignerLetter): Effect.Effect<boolean, never, CurrentTenant>
    /** Lets a letter that was not sent be tried again after its pause. */
    fail(letter: ClaimedSignerLetter): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/SignerLettersRepo") {
  static readonly layer = Layer.effect(
    SignerLettersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const due = Effect.fn("SignerLettersRepo.due")(function* (queue: SignerQueue, limit: number) {
        const rows = yield* tenantSql.unscoped(queue, dueLetters(sql, queue, "signer_id", limit))
        return yield* decodeDue(rows)
      }, Effect.orDie)

      const claim = Effect.fn("SignerLettersRepo.claim")(function* (
        queue: SignerQueue,
        id: SignerId
      ) {
        const tenantId = yield* CurrentTenant
        const kind = queue === "signer_letter" ? sql`NULL` : sql`l.kind`
        const number = queue === "signer_letter" ? sql`s.code_number` : sql`s.link_number`
        const [row] = yield* tenantSql.write(sql`
          UPDATE ${sql(queue)} l SET attempts = attempts + 1,
            due_at = clock_timestamp() + ${pauseAfterClaim(sql, sql`attempts`)}
          FROM signature_signer s
          WHERE l.tenant_id = ${tenantId} AND l.signer_id = ${id} AND l.due_at <= clock_timestamp()
            AND s.tenant_id = l.tenant_id AND s.id = l.signer_id
          RETURNING l.signer_id, s.signature_id, ${number} AS number, ${kind} AS kind,
            l.attempts, l.due_at::text AS claim
        `)
        return row === undefined ? undefined : { ...(yield* decode(row)), queue }
      }, Effect.orDie)

      const mine = Effect.fnUntraced(function* ({ claim: claimed, signerId }: ClaimedSignerLetter) {
        return sql`tenant_id = ${yield* CurrentTenant} AND signer_id = ${signerId}
          AND due_at = ${claimed}::timestamptz`
      })

      const remove = Effect.fn("SignerLettersRepo.remove")(function* (letter: ClaimedSignerLetter) {
        const removed = yield* tenantSql.write(sql`
          DELETE FROM ${sql(letter.queue)} WHERE ${yield* mine(letter)} RETURNING signer_id
        `)
        return removed.length === 1
      }, Effect.orDie)

      const fail = Effect.fn("SignerLettersRepo.fail")(function* (letter: ClaimedSignerLetter) {
        yield* tenantSql.write(sql`
          UPDATE ${sql(letter.queue)}
          SET due_at = clock_timestamp() + ${pauseAfterFailure(sql, sql`attempts`)}
          WHERE ${yield* mine(letter)}
        `)
      }, Effect.orDie)

      return SignerLettersRepo.of({ due, claim, remove, fail })
    })
  )
}
