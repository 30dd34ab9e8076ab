/** Who is on which policies: the links of customers that have not ended. */
import type { Memberships } from "@quittance/domain/policies/aggregate/StoredBranch"
import type { Coverage } from "@quittance/auth/Grants"
import { PgTypes } from "@effect/sql-pg"
import type { SqlClient, Statement } from "effect/sql"
import { endOfTime, lastInstant, toDate } from "../sql/Columns.ts"
import { tenantNow } from "../tenants/TenantNow.ts"

interface Recording {
  readonly policyId: string
  readonly memberships: Memberships | undefined
}

/** The parts of statements about customers on policies: of a link `l`. */
export const onPolicySql = (sql: SqlClient.SqlClient) => {
  /** Whether the customer is on the policy, now or from a day on that is recorded. */
  const isOn = (tenantId: string) => sql`l.left_at > ${tenantNow(sql, tenantId)}`

  /** Whether what stands of the policy has the customer, now or from a day on: no branch beside it counts. */
  const stands = (tenantId: string) => sql`
    EXISTS (
      SELECT FROM policy s
      JOIN branch b ON b.tenant_id = s.tenant_id AND b.policy_id = s.id
        AND b.id = s.default_branch_id
      JOIN validity v ON v.tenant_id = s.tenant_id AND v.policy_id = s.id
        AND v.branch_id = b.id AND v.entity_id = l.customer_id
      WHERE s.tenant_id = ${tenantId} AND s.id = l.policy_id AND (
        v.valid_to > ${toDate(lastInstant)}::timestamptz
        OR (b.branch_type = 'BASE' AND v.valid_from <= ${tenantNow(sql, tenantId)}
          AND v.valid_to > ${tenantNow(sql, tenantId)})))`

  /** The policies `p` within a coverage, by an index each: a row that both find is one row. */
  const coveredBy = (coverage: Coverage): ReadonlyArray<Statement.Fragment> => {
    if (coverage._tag === "Tenant") return [sql`true`]
    const { firmIds, recordIds } = coverage
    return [
      ...(firmIds.length === 0 ? [] : [sql`p.brokerage_firm_id = ANY (${[...firmIds]})`]),
      // Also where nothing is covered at all.
      ...(recordIds.length === 0 && firmIds.length > 0 ? [] : [sql`p.id = ANY (${[...recordIds]})`])
    ]
  }

  /** The policies that the customer `c` is on and that fit, the earliest first, as an array. */
  const policiesOf = (tenantId: string, fits: Statement.Fragment) => sql`
    ARRAY(
      SELECT l.policy_id FROM customer_policy l
      JOIN policy p ON p.tenant_id = l.tenant_id AND p.id = l.policy_id
      WHERE l.tenant_id = ${tenantId} AND l.customer_id = c.id AND ${isOn(tenantId)} AND ${fits}
      ORDER BY l.linked_at, l.ordinal)`

  /** Moves the ends of the links of policies to those of their memberships; nothing, if there are none. */
  const endLinks = (tenantId: string, recordings: ReadonlyArray<Recording>) => {
    const moved = recordings.filter(({ memberships }) => memberships !== undefined)
    if (moved.length === 0) return undefined
    const rows = moved.flatMap(({ memberships, policyId }) =>
      [...memberships!].map(([customerId, leftAt = endOfTime]) => ({
        policyId,
        customerId,
        leftAt
      }))
    )
    return sql`
      UPDATE customer_policy l SET left_at = n.left_at
      FROM customer_policy o
      LEFT JOIN jsonb_to_recordset(${PgTypes.jsonb(rows)}) AS m(
        "policyId" text, "customerId" text, "leftAt" timestamptz)
        ON m."policyId" = o.policy_id AND m."customerId" = o.customer_id
      CROSS JOIN LATERAL (SELECT coalesce(m."leftAt", o.linked_at) AS left_at) n
      WHERE o.tenant_id = ${tenantId} AND o.policy_id = ANY (${moved.map(({ policyId }) => policyId)})
        AND o.left_at <> n.left_at
        AND l.tenant_id = ${tenantId} AND l.customer_id = o.customer_id
        AND l.policy_id = o.policy_id`
  }

  return { coveredBy, endLinks, isOn, policiesOf, stands }
}
