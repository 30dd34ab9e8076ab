import type { UserId } from "@quittance/domain/Caller"
import { CurrentTenant } from "@quittance/domain/Tenant"
import { EmailTaken, normalizeEmail, User } from "@quittance/domain/User"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "./Columns.ts"
import { present } from "./Rows.ts"
import { TenantSql } from "./TenantSql.ts"

const Row = Schema.Struct({ ...User.fields, createdAt: InstantColumn })
const decode = Schema.decodeUnknownEffect(Row)
const decodeLogin = Schema.decodeUnknownEffect(
  Schema.Struct({ id: Row.fields.id, passwordHash: Schema.String })
)

export class UsersRepo extends Context.Service<
  UsersRepo,
  {
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

      const find = Effect.fn("UsersRepo.find")(function* (id: UserId) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT id, email, first_name, last_name, broker_role, brokerage_firm_id, status, created_at
          FROM app_user WHERE tenant_id = ${tenantId} AND id = ${id}
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

      return UsersRepo.of({ find, findLogin, insert })
    })
  )
}
