import {
  type CurrentCaller,
  type Forbidden,
  type UserId,
  UserNotFound
} from "@quittance/domain/Caller"
import type { Action } from "@quittance/domain/Grant"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { EmailTaken, normalizeEmail, User } from "@quittance/domain/User"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "./Columns.ts"
import { GrantsRepo } from "./GrantsRepo.ts"
import { present } from "./Rows.ts"
import { TenantSql } from "./TenantSql.ts"

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
     * transaction ends: whoever changes a user or its grants takes it first.
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
    insert(
      user: Omit<User, "createdAt" | "status">,
      passwordHash: Redacted.Redacted
    ): Effect.Effect<void, EmailTaken, CurrentTenant>
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
        const rows = yield* Effect.orDie(
          tenantSql.read(sql`
            SELECT ${columns}, ${granted} AS granted FROM app_user u
            WHERE u.tenant_id = ${tenantId} AND u.id = ${id} ${lock ? sql`FOR UPDATE` : sql``}
          `)
        )
        if (rows[0] === undefined) return yield* new UserNotFound({ userId: id })
        const { granted: isGranted, ...user } = yield* Effect.orDie(
          decodeAuthorized(present(rows[0]))
        )
        return isGranted ? { action, user } : yield* grants.refuse(action)
      })

      const find = Effect.fn("UsersRepo.find")(function* (id: UserId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT ${columns} FROM app_user u WHERE u.tenant_id = ${tenantId} AND u.id = ${id}
        `)
        return row === undefined ? undefined : yield* decode(present(row))
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

      const insert = Effect.fn("UsersRepo.insert")(
        function* (user: Omit<User, "createdAt" | "status">, passwordHash: Redacted.Redacted) {
          const tenantId = yield* CurrentTenant
          yield* tenantSql.write(sql`
            INSERT INTO app_user (tenant_id, id, email, password_hash, first_name, last_name,
              broker_role, brokerage_firm_id)
            VALUES (${tenantId}, ${user.id}, ${normalizeEmail(user.email)},
              ${Redacted.value(passwordHash)}, ${user.firstName}, ${user.lastName},
              ${user.brokerRole ?? null}, ${user.brokerageFirmId ?? null})
          `)
        },
        (write, user) =>
          Effect.catchReason(
            write,
            "SqlError",
            "UniqueViolation",
            (reason) =>
              reason.constraint === "app_user_email_key"
                ? new EmailTaken({ email: user.email })
                : Effect.die(reason),
            Effect.die
          )
      )

      return UsersRepo.of({ authorize, find, findLogin, insert })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}
