/** Which events an endpoint is told that is bound to a brokerage firm. */
import type { TenantId } from "@quittance/domain/requests/Tenancy"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import type { SqlClient, Statement } from "effect/sql"

/**
 * The policy of an event `e`: its own, or the one that it names, as those of documents do. Without a firm no
 * one asks for it.
 */
export const policyOfEvent = (
  sql: SqlClient.SqlClient,
  firm: BrokerageFirmId | undefined
): Statement.Fragment =>
  firm === undefined
    ? sql`NULL AS policy_id`
    : sql`coalesce(e.policy_id, e.payload ->> 'policyId') AS policy_id`

/**
 * Whether an event `n` is of the firm or of one of its policies; without a firm all are. A policy keeps the firm
 * that it was opened with. If it could get another one, its events of before would have to stay out here.
 */
export const isOfFirm = (
  sql: SqlClient.SqlClient,
  tenantId: TenantId,
  firm: BrokerageFirmId | undefined
): Statement.Fragment =>
  firm === undefined
    ? sql`true`
    : sql`(n.subject = ${firm} OR EXISTS (SELECT FROM policy p
        WHERE p.tenant_id = ${tenantId} AND p.id = n.policy_id AND p.brokerage_firm_id = ${firm}))`
