/** How long a tenant keeps data: read, changed, and tried before the job erases anything. */
import { CurrentCaller, type Forbidden, subject } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import {
  type ChangeRetention,
  type InvalidRetention,
  retentionFault,
  type RetentionPreview,
  type RetentionSettings,
  rulesOf
} from "@quittance/domain/privacy/RetentionSettings"
import type { CustomerId } from "@quittance/domain/values/Ids"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { RetentionRepo, type StoredRetention } from "@quittance/persistence/privacy/RetentionRepo"
import { DueItemsRepo } from "@quittance/persistence/tenants/DueItemsRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { RetentionLooks } from "./RetentionLooks.ts"

type Asked = CurrentTenant | CurrentCaller

export class Retention extends Context.Service<
  Retention,
  {
    readonly get: Effect.Effect<RetentionSettings, Forbidden, Asked>
    /** Takes the place of what was said before; switched on, the job runs from now on. */
    put(
      input: ChangeRetention
    ): Effect.Effect<
      RetentionSettings,
      Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused | InvalidRetention,
      Asked | CurrentRequest
    >
    /** What the job would erase now of some customers, in the order of their identifiers. */
    preview(
      after: CustomerId | undefined,
      count: number
    ): Effect.Effect<RetentionPreview, Forbidden, Asked>
  }
>()("@quittance/operations/Retention") {
  static readonly layer = Layer.effect(
    Retention,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const command = yield* Command
      const due = yield* DueItemsRepo
      const grants = yield* GrantsRepo
      const looks = yield* RetentionLooks
      const repo = yield* RetentionRepo

      const get = Effect.gen(function* () {
        yield* grants.requireOnTenant("privacy.read")
        return settingsOf(yield* repo.find)
      }).pipe(Effect.withSpan("Retention.get"))

      const put = Effect.fn("Retention.put")(({ isAutomatic, rules = [] }: ChangeRetention) =>
        command.run({
          authorize: grants.requireOnTenant("privacy.write"),
          decide: Effect.fnUntraced(function* () {
            const fault = retentionFault(rules)
            if (fault !== undefined) return yield* fault
            const tenantId = yield* CurrentTenant
            const { now } = yield* clock.read
            const before = settingsOf(yield* repo.find)
            const changedBy = subject(yield* CurrentCaller)
            const stored = { isAutomatic, rules, changedAt: now, changedBy }
            yield* repo.put(stored)
            if (isAutomatic) {
              yield* due.schedule([{ kind: "eraseEnded", recordId: tenantId, dueAt: now }])
            }
            const after = settingsOf(stored)
            yield* audit.record({
              action: "retention.put",
              recordId: tenantId,
              before,
              after,
              businessAt: now
            })
            return after
          })
        })
      )

      const preview = Effect.fn("Retention.preview")(function* (
        after: CustomerId | undefined,
        count: number
      ) {
        yield* grants.requireOnTenant("privacy.read")
        const { now } = yield* clock.read
        const rules = yield* looks.rules
        const ids = yield* repo.after(after, count)
        const found = yield* Effect.forEach(ids, (id) => looks.at(id, now, rules))
        const last = ids.length === count ? ids.at(-1) : undefined
        return {
          erasable: found.flatMap(({ steps }) => steps),
          customers: ids.length,
          held: found.filter(({ holds }) => holds.length > 0).length,
          ...(last === undefined ? {} : { nextAfter: last })
        }
      })

      return Retention.of({ get, put, preview })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      DueItemsRepo.layer,
      GrantsRepo.layer,
      RetentionLooks.layer,
      RetentionRepo.layer,
      TenantClockRepo.layer
    ])
  )
}

const settingsOf = (stored: StoredRetention | undefined): RetentionSettings =>
  stored === undefined
    ? { isAutomatic: false, rules: rulesOf([]) }
    : { ...stored, rules: rulesOf(stored.rules) }
