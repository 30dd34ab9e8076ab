/** Files and statements of the tenant's banks, and what of their entries is known. */
import type { Action } from "@quittance/domain/requests/Action"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  BankStatement,
  BankStatementNotFound,
  type BankFileOutcome
} from "@quittance/domain/treasury/BankStatement"
import type { StatementFilter } from "@quittance/domain/treasury/TreasuryRequests"
import type { BankAccountId, BankStatementId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { PageRequest } from "@quittance/domain/values/Page"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Result, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const Row = Schema.Struct({
  ...BankStatement.fields,
  sequence: Schema.optionalKey(IntColumn),
  opening: Schema.optionalKey(IntColumn),
  closing: Schema.optionalKey(IntColumn),
  sum: IntColumn,
  receivedAt: InstantColumn
})
const decode = Schema.decodeUnknownEffect(Row)
const found = (row: object) => Effect.orDie(decode(withoutNulls(row)))

/** A file of a bank, by its bytes. */
export interface TakenFile {
  readonly bankAccountId: BankAccountId
  readonly sha256: string
  readonly contentAddress: string
  readonly kind: BankFileOutcome["kind"]
  readonly receivedAt: Instant
}

/** One that is there. */
export type FoundFile = Omit<TakenFile, "receivedAt">

/** Where a statement stands in the files of its account. */
export interface StatementPlace {
  readonly sha256: string
  /** From 0. */
  readonly position: number
}

/** The account's last statement that is booked. */
export interface LastBooked {
  readonly sequence: number | undefined
  readonly closing: number
  readonly closingOn: LocalDate | undefined
}

export class BankStatementsRepo extends Context.Service<
  BankStatementsRepo,
  {
    findFile(
      id: BankAccountId,
      sha256: string
    ): Effect.Effect<FoundFile | undefined, never, CurrentTenant>
    insertFile(file: TakenFile): Effect.Effect<void, never, CurrentTenant>
    /** In the order of the file. */
    ofFile(
      id: BankAccountId,
      sha256: string
    ): Effect.Effect<ReadonlyArray<BankStatement>, never, CurrentTenant>
    insert(
      statement: BankStatement,
      place: StatementPlace
    ): Effect.Effect<void, never, CurrentTenant>
    /** Records what has become of a statement that was held. */
    update(statement: BankStatement): Effect.Effect<void, never, CurrentTenant>
    /** Fetches a statement together with the permission on it. */
    authorize(
      action: Action,
      id: BankStatementId
    ): Effect.Effect<
      BankStatement & StatementPlace,
      BankStatementNotFound | Forbidden,
      CurrentTenant | CurrentCaller
    >
    /** The newest first. */
    list(
      filter: StatementFilter,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<BankStatement>; readonly total: number },
      never,
      CurrentTenant
    >
    last(id: BankAccountId): Effect.Effect<LastBooked | undefined, never, CurrentTenant>
    /** Whether a statement that the bank calls so, with this number, was booked. */
    isKnown(
      id: BankAccountId,
      statementId: string,
      sequence: number | undefined
    ): Effect.Effect<boolean, never, CurrentTenant>
  }
>()("@quittance/persistence/BankStatementsRepo") {
  static readonly layer = Layer.effect(
    BankStatementsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo
      const columns = sql`s.id, s.bank_account_id, s.message, s.statement_id, s.sequence, s.status,
        s.reasons, s.currency, s.opening, s.closing, s.closing_on::text, s.entries, s.sum,
        s.new_entries, s.received_at, s.accepted`

      const findFile = Effect.fn("BankStatementsRepo.findFile")(function* (
        id: BankAccountId,
        sha256: string
      ) {
        const [row] = yield* tenantSql.read(sql<FoundFile>`
          SELECT bank_account_id, sha256, content_address, kind FROM bank_file
          WHERE tenant_id = ${yield* CurrentTenant} AND bank_account_id = ${id}
            AND sha256 = ${sha256}
        `)
        return row
      }, Effect.orDie)

      const insertFile = Effect.fn("BankStatementsRepo.insertFile")(function* (file: TakenFile) {
        const row = {
          tenantId: yield* CurrentTenant,
          ...file,
          receivedAt: toDate(file.receivedAt)
        }
        yield* tenantSql.write(sql`INSERT INTO bank_file ${sql.insert(row)}`)
      }, Effect.orDie)

      const ofFile = Effect.fn("BankStatementsRepo.ofFile")(function* (
        id: BankAccountId,
        sha256: string
      ) {
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM bank_statement s
          WHERE s.tenant_id = ${yield* CurrentTenant} AND s.bank_account_id = ${id}
            AND s.sha256 = ${sha256} ORDER BY s.position
        `)
        return yield* Effect.forEach(rows, found)
      }, Effect.orDie)

      /** The next of the account, whose lock the transaction has. */
      const nextOrdinal = Effect.fnUntraced(function* (id: BankAccountId) {
        const [row] = yield* tenantSql.read(sql<{ readonly ordinal: number }>`
          SELECT coalesce(max(ordinal), 0) + 1 AS ordinal FROM bank_statement
          WHERE tenant_id = ${yield* CurrentTenant} AND bank_account_id = ${id}
        `)
        return row!.ordinal
      })

      const insert = Effect.fn("BankStatementsRepo.insert")(function* (
        statement: BankStatement,
        { position, sha256 }: StatementPlace
      ) {
        const row = {
          tenantId: yield* CurrentTenant,
          id: statement.id,
          bankAccountId: statement.bankAccountId,
          sha256,
          position,
          message: statement.message,
          statementId: statement.statementId,
          sequence: statement.sequence ?? null,
          currency: statement.currency,
          entries: statement.entries,
          sum: statement.sum,
          receivedAt: toDate(statement.receivedAt),
          ordinal: yield* nextOrdinal(statement.bankAccountId),
          ...changing(statement)
        }
        yield* tenantSql.write(sql`INSERT INTO bank_statement ${sql.insert(row)}`)
      }, Effect.orDie)

      const update = Effect.fn("BankStatementsRepo.update")(function* (statement: BankStatement) {
        const ordinal = yield* nextOrdinal(statement.bankAccountId)
        yield* tenantSql.write(sql`
          UPDATE bank_statement SET ${sql.update({ ordinal, ...changing(statement) })}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${statement.id}
        `)
      }, Effect.orDie)

      const authorize = Effect.fn("BankStatementsRepo.authorize")(function* (
        action: Action,
        bankStatementId: BankStatementId
      ) {
        const granted = yield* grants.onTenant(action)
        const tenantId = yield* CurrentTenant
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql<StatementPlace & { readonly granted: boolean }>`
            SELECT ${columns}, s.sha256, s.position, ${granted} AS granted FROM bank_statement s
            WHERE s.tenant_id = ${tenantId} AND s.id = ${bankStatementId}
          `)
        )
        if (row === undefined) return yield* new BankStatementNotFound({ bankStatementId })
        if (!row.granted) return yield* grants.refuse(action)
        const { position, sha256 } = row
        return { ...(yield* found(row)), position, sha256 }
      })

      const list = Effect.fn("BankStatementsRepo.list")(function* (
        { bankAccountId, statuses }: StatementFilter,
        { count, page }: PageRequest
      ) {
        const where = sql.and([
          sql`s.tenant_id = ${yield* CurrentTenant}`,
          ...(bankAccountId === undefined ? [] : [sql`s.bank_account_id = ${bankAccountId}`]),
          ...(statuses === undefined ? [] : [sql`s.status = ANY(${[...statuses]})`])
        ])
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM bank_statement s WHERE ${where}
          ORDER BY s.received_at DESC, s.ordinal DESC, s.id LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM bank_statement s WHERE ${where}
        `)
        return { rows: yield* Effect.forEach(rows, found), total: counted!.total }
      }, Effect.orDie)

      const last = Effect.fn("BankStatementsRepo.last")(function* (id: BankAccountId) {
        const [row] = yield* tenantSql.read(sql<{
          readonly sequence: bigint | null
          readonly closing: bigint
          readonly closingOn: LocalDate | null
        }>`
          SELECT sequence, closing, closing_on::text FROM bank_statement
          WHERE tenant_id = ${yield* CurrentTenant} AND bank_account_id = ${id} AND status = 'BOOKED'
          ORDER BY closing_on DESC NULLS LAST, sequence DESC NULLS LAST, ordinal DESC
          LIMIT 1
        `)
        if (row === undefined) return undefined
        const sequence = row.sequence === null ? undefined : Number(row.sequence)
        return { sequence, closing: Number(row.closing), closingOn: row.closingOn ?? undefined }
      }, Effect.orDie)

      const isKnown = Effect.fn("BankStatementsRepo.isKnown")(function* (
        id: BankAccountId,
        statementId: string,
        sequence: number | undefined
      ) {
        const rows = yield* tenantSql.read(sql`
          SELECT 1 FROM bank_statement
          WHERE tenant_id = ${yield* CurrentTenant} AND bank_account_id = ${id}
            AND status = 'BOOKED' AND statement_id = ${statementId}
            AND sequence IS NOT DISTINCT FROM ${sequence ?? null}::bigint LIMIT 1
        `)
        return rows.length > 0
      }, Effect.orDie)

      return BankStatementsRepo.of({
        findFile,
        insertFile,
        ofFile,
        insert,
        update,
        authorize,
        list,
        last,
        isKnown
      })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}

/** What accepting a statement changes. */
const changing = (statement: BankStatement) => ({
  status: statement.status,
  reasons: Result.getOrThrow(PgTypes.array([...statement.reasons], PgTypes.OID.text)),
  opening: statement.opening ?? null,
  closing: statement.closing ?? null,
  closingOn: statement.closingOn ?? null,
  newEntries: statement.newEntries,
  accepted: statement.accepted === undefined ? null : PgTypes.jsonb(statement.accepted)
})
