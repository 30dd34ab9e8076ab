/** Who is on which policies: the links of customers, as far as the policies' versions still bear them. */
import type { Coverage } from "@quittance/auth/Grants"
import type { SqlClient, Statement } from "effect/sql"

/** The parts of statements about customers on policies: of a link `l` to a policy `p`. */
export const onPolicySql = (sql: SqlClient.SqlClient) => {
  const now = (tenantId: string) => sql`
    (SELECT coalesce(test_clock, clock_timestamp()) FROM tenant WHERE tenant_id = ${tenantId})`

  /**
   * Whether the customer is on the policy: by what is in force, now or from a day on that is recorded,
   * or on an open branch beside it.
   */
  const isOn = (tenantId: string) => sql`(
    EXISTS (
      SELECT FROM validity v
      WHERE v.tenant_id = ${tenantId} AND v.policy_id = p.id AND v.branch_id = p.default_branch_id
        AND v.entity_id = l.customer_id AND v.valid_to > ${now(tenantId)}
    ) OR EXISTS (
      SELECT FROM branch b
      JOIN policy_change c ON c.tenant_id = b.tenant_id AND c.policy_id = b.policy_id
        AND c.branch_id = b.id
      WHERE b.tenant_id = ${tenantId} AND b.policy_id = p.id AND b.status = 'OPEN'
        AND b.id <> p.default_branch_id
        AND jsonb_path_exists(c.patch, '$[*] ? (@.path == $path && exists(@.value))',
          jsonb_build_object('path', '/customers/' || l.customer_id))
    )
  )`

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
      ORDER BY l.linked_at, l.policy_id)`

  return { coveredBy, isOn, policiesOf }
}
