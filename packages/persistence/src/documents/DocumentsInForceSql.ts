/** Which documents are in force, by what was known then, and which one takes the place of which. */
import type { Instant } from "@quittance/domain/values/Instant"
import type { SqlClient, Statement } from "effect/sql"
import { lastInstant, toDate } from "../sql/Columns.ts"

export interface DocumentsAt {
  /** Of what was recorded by then; absent: of all. */
  readonly knownAt?: Instant | undefined
  /** As of when a document is to be in force. */
  readonly whenAt: Instant
}

export const documentsInForceSql = (
  sql: SqlClient.SqlClient,
  { knownAt = lastInstant, whenAt }: DocumentsAt
) => {
  const known = toDate(knownAt)
  const at = toDate(whenAt)

  /** It had come into force, and nothing had taken that back. */
  const stands = (name: "d" | "o"): Statement.Fragment => {
    const t = sql.literal(name)
    return sql`(${t}.in_force_known_at <= ${known}
      AND NOT (${t}.status = 'VOID' AND coalesce(${t}.voided_at, ${t}.created_at) <= ${known})
      AND NOT coalesce(${t}.ended_at <= ${known}
        AND NOT coalesce(${t}.restored_at >= ${t}.ended_at AND ${t}.restored_at <= ${known}, false), false))`
  }

  /** The documents of one definition for the same customer, thing, invoice or notice. */
  const sameChain = sql`o.tenant_id = d.tenant_id AND o.policy_id = d.policy_id
    AND o.definition_id = d.definition_id AND o.customer_id IS NOT DISTINCT FROM d.customer_id
    AND o.asset_id IS NOT DISTINCT FROM d.asset_id
    AND o.invoice_id IS NOT DISTINCT FROM d.invoice_id
    AND o.formal_notice_id IS NOT DISTINCT FROM d.formal_notice_id`
  const place = (name: "d" | "o") =>
    sql.literal(`(${name}.in_force_at, ${name}.in_force_known_at, ${name}.version, ${name}.id)`)

  const neighbour = (direction: "before" | "after"): Statement.Fragment => sql`
    (SELECT o.id FROM document o WHERE ${stands("d")} AND ${sameChain} AND ${stands("o")}
      AND ${place("o")} ${sql.literal(direction === "before" ? "<" : ">")} ${place("d")}
      ORDER BY o.in_force_at ${sql.literal(direction === "before" ? "DESC" : "ASC")},
        o.in_force_known_at ${sql.literal(direction === "before" ? "DESC" : "ASC")},
        o.version ${sql.literal(direction === "before" ? "DESC" : "ASC")},
        o.id ${sql.literal(direction === "before" ? "DESC" : "ASC")}
      LIMIT 1)`

  return {
    /** Columns of `document d`. */
    links: sql`${neighbour("before")} AS replaces, ${neighbour("after")} AS replaced_by`,
    /** Endorsements hold beside each other; of anything else the last one that has begun does. */
    inForce: sql`(coalesce(${stands("d")}, false) AND d.in_force_at <= ${at} AND NOT EXISTS (
      SELECT FROM document o WHERE ${sameChain} AND ${stands("o")} AND o.in_force_at <= ${at}
        AND ${place("o")} > ${place("d")}
        AND (d.kind <> 'ENDORSEMENT' OR o.branch_id = d.branch_id)))`,
    /** The state that a document had by then. */
    status: sql`(CASE WHEN d.voided_at > ${known} OR (d.status IN ('READY', 'FAILED') AND coalesce(d.ready_at > ${known}, false))
      THEN CASE WHEN d.ready_at <= ${known} THEN 'READY' ELSE 'PENDING' END ELSE d.status END)`,
    known: sql`d.created_at <= ${known}`
  }
}
