import type { StoredCustomer } from "@quittance/domain/customers/StoredCustomer"
import type { Coverage } from "@quittance/auth/Grants"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import {
  CustomerNotFound,
  CustomerStatus,
  CustomerType,
  PaymentMode
} from "@quittance/domain/customers/Customer"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { onPolicySql } from "../policies/PolicyMembersSql.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"
import { CustomerId, PaymentMethodId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

const CustomerRow = Schema.Struct({
  id: CustomerId,
  type: CustomerType,
  name: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  status: CustomerStatus,
  paymentMode: PaymentMode,
  preferredPaymentMethodId: Schema.NullOr(PaymentMethodId),
  createdAt: InstantColumn,
  lastModifiedAt: InstantColumn,
  /** The customer's policies that the caller may see; the earliest first. */
  policies: Schema.Array(PolicyId)
})
const decode = Schema.decodeUnknownEffect(Schema.Array(CustomerRow))
const decodeAuthorized = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({ ...CustomerRow.fields, every: Schema.Array(PolicyId), granted: Schema.Boolean })
  )
)

const { policies: _policies, ...versionFields } = CustomerRow.fields
const decodeVersions = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct(versionFields)))

/** That a customer is, was or will be on a policy. */
const CustomerLink = Schema.Struct({
  customerId: CustomerId,
  policyId: PolicyId,
  linkedAt: InstantColumn,
  /** The end of time where nothing says that it leaves; when it was linked, if it never came. */
  leftAt: InstantColumn
})
export type CustomerLink = typeof CustomerLink.Type
const decodeLinks = Schema.decodeUnknownEffect(Schema.Array(CustomerLink))

/** Which version of a customer is asked for. */
export interface VersionOf {
  readonly customerId: CustomerId
  /** By when it was recorded. */
  readonly knownAt: Instant
  /** Before when it was, too; where none was yet by then, the first one. */
  readonly before: Instant
}

/** A customer with those of its policies on which the caller may do what was asked. */
export interface AuthorizedCustomer {
  readonly row: StoredCustomer
  /** The earliest policy that it is on, whether the caller may do it there or not. */
  readonly earliest: PolicyId | undefined
}

export class CustomersRepo extends Context.Service<
  CustomersRepo,
  {
    /** Stores a new customer and links it to the policy. */
    insert(
      customer: Omit<StoredCustomer, "policies">,
      policyId: PolicyId
    ): Effect.Effect<void, never, CurrentTenant>
    update(
      customer: Omit<StoredCustomer, "policies" | "createdAt">
    ): Effect.Effect<void, never, CurrentTenant>
    /** Links a customer to another policy; a link that there was before stays. */
    link(
      customerId: CustomerId,
      policyId: PolicyId,
      at: Instant
    ): Effect.Effect<void, never, CurrentTenant>
    /**
     * Fetches a customer together with the permission on it: on one of its policies, or for one that
     * is on none on the whole tenant.
     */
    authorize(
      action: Action,
      id: CustomerId
    ): Effect.Effect<
      AuthorizedCustomer,
      CustomerNotFound | Forbidden | UserNotFound,
      CurrentTenant | CurrentCaller
    >
    /**
     * Locks a customer until the transaction ends, and with it all who were ever on the policy: one of them
     * may pay for it. One statement locks them in the order of their ids, as writers of receivables do: two
     * changes of customers who share two policies then can't deadlock.
     */
    hold(id: CustomerId, policyId: PolicyId): Effect.Effect<void, never, CurrentTenant>
    /** Who is, was or will be on a policy, whatever branch has put it there. */
    everOn(policyId: PolicyId): Effect.Effect<ReadonlyArray<CustomerId>, never, CurrentTenant>
    /** On which covered policies customers are, were or will be, each one's in the order of their coming. */
    links(
      ids: ReadonlyArray<CustomerId>,
      coverage: Coverage
    ): Effect.Effect<ReadonlyArray<CustomerLink>, never, CurrentTenant>
    /** What customers were known to be in themselves; none of who was not there by then. */
    versions(
      asked: ReadonlyArray<VersionOf>
    ): Effect.Effect<ReadonlyArray<Omit<StoredCustomer, "policies">>, never, CurrentTenant>
    /** Customers that the caller was found to be allowed to see, with their covered policies. */
    findMany(
      ids: ReadonlyArray<CustomerId>,
      coverage: Coverage
    ): Effect.Effect<ReadonlyArray<StoredCustomer>, never, CurrentTenant>
  }
