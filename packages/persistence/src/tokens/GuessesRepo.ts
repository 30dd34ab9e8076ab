import { delays, maximumGuesses } from "@quittance/domain/tokens/Guesses"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Whether a guess is looked at; if not, whether all are used up, and the seconds until the next is. */
const Taken = Schema.Struct({
  granted: Schema.Boolean,
  usedUp: Schema.Boolean,
  retryAfter: Schema.Int
})
export type Taken = typeof Taken.Type
const decode = Schema.decodeUnknownEffect(Taken)

/** Days after which guesses at an unknown address are forgotten. */
const rememberedDays = 2

/** The same of a count apart from its account's: as long as browsers keep the cookie that it is of. */
export const apartDays = 400

/** Counts apart that one account has at most, so many known browsers that were wrong in turn. */
export const mostApart = 20

/** Wrong passwords in a row. A key is 32 bytes that stand for an account, a browser or a sign-in. */
export class GuessesRepo extends Context.Service<
  GuessesRepo,
  {
    /**
     * Counts a guess as wrong before it is looked at, so that no more pass however many come at once.
     * `isKnown`: a user has this address, and its count is never forgotten by itself. `account`: the key of
     * the account that this count is apart from; it is used up at once where the account has too many.
     */
    take(
      key: Uint8Array,
      isKnown: boolean,
      account?: Uint8Array
    ): Effect.Effect<Taken, never, CurrentTenant>
    /** Uncounts a guess whose password was not verified. */
    untake(key: Uint8Array): Effect.Effect<void, never, CurrentTenant>
    /** Begins again: the password was right, or is another one. */
    forget(keys: ReadonlyArray<Uint8Array>): Effect.Effect<void, never, CurrentTenant>
    /** The same of an account with all counts apart from it. */
    forgetAll(account: Uint8Array): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/GuessesRepo") {
  static readonly layer = Layer.effect(
    GuessesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const forgetOld = Effect.fnUntraced(function* () {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM sign_in_guess WHERE tenant_id = ${tenantId} AND key IN (
            SELECT key FROM sign_in_guess
            WHERE tenant_id = ${tenantId} AND NOT is_known
              AND tried_at < now() - ${rememberedDays}::int * interval '1 day'
            ORDER BY tried_at LIMIT 2 FOR UPDATE SKIP LOCKED
          )
        `)
        yield* tenantSql.write(sql`
          DELETE FROM sign_in_guess WHERE tenant_id = ${tenantId} AND key IN (
            SELECT key FROM sign_in_guess
            WHERE tenant_id = ${tenantId} AND account IS NOT NULL
              AND tried_at < now() - ${apartDays}::int * interval '1 day'
            ORDER BY tried_at LIMIT 2 FOR UPDATE SKIP LOCKED
          )
        `)
      })

      const count = Effect.fnUntraced(function* (
        key: Uint8Array,
        isKnown: boolean,
        account: Uint8Array | null
      ) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          WITH taken AS (
            INSERT INTO sign_in_guess AS g (tenant_id, key, is_known, account, wrong, retry_at)
            SELECT ${tenantId}::text, ${key}::bytea, ${isKnown}::boolean, ${account}::bytea, 1,
              clock_timestamp()
            WHERE ${account}::bytea IS NULL
              OR EXISTS (SELECT FROM sign_in_guess o WHERE o.tenant_id = ${tenantId} AND o.key = ${key})
              OR (SELECT count(*) FROM sign_in_guess o
                WHERE o.tenant_id = ${tenantId} AND o.account = ${account}) < ${mostApart}::int
            ON CONFLICT (tenant_id, key) DO UPDATE SET
              wrong = g.wrong + 1, is_known = g.is_known OR excluded.is_known,
              account = coalesce(g.account, excluded.account),
              tried_at = clock_timestamp(), retry_at = clock_timestamp()
                + (string_to_array(${delays.join(" ")}, ' ')::int[])[g.wrong + 1] * interval '1 second'
            WHERE g.wrong < ${maximumGuesses}::int AND g.retry_at <= clock_timestamp()
            RETURNING wrong
          )
          SELECT EXISTS (SELECT FROM taken) AS granted,
            -- Without a row before or after there was no room for one.
            coalesce(g.wrong >= ${maximumGuesses}::int, NOT EXISTS (SELECT FROM taken)) AS used_up,
            greatest(coalesce(ceil(extract(epoch FROM g.retry_at - clock_timestamp())), 1), 1)::int
              AS retry_after
          FROM (VALUES (1)) one (x)
          LEFT JOIN sign_in_guess g ON g.tenant_id = ${tenantId} AND g.key = ${key}
        `)
        return yield* decode(row)
      })

      const take = Effect.fn("GuessesRepo.take")(
        (key: Uint8Array, isKnown: boolean, account: Uint8Array | null = null) =>
          tenantSql.transaction(Effect.tap(count(key, isKnown, account), () => forgetOld())),
        Effect.orDie
      )

      const forget = Effect.fn("GuessesRepo.forget")(function* (keys: ReadonlyArray<Uint8Array>) {
        const tenantId = yield* CurrentTenant
        for (const key of keys) {
          yield* tenantSql.write(sql`
            DELETE FROM sign_in_guess WHERE tenant_id = ${tenantId} AND key = ${key}
          `)
        }
      }, Effect.orDie)

      const forgetAll = Effect.fn("GuessesRepo.forgetAll")(function* (account: Uint8Array) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM sign_in_guess
          WHERE tenant_id = ${tenantId} AND (key = ${account} OR account = ${account})
        `)
      }, Effect.orDie)

      const untake = Effect.fn("GuessesRepo.untake")(function* (key: Uint8Array) {
        const tenantId = yield* CurrentTenant
        const back = Effect.gen(function* () {
          yield* tenantSql.write(sql`
            DELETE FROM sign_in_guess
            WHERE tenant_id = ${tenantId} AND key = ${key} AND wrong = 1
          `)
          yield* tenantSql.write(sql`
            UPDATE sign_in_guess SET wrong = wrong - 1,
              retry_at = least(retry_at, clock_timestamp())
            WHERE tenant_id = ${tenantId} AND key = ${key} AND wrong > 1
          `)
        })
        yield* tenantSql.transaction(back)
      }, Effect.orDie)

      return GuessesRepo.of({ take, untake, forget, forgetAll })
    })
  )
}
