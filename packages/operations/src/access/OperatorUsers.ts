/** Users made by the operator, directly on the database, such as the first manager of a tenant. */
import { CurrentCaller } from "@quittance/domain/requests/Caller"
import type { GivenGrant, Grant } from "@quittance/domain/access/Grant"
import type { EmailTaken, User } from "@quittance/domain/access/User"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { Context, Effect, Layer, type Redacted } from "effect"
import { operator } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { GrantAuthority } from "./GrantAuthority.ts"
import { Invitations } from "./Invitations.ts"
import { OneTimeLinkKey } from "./OneTimeLinkKey.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { InvalidReference } from "@quittance/domain/requests/RequestErrors"

export interface Appointment {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly role: GivenGrant["role"]
  /** Absent: the role holds on the whole tenant. */
  readonly brokerageFirmId?: BrokerageFirmId
}

/** The new user, and the secret of the link by which they choose their password: shown once. */
export interface Appointed {
  readonly user: User
  readonly token: Redacted.Redacted
}

export class OperatorUsers extends Context.Service<
  OperatorUsers,
  {
    /** Invites a user who has a role from the start; the letter with their link goes out as usual. */
    appoint(
      appointment: Appointment
    ): Effect.Effect<Appointed, EmailTaken | InvalidReference, CurrentTenant>
  }
>()("@quittance/operations/OperatorUsers") {
  static readonly layer = Layer.effect(
    OperatorUsers,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const authority = yield* GrantAuthority
      const grants = yield* GrantsRepo
      const ids = yield* Ids
      const invitations = yield* Invitations
      const keys = yield* OneTimeLinkKey
      const tenantSql = yield* TenantSql
      const users = yield* UsersRepo

      const appoint = Effect.fn("OperatorUsers.appoint")(
        function* ({ role, ...person }: Appointment) {
          const { brokerageFirmId } = person
          const on: Grant["on"] =
            brokerageFirmId === undefined ? { kind: "TENANT" } : { kind: "FIRM", brokerageFirmId }
          // The operator may give anything, but only what is there.
          yield* Effect.catchTag(
            authority.requireToGive("permission.write", [{ role, on }]),
            ["AuthorityExceeded", "Forbidden"],
            Effect.die
          )
          const user = yield* users.insert({ id: ids.next("user"), ...person })
          yield* grants.giveAll(user.id, [{ role, on }])
          const { id } = yield* invitations.welcome(user)
          yield* audit.record({ action: "user.create", recordId: user.id, after: user })
          yield* audit.record({
            action: "permission.replace",
            recordId: user.id,
            before: [],
            after: yield* grants.of(user.id)
          })
          return { user, token: keys.token(yield* CurrentTenant, id) }
        },
        tenantSql.transaction,
        Effect.provideService(CurrentCaller, operator),
        Effect.provideService(CurrentRequest, {
          id: "operator",
          dryRun: false,
          address: "",
          userAgent: "",
          answer: { replayed: false }
        })
      )

      return OperatorUsers.of({ appoint })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      GrantAuthority.layer,
      GrantsRepo.layer,
      Invitations.layer,
      OneTimeLinkKey.layer,
      UsersRepo.layer
    ])
  )
}
