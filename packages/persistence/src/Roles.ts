/**
 * The two roles of the database: one owns the tables and migrates, the other serves requests and is
 * bound by row level security.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

export const ownerRole = "quittance_owner"
export const runtimeRole = "quittance_runtime"

/** The login of a connection string: what it is and what it may become. */
export interface Login {
  readonly name: string
  readonly superuser: boolean
  readonly bypassesRls: boolean
  readonly createsRoles: boolean
  /** `null` where the role does not exist yet. */
  readonly isOwner: boolean | null
  readonly isRuntime: boolean | null
}

export class DatabaseRoleError extends Schema.TaggedError<DatabaseRoleError>()(
  "DatabaseRoleError",
  { role: Schema.String, problem: Schema.String }
) {
  override get message() {
    return `The database role ${this.role} ${this.problem}.`
  }
}

/** Who the connection is, by its `current_user`. */
export const login = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Login>`
    SELECT rolname AS name, rolsuper AS superuser, rolbypassrls AS bypasses_rls,
      rolcreaterole AS creates_roles,
      (SELECT pg_has_role(oid, 'MEMBER') FROM pg_roles WHERE rolname = ${ownerRole}) AS is_owner,
      (SELECT pg_has_role(oid, 'MEMBER') FROM pg_roles WHERE rolname = ${runtimeRole}) AS is_runtime
    FROM pg_roles WHERE rolname = current_user
  `
  return row!
}).pipe(Effect.withSpan("Roles.login"))

/**
 * Creates the roles where they are missing and lets the owner role create tables in this database.
 * Needs a login that may create roles; any other login finds them there or fails.
 */
export const ensure = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const present = yield* login
  if (present.superuser || present.createsRoles) {
    yield* Effect.forEach([ownerRole, runtimeRole], createRole, { discard: true })
    yield* sql`GRANT CREATE, USAGE ON SCHEMA public TO ${sql(ownerRole)}`
    yield* sql`GRANT USAGE ON SCHEMA public TO ${sql(runtimeRole)}`
    return yield* revokeFromPublic
  }
  if (present.isOwner === null) return yield* missing(ownerRole)
  if (present.isRuntime === null) return yield* missing(runtimeRole)
}).pipe(Effect.withSpan("Roles.ensure"))

/** Fails unless the connection is bound by row level security and cannot change the schema. */
export const assertRuntime = Effect.gen(function* () {
  const present = yield* login
  if (present.superuser || present.bypassesRls || present.isOwner === true) {
    return yield* new DatabaseRoleError({
      role: present.name,
      problem: "must not be a superuser, bypass row level security or be a member of the owner role"
    })
  }
}).pipe(Effect.withSpan("Roles.assertRuntime"))

const missing = (role: string) =>
  new DatabaseRoleError({
    role,
    problem: "does not exist: create it, or migrate once with a login that may create roles"
  })

/** Roles belong to the whole server, so another process may create the same one at this moment. */
const createRole = Effect.fnUntraced(function* (role: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`
    DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN
        CREATE ROLE ${role} NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
      END IF;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END $$
  `)
  yield* sql.unsafe(`
    DO $$ BEGIN
      IF NOT pg_has_role('${role}', 'USAGE') THEN
        EXECUTE format('GRANT ${role} TO %I WITH INHERIT TRUE, SET TRUE', current_user);
      END IF;
    END $$
  `)
})

/** A temporary table would shadow a real one, and a table of anyone's would escape the policies. */
const revokeFromPublic = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`
    DO $$ BEGIN
      REVOKE CREATE ON SCHEMA public FROM PUBLIC;
      EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    END $$
  `)
})
