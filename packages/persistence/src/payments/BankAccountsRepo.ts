/** The accounts of a tenant at its banks, their numbers sealed. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { Action } from "@quittance/domain/requests/Action"
import {
  BankAccountName,
  BankAccountNotFound,
  BankAccountSettings
} from "@quittance/domain/payments/BankAccount"
import { BankAccountId } from "@quittance/domain/values/Ids"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const Row = Schema.Struct({
  id: BankAccountId,
  name: BankAccountName,
  sealedIban: Schema.String,
  ibanPrint: Schema.Uint8Array,
  settings: BankAccountSettings,
  createdAt: InstantColumn
})
/** An account as it is stored; its number is opened by `AccountSeals`. */
export type StoredBankAccount = typeof Row.Type
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))
const encodeSettings = Schema.encodeSync(BankAccountSettings)

export class BankAccountsRepo extends Context.Service<
  BankAccountsRepo,
  {
    /** All of them, by name. */
    readonly all: Effect.Effect<ReadonlyArray<StoredBankAccount>, never, CurrentTenant>
    /** Fetches an account together with the permission on it. */
    authorize(
      action: Action,
      name: string
    ): Effect.Effect<
      StoredBankAccount,
      BankAccountNotFound | Forbidden,
      CurrentTenant | CurrentCaller
    >
    /** All of them; changing another one waits until the transaction ends. */
    readonly hold: Effect.Effect<ReadonlyArray<StoredBankAccount>, never, CurrentTenant>
    /** Adds an account, or gives the one of this name other settings. */
    put(account: StoredBankAccount): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/BankAccountsRepo") {
  static readonly layer = Layer.effect(
    BankAccountsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const grants = yield* GrantsRepo
      const columns = sql`id, name, sealed_iban, iban_print, settings, created_at`

      const select = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM bank_account WHERE tenant_id = ${tenantId} ORDER BY name
        `)
        return yield* decode(rows)
      }).pipe(Effect.orDie)

      const all = select.pipe(Effect.withSpan("BankAccountsRepo.all"))

      const authorize = Effect.fn("BankAccountsRepo.authorize")(function* (
        action: Action,
        name: string
      ) {
        const tenantId = yield* CurrentTenant
        const granted = yield* grants.onTenant(action)
        const rows = yield* Effect.orDie(
          tenantSql.read(sql<{ readonly granted: boolean }>`
            SELECT ${columns}, ${granted} AS granted FROM bank_account
            WHERE tenant_id = ${tenantId} AND name = ${name}
          `)
        )
        const [found] = yield* Effect.orDie(decode(rows))
        if (found === undefined) return yield* new BankAccountNotFound({ name })
        if (!rows[0]!.granted) return yield* grants.refuse(action)
        return found
      })

      const hold = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        // Also where there is none yet, so no row can be locked.
        yield* Effect.orDie(
          tenantSql.write(sql`
            SELECT pg_advisory_xact_lock(hashtextextended(${`quittance bank ${tenantId}`}, 0))
          `)
        )
        return yield* select
      }).pipe(Effect.withSpan("BankAccountsRepo.hold"))

      const put = Effect.fn("BankAccountsRepo.put")(function* (account: StoredBankAccount) {
        const row = {
          tenantId: yield* CurrentTenant,
          id: account.id,
          name: account.name,
          sealedIban: account.sealedIban,
          ibanPrint: account.ibanPrint,
          settings: PgTypes.jsonb(encodeSettings(account.settings)),
          createdAt: toDate(account.createdAt)
        }
        yield* tenantSql.write(sql`
          INSERT INTO bank_account ${sql.insert(row)}
          ON CONFLICT (tenant_id, id) DO UPDATE SET settings = excluded.settings
        `)
      }, Effect.orDie)

      return BankAccountsRepo.of({ all, authorize, hold, put })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}
