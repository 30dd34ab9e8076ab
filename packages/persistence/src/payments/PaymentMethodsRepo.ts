/** Payment methods of customers, their numbers sealed. */
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import { CustomerNotFound } from "@quittance/domain/customers/Customer"
import type { Action } from "@quittance/domain/requests/Action"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  CustomerPaymentMethod,
  PaymentMethodNotFound
} from "@quittance/domain/payments/PaymentMethod"
import type { PageRequest } from "@quittance/domain/values/Page"
import type { Instant } from "@quittance/domain/values/Instant"
import type { CustomerId, PaymentMethodId } from "@quittance/domain/values/Ids"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { CustomerPaymentMethodsRepo } from "../customers/CustomerPaymentMethodsRepo.ts"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { type Permitted, permissionColumns, type Reach, reaches } from "./CustomerPermissions.ts"

const Row = Schema.Struct({
  ...CustomerPaymentMethod.fields,
  createdAt: InstantColumn,
  disabledAt: Schema.optionalKey(InstantColumn)
})
const decode = Schema.decodeUnknownEffect(Row)

/** A new payment method with its number as it is stored. */
export interface NewPaymentMethod {
  readonly method: CustomerPaymentMethod
  readonly sealedIban: string
  readonly ibanPrint: Uint8Array
}

type Scoped = CurrentTenant | CurrentCaller

