/** Holds on data that must not be erased for now: placed, listed and lifted. */
import { CustomerNotFound } from "@quittance/domain/customers/Customer"
import { CurrentCaller, type Forbidden, subject } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidReference
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type {
  PlaceRetentionHold,
  RetentionHold,
  RetentionHoldId,
  RetentionHoldNotFound
} from "@quittance/domain/privacy/RetentionHold"
import * as Page from "@quittance/domain/values/Page"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { PrivacyRequestsRepo } from "@quittance/persistence/privacy/PrivacyRequestsRepo"
import { RetentionHoldsRepo } from "@quittance/persistence/privacy/RetentionHoldsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"

type Asked = CurrentTenant | CurrentCaller
type Scoped = Asked | CurrentRequest
type Repeated = IdempotencyKeyInUse | IdempotencyKeyReused

export class RetentionHolds extends Context.Service<
  RetentionHolds,
  {
    place(
      input: PlaceRetentionHold
    ): Effect.Effect<
      RetentionHold,
      CustomerNotFound | Forbidden | InvalidReference | Repeated,
      Scoped
    >
    lift(
      id: RetentionHoldId
    ): Effect.Effect<void, Forbidden | Repeated | RetentionHoldNotFound, Scoped>
    /** Those of the tenant, the newest first; lifted ones too. */
    list(page: Page.PageRequest): Effect.Effect<Page.Page<RetentionHold>, Forbidden, Asked>
  }
>()("@quittance/operations/RetentionHolds") {
  static readonly layer = Layer.effect(
    RetentionHolds,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const command = yield* Command
      const grants = yield* GrantsRepo
      const ids = yield* Ids
      const repo = yield* RetentionHoldsRepo
      const requests = yield* PrivacyRequestsRepo

      const place = Effect.fn("RetentionHolds.place")((input: PlaceRetentionHold) =>
        command.run({
          authorize: grants.requireOnTenant("privacy.write"),
          decide: Effect.fnUntraced(function* () {
            const { customerId, policyId, until } = input
            const { now } = yield* clock.read
            if (customerId !== undefined) {
              const missing = yield* requests.missingOf([customerId])
              if (missing !== undefined) return yield* new CustomerNotFound({ customerId: missing })
            }
            if (policyId !== undefined && !(yield* repo.hasPolicy(policyId))) {
              return yield* new InvalidReference({
                field: "policyId",
                value: policyId,
                expected: "a policy of the tenant"
              })
            }
            if (until !== undefined && until <= now) {
              return yield* new InvalidReference({
                field: "until",
                value: until,
                expected: "an instant to come"
              })
            }
            const hold: RetentionHold = {
              id: ids.next("retention_hold"),
              ...input,
              placedBy: subject(yield* CurrentCaller),
              placedAt: now
            }
            yield* repo.insert(hold)
            yield* audit.record({
              action: "retentionHold.place",
              recordId: hold.id,
              after: hold,
              businessAt: now
            })
            return hold
          })
        })
      )

      const lift = Effect.fn("RetentionHolds.lift")((id: RetentionHoldId) =>
        command.run({
          authorize: repo.authorize("privacy.write", id),
          decide: Effect.fnUntraced(function* (before) {
            const { now } = yield* clock.read
            yield* repo.lift(id, now)
            const after = { ...before, liftedAt: now }
            yield* audit.record({
              action: "retentionHold.lift",
              recordId: id,
              before,
              after,
              businessAt: now
            })
          })
        })
      )

      const list = Effect.fn("RetentionHolds.list")(function* (page: Page.PageRequest) {
        yield* grants.requireOnTenant("privacy.read")
        const { rows, total } = yield* repo.list(page)
        return Page.make(rows, total, page)
      })

      return RetentionHolds.of({ place, lift, list })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      GrantsRepo.layer,
      PrivacyRequestsRepo.layer,
      RetentionHoldsRepo.layer,
      TenantClockRepo.layer
    ])
  )
}
