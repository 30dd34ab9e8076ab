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
  if (present.superuser || present.createsRoles) return yield* sql.withTransaction(create)
  if (present.isOwner === null) return yield* missing(ownerRole)
  if (present.isRuntime === null) return yield* missing(runtimeRole)
}).pipe(Effect.withSpan("Roles.ensure"))

/** Like `ensure`, and fails when the login may not become the role it is to run as. */
export const ensureFor = Effect.fn("Roles.ensureFor")(function* (
  role: typeof ownerRole | typeof runtimeRole
) {
  yield* ensure
  const { isOwner, isRuntime, name } = yield* login
  if (role === ownerRole ? isOwner : isRuntime) return
  return yield* new DatabaseRoleError({
    role: name,
    problem: `is not a member of ${role}: grant it that role, or connect with another login`
  })
})

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

const create = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Processes that start together would otherwise trip over each other's grants.
  yield* sql`SELECT pg_advisory_xact_lock(hashtext('quittance roles'))`
  yield* Effect.forEach([ownerRole, runtimeRole], createRole, { discard: true })
  // So a login that may become the owner may also become what it has to serve requests as.
  yield* sql`GRANT ${sql(runtimeRole)} TO ${sql(ownerRole)} WITH INHERIT FALSE, SET TRUE`
  yield* sql`GRANT CREATE, USAGE ON SCHEMA public TO ${sql(ownerRole)}`
  yield* sql`GRANT USAGE ON SCHEMA public TO ${sql(runtimeRole)}`
  // A temporary table would shadow a real one, and a table of anyone's would escape the policies.
  yield* sql`REVOKE CREATE ON SCHEMA public FROM PUBLIC`
  const [database] = yield* sql<{ readonly name: string }>`SELECT current_database() AS name`
  yield* sql`REVOKE TEMPORARY ON DATABASE ${sql(database!.name)} FROM PUBLIC`
})

/** Roles belong to the whole server, so a process on another database may create one just now. */
const createRole = Effect.fnUntraced(function* (role: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.unsafe(`
    DO $$ BEGIN
      CREATE ROLE ${role} NOLOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END $$
  `)
  // Who creates a role without being a superuser may not become it without this.
  yield* sql.unsafe(`
    DO $$ BEGIN
      IF NOT pg_has_role('${role}', 'SET') THEN
        GRANT ${role} TO CURRENT_USER WITH SET TRUE;
      END IF;
    END $$
  `)
})
