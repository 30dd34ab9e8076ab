/** Runs what falls due of records that belong to no one policy. */
import { count, type JobCounts, sum } from "@quittance/domain/billing/Job"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { DueItem } from "@quittance/domain/requests/DueItem"
import type { Instant } from "@quittance/domain/values/Instant"
import { reasonOf } from "@quittance/persistence/sql/DatabaseFailure"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { DueItemsRepo } from "@quittance/persistence/tenants/DueItemsRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Cause, Context, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { DueItemHandlers } from "../tenants/DueItemHandlers.ts"
import type { BatchOutcome } from "./DueSteps.ts"

/** The most items that one worker claims at once: each is done, in turn, before its claim ends. */
const itemsAtOnce = 4

export class DueItems extends Context.Service<
  DueItems,
  {
    /** Runs some of what is due in the current tenant; none with a test clock. */
    readonly runBatch: Effect.Effect<BatchOutcome, never, CurrentTenant>
    /** The first that is due by an instant. */
    next(by: Instant): Effect.Effect<DueItem | undefined, never, CurrentTenant>
    /** Runs one item, also where another worker has it: a test clock waits for none. */
    run(item: DueItem): Effect.Effect<JobCounts, never, CurrentTenant>
  }
>()("@quittance/operations/DueItems") {
  static readonly layer = Layer.effect(
    DueItems,
    Effect.gen(function* () {
      const clock = yield* TenantClockRepo
      const handlers = yield* DueItemHandlers
      const repo = yield* DueItemsRepo
      const tenantSql = yield* TenantSql
      const kinds = handlers.map(({ kind }) => kind)

      const handle = Effect.fnUntraced(function* (item: DueItem, token: string) {
        // Only kinds with a handler are claimed.
        const handler = handlers.find(({ kind }) => kind === item.kind)!
        const outcome = yield* handler.run(item.recordId).pipe(
          Effect.catchCause(
            Effect.fnUntraced(function* (cause) {
              if (Cause.hasInterrupts(cause)) return yield* Effect.failCause(cause)
              const { kind, recordId } = item
              yield* Effect.logError("What was due has failed", { kind, recordId }, cause)
              return { failed: reasonOf(Cause.squash(cause)) }
            })
          )
        )
        const { now } = yield* clock.read
        yield* tenantSql.transaction(
          outcome === "DONE"
            ? repo.finish(item, token)
            : outcome === "MORE"
              ? repo.release(item, token, item.dueAt)
              : "failed" in outcome
                ? repo.fail(item, token, outcome.failed, now)
                : repo.release(item, token, outcome.again)
        )
        return { ran: count([item.kind]), more: outcome === "MORE" }
      })

      const runBatch = Effect.gen(function* () {
        const token = randomUUID()
        const items = yield* tenantSql.transaction(
          Effect.gen(function* () {
            const { isTest, now } = yield* clock.read
            return isTest || kinds.length === 0
              ? []
              : yield* repo.claim(kinds, now, token, itemsAtOnce)
          })
        )
        const done = yield* Effect.forEach(items, (item) => handle(item, token))
        return {
          ran: sum(done.map(({ ran }) => ran)),
          more: items.length === itemsAtOnce || done.some(({ more }) => more)
        }
      }).pipe(Effect.withSpan("DueItems.runBatch"))

      const next = Effect.fn("DueItems.next")(function* (by: Instant) {
        return kinds.length === 0 ? undefined : (yield* repo.due(kinds, by, 1))[0]
      })

      const run = Effect.fn("DueItems.run")(function* (item: DueItem) {
        const token = randomUUID()
        const isTaken = yield* tenantSql.transaction(repo.take(item, token))
        return isTaken ? (yield* handle(item, token)).ran : {}
      })

      return DueItems.of({ runBatch, next, run })
    })
  ).pipe(Layer.provide([DueItemsRepo.layer, TenantClockRepo.layer]))
}
