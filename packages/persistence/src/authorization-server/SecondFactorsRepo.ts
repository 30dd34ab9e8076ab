/** Passkeys, authenticator apps and recovery codes, and who has to have one. */
import {
  factorFailures,
  FactorKind,
  powerfulActions
} from "@quittance/domain/authorization-server/SecondFactor"
import type { UserId } from "@quittance/domain/requests/Caller"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { grantsSql } from "../access/GrantRow.ts"
import { InstantColumn, IntColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const SecondFactor = Schema.Struct({
  id: Schema.String,
  kind: FactorKind,
  name: Schema.String,
  createdAt: InstantColumn,
  /** Of an authenticator app, under the key of the service. */
  sealedSecret: Schema.NullOr(Schema.String),
  credentialId: Schema.NullOr(Schema.String),
  publicKey: Schema.NullOr(Schema.Uint8Array),
  counter: IntColumn
})
export type SecondFactor = typeof SecondFactor.Type

export type NewFactor = Pick<SecondFactor, "id" | "kind" | "name"> &
  Partial<Pick<SecondFactor, "sealedSecret" | "credentialId" | "publicKey" | "counter">> & {
    readonly lastStep?: number
  }

const decode = Schema.decodeUnknownEffect(Schema.Array(SecondFactor))

export class SecondFactorsRepo extends Context.Service<
  SecondFactorsRepo,
  {
    /** The factors of a user, the oldest first. */
    of(userId: UserId): Effect.Effect<ReadonlyArray<SecondFactor>, never, CurrentTenant>
    /** Stores a factor; `false` when the passkey is enrolled already. */
    insert(userId: UserId, factor: NewFactor): Effect.Effect<boolean, never, CurrentTenant>
    /** Takes the code of a step, for exactly one of any number at once, and none after it. */
    useStep(id: string, step: number): Effect.Effect<boolean, never, CurrentTenant>
    /** Counts a wrong code against the apps of a user. */
    failCode(userId: UserId): Effect.Effect<void, never, CurrentTenant>
    /** Takes a signature's counter, which has to be greater than the last unless both are 0. */
    useCounter(id: string, counter: number): Effect.Effect<boolean, never, CurrentTenant>
    remove(userId: UserId, id: string): Effect.Effect<boolean, never, CurrentTenant>
    /** Removes all factors and recovery codes of a user; how many factors there were. */
    removeAll(userId: UserId): Effect.Effect<number, never, CurrentTenant>
    /** Makes these the recovery codes of a user, by their hashes. */
    setRecoveryCodes(
      userId: UserId,
      hashes: ReadonlyArray<Uint8Array>
    ): Effect.Effect<void, never, CurrentTenant>
    /** Uses a recovery code up, for exactly one of any number at once. */
    useRecoveryCode(userId: UserId, hash: Uint8Array): Effect.Effect<boolean, never, CurrentTenant>
    recoveryCodesLeft(userId: UserId): Effect.Effect<number, never, CurrentTenant>
    /** Whether the tenant asks for a second factor and the user may move money or rights somewhere. */
    isRequiredOf(userId: UserId): Effect.Effect<boolean, never, CurrentTenant>
    /** Has the tenant ask for one, or no longer; what it was before. */
    setRequired(required: boolean): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/persistence/SecondFactorsRepo") {
  static readonly layer = Layer.effect(
    SecondFactorsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const { roleHas } = grantsSql(sql)

      const of = Effect.fn("SecondFactorsRepo.of")(function* (userId: UserId) {
        const tenantId = yield* CurrentTenant
        return yield* decode(
          yield* tenantSql.read(sql`
            SELECT id, kind, name, created_at, sealed_secret, credential_id, public_key, counter
            FROM second_factor
            WHERE tenant_id = ${tenantId} AND user_id = ${userId}
            ORDER BY created_at, id
          `)
        )
      }, Effect.orDie)

      const insert = Effect.fn("SecondFactorsRepo.insert")(function* (
        userId: UserId,
        { credentialId, counter, id, kind, lastStep, name, publicKey, sealedSecret }: NewFactor
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          INSERT INTO second_factor (tenant_id, id, user_id, kind, name, sealed_secret, last_step,
            credential_id, public_key, counter)
          VALUES (${tenantId}, ${id}, ${userId}, ${kind}, ${name}, ${sealedSecret ?? null},
            ${lastStep ?? null}, ${credentialId ?? null}, ${publicKey ?? null}, ${counter ?? 0})
          ON CONFLICT DO NOTHING
          RETURNING id
        `)
        return rows.length === 1
      }, Effect.orDie)

      const useStep = Effect.fn("SecondFactorsRepo.useStep")(function* (id: string, step: number) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          UPDATE second_factor SET last_step = ${step}, failures = 0
          WHERE tenant_id = ${tenantId} AND id = ${id} AND kind = 'TOTP'
            AND failures < ${factorFailures} AND coalesce(last_step, -1) < ${step}
          RETURNING id
        `)
        return rows.length === 1
      }, Effect.orDie)

      const failCode = Effect.fn("SecondFactorsRepo.failCode")(function* (userId: UserId) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE second_factor SET failures = failures + 1
          WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND kind = 'TOTP'
        `)
      }, Effect.orDie)

      const useCounter = Effect.fn("SecondFactorsRepo.useCounter")(function* (
        id: string,
        counter: number
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          UPDATE second_factor SET counter = ${counter}
          WHERE tenant_id = ${tenantId} AND id = ${id} AND kind = 'PASSKEY'
            AND (counter < ${counter} OR (counter = 0 AND ${counter} = 0))
          RETURNING id
        `)
        return rows.length === 1
      }, Effect.orDie)

      const remove = Effect.fn("SecondFactorsRepo.remove")(function* (userId: UserId, id: string) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          DELETE FROM second_factor
          WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND id = ${id}
          RETURNING id
        `)
        return rows.length === 1
      }, Effect.orDie)

      const setRecoveryCodes = Effect.fn("SecondFactorsRepo.setRecoveryCodes")(function* (
        userId: UserId,
        hashes: ReadonlyArray<Uint8Array>
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM recovery_code WHERE tenant_id = ${tenantId} AND user_id = ${userId}
        `)
        yield* Effect.forEach(hashes, (hash) =>
          tenantSql.write(sql`
            INSERT INTO recovery_code (tenant_id, user_id, code_hash)
            VALUES (${tenantId}, ${userId}, ${hash})
          `)
        )
      }, Effect.orDie)

      const removeAll = Effect.fn("SecondFactorsRepo.removeAll")(function* (userId: UserId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          DELETE FROM second_factor WHERE tenant_id = ${tenantId} AND user_id = ${userId}
          RETURNING id
        `)
        yield* setRecoveryCodes(userId, [])
        return rows.length
      }, Effect.orDie)

      const useRecoveryCode = Effect.fn("SecondFactorsRepo.useRecoveryCode")(function* (
        userId: UserId,
        hash: Uint8Array
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          UPDATE recovery_code SET used_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND code_hash = ${hash}
            AND used_at IS NULL
          RETURNING user_id
        `)
        return rows.length === 1
      }, Effect.orDie)

      const recoveryCodesLeft = Effect.fn("SecondFactorsRepo.recoveryCodesLeft")(function* (
        userId: UserId
      ) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql<{ readonly left: number }>`
          SELECT count(*)::int AS left FROM recovery_code
          WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND used_at IS NULL
        `)
        return row!.left
      }, Effect.orDie)

      const isRequiredOf = Effect.fn("SecondFactorsRepo.isRequiredOf")(function* (userId: UserId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql<{ readonly required: boolean }>`
          SELECT EXISTS (
            SELECT FROM tenant t JOIN permission_grant g ON g.tenant_id = t.tenant_id
            WHERE t.tenant_id = ${tenantId} AND t.second_factor_required
              AND g.subject_id = ${userId}
              AND ${sql.or(powerfulActions.map((action) => roleHas(action)))}
          ) AS required
        `)
        return row!.required
      }, Effect.orDie)

      const setRequired = Effect.fn("SecondFactorsRepo.setRequired")(function* (required: boolean) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql<{ readonly was: boolean }>`
          SELECT second_factor_required AS was FROM tenant WHERE tenant_id = ${tenantId} FOR UPDATE
        `)
        yield* tenantSql.write(sql`
          UPDATE tenant SET second_factor_required = ${required} WHERE tenant_id = ${tenantId}
        `)
        return row?.was ?? false
      }, Effect.orDie)

      return SecondFactorsRepo.of({
        of,
        insert,
        useStep,
        failCode,
        useCounter,
        remove,
        removeAll,
        setRecoveryCodes,
        useRecoveryCode,
        recoveryCodesLeft,
        isRequiredOf,
        setRequired
      })
    })
  )
}
