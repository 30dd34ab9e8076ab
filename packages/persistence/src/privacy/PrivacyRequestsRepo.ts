/** What people ask about their data. */
import type { Action } from "@quittance/domain/requests/Action"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  PrivacyRequest,
  type PrivacyRequestId,
  PrivacyRequestNotFound
} from "@quittance/domain/privacy/PrivacyRequest"
import type { CustomerId } from "@quittance/domain/values/Ids"
import type { PageRequest } from "@quittance/domain/values/Page"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const Row = Schema.Struct({
  ...PrivacyRequest.fields,
  receivedAt: InstantColumn,
  dueAt: InstantColumn,
  closedAt: Schema.optionalKey(InstantColumn)
})
const decode = Schema.decodeUnknownEffect(Row)
const encode = Schema.encodeSync(PrivacyRequest)

const found = (row: object): Effect.Effect<PrivacyRequest> =>
  Effect.orDie(decode(withoutNulls(row)))

const json = (value: unknown) => (value === undefined ? null : PgTypes.jsonb(value))

/** What commands change. */
const changing = (request: PrivacyRequest) => {
  const { decision, extension, identity } = encode(request)
  return {
    status: request.status,
    dueAt: toDate(request.dueAt),
    extension: json(extension),
    identity: json(identity),
    decision: json(decision),
    closedAt: request.closedAt === undefined ? null : toDate(request.closedAt)
  }
}

export class PrivacyRequestsRepo extends Context.Service<
  PrivacyRequestsRepo,
  {
    /** Fetches a request together with the permission on it. */
    authorize(
      action: Action,
      id: PrivacyRequestId
    ): Effect.Effect<
      PrivacyRequest,
      Forbidden | PrivacyRequestNotFound,
      CurrentTenant | CurrentCaller
    >
    /** A request that is there, locked until the transaction ends. */
    hold(id: PrivacyRequestId): Effect.Effect<PrivacyRequest, never, CurrentTenant>
    insert(request: PrivacyRequest): Effect.Effect<void, never, CurrentTenant>
    /** Records what a command has made of a request. */
    update(request: PrivacyRequest): Effect.Effect<void, never, CurrentTenant>
    /** Those of the tenant, the newest first. */
    list(
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<PrivacyRequest>; readonly total: number },
      never,
      CurrentTenant
    >
    /** The first of these customers that the tenant does not have. */
    missingOf(
      ids: ReadonlyArray<CustomerId>
    ): Effect.Effect<CustomerId | undefined, never, CurrentTenant>
  }
>()("@quittance/persistence/PrivacyRequestsRepo") {
  static readonly layer = Layer.effect(
    PrivacyRequestsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo
      const columns = sql`id, kind, customer_ids, status, received_at, due_at, extension, identity,
        decision, closed_at`

      const authorize = Effect.fn("PrivacyRequestsRepo.authorize")(function* (
        action: Action,
        privacyRequestId: PrivacyRequestId
      ) {
        const tenantId = yield* CurrentTenant
        const granted = yield* grants.onTenant(action)
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql<{ readonly granted: boolean }>`
            SELECT ${columns}, ${granted} AS granted FROM privacy_request
            WHERE tenant_id = ${tenantId} AND id = ${privacyRequestId}
          `)
        )
        if (row === undefined) return yield* new PrivacyRequestNotFound({ privacyRequestId })
        if (!row.granted) return yield* grants.refuse(action)
        return yield* found(row)
      })

      const hold = Effect.fn("PrivacyRequestsRepo.hold")(function* (id: PrivacyRequestId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          SELECT ${columns} FROM privacy_request
          WHERE tenant_id = ${tenantId} AND id = ${id} FOR NO KEY UPDATE
        `)
        return yield* found(row!)
      }, Effect.orDie)

      const insert = Effect.fn("PrivacyRequestsRepo.insert")(function* (request: PrivacyRequest) {
        const row = {
          tenantId: yield* CurrentTenant,
          id: request.id,
          kind: request.kind,
          customerIds: [...request.customerIds],
          receivedAt: toDate(request.receivedAt),
          ...changing(request)
        }
        yield* tenantSql.write(sql`INSERT INTO privacy_request ${sql.insert(row)}`)
      }, Effect.orDie)

      const update = Effect.fn("PrivacyRequestsRepo.update")(function* (request: PrivacyRequest) {
        yield* tenantSql.write(sql`
          UPDATE privacy_request SET ${sql.update(changing(request))}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${request.id}
        `)
      }, Effect.orDie)

      const list = Effect.fn("PrivacyRequestsRepo.list")(function* ({ count, page }: PageRequest) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM privacy_request WHERE tenant_id = ${tenantId}
          ORDER BY received_at DESC, id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM privacy_request WHERE tenant_id = ${tenantId}
        `)
        return { rows: yield* Effect.forEach(rows, found), total: counted!.total }
      }, Effect.orDie)

      const missingOf = Effect.fn("PrivacyRequestsRepo.missingOf")(function* (
        ids: ReadonlyArray<CustomerId>
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<{ readonly id: CustomerId }>`
          SELECT id FROM customer WHERE tenant_id = ${tenantId} AND id = ANY (${[...ids]})
        `)
        const known = new Set(rows.map(({ id }) => id))
        return ids.find((id) => !known.has(id))
      }, Effect.orDie)

      return PrivacyRequestsRepo.of({ authorize, hold, insert, update, list, missingOf })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}