>()("@quittance/persistence/CustomersRepo") {
  static readonly layer = Layer.effect(
    CustomersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo
      const { coveredBy, policiesOf } = onPolicySql(sql)
      const columns = sql`c.id, c.type, c.name, c.email, c.status, c.payment_mode,
        c.preferred_payment_method_id, c.created_at, c.last_modified_at`

      const link = Effect.fn("CustomersRepo.link")(function* (
        customerId: CustomerId,
        policyId: PolicyId,
        at: Instant
      ) {
        const link = { tenantId: yield* CurrentTenant, customerId, policyId, linkedAt: toDate(at) }
        yield* tenantSql.write(sql`
          INSERT INTO customer_policy ${sql.insert(link)} ON CONFLICT DO NOTHING
        `)
      }, Effect.orDie)

      const insert = Effect.fn("CustomersRepo.insert")(function* (
        customer: Omit<StoredCustomer, "policies">,
        policyId: PolicyId
      ) {
        const tenantId = yield* CurrentTenant
        const row = {
          tenantId,
          ...customer,
          createdAt: toDate(customer.createdAt),
          lastModifiedAt: toDate(customer.lastModifiedAt)
        }
        yield* tenantSql.write(sql`INSERT INTO customer ${sql.insert(row)}`)
        yield* link(customer.id, policyId, customer.createdAt)
      }, Effect.orDie)

      const update = Effect.fn("CustomersRepo.update")(function* (
        customer: Omit<StoredCustomer, "policies" | "createdAt">
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE customer SET type = ${customer.type}, name = ${customer.name},
            email = ${customer.email}, status = ${customer.status},
            payment_mode = ${customer.paymentMode},
            preferred_payment_method_id = ${customer.preferredPaymentMethodId},
            last_modified_at = ${toDate(customer.lastModifiedAt)}
          WHERE tenant_id = ${tenantId} AND id = ${customer.id}
        `)
        // What the accounting summary finds and orders a customer by, on whatever policies it pays.
        yield* tenantSql.write(sql`
          UPDATE receivable r SET customer_name = search_fold(c.name),
            search = p.search || c.search
          FROM policy p, customer c
          WHERE r.tenant_id = ${tenantId} AND r.customer_id = ${customer.id}
            AND p.tenant_id = r.tenant_id AND p.id = r.policy_id
            AND c.tenant_id = r.tenant_id AND c.id = r.customer_id
        `)
      }, Effect.orDie)

      const authorize = Effect.fn("CustomersRepo.authorize")(function* (
        action: Action,
        customerId: CustomerId
      ) {
        const tenantId = yield* CurrentTenant
        const granted = yield* grants.onPolicy(action, {
          policyId: sql`p.id`,
          brokerageFirmId: sql`p.brokerage_firm_id`
        })
        const rows = yield* Effect.orDie(
          tenantSql.read(sql`
            SELECT ${columns}, ${policiesOf(tenantId, granted)} AS policies,
              ${policiesOf(tenantId, sql`true`)} AS every,
              ${yield* grants.onTenant(action)} AS granted
            FROM customer c WHERE c.tenant_id = ${tenantId} AND c.id = ${customerId}
          `)
        )
        const [found] = yield* Effect.orDie(decodeAuthorized(rows))
        if (found === undefined) return yield* new CustomerNotFound({ customerId })
        const { every, granted: onTenant, ...row } = found
        if (row.policies.length === 0 && !onTenant) return yield* grants.refuse(action)
        return { row, earliest: every[0] }
      })

      const hold = Effect.fn("CustomersRepo.hold")(function* (id: CustomerId, policyId: PolicyId) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          SELECT FROM customer WHERE tenant_id = ${tenantId} AND id IN (
            SELECT ${id} UNION
            SELECT customer_id FROM customer_policy
            WHERE tenant_id = ${tenantId} AND policy_id = ${policyId})
          ORDER BY id FOR NO KEY UPDATE
        `)
      }, Effect.orDie)

      const findMany = Effect.fn("CustomersRepo.findMany")(function* (
        ids: ReadonlyArray<CustomerId>,
        coverage: Coverage
      ) {
        if (ids.length === 0) return []
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns}, ${policiesOf(tenantId, sql.or(coveredBy(coverage)))} AS policies
          FROM customer c WHERE c.tenant_id = ${tenantId} AND c.id = ANY(${[...ids]})
        `)
        return yield* decode(rows)
      }, Effect.orDie)

      const links = Effect.fn("CustomersRepo.links")(function* (
        ids: ReadonlyArray<CustomerId>,
        coverage: Coverage
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT l.customer_id, l.policy_id, l.linked_at, l.left_at FROM customer_policy l
          JOIN policy p ON p.tenant_id = l.tenant_id AND p.id = l.policy_id
          WHERE l.tenant_id = ${tenantId} AND l.customer_id = ANY(${[...ids]})
            AND (${sql.or(coveredBy(coverage))})
          ORDER BY l.customer_id, l.linked_at, l.ordinal
        `)
        return yield* decodeLinks(rows)
      }, Effect.orDie)

      const everOn = Effect.fn("CustomersRepo.everOn")(function* (policyId: PolicyId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT customer_id, policy_id, linked_at, left_at FROM customer_policy
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
        `)
        return (yield* decodeLinks(rows)).map(({ customerId }) => customerId)
      }, Effect.orDie)

      const versions = Effect.fn("CustomersRepo.versions")(function* (
        asked: ReadonlyArray<VersionOf>
      ) {
        if (asked.length === 0) return []
        const tenantId = yield* CurrentTenant
        const of = { customerId: "text", knownAt: "timestamptz", before: "timestamptz" } as const
        const rows = yield* tenantSql.read(sql`
          SELECT DISTINCT ON (v.customer_id) v.customer_id AS id, v.type, v.name, v.email, v.status,
            v.payment_mode, v.preferred_payment_method_id, c.created_at,
            v.recorded_at AS last_modified_at
          FROM ${unnested(sql, asked, of)} AS a
          JOIN customer c ON c.tenant_id = ${tenantId} AND c.id = a."customerId"
          JOIN customer_version v ON v.tenant_id = ${tenantId} AND v.customer_id = a."customerId"
            AND v.recorded_at <= a."knownAt"
          ORDER BY v.customer_id, v.recorded_at < a.before DESC,
            greatest(v.recorded_at - a.before, a.before - v.recorded_at)
        `)
        return yield* decodeVersions(rows)
      }, Effect.orDie)

      return CustomersRepo.of({
        authorize,
        findMany,
        hold,
        insert,
        link,
        links,
        everOn,
        update,
        versions
      })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}
