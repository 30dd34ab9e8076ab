import {
  type CurrentCaller,
  type Forbidden,
  type UserId,
  UserNotFound
} from "@quittance/domain/requests/Caller"
import { EmailTaken, normalizeEmail, User, type UserStatus } from "@quittance/domain/access/User"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { GrantsRepo } from "./GrantsRepo.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { conditions, type UserQuery } from "./UserQuery.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

const Row = Schema.Struct({ ...User.fields, createdAt: InstantColumn })
const decode = Schema.decodeUnknownEffect(Row)
const decodeAuthorized = Schema.decodeUnknownEffect(
  Schema.Struct({ ...Row.fields, granted: Schema.Boolean })
)
const decodeLogin = Schema.decodeUnknownEffect(
  Schema.Struct({ id: Row.fields.id, passwordHash: Schema.String })
)

/** A user on whom the caller may do `action`; only `authorize` makes one. */
export interface AuthorizedUser<A extends Action = Action> {
  readonly action: A
  readonly user: User
}

export class UsersRepo extends Context.Service<
  UsersRepo,
  {
    /**
     * Fetches a user together with the permission on it. With `lock` the row stays locked until the
     * transaction ends: every change of a user or its grants locks it first.
     */
    authorize<A extends Action>(
      action: A,
      id: UserId,
      options?: { readonly lock?: boolean }
    ): Effect.Effect<AuthorizedUser<A>, UserNotFound | Forbidden, CurrentTenant | CurrentCaller>
    find(id: UserId): Effect.Effect<User | undefined, never, CurrentTenant>
    /** What signing in needs of the active user with this address, in any case of letters. */
    findLogin(
      email: string
    ): Effect.Effect<
      { readonly id: UserId; readonly passwordHash: Redacted.Redacted } | undefined,
      never,
      CurrentTenant
    >
    /** The user with this address, in any case of letters, locked until the transaction ends. */
    holdByEmail(email: string): Effect.Effect<User | undefined, never, CurrentTenant>
    /** Gives a password: who was invited is active then. Who is disabled stays so. */
    setPassword(
      id: UserId,
      passwordHash: Redacted.Redacted
    ): Effect.Effect<void, never, CurrentTenant>
    /**
     * Whether the user is still active, and their password still this one if it is given; they then stay so
     * until the transaction ends. The records of a sign-in are written after it, so that ending all sign-ins
     * misses none.
     */
    holdActive(
      id: UserId,
      passwordHash?: Redacted.Redacted
    ): Effect.Effect<boolean, never, CurrentTenant>
    /** Whether the user is still active; locked until the transaction ends. */
    holdActiveAlone(id: UserId): Effect.Effect<boolean, never, CurrentTenant>
    /** One page in the order of the addresses, and how many there are. */
    list(
      query: UserQuery
    ): Effect.Effect<
      { readonly users: ReadonlyArray<User>; readonly total: number },
      never,
      CurrentTenant
    >
    /** Stores a user: one with a password is active, one without is invited. */
    insert(
      user: Omit<User, "createdAt" | "status">,
      passwordHash?: Redacted.Redacted
    ): Effect.Effect<User, EmailTaken, CurrentTenant>
    /** Stores names, role and firm. */
    update(user: User): Effect.Effect<void, never, CurrentTenant>
    /** Keeps the user from signing in; what they were given to sign in with is a matter of its own. */
    disable(id: UserId): Effect.Effect<void, never, CurrentTenant>
    /** Makes a disabled user what they were: active with a password, else invited. */
    enable(id: UserId): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/UsersRepo") {
  static readonly layer = Layer.effect(
    UsersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo

      const columns = sql`u.id, u.email, u.first_name, u.last_name, u.broker_role,
        u.brokerage_firm_id, u.status, u.created_at`

      const authorize = Effect.fn("UsersRepo.authorize")(function* <A extends Action>(
        action: A,
        id: UserId,
        { lock = false }: { readonly lock?: boolean } = {}
      ) {
        const tenantId = yield* CurrentTenant
        const granted = yield* grants.onUser(action, {
          userId: sql`u.id`,
          brokerageFirmId: sql`u.brokerage_firm_id`
        })
        // No key of the user changes, so a sign-in need not wait for the lock.
        const locked = lock ? sql`FOR NO KEY UPDATE` : sql``
        const rows = yield* Effect.orDie(
          tenantSql.read(sql`
            SELECT ${columns}, ${granted} AS granted FROM app_user u
            WHERE u.tenant_id = ${tenantId} AND u.id = ${id} ${locked}
          `)
        )
        if (rows[0] === undefined) return yield* new UserNotFound({ userId: id })
        const { granted: isGranted, ...user } = yield* Effect.orDie(
          decodeAuthorized(withoutNulls(rows[0]))
        )
        return isGranted ? { action, user } : yield* grants.refuse(action)
      })

      const find = Effect.fn("UsersRepo.find")(function* (id: UserId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT ${columns} FROM app_user u WHERE u.tenant_id = ${tenantId} AND u.id = ${id}
        `)
        return row === undefined ? undefined : yield* decode(withoutNulls(row))
      }, Effect.orDie)

      const findLogin = Effect.fn("UsersRepo.findLogin")(function* (email: string) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT id, password_hash FROM app_user
          WHERE tenant_id = ${tenantId} AND email = ${normalizeEmail(email)} AND status = 'ACTIVE'
        `)
        if (row === undefined) return undefined
        const { id, passwordHash } = yield* decodeLogin(row)
        return { id, passwordHash: Redacted.make(passwordHash) }
      }, Effect.orDie)

      const holdByEmail = Effect.fn("UsersRepo.holdByEmail")(function* (email: string) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          SELECT ${columns} FROM app_user u
          WHERE u.tenant_id = ${tenantId} AND u.email = ${normalizeEmail(email)} FOR NO KEY UPDATE
        `)
        return row === undefined ? undefined : yield* decode(withoutNulls(row))
      }, Effect.orDie)

      const setPassword = Effect.fn("UsersRepo.setPassword")(function* (
        id: UserId,
        passwordHash: Redacted.Redacted
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE app_user SET password_hash = ${Redacted.value(passwordHash)},
            status = CASE WHEN status = 'INVITED' THEN 'ACTIVE' ELSE status END
          WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
      }, Effect.orDie)

      const holdActive = Effect.fn("UsersRepo.holdActive")(function* (
        id: UserId,
        passwordHash?: Redacted.Redacted
      ) {
        const tenantId = yield* CurrentTenant
        const same =
          passwordHash === undefined
            ? sql`true`
            : sql`password_hash = ${Redacted.value(passwordHash)}`
        const rows = yield* tenantSql.write(sql`
          SELECT FROM app_user
          WHERE tenant_id = ${tenantId} AND id = ${id} AND status = 'ACTIVE' AND ${same}
          FOR SHARE
        `)
        return rows.length === 1
      }, Effect.orDie)

      const holdActiveAlone = Effect.fn("UsersRepo.holdActiveAlone")(function* (id: UserId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          SELECT FROM app_user WHERE tenant_id = ${tenantId} AND id = ${id} AND status = 'ACTIVE'
          FOR NO KEY UPDATE
        `)
        return rows.length === 1
      }, Effect.orDie)

      const list = Effect.fn("UsersRepo.list")(function* (query: UserQuery) {
        const tenantId = yield* CurrentTenant
        const where = sql.and(conditions(sql, tenantId, query))
        const { count, page } = query.page
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM app_user u WHERE ${where}
          ORDER BY u.email LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ total: number }>`
          SELECT count(*)::int AS total FROM app_user u WHERE ${where}
        `)
        const users = yield* Effect.forEach(rows, (row) => decode(withoutNulls(row)))
        return { users, total: counted!.total }
      }, Effect.orDie)

      const insert = Effect.fn("UsersRepo.insert")(
        function* (user: Omit<User, "createdAt" | "status">, passwordHash?: Redacted.Redacted) {
          const tenantId = yield* CurrentTenant
          const status: UserStatus = passwordHash === undefined ? "INVITED" : "ACTIVE"
          const [row] = yield* tenantSql.write(sql`
            INSERT INTO app_user AS u (tenant_id, id, email, password_hash, first_name, last_name,
              broker_role, brokerage_firm_id, status)
            VALUES (${tenantId}, ${user.id}, ${normalizeEmail(user.email)},
              ${passwordHash === undefined ? null : Redacted.value(passwordHash)},
              ${user.firstName}, ${user.lastName}, ${user.brokerRole ?? null},
              ${user.brokerageFirmId ?? null}, ${status})
            RETURNING ${columns}
          `)
          return yield* Effect.orDie(decode(withoutNulls(row!)))
        },
        (write, user) =>
          Effect.catchReason(
            write,
            "SqlError",
            "UniqueViolation",
            (reason) =>
              reason.constraint === "app_user_email_key"
                ? new EmailTaken({ email: normalizeEmail(user.email) })
                : Effect.die(reason),
            Effect.die
          )
      )

      const update = Effect.fn("UsersRepo.update")(function* (user: User) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE app_user SET first_name = ${user.firstName}, last_name = ${user.lastName},
            broker_role = ${user.brokerRole ?? null},
            brokerage_firm_id = ${user.brokerageFirmId ?? null}
          WHERE tenant_id = ${tenantId} AND id = ${user.id}
        `)
      }, Effect.orDie)

      const disable = Effect.fn("UsersRepo.disable")(function* (id: UserId) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE app_user SET status = 'DISABLED', disabled_at = clock_timestamp()
          WHERE tenant_id = ${tenantId} AND id = ${id} AND status <> 'DISABLED'
        `)
      }, Effect.orDie)

      const enable = Effect.fn("UsersRepo.enable")(function* (id: UserId) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE app_user SET disabled_at = NULL,
            status = CASE WHEN password_hash IS NULL THEN 'INVITED' ELSE 'ACTIVE' END
          WHERE tenant_id = ${tenantId} AND id = ${id} AND status = 'DISABLED'
        `)
      }, Effect.orDie)

      return UsersRepo.of({
        authorize,
        find,
        findLogin,
        holdActive,
        holdActiveAlone,
        list,
        insert,
        update,
        disable,
        enable,
        holdByEmail,
        setPassword
      })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}
