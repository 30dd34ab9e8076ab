/** What many policies, and people on them, are at present: lists read it for a page with one query. */
import type { EntityState } from "@quittance/domain/policies/Validity"
import type { Instant } from "@quittance/domain/values/Instant"
import { CustomerOnPolicy } from "@quittance/domain/policies/PolicyState"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { lastInstant, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import type { CustomerId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { BranchType } from "@quittance/domain/products/ProductTerms"

/** A policy's default branch, and the states that its present consists of. */
export interface PresentState {
  readonly branchType: BranchType
  readonly rows: ReadonlyArray<EntityState>
}

/** A customer on one of their policies. */
export interface CustomerKey {
  readonly policyId: PolicyId
  readonly customerId: CustomerId
}

const decodeBranchType = Schema.decodeUnknownSync(BranchType)
const decodeCustomers = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ index: Schema.Int, state: CustomerOnPolicy }))
)

export class CurrentStatesRepo extends Context.Service<
  CurrentStatesRepo,
  {
    /**
     * The states of policies on their default branches: of what is in force those of now, of a sale
     * that is not signed yet its last, as if all of it had taken effect.
     */
    policies(
      policyIds: ReadonlyArray<PolicyId>,
      now: Instant
    ): Effect.Effect<ReadonlyMap<PolicyId, PresentState>, never, CurrentTenant>
    /**
     * The same of people, each in the order of the keys; who only comes onto a policy later is shown
     * as they are then, and who no longer is on it not at all.
     */
    customers(
      keys: ReadonlyArray<CustomerKey>,
      now: Instant
    ): Effect.Effect<ReadonlyArray<CustomerOnPolicy | undefined>, never, CurrentTenant>
  }
>()("@quittance/persistence/CurrentStatesRepo") {
  static readonly layer = Layer.effect(
    CurrentStatesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const last = sql`${toDate(lastInstant)}::timestamptz`
      /** The instant that a read of the branch `b` is of. */
      const present = (now: Instant) => sql`
        CASE b.branch_type WHEN 'BASE' THEN ${toDate(now)}::timestamptz ELSE ${last} END`

      const policies = Effect.fn("CurrentStatesRepo.policies")(function* (
        policyIds: ReadonlyArray<PolicyId>,
        now: Instant
      ) {
        const result = new Map<PolicyId, { branchType: BranchType; rows: Array<EntityState> }>()
        if (policyIds.length === 0) return result
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<
          EntityState & { readonly policyId: PolicyId; readonly branchType: string }
        >`
          SELECT p.id AS policy_id, b.branch_type, v.entity_id, v.entity_kind, v.state
          FROM policy p
          JOIN branch b ON b.tenant_id = p.tenant_id AND b.policy_id = p.id
            AND b.id = p.default_branch_id
          JOIN validity v ON v.tenant_id = p.tenant_id AND v.policy_id = p.id
            AND v.branch_id = b.id
          WHERE p.tenant_id = ${tenantId} AND p.id = ANY (${[...policyIds]})
            AND v.valid_from <= ${present(now)} AND v.valid_to > ${present(now)}
        `)
        for (const { branchType, policyId, ...row } of rows) {
          const state = result.get(policyId)
          if (state === undefined) {
            result.set(policyId, { branchType: decodeBranchType(branchType), rows: [row] })
          } else state.rows.push(row)
        }
        return result
      }, Effect.orDie)

      const customers = Effect.fn("CurrentStatesRepo.customers")(function* (
        keys: ReadonlyArray<CustomerKey>,
        now: Instant
      ) {
        if (keys.length === 0) return []
        const tenantId = yield* CurrentTenant
        const wanted = keys.map(({ customerId, policyId }, index) => ({
          customerId,
          policyId,
          index
        }))
        const rows = yield* tenantSql.read(sql`
          SELECT DISTINCT ON (k.index) k.index, v.state
          FROM jsonb_to_recordset(${PgTypes.jsonb(wanted)})
            AS k(index integer, "policyId" text, "customerId" text)
          JOIN policy p ON p.tenant_id = ${tenantId} AND p.id = k."policyId"
          JOIN branch b ON b.tenant_id = p.tenant_id AND b.policy_id = p.id
            AND b.id = p.default_branch_id
          JOIN validity v ON v.tenant_id = p.tenant_id AND v.policy_id = p.id
            AND v.branch_id = b.id AND v.entity_id = k."customerId"
          WHERE (v.valid_from <= ${present(now)} AND v.valid_to > ${present(now)})
            OR v.valid_to > ${last}
          ORDER BY k.index, v.valid_from
        `)
        const found = new Map(
          (yield* decodeCustomers(rows)).map(({ index, state }) => [index, state])
        )
        return keys.map((_, index) => found.get(index))
      }, Effect.orDie)

      return CurrentStatesRepo.of({ policies, customers })
    })
  )
}
