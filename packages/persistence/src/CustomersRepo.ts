import {
  CustomerId,
  CustomerStatus,
  CustomerType,
  PaymentMethodId,
  PaymentMode
} from "@quittance/domain/Customer"
import { PolicyId } from "@quittance/domain/Policy"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "./Columns.ts"
import { TenantSql } from "./TenantSql.ts"

/** A customer apart from what it is on a policy. */
export const CustomerRow = Schema.Struct({
  id: CustomerId,
  type: CustomerType,
  name: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  status: CustomerStatus,
  paymentMode: PaymentMode,
  preferredPaymentMethodId: Schema.NullOr(PaymentMethodId),
  createdAt: InstantColumn,
  lastModifiedAt: InstantColumn,
  /** The earliest first. */
  policies: Schema.Array(PolicyId)
})
export type CustomerRow = typeof CustomerRow.Type
const decode = Schema.decodeUnknownEffect(Schema.Array(CustomerRow))

export class CustomersRepo extends Context.Service<
  CustomersRepo,
  {
    /** Stores a new customer and links it to the policy. */
    insert(
      customer: Omit<CustomerRow, "policies">,
      policyId: PolicyId
    ): Effect.Effect<void, never, CurrentTenant>
    update(
      customer: Omit<CustomerRow, "policies" | "createdAt">
    ): Effect.Effect<void, never, CurrentTenant>
    findMany(
      ids: ReadonlyArray<CustomerId>
    ): Effect.Effect<ReadonlyArray<CustomerRow>, never, CurrentTenant>
    find(id: CustomerId): Effect.Effect<CustomerRow | undefined, never, CurrentTenant>
  }
>()("@quittance/persistence/CustomersRepo") {
  static readonly layer = Layer.effect(
    CustomersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const insert = Effect.fn("CustomersRepo.insert")(function* (
        customer: Omit<CustomerRow, "policies">,
        policyId: PolicyId
      ) {
        const tenantId = yield* CurrentTenant
        const linkedAt = toDate(customer.createdAt)
        const row = {
          tenantId,
          ...customer,
          createdAt: linkedAt,
          lastModifiedAt: toDate(customer.lastModifiedAt)
        }
        yield* tenantSql.write(sql`INSERT INTO customer ${sql.insert(row)}`)
        const link = { tenantId, customerId: customer.id, policyId, linkedAt }
        yield* tenantSql.write(sql`INSERT INTO customer_policy ${sql.insert(link)}`)
      }, Effect.orDie)

      const update = Effect.fn("CustomersRepo.update")(function* (
        customer: Omit<CustomerRow, "policies" | "createdAt">
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE customer SET type = ${customer.type}, name = ${customer.name},
            email = ${customer.email}, status = ${customer.status},
            payment_mode = ${customer.paymentMode},
            last_modified_at = ${toDate(customer.lastModifiedAt)}
          WHERE tenant_id = ${tenantId} AND id = ${customer.id}
        `)
        // What the accounting summary finds and orders a customer by, on whatever policies it pays.
        yield* tenantSql.write(sql`
          UPDATE receivable r SET customer_name = search_fold(${customer.name}),
            search = search_text(p.id, p.external_id, p.incremental_id::text, p.name,
              ${customer.id}, ${customer.name}, ${customer.email})
          FROM policy p
          WHERE r.tenant_id = ${tenantId} AND r.customer_id = ${customer.id}
            AND p.tenant_id = r.tenant_id AND p.id = r.policy_id
        `)
      }, Effect.orDie)

      const findMany = Effect.fn("CustomersRepo.findMany")(function* (
        ids: ReadonlyArray<CustomerId>
      ) {
        if (ids.length === 0) return []
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT c.id, c.type, c.name, c.email, c.status, c.payment_mode,
            c.preferred_payment_method_id, c.created_at, c.last_modified_at,
            ARRAY(SELECT l.policy_id FROM customer_policy l
              WHERE l.tenant_id = c.tenant_id AND l.customer_id = c.id
              ORDER BY l.linked_at, l.policy_id) AS policies
          FROM customer c WHERE c.tenant_id = ${tenantId} AND c.id = ANY(${[...ids]})
        `)
        return yield* decode(rows)
      }, Effect.orDie)

      return CustomersRepo.of({
        insert,
        update,
        findMany,
        find: (id) => Effect.map(findMany([id]), (rows) => rows[0])
      })
    })
  )
}
