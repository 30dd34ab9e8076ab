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
import { SqlClient, type Statement } from "effect/sql"
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
    /**
     * The same by its identifier. With `lock` the account stays locked until the transaction ends: what its
     * bank says is taken one file after the other.
     */
    authorizeId(
      action: Action,
      id: BankAccountId,
      options?: { readonly lock?: boolean }
    ): Effect.Effect<
      StoredBankAccount,
      BankAccountNotFound | Forbidden,
      CurrentTenant | CurrentCaller
    >
    /** Locks one that is there until the transaction ends. */
    lock(id: BankAccountId): Effect.Effect<void, never, CurrentTenant>
    /** One that is there. */
    find(id: BankAccountId): Effect.Effect<StoredBankAccount, never, CurrentTenant>
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

      const authorizeWhere = Effect.fnUntraced(function* (
        action: Action,
        name: string,
        where: Statement.Fragment,
        lock: boolean
      ) {
        const tenantId = yield* CurrentTenant
        const granted = yield* grants.onTenant(action)
        const rows = yield* Effect.orDie(
          tenantSql.read(sql<{ readonly granted: boolean }>`
            SELECT ${columns}, ${granted} AS granted FROM bank_account
            WHERE tenant_id = ${tenantId} AND ${where}
            ${lock ? sql`FOR NO KEY UPDATE` : sql``}
          `)
        )
        const [found] = yield* Effect.orDie(decode(rows))
        if (found === undefined) return yield* new BankAccountNotFound({ name })
        if (!rows[0]!.granted) return yield* grants.refuse(action)
        return found
      })

      const authorize = Effect.fn("BankAccountsRepo.authorize")((action: Action, name: string) =>
        authorizeWhere(action, name, sql`name = ${name}`, false)
      )

      const authorizeId = Effect.fn("BankAccountsRepo.authorizeId")(
        (action: Action, id: BankAccountId, { lock = false } = {}) =>
          authorizeWhere(action, id, sql`id = ${id}`, lock)
      )

      const lock = Effect.fn("BankAccountsRepo.lock")(function* (id: BankAccountId) {
        yield* tenantSql.write(sql`
          SELECT FROM bank_account
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id} FOR NO KEY UPDATE
        `)
      }, Effect.orDie)

      const find = Effect.fn("BankAccountsRepo.find")(function* (id: BankAccountId) {
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM bank_account
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
        return (yield* decode(rows))[0]!
      }, Effect.orDie)

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

      return BankAccountsRepo.of({ all, authorize, authorizeId, find, hold, lock, put })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}
