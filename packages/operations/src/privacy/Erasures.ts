/** Erasures of what is kept about persons: previewed, carried out for a request, and on record. */
import type { CustomerNotFound } from "@quittance/domain/customers/Customer"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  InvalidTransition
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  type ErasableClass,
  type ErasePerson,
  type Erasure,
  type ErasurePlan,
  erasurePlan,
  type ErasurePreview,
  type ErasureReport,
  RetentionDuty
} from "@quittance/domain/privacy/Erasing"
import {
  carriedOut,
  type IdentityNotProven,
  type PrivacyRequest,
  type PrivacyRequestId,
  type PrivacyRequestNotFound
} from "@quittance/domain/privacy/PrivacyRequest"
import { clocks } from "@quittance/domain/privacy/Retention"
import { RetentionHeld } from "@quittance/domain/privacy/RetentionHold"
import type { CustomerId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import * as Page from "@quittance/domain/values/Page"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { type ErasureGround, ErasuresRepo } from "@quittance/persistence/privacy/ErasuresRepo"
import { PrivacyRequestsRepo } from "@quittance/persistence/privacy/PrivacyRequestsRepo"
import { RetentionFactsRepo } from "@quittance/persistence/privacy/RetentionFactsRepo"
import { RetentionHoldsRepo } from "@quittance/persistence/privacy/RetentionHoldsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Data, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { RetentionLooks } from "./RetentionLooks.ts"

type Asked = CurrentTenant | CurrentCaller
type Scoped = Asked | CurrentRequest
type Repeated = IdempotencyKeyInUse | IdempotencyKeyReused

/** What a preview would have erased; its transaction ends with it. */
class Undone extends Data.TaggedError("Undone")<{ readonly erased: ReadonlyArray<Erasure> }> {}

export class Erasures extends Context.Service<
  Erasures,
  {
    /** Erases the data of the persons of a request, as far as no clock and no hold keeps them. */
    carryOut(
      id: PrivacyRequestId,
      input: ErasePerson
    ): Effect.Effect<
      ErasureReport,
      | CustomerNotFound
      | Forbidden
      | IdentityNotProven
      | InvalidTransition
      | PrivacyRequestNotFound
      | Repeated
      | RetentionDuty
      | RetentionHeld,
      Scoped
    >
    /** What an erasure would do now: it is done and undone. */
    preview(
      id: PrivacyRequestId
    ): Effect.Effect<ErasurePreview, CustomerNotFound | Forbidden | PrivacyRequestNotFound, Asked>
    /** Those of the tenant, the newest first. */
    list(page: Page.PageRequest): Effect.Effect<Page.Page<Erasure>, Forbidden, Asked>
  }
>()("@quittance/operations/Erasures") {
  static readonly layer = Layer.effect(
    Erasures,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const command = yield* Command
      const facts = yield* RetentionFactsRepo
      const grants = yield* GrantsRepo
      const holds = yield* RetentionHoldsRepo
      const repo = yield* ErasuresRepo
      const looks = yield* RetentionLooks
      const requests = yield* PrivacyRequestsRepo
      const tenantSql = yield* TenantSql

      const planOf = Effect.fnUntraced(function* (
        { customerIds }: PrivacyRequest,
        now: Instant,
        classes?: ReadonlyArray<ErasableClass>
      ) {
        const rules = yield* looks.rules
        const persons = yield* Effect.forEach(customerIds, (customerId: CustomerId) =>
          Effect.gen(function* () {
            const { facts: known, timeZone } = yield* facts.of("privacy.read", customerId)
            const policyIds = yield* repo.policiesOf(customerId)
            return { customerId, policyIds, clocks: clocks(known, rules, timeZone) }
          })
        )
        return erasurePlan(persons, now, classes)
      })

      const eraseAll = ({ steps }: ErasurePlan, ground: ErasureGround) =>
        Effect.forEach(steps, (step) => repo.erase(step, ground))

      const carryOut = Effect.fn("Erasures.carryOut")(
        (id: PrivacyRequestId, { classes, ground }: ErasePerson) =>
          command.run({
            authorize: requests.authorize("privacy.write", id),
            decide: Effect.fnUntraced(function* () {
              const { now } = yield* clock.read
              const request = yield* Effect.fromResult(carriedOut(yield* requests.hold(id), now))
              const held = yield* holds.inForce(request.customerIds, now)
              if (held.length > 0) return yield* new RetentionHeld({ holds: held })
              const plan = yield* planOf(request, now, classes)
              const isNamed = classes !== undefined && plan.kept.length > 0
              if (isNamed || plan.steps.length === 0) {
                return yield* new RetentionDuty({ classes: plan.kept })
              }
              const erased = yield* eraseAll(plan, { ground, privacyRequestId: id, at: now })
              yield* audit.record({
                action: "privacyRequest.erase",
                recordId: id,
                // Identifiers and numbers alone: a digest of a value could be found again by trying.
                after: erased.map(({ counts, id: erasureId }) => ({ erasureId, counts })),
                detail: { erased: String(erased.length), kept: String(plan.kept.length) },
                businessAt: now
              })
              for (const { class: name, customerId } of erased) {
                if (name !== "PERSON") continue
                yield* audit.record({
                  action: "customer.erase",
                  recordId: customerId,
                  after: { erased: true },
                  businessAt: now
                })
              }
              return { privacyRequestId: id, erased, kept: plan.kept }
            })
          })
      )

      const preview = Effect.fn("Erasures.preview")(function* (id: PrivacyRequestId) {
        const request = yield* requests.authorize("privacy.read", id)
        const { now } = yield* clock.read
        const held = yield* holds.inForce(request.customerIds, now)
        const plan = yield* planOf(request, now)
        const kept = { privacyRequestId: id, kept: plan.kept, holds: held }
        if (held.length > 0) return { ...kept, erasable: [] }
        const { erased } = yield* eraseAll(plan, { ground: "preview", at: now }).pipe(
          Effect.flatMap((all) => Effect.fail(new Undone({ erased: all }))),
          tenantSql.transaction,
          Effect.flip
        )
        return {
          ...kept,
          erasable: erased.map(({ class: name, counts, customerId, policyId }) => ({
            customerId,
            ...(policyId === undefined ? {} : { policyId }),
            class: name,
            counts
          }))
        }
      })

      const list = Effect.fn("Erasures.list")(function* (page: Page.PageRequest) {
        yield* grants.requireOnTenant("privacy.read")
        const { rows, total } = yield* repo.list(page)
        return Page.make(rows, total, page)
      })

      return Erasures.of({ carryOut, preview, list })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      ErasuresRepo.layer,
      GrantsRepo.layer,
      PrivacyRequestsRepo.layer,
      RetentionFactsRepo.layer,
      RetentionHoldsRepo.layer,
      RetentionLooks.layer,
      TenantClockRepo.layer
    ])
  )
}
