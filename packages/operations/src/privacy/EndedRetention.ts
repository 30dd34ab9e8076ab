/** The job that erases what no clock keeps any more, for tenants that have it on. */
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { jobName } from "@quittance/domain/requests/Actor"
import type { DueItemOutcome } from "@quittance/domain/requests/DueItem"
import type { RetentionRule } from "@quittance/domain/privacy/Retention"
import type { CustomerId } from "@quittance/domain/values/Ids"
import { max, min } from "@quittance/domain/values/Instant"
import { ErasuresRepo } from "@quittance/persistence/privacy/ErasuresRepo"
import { RetentionRepo } from "@quittance/persistence/privacy/RetentionRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Cause, Context, Effect, Layer } from "effect"
import type { Actor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import type { DueItemHandler } from "../tenants/DueItemHandlers.ts"
import { RetentionLooks } from "./RetentionLooks.ts"

const worker: Actor = { kind: "JOB", id: jobName, requestId: jobName }

/** Customers of one run, each in a transaction of its own. */
const customersAtOnce = 50

/** New customers are found after so many days at the latest; no rule is shorter. */
const longestPause = 30

const ground = "GDPR art. 5(1)(e): the time for which they are kept has ended"

export class EndedRetention extends Context.Service<EndedRetention, DueItemHandler>()(
  "@quittance/operations/EndedRetention"
) {
  static readonly layer = Layer.effect(
    EndedRetention,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const erasures = yield* ErasuresRepo
      const looks = yield* RetentionLooks
      const repo = yield* RetentionRepo
      const tenantSql = yield* TenantSql

      const look = Effect.fnUntraced(function* (
        customerId: CustomerId,
        rules: ReadonlyArray<RetentionRule>
      ) {
        const { now } = yield* clock.read
        if (!(yield* repo.hold(customerId, now))) return
        const { lookAt, steps } = yield* looks.at(customerId, now, rules)
        const erased = yield* Effect.forEach(steps, (step) =>
          erasures.erase(step, { ground, at: now })
        )
        yield* repo.lookAgain(customerId, lookAt)
        if (erased.length === 0) return
        const names = erased.some((one) => one.class === "PERSON")
        yield* audit.recordAll(worker, [
          {
            action: "retention.erase",
            recordId: customerId,
            after: erased.map(({ counts, id }) => ({ erasureId: id, counts })),
            detail: { erased: String(erased.length) },
            businessAt: now
          },
          ...(names
            ? [
                {
                  action: "customer.erase",
                  recordId: customerId,
                  after: { erased: true },
                  businessAt: now
                }
              ]
            : [])
        ])
      })

      /** One that can't be erased is logged and waits for the next day; the others go on. */
      const lookOrWait = (customerId: CustomerId, rules: ReadonlyArray<RetentionRule>) =>
        tenantSql.transaction(look(customerId, rules)).pipe(
          Effect.catchCause(
            Effect.fnUntraced(function* (cause) {
              if (Cause.hasInterrupts(cause)) return yield* Effect.failCause(cause)
              yield* Effect.logError(
                "Data whose time has ended were not erased",
                { customerId },
                cause
              )
              const { now } = yield* clock.read
              const tomorrow = yield* looks.dayAfter(now, 1)
              yield* tenantSql.transaction(repo.lookAgain(customerId, tomorrow))
            })
          )
        )

      const run = Effect.fn("EndedRetention.run")(function* (): Effect.fn.Return<
        DueItemOutcome,
        never,
        CurrentTenant
      > {
        const setting = yield* repo.find
        if (setting === undefined || !setting.isAutomatic) return "DONE"
        const { now } = yield* clock.read
        const isMore = yield* tenantSql.transaction(repo.enlist(now))
        const rules = yield* looks.rules
        const due = yield* repo.due(now, customersAtOnce)
        yield* Effect.forEach(due, (customerId) => lookOrWait(customerId, rules), { discard: true })
        if (isMore || due.length === customersAtOnce) return "MORE"
        const [tomorrow, last] = [
          yield* looks.dayAfter(now, 1),
          yield* looks.dayAfter(now, longestPause)
        ]
        return { again: max(tomorrow, min((yield* repo.nextAt) ?? last, last)) }
      })

      return EndedRetention.of({ kind: "eraseEnded", run })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      ErasuresRepo.layer,
      RetentionLooks.layer,
      RetentionRepo.layer,
      TenantClockRepo.layer
    ])
  )
}
