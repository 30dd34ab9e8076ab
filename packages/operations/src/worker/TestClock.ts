/** The clock of a sandbox tenant: it moves when told, and what falls due on the way is run in order. */
import { CurrentCaller, type Forbidden, subject } from "@quittance/domain/requests/Caller"
import type { MoveTestClock } from "@quittance/domain/worker/ClockRequests"
import type { DueItem } from "@quittance/domain/requests/DueItem"
import type { Instant } from "@quittance/domain/values/Instant"
import { max } from "@quittance/domain/values/Instant"
import {
  type IdempotencyKeyInUse,
  IdempotencyKeyReused,
  InvalidEffectiveDate,
  RouteNotFound
} from "@quittance/domain/requests/RequestErrors"
import { tenantWide } from "@quittance/auth/Grants"
import { DueRepo } from "@quittance/persistence/policies/DueRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { IdempotencyRepo } from "@quittance/persistence/requests/IdempotencyRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Effect, Layer } from "effect"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { DueItems } from "./DueItems.ts"
import { DueSteps } from "./DueSteps.ts"
import { type JobCounts, sum } from "@quittance/domain/billing/Job"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

/** Where the clock stands, and how often each job ran on the way there. */
export interface Moved {
  readonly now: Instant
  readonly ran: JobCounts
}

/** A step of the way, and a record whose turn is next. */
interface Step {
  readonly ran: JobCounts
  readonly item: DueItem | undefined
}

type ClockRefusal = Forbidden | RouteNotFound

export class TestClock extends Context.Service<
  TestClock,
  {
    /** The tenant's business time; in production there is no such route. */
    readonly read: Effect.Effect<
      { readonly now: Instant },
      ClockRefusal,
      CurrentTenant | CurrentCaller
    >
    /**
     * Moves the clock forward, and starts one where the tenant has none. Each step on the
     * way is a transaction of its own: after an end in the middle the same call goes on from there.
     */
    move(
      input: MoveTestClock
    ): Effect.Effect<
      Moved,
      ClockRefusal | IdempotencyKeyInUse | IdempotencyKeyReused | InvalidEffectiveDate,
      CurrentTenant | CurrentCaller | CurrentRequest
    >
  }
>()("@quittance/operations/TestClock") {
  static readonly layer = Layer.effect(
    TestClock,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const command = yield* Command
      const due = yield* DueRepo
      const dueItems = yield* DueItems
      const dueSteps = yield* DueSteps
      const grants = yield* GrantsRepo
      const idempotency = yield* IdempotencyRepo
      const tenants = yield* TenantsRepo
      const tenantSql = yield* TenantSql

      const permit = Effect.fnUntraced(function* (action: Action) {
        const tenant = yield* tenants.find(yield* CurrentTenant)
        if (tenant?.environment === "production") return yield* new RouteNotFound({})
        const caller = yield* CurrentCaller
        // A client's scope was checked; it stands for the whole tenant.
        if (caller._tag === "Client") return
        yield* Effect.catchTag(grants.require(action, tenantWide), "UserNotFound", Effect.die)
      })

      const read = Effect.gen(function* () {
        yield* permit("clock.read")
        const { now } = yield* clock.read
        return { now }
      }).pipe(Effect.withSpan("TestClock.read"))

      /**
       * The next thing that is due on the way, policies before other records of the same instant;
       * `undefined` when the clock has arrived. Records have transactions of their own after this one.
       */
      const step = Effect.fnUntraced(function* (target: Instant) {
        const { isTest, now } = yield* clock.hold
        if (target < now) return undefined
        const [policy] = yield* due.due(target, 1)
        const found = yield* dueItems.next(target)
        const isItemNext =
          found !== undefined && (policy === undefined || found.dueAt < policy.dueAt)
        const item = isItemNext ? found : undefined
        const next = item ?? policy
        const at = next === undefined ? target : max(now, next.dueAt)
        if (!isTest || at !== now) yield* clock.set(at)
        if (item !== undefined || policy === undefined) return item && { ran: {}, item }
        const head = yield* due.waitFor(policy.policyId, at)
        // A command that held it has done what was due.
        return { ran: head === undefined ? {} : (yield* dueSteps.run([head], at)).ran, item }
      }, tenantSql.transaction)

      /** A key that belongs to another request must not move anything before it is refused. */
      const checkKey = Effect.gen(function* () {
        const { idempotency: repeatable } = yield* CurrentRequest
        if (repeatable === undefined) return
        const callerId = subject(yield* CurrentCaller)
        const stored = yield* tenantSql.transaction(idempotency.find(callerId, repeatable.key))
        if (stored !== undefined && stored.fingerprint !== repeatable.fingerprint) {
          return yield* new IdempotencyKeyReused({})
        }
      })

      const move = Effect.fn("TestClock.move")(function* ({ now: target }: MoveTestClock) {
        yield* permit("clock.write")
        yield* checkKey
        const { now } = yield* clock.read
        let ran: JobCounts = {}
        for (;;) {
          const done: Step | undefined = yield* step(target)
          if (done === undefined) break
          ran = sum([ran, done.ran, done.item === undefined ? {} : yield* dueItems.run(done.item)])
        }
        return yield* command.run({
          authorize: Effect.void,
          decide: Effect.fnUntraced(function* () {
            if (target < now) {
              return yield* new InvalidEffectiveDate({ field: "now", earliest: now })
            }
            yield* audit.record({
              action: "clock.move",
              recordId: yield* CurrentTenant,
              before: { now },
              after: { now: target }
            })
            return { now: target, ran }
          })
        })
      })

      return TestClock.of({ read, move })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      DueItems.layer,
      DueRepo.layer,
      DueSteps.layer,
      GrantsRepo.layer,
      IdempotencyRepo.layer,
      TenantClockRepo.layer,
      TenantsRepo.layer
    ])
  )
}
