/** How grants are read and written in SQL, their roles included: the table of grants is `g`. */
import * as Grants from "@quittance/auth/Grants"
import { Authority } from "@quittance/domain/access/Authority"
import { type BuiltInRole, Grant, roles } from "@quittance/domain/access/Grant"
import { Effect, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { withoutNulls } from "../sql/Rows.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"
import { Action } from "@quittance/domain/requests/Action"

/** A grant as it is stored; with the actions of a role of the tenant's own, where they are read. */
export interface GrantRow {
  readonly role: string
  readonly kind: string
  readonly brokerageFirmId: string | null
  readonly recordId: string | null
  readonly actions?: ReadonlyArray<string> | null
  readonly authority?: unknown
}

export const toGrant = ({ brokerageFirmId, kind, recordId, role }: GrantRow) => ({
  role,
  on: withoutNulls({ kind, brokerageFirmId, recordId })
})

const isAction = Schema.is(Action)
const decodeAuthority = Schema.decodeUnknownSync(Authority)
const decodeGrant = Schema.decodeUnknownEffect(Grant)

/**
 * Grants with what their roles contain. An action that this release no longer knows is none, so that
 * a role outlives it.
 */
export const decodeHeld = (rows: ReadonlyArray<GrantRow>) =>
  Effect.forEach(rows, (row) =>
    Effect.map(decodeGrant(toGrant(row)), (grant): Grants.HeldGrant =>
      row.actions == null
        ? Grants.held(grant)
        : {
            ...grant,
            actions: new Set(row.actions.filter(isAction)),
            authority: decodeAuthority(row.authority)
          }
    )
  )

// Object.keys forgets the literal types of a constant record.
const builtIn = Object.keys(roles) as ReadonlyArray<BuiltInRole>

const builtInWith = (action: Action): ReadonlyArray<BuiltInRole> =>
  builtIn.filter((role) => roles[role].has(action))

/**
 * The columns that a check is about come from the statement around it, under aliases that we don't
 * know. Ours are therefore names that no other statement uses: an alias of ours that is also theirs would
 * capture their column, and `f.id = f.id` allows everything.
 */
export const grantsSql = (sql: SqlClient.SqlClient) => ({
  columns: sql`g.role, g.kind, g.brokerage_firm_id, g.record_id`,

  /** The row `r` of a role of the tenant's own, by its key. */
  roleOf: sql`LEFT JOIN role r ON r.tenant_id = g.tenant_id AND r.id = g.custom_role`,

  /** Whether the role of the grant, a row of the table under this alias, contains the action. */
  roleHas: (action: Action, grant: "g" | "checked_grant" = "g") => sql`(
    ${sql(grant)}.role = ANY (${builtInWith(action)}) OR coalesce((
      SELECT ${action} = ANY (checked_role.actions) FROM role checked_role
      WHERE checked_role.tenant_id = ${sql(grant)}.tenant_id
        AND checked_role.id = ${sql(grant)}.custom_role
    ), false))`,

  /** The firm of a record and every firm above it, as one array. */
  firmsAbove: (tenantId: TenantId, brokerageFirmId: Statement.Fragment) => sql`(
    SELECT checked_firm.path FROM brokerage_firm checked_firm
    WHERE checked_firm.tenant_id = ${tenantId} AND checked_firm.id = ${brokerageFirmId}
  )::text[]`,

  /** Grants of the wire, a JSON array in a parameter, as rows. */
  values: (grants: Statement.Fragment | unknown) => sql`
    SELECT v.role, v."on"->>'kind' AS kind, v."on"->>'brokerageFirmId' AS brokerage_firm_id,
      v."on"->>'recordId' AS record_id, v.role = ANY (${builtIn}) AS is_built_in
    FROM jsonb_to_recordset(${grants}) AS v(role text, "on" jsonb)`
})
