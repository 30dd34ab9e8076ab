/** Rules that every table of the schema keeps, also those that come later. */
import type { SqlClient, Statement } from "effect/sql"
import { ownerRole, runtimeRole } from "../src/sql/Roles.ts"
import { unscopedTables } from "../src/sql/TenantTable.ts"

export interface Rule {
  /** Finds what breaks the rule, among `relations` and `tables`; see `find`. */
  readonly query: (sql: SqlClient.SqlClient) => Statement.Fragment
  /** Statements that break it, to see that it is found. */
  readonly breach: ReadonlyArray<string>
}

/** All that breaks a rule: nothing, in a schema that is as it should be. */
export const find = (sql: SqlClient.SqlClient, { query }: Rule) => sql`
  WITH relations AS (
    SELECT * FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('i', 'I')
  ), tables AS (
    SELECT c.*, EXISTS (
      SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id'
    ) AS has_tenant
    FROM relations c WHERE relkind IN ('r', 'p', 'f')
  )
  ${query(sql)}
`

/** The policy of `TenantTable.protect`, as the catalogue prints it. */
const isolation =
  "(tenant_id = ( SELECT NULLIF(current_setting('app.tenant'::text, true), ''::text) AS \"nullif\"))"

export const rules: Record<string, Rule> = {
  "every table has a tenant, or is known to have none": {
    query: (sql) => sql`
      SELECT relname FROM tables WHERE NOT has_tenant AND relname <> ALL(${unscopedTables})
    `,
    breach: ["CREATE TABLE stray (id int)"]
  },
  "a tenant's column is a text, ordered by its bytes and never absent": {
    query: (sql) => sql`
      SELECT t.relname FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid
      LEFT JOIN pg_collation c ON c.oid = a.attcollation
      WHERE a.attname = 'tenant_id'
        AND (a.atttypid <> 'text'::regtype OR c.collname IS DISTINCT FROM 'C' OR NOT a.attnotnull)
    `,
    breach: ["CREATE TABLE stray (tenant_id text NOT NULL)"]
  },
  "every tenant table forces row level security": {
    query: (sql) => sql`
      SELECT relname FROM tables WHERE has_tenant AND NOT (relrowsecurity AND relforcerowsecurity)
    `,
    breach: ["ALTER TABLE tenant NO FORCE ROW LEVEL SECURITY"]
  },
  "every tenant table has the one policy, for all commands and all roles": {
    query: (sql) => sql`
      SELECT t.relname FROM tables t WHERE has_tenant AND NOT EXISTS (
        SELECT FROM pg_policy p WHERE p.polrelid = t.oid AND polcmd = '*' AND polroles = '{0}'
          AND pg_get_expr(polqual, polrelid) = ${isolation}
          AND pg_get_expr(polwithcheck, polrelid) = ${isolation}
      )
    `,
    breach: ["ALTER POLICY tenant_isolation ON tenant WITH CHECK (true)"]
  },
  "no other policy widens what may be read or written, but for reading directories": {
    query: (sql) => sql`
      SELECT t.relname, p.polname FROM tables t JOIN pg_policy p ON p.polrelid = t.oid
      WHERE polpermissive AND p.polname <> 'tenant_isolation'
        AND NOT (p.polname = 'directory' AND p.polcmd = 'r' AND t.relname = ANY(${unscopedTables}))
    `,
    breach: ["CREATE POLICY wide ON tenant FOR INSERT WITH CHECK (true)"]
  },
  "the tenant leads every index and every key": {
    query: (sql) => sql`
      SELECT i.indexrelid::regclass FROM tables t JOIN pg_index i ON i.indrelid = t.oid
      LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
      WHERE has_tenant AND a.attname IS DISTINCT FROM 'tenant_id'
    `,
    breach: ["CREATE INDEX stray ON tenant (name, tenant_id)"]
  },
  "the tenant leads every foreign key, on both sides": {
    query: (sql) => sql`
      SELECT c.conname FROM tables t JOIN pg_constraint c ON c.conrelid = t.oid AND c.contype = 'f'
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
      JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[1]
      WHERE has_tenant AND (a.attname, b.attname) <> ('tenant_id', 'tenant_id')
    `,
    breach: ["ALTER TABLE tenant ADD parent text REFERENCES tenant"]
  },
  "nothing that belongs to no tenant refers to what does": {
    query: (sql) => sql`
      SELECT c.conname FROM tables t JOIN pg_constraint c ON c.conrelid = t.oid AND c.contype = 'f'
      JOIN tables r ON r.oid = c.confrelid
      WHERE r.has_tenant AND NOT t.has_tenant
    `,
    breach: ["CREATE TABLE stray (id text REFERENCES tenant)"]
  },
  "no foreign key changes the tenant of a row": {
    query: (sql) => sql`
      SELECT c.conname FROM tables t JOIN pg_constraint c ON c.conrelid = t.oid AND c.contype = 'f'
      WHERE has_tenant AND (c.confupdtype <> 'a' OR c.confdeltype IN ('n', 'd')
        AND (c.confdelsetcols IS NULL OR c.conkey[1] = ANY(c.confdelsetcols)))
    `,
    breach: ["ALTER TABLE tenant ADD FOREIGN KEY (tenant_id) REFERENCES tenant ON DELETE SET NULL"]
  },
  "identifiers are ordered by their bytes": {
    query: (sql) => sql`
      SELECT t.relname, a.attname FROM tables t
      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_collation c ON c.oid = a.attcollation
      WHERE a.atttypid = 'text'::regtype AND (a.attname = 'id' OR a.attname LIKE '%\\_id')
        AND c.collname IS DISTINCT FROM 'C'
    `,
    breach: ["ALTER TABLE tenant ADD parent_id text"]
  },
  "the owner's role owns all there is": {
    query: (sql) => sql`
      SELECT oid::regclass::text FROM relations WHERE relowner <> ${ownerRole}::regrole
      UNION ALL
      SELECT oid::regprocedure::text FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace AND proowner <> ${ownerRole}::regrole
    `,
    breach: ["CREATE FUNCTION public.stray() RETURNS int LANGUAGE sql AS 'SELECT 1'"]
  },
  "no view reads with its owner's rights, and none keeps rows of its own": {
    query: (sql) => sql`
      SELECT relname FROM relations WHERE relkind = 'm'
        OR relkind = 'v' AND NOT coalesce('security_invoker=true' = ANY(reloptions), false)
    `,
    breach: ["CREATE VIEW public.stray AS SELECT * FROM tenant"]
  },
  "no function runs with its owner's rights, but `erase`, which only the runtime role may call": {
    query: (sql) => sql`
      SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef
        AND NOT (proname = 'erase' AND proconfig = ARRAY['search_path=pg_catalog, public, pg_temp']
          AND (SELECT array_agg(DISTINCT grantee ORDER BY grantee) FROM aclexplode(proacl))
            <@ ARRAY[${ownerRole}::regrole::oid, ${runtimeRole}::regrole::oid])
    `,
    breach: [
      "CREATE FUNCTION public.stray() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'"
    ]
  },
  "only the runtime role may use a table, and it can't grant that to others": {
    query: (sql) => sql`
      SELECT relname, g.grantee::regrole::text, privilege_type FROM relations, aclexplode(relacl) g
      WHERE g.grantee <> relowner AND (g.grantee <> ${runtimeRole}::regrole OR g.is_grantable
        OR privilege_type NOT IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'USAGE'))
    `,
    breach: ["GRANT SELECT ON tenant TO PUBLIC"]
  },
  "the runtime role has no powers": {
    query: (sql) => sql`
      SELECT rolname FROM pg_roles WHERE rolname = ${runtimeRole} AND (rolsuper OR rolbypassrls
        OR rolcreaterole OR rolcreatedb OR rolreplication)
    `,
    breach: [`ALTER ROLE ${runtimeRole} BYPASSRLS`]
  },
  "the runtime role belongs to no other role": {
    query: (sql) => sql`
      SELECT roleid::regrole::text AS role FROM pg_auth_members WHERE member = ${runtimeRole}::regrole
    `,
    breach: ["CREATE ROLE stray", `GRANT stray TO ${runtimeRole}`]
  },
  "the runtime role creates nothing": {
    query: (sql) => sql`
      SELECT nspname FROM pg_namespace WHERE has_schema_privilege(${runtimeRole}, oid, 'CREATE')
      UNION ALL
      SELECT datname FROM pg_database WHERE datname = current_database()
        AND has_database_privilege(${runtimeRole}, oid, 'CREATE, TEMPORARY')
    `,
    breach: [`GRANT CREATE ON SCHEMA public TO ${runtimeRole}`]
  },
  "the owner's role is bound by row level security too": {
    query: (sql) => sql`
      SELECT rolname FROM pg_roles WHERE rolname = ${ownerRole} AND (rolsuper OR rolbypassrls)
    `,
    breach: [`ALTER ROLE ${ownerRole} BYPASSRLS`]
  }
}