export class PaymentMethodsRepo extends Context.Service<
  PaymentMethodsRepo,
  {
    /**
     * Fails unless the caller may do the action for the customer: on a policy that they are on, or on the
     * tenant.
     */
    authorizeCustomer(
      action: Action,
      id: CustomerId
    ): Effect.Effect<void, CustomerNotFound | Forbidden, Scoped>
    /** Fetches a payment method together with the permission on it. */
    authorize(
      action: Action,
      id: PaymentMethodId,
      reach?: Reach
    ): Effect.Effect<CustomerPaymentMethod, Forbidden | PaymentMethodNotFound, Scoped>
    /** Locks a customer's row until the transaction ends, and counts their active payment methods. */
    countLocked(id: CustomerId): Effect.Effect<number, never, CurrentTenant>
    /** One that is there. */
    find(id: PaymentMethodId): Effect.Effect<CustomerPaymentMethod, never, CurrentTenant>
    /** Whether a customer may use it now: it is theirs, and active. */
    isActiveOf(
      customerId: CustomerId,
      id: PaymentMethodId
    ): Effect.Effect<boolean, never, CurrentTenant>
    /** Whether its customer is a company. */
    isOfCompany(id: PaymentMethodId): Effect.Effect<boolean, never, CurrentTenant>
    insert(method: NewPaymentMethod): Effect.Effect<void, never, CurrentTenant>
    disable(id: PaymentMethodId, at: Instant): Effect.Effect<void, never, CurrentTenant>
    sealedIban(id: PaymentMethodId): Effect.Effect<string, never, CurrentTenant>
    /** Those of a customer, the newest first. */
    list(
      id: CustomerId,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<CustomerPaymentMethod>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/PaymentMethodsRepo") {
  static readonly layer = Layer.effect(
    PaymentMethodsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo
      const theirs = yield* CustomerPaymentMethodsRepo
      const columns = sql`m.id, m.customer_id, m.type, m.status, m.holder_name, m.holder_address,
        m.country, m.last4, m.bic, m.created_at, m.disabled_at`

      const authorizeCustomer = Effect.fn("PaymentMethodsRepo.authorizeCustomer")(function* (
        action: Action,
        customerId: CustomerId
      ) {
        const tenantId = yield* CurrentTenant
        const permitted = yield* permissionColumns(sql, grants, action)
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql<Permitted>`
            SELECT ${permitted} FROM customer c
            WHERE c.tenant_id = ${tenantId} AND c.id = ${customerId}
          `)
        )
        if (row === undefined) return yield* new CustomerNotFound({ customerId })
        if (!reaches(row)) return yield* grants.refuse(action)
      })

      const authorize = Effect.fn("PaymentMethodsRepo.authorize")(function* (
        action: Action,
        paymentMethodId: PaymentMethodId,
        reach?: Reach
      ) {
        const tenantId = yield* CurrentTenant
        const permitted = yield* permissionColumns(sql, grants, action)
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql<Permitted>`
            SELECT ${columns}, ${permitted} FROM payment_method m
            JOIN customer c ON c.tenant_id = m.tenant_id AND c.id = m.customer_id
            WHERE m.tenant_id = ${tenantId} AND m.id = ${paymentMethodId}
          `)
        )
        if (row === undefined) return yield* new PaymentMethodNotFound({ paymentMethodId })
        if (!reaches(row, reach)) return yield* grants.refuse(action)
        return yield* Effect.orDie(decode(withoutNulls(row)))
      })

      const find = Effect.fn("PaymentMethodsRepo.find")(function* (id: PaymentMethodId) {
        const [row] = yield* tenantSql.read(sql`
          SELECT ${columns} FROM payment_method m
          WHERE m.tenant_id = ${yield* CurrentTenant} AND m.id = ${id}
        `)
        return yield* decode(withoutNulls(row!))
      }, Effect.orDie)

      const isOfCompany = Effect.fn("PaymentMethodsRepo.isOfCompany")(function* (
        id: PaymentMethodId
      ) {
        const rows = yield* tenantSql.read(sql`
          SELECT FROM payment_method m
          JOIN customer c ON c.tenant_id = m.tenant_id AND c.id = m.customer_id
          WHERE m.tenant_id = ${yield* CurrentTenant} AND m.id = ${id} AND c.type = 'COMPANY'
        `)
        return rows.length > 0
      }, Effect.orDie)

      const countLocked = Effect.fn("PaymentMethodsRepo.countLocked")(function* (id: CustomerId) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          SELECT FROM customer WHERE tenant_id = ${tenantId} AND id = ${id} FOR NO KEY UPDATE
        `)
        const [row] = yield* tenantSql.write(sql<{ readonly active: number }>`
          SELECT count(*)::int AS active FROM payment_method
          WHERE tenant_id = ${tenantId} AND customer_id = ${id} AND status = 'ACTIVE'
        `)
        return row!.active
      }, Effect.orDie)

      const insert = Effect.fn("PaymentMethodsRepo.insert")(function* ({
        ibanPrint,
        method,
        sealedIban
      }: NewPaymentMethod) {
        const { bic, createdAt, disabledAt: _, holderAddress, ...others } = method
        const row = {
          tenantId: yield* CurrentTenant,
          ...others,
          holderAddress: holderAddress === undefined ? null : PgTypes.jsonb(holderAddress),
          bic: bic ?? null,
          sealedIban,
          ibanPrint,
          createdAt: toDate(createdAt)
        }
        yield* tenantSql.write(sql`INSERT INTO payment_method ${sql.insert(row)}`)
      }, Effect.orDie)

      const disable = Effect.fn("PaymentMethodsRepo.disable")(function* (
        id: PaymentMethodId,
        at: Instant
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE payment_method SET status = 'DISABLED', disabled_at = ${toDate(at)}
          WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
        // What can't be used is preferred no more.
        yield* tenantSql.write(sql`
          UPDATE customer c SET preferred_payment_method_id = NULL,
            last_modified_at = greatest(c.last_modified_at, ${toDate(at)})
          WHERE c.tenant_id = ${tenantId} AND c.preferred_payment_method_id = ${id}
            AND c.id = (SELECT customer_id FROM payment_method
              WHERE tenant_id = ${tenantId} AND id = ${id})
        `)
      }, Effect.orDie)

      const sealedIban = Effect.fn("PaymentMethodsRepo.sealedIban")(function* (
        id: PaymentMethodId
      ) {
        const [row] = yield* tenantSql.read(sql<{ readonly sealedIban: string }>`
          SELECT sealed_iban FROM payment_method
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
        return row!.sealedIban
      }, Effect.orDie)

      const list = Effect.fn("PaymentMethodsRepo.list")(function* (
        id: CustomerId,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const ofCustomer: Statement.Fragment = sql`
          FROM payment_method m WHERE m.tenant_id = ${tenantId} AND m.customer_id = ${id}`
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} ${ofCustomer} ORDER BY m.created_at DESC, m.id DESC
          LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total ${ofCustomer}
        `)
        return {
          rows: yield* Effect.forEach(rows, (row) => decode(withoutNulls(row))),
          total: counted!.total
        }
      }, Effect.orDie)

      return PaymentMethodsRepo.of({
        authorizeCustomer,
        authorize,
        countLocked,
        find,
        isActiveOf: theirs.isTheirs,
        isOfCompany,
        insert,
        disable,
        sealedIban,
        list
      })
    })
  ).pipe(Layer.provide([CustomerPaymentMethodsRepo.layer, GrantsRepo.layer]))
}
