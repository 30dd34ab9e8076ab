/** The letters of ceremonies: one of a signer at most, with the last code. It has identifiers alone. */
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { SignatureId, SignerId } from "@quittance/domain/values/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dueLetters, pauseAfterClaim, pauseAfterFailure } from "../access/LetterRetries.ts"
import { TenantSql } from "../sql/TenantSql.ts"

/** A letter that is to be sent, of any tenant. */
const DueSignerLetter = Schema.Struct({ tenantId: TenantId, signerId: SignerId })
export type DueSignerLetter = typeof DueSignerLetter.Type

const Claimed = Schema.Struct({
  signerId: SignerId,
  signatureId: SignatureId,
  /** The number of the last code. */
  number: Schema.Int,
  /** How often it was given out to be sent, this time included. */
  attempts: Schema.Int,
  claim: Schema.String
})
export type ClaimedSignerLetter = typeof Claimed.Type

const decode = Schema.decodeUnknownEffect(Claimed)
const decodeDue = Schema.decodeUnknownEffect(Schema.Array(DueSignerLetter))

export class SignerLettersRepo extends Context.Service<
  SignerLettersRepo,
  {
    /** Letters of all tenants that are due, each tenant's oldest first; not those of disabled tenants. */
    due(limit: number): Effect.Effect<ReadonlyArray<DueSignerLetter>>
    /**
     * Claims a letter for sending; `undefined` when it is not due, or another sender has it. It falls due
     * again by itself unless it is removed: so no letter is lost when its sender dies.
     */
    claim(id: SignerId): Effect.Effect<ClaimedSignerLetter | undefined, never, CurrentTenant>
    /** Removes a letter that was sent, unless another code was asked for meanwhile. */
    remove(letter: ClaimedSignerLetter): Effect.Effect<void, never, CurrentTenant>
    /** Lets a letter that was not sent be tried again after its pause. */
    fail(letter: ClaimedSignerLetter): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/SignerLettersRepo") {
  static readonly layer = Layer.effect(
    SignerLettersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const due = Effect.fn("SignerLettersRepo.due")(function* (limit: number) {
        const rows = yield* tenantSql.unscoped(
          "signer_letter",
          dueLetters(sql, "signer_letter", "signer_id", limit)
        )
        return yield* decodeDue(rows)
      }, Effect.orDie)

      const claim = Effect.fn("SignerLettersRepo.claim")(function* (id: SignerId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          UPDATE signer_letter l SET attempts = attempts + 1,
            due_at = clock_timestamp() + ${pauseAfterClaim(sql, sql`attempts`)}
          FROM signature_signer s
          WHERE l.tenant_id = ${tenantId} AND l.signer_id = ${id} AND l.due_at <= clock_timestamp()
            AND s.tenant_id = l.tenant_id AND s.id = l.signer_id
          RETURNING l.signer_id, s.signature_id, s.code_number AS number, l.attempts,
            l.due_at::text AS claim
        `)
        return row === undefined ? undefined : yield* decode(row)
      }, Effect.orDie)

      const mine = Effect.fnUntraced(function* ({ claim: claimed, signerId }: ClaimedSignerLetter) {
        return sql`tenant_id = ${yield* CurrentTenant} AND signer_id = ${signerId}
          AND due_at = ${claimed}::timestamptz`
      })

      const remove = Effect.fn("SignerLettersRepo.remove")(function* (letter: ClaimedSignerLetter) {
        yield* tenantSql.write(sql`DELETE FROM signer_letter WHERE ${yield* mine(letter)}`)
      }, Effect.orDie)

      const fail = Effect.fn("SignerLettersRepo.fail")(function* (letter: ClaimedSignerLetter) {
        yield* tenantSql.write(sql`
          UPDATE signer_letter
          SET due_at = clock_timestamp() + ${pauseAfterFailure(sql, sql`attempts`)}
          WHERE ${yield* mine(letter)}
        `)
      }, Effect.orDie)

      return SignerLettersRepo.of({ due, claim, remove, fail })
    })
  )
}
