/** What tenants find of brokers in their registers. */
import type { BrokerageFirmNotFound } from "@quittance/domain/access/Firm"
import type { PutRegistration } from "@quittance/domain/compliance/ComplianceRequests"
import { type Registration, RegistrationNotFound } from "@quittance/domain/compliance/Registration"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidEffectiveDate
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"
import { FirmsRepo } from "@quittance/persistence/access/FirmsRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { RegistrationsRepo } from "@quittance/persistence/compliance/RegistrationsRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { requestActor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"

type Asked = CurrentTenant | CurrentCaller
type AccessFailure = BrokerageFirmNotFound | Forbidden

export class FirmRegistrations extends Context.Service<
  FirmRegistrations,
  {
    get(
      id: BrokerageFirmId
    ): Effect.Effect<Registration, AccessFailure | RegistrationNotFound, Asked>
    /** Needs `firm.write` on the whole tenant: no firm vouches for itself. */
    put(
      id: BrokerageFirmId,
      input: PutRegistration
    ): Effect.Effect<
      Registration,
      AccessFailure | IdempotencyKeyInUse | IdempotencyKeyReused | InvalidEffectiveDate,
      Asked | CurrentRequest
    >
  }
>()("@quittance/operations/FirmRegistrations") {
  static readonly layer = Layer.effect(
    FirmRegistrations,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const command = yield* Command
      const firms = yield* FirmsRepo
      const grants = yield* GrantsRepo
      const repo = yield* RegistrationsRepo

      const get = Effect.fn("FirmRegistrations.get")(function* (id: BrokerageFirmId) {
        yield* firms.authorize("firm.read", id)
        const registration = yield* repo.find(id)
        return registration ?? (yield* new RegistrationNotFound({ brokerageFirmId: id }))
      })

      const put = Effect.fn("FirmRegistrations.put")(
        (brokerageFirmId: BrokerageFirmId, input: PutRegistration) =>
          command.run({
            authorize: Effect.andThen(
              firms.authorize("firm.write", brokerageFirmId, { lock: true }),
              grants.requireOnTenant("firm.write")
            ),
            decide: Effect.fnUntraced(function* () {
              const { now } = yield* clock.read
              if (input.checkedAt > now) {
                return yield* new InvalidEffectiveDate({ field: "checkedAt", latest: now })
              }
              const { id: author } = yield* requestActor
              const before = yield* repo.find(brokerageFirmId)
              const after = { ...input, brokerageFirmId, recordedAt: now, author }
              yield* repo.insert(after)
              yield* audit.record({
                action: "firm.register",
                recordId: brokerageFirmId,
                before,
                after,
                businessAt: now
              })
              return after
            })
          })
      )

      return FirmRegistrations.of({ get, put })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      FirmsRepo.layer,
      GrantsRepo.layer,
      RegistrationsRepo.layer,
      TenantClockRepo.layer
    ])
  )
}
