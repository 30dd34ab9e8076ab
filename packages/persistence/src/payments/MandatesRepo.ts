/** Mandates, each with its life so far. */
import type { Action } from "@quittance/domain/requests/Action"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { MandateNotFound, StoredMandate } from "@quittance/domain/payments/MandateRecord"
import type { CustomerId, MandateId } from "@quittance/domain/values/Ids"
import type { PageRequest } from "@quittance/domain/values/Page"
import { TimeZone } from "@quittance/domain/values/TimeZone"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { type Permitted, permissionColumns, type Reach, reaches } from "./CustomerPermissions.ts"

const Row = Schema.Struct({
  ...StoredMandate.fields,
  createdAt: InstantColumn,
  timeZone: TimeZone
})
const decode = Schema.decodeUnknownEffect(Row)
const encode = Schema.encodeSync(StoredMandate)

/** A mandate, and where its days begin: at the account that it is collected to. */
export interface FoundMandate {
  readonly mandate: StoredMandate
  readonly timeZone: TimeZone
}

type Scoped = CurrentTenant | CurrentCaller

export class MandatesRepo extends Context.Service<
  MandatesRepo,
  {
    /** Fetches a mandate together with the permission on it. */
    authorize(
      action: Action,
      id: MandateId,
      reach?: Reach
    ): Effect.Effect<FoundMandate, Forbidden | MandateNotFound, Scoped>
    /** A mandate that is there, locked until the transaction ends. */
    hold(id: MandateId): Effect.Effect<FoundMandate, never, CurrentTenant>
    /** Adds a mandate; `false`, and nothing added, where its creditor has that reference already. */
    insert(mandate: StoredMandate): Effect.Effect<boolean, never, CurrentTenant>
    /** Records what a command has made of a mandate. */
    update(mandate: StoredMandate): Effect.Effect<void, never, CurrentTenant>
    /** Those of a customer, the newest first. */
    list(
      id: CustomerId,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<FoundMandate>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/MandatesRepo") {
  static readonly layer = Layer.effect(
    MandatesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo
      const columns = sql`m.id, m.payment_method_id, m.customer_id, m.bank_account_id,
        m.creditor_identifier, m.umr, m.scheme, m.type, m.status, m.locale, m.text_hash,
        m.signed_on::text, m.evidence, m.bank_confirmation, m.last_presented_on::text, m.amendments,
        m.blocked, m.unblocked, m.created_at, a.settings->>'timeZone' AS time_zone`
      const mandates = sql`mandate m
        JOIN bank_account a ON a.tenant_id = m.tenant_id AND a.id = m.bank_account_id`

      const authorize = Effect.fn("MandatesRepo.authorize")(function* (
        action: Action,
        mandateId: MandateId,
        reach?: Reach
      ) {
        const tenantId = yield* CurrentTenant
        const permitted = yield* permissionColumns(sql, grants, action)
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql<Permitted>`
            SELECT ${columns}, ${permitted} FROM ${mandates}
            JOIN customer c ON c.tenant_id = m.tenant_id AND c.id = m.customer_id
            WHERE m.tenant_id = ${tenantId} AND m.id = ${mandateId}
          `)
        )
        if (row === undefined) return yield* new MandateNotFound({ mandateId })
        if (!reaches(row, reach)) return yield* grants.refuse(action)
        return yield* found(row)
      })

      const hold = Effect.fn("MandatesRepo.hold")(function* (id: MandateId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          SELECT ${columns} FROM ${mandates}
          WHERE m.tenant_id = ${tenantId} AND m.id = ${id} FOR NO KEY UPDATE OF m
        `)
        return yield* found(row!)
      }, Effect.orDie)

      const insert = Effect.fn("MandatesRepo.insert")(function* (mandate: StoredMandate) {
        const row = {
          tenantId: yield* CurrentTenant,
          id: mandate.id,
          paymentMethodId: mandate.paymentMethodId,
          customerId: mandate.customerId,
          bankAccountId: mandate.bankAccountId,
          creditorIdentifier: mandate.creditorIdentifier,
          umr: mandate.umr,
          scheme: mandate.scheme,
          type: mandate.type,
          locale: mandate.locale ?? null,
          createdAt: toDate(mandate.createdAt),
          ...changing(mandate)
        }
        const added = yield* tenantSql.write(sql`
          INSERT INTO mandate ${sql.insert(row)} ON CONFLICT DO NOTHING RETURNING id
        `)
        return added.length > 0
      }, Effect.orDie)

      const update = Effect.fn("MandatesRepo.update")(function* (mandate: StoredMandate) {
        const { paymentMethodId } = mandate
        yield* tenantSql.write(sql`
          UPDATE mandate SET ${sql.update({ paymentMethodId, ...changing(mandate) })}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${mandate.id}
        `)
      }, Effect.orDie)

      const list = Effect.fn("MandatesRepo.list")(function* (
        id: CustomerId,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM ${mandates}
          WHERE m.tenant_id = ${tenantId} AND m.customer_id = ${id}
          ORDER BY m.created_at DESC, m.id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM mandate
          WHERE tenant_id = ${tenantId} AND customer_id = ${id}
        `)
        return { rows: yield* Effect.forEach(rows, found), total: counted!.total }
      }, Effect.orDie)

      return MandatesRepo.of({ authorize, hold, insert, update, list })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}

const found = (row: object): Effect.Effect<FoundMandate> =>
  decode(withoutNulls(row)).pipe(
    Effect.map(({ timeZone, ...mandate }) => ({ mandate, timeZone })),
    Effect.orDie
  )

/** What commands change. */
const changing = (mandate: StoredMandate) => {
  const { amendments, bankConfirmation, blocked, evidence, unblocked } = encode(mandate)
  return {
    status: mandate.status,
    textHash: mandate.textHash ?? null,
    signedOn: mandate.signedOn ?? null,
    evidence: evidence === undefined ? null : PgTypes.jsonb(evidence),
    bankConfirmation: bankConfirmation === undefined ? null : PgTypes.jsonb(bankConfirmation),
    lastPresentedOn: mandate.lastPresentedOn ?? null,
    amendments: PgTypes.jsonb(amendments),
    blocked: blocked === undefined ? null : PgTypes.jsonb(blocked),
    unblocked: unblocked === undefined ? null : PgTypes.jsonb(unblocked)
  }
}
