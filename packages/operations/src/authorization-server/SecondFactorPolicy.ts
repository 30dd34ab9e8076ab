/** Which users of a tenant need a second factor, and the reset of a lost one. */
import {
  CurrentCaller,
  type Forbidden,
  subject,
  type UserId,
  type UserNotFound
} from "@quittance/domain/requests/Caller"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import { OwnAccount, type User } from "@quittance/domain/access/User"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { type AuthorizedUser, UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { SecondFactorsRepo } from "@quittance/persistence/authorization-server/SecondFactorsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer } from "effect"
import { GrantAuthority } from "../access/GrantAuthority.ts"
import { actorOf, operator } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { SignIns } from "../tokens/SignIns.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class SecondFactorReset extends Context.Service<
  SecondFactorReset,
  {
    /**
     * Removes every factor and recovery code of another user and ends their sign-ins. The caller needs
     * `user.write` on the user and all permissions to remove their grants: no one weakens the account of a
     * user who may do more.
     */
    reset(
      id: UserId
    ): Effect.Effect<
      User,
      Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused | OwnAccount | UserNotFound,
      CurrentTenant | CurrentCaller | CurrentRequest
    >
  }
>()("@quittance/operations/SecondFactorReset") {
  static readonly layer = Layer.effect(
    SecondFactorReset,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const authority = yield* GrantAuthority
      const command = yield* Command
      const factors = yield* SecondFactorsRepo
      const grants = yield* GrantsRepo
      const signIns = yield* SignIns
      const users = yield* UsersRepo

      const reset = Effect.fn("SecondFactorReset.reset")(function* (id: UserId) {
        const caller = yield* CurrentCaller
        const write = Effect.fnUntraced(function* ({ user }: AuthorizedUser) {
          if (subject(caller) === id) return yield* new OwnAccount({})
          yield* authority.requireToTake("permission.write", yield* grants.of(id))
          const before = { factors: (yield* factors.of(id)).map(({ id, kind }) => ({ id, kind })) }
          const removed = yield* factors.removeAll(id)
          yield* signIns.end(id)
          yield* audit.record({
            action: "user.factors.reset",
            recordId: id,
            detail: { removed: `${removed}` },
            before,
            after: { factors: [] }
          })
          return user
        })
        return yield* command.run({
          authorize: users.authorize("user.write", id, { lock: true }),
          decide: write
        })
      })

      return SecondFactorReset.of({ reset })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      GrantAuthority.layer,
      GrantsRepo.layer,
      SecondFactorsRepo.layer,
      SignIns.layer,
      UsersRepo.layer
    ])
  )
}

export class SecondFactorPolicy extends Context.Service<
  SecondFactorPolicy,
  {
    /**
     * Sets whether the tenant requires a second factor of users who move money or rights. A user without one
     * gets no token from the next refresh on, and enrols one at the next sign-in.
     */
    setRequired(required: boolean): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/SecondFactorPolicy") {
  static readonly layer = Layer.effect(
    SecondFactorPolicy,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const factors = yield* SecondFactorsRepo
      const tenantSql = yield* TenantSql

      const setRequired = Effect.fn("SecondFactorPolicy.setRequired")(function* (
        required: boolean
      ) {
        const was = yield* factors.setRequired(required)
        if (was === required) return
        yield* audit.recordAll(actorOf(operator, "operator"), [
          {
            action: "tenant.update",
            recordId: yield* CurrentTenant,
            before: { secondFactorRequired: was },
            after: { secondFactorRequired: required }
          }
        ])
      }, tenantSql.transaction)

      return SecondFactorPolicy.of({ setRequired })
    })
  ).pipe(Layer.provide([AuditTrail.layer, SecondFactorsRepo.layer]))
}
